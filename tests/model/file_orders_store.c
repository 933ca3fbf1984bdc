/* file_orders_store.c - see file_orders.h */
#define _GNU_SOURCE /* utimensat */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_orders.h"

const char *const order_names[ORDER_NAMES] = {"a", "old"};
const char *const order_parts[ORDER_PARTS] = {"", ".log", ".secret", ".lock"};

void order_store_make(order_store *of)
{
    memset(of, 0, sizeof *of);
    of->content_count = of->aside_name_count = 1;
    of->in.key_count = ORDER_KEYS;
    test_folder_make(&of->in.folder);
    test_folder_make(&of->copies);
}

void order_store_remove(order_store *of)
{
    test_folder_remove(&of->in.folder);
    test_folder_remove(&of->copies);
}

/* ---- contents ---- */

static char *copy_path(const order_store *of, char out[TEST_PATH_BYTES],
                       int content)
{
    char name[32];
    (void)snprintf(name, sizeof name, "%d", content);
    return test_path(out, &of->copies, name);
}

static int find_secret(order_store *of, const char *path)
{
    uint8_t bytes[SEENSET_SECRET_BYTES];
    if (strstr(path, ".secret") == NULL || !life_read_secret(path, bytes))
        return -1;
    for (int i = 0; i < of->secret_count; i++)
        if (memcmp(of->secrets[i], bytes, sizeof bytes) == 0)
            return i;
    assert_true(of->secret_count < ORDER_SECRETS);
    memcpy(of->secrets[of->secret_count], bytes, sizeof bytes);
    return of->secret_count++;
}

/* A file that nobody has written since it was known has this time. */
static const struct timespec known_time[2] = {{1, 0}, {1, 0}};

static uint16_t content_at(const order_folder *in, int file)
{
    return file < ORDER_SLOTS ? in->slots[file]
                              : in->asides[file - ORDER_SLOTS];
}

static int known_content(const order_store *of, const struct stat *status)
{
    for (int i = 0; i < ORDER_SLOTS + ORDER_ASIDES; i++)
        if (status->st_mtim.tv_sec == known_time[0].tv_sec &&
            of->inodes[i] == status->st_ino && content_at(&of->disk, i) != 0)
            return content_at(&of->disk, i);
    return 0;
}

static int find_content(order_store *of, const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    if (known_content(of, &status) != 0)
        return known_content(of, &status);
    life_bytes all = life_map(path);
    uint64_t hash = seenset_hash(all.at, all.count) + status.st_mode;
    int found = 1;
    while (found < of->content_count &&
           (of->contents[found].hash != hash ||
            of->contents[found].size_bytes != all.count))
        found++;
    life_unmap(all);
    if (found < of->content_count)
        return found;
    life_folder bare = of->in;
    char copy[TEST_PATH_BYTES];
    assert_true(found < ORDER_CONTENTS);
    assert_true(life_copy(path, copy_path(of, copy, found)));
    bare.secret_count = 0;
    of->contents[of->content_count++] =
        (order_content){.hash = hash,
                        .size_bytes = (uint64_t)status.st_size,
                        .plain = life_keys(&bare, copy),
                        .secret = find_secret(of, path)};
    return found;
}

/* Which keys secrets open in it that were found since. */
static void try_secrets(order_store *of, int content)
{
    order_content *at = &of->contents[content];
    life_folder one = of->in;
    char path[TEST_PATH_BYTES];
    one.secret_count = 1;
    for (; at->tried < of->secret_count; at->tried++) {
        memcpy(one.secrets[0], of->secrets[at->tried], sizeof one.secrets[0]);
        at->under[at->tried] =
            at->plain != 0 ? 0 : life_keys(&one, copy_path(of, path, content));
    }
}

uint64_t order_keys_of(order_store *of, const order_folder *in, int content)
{
    if (content == 0)
        return 0;
    try_secrets(of, content);
    uint64_t keys = of->contents[content].plain;
    for (int i = 0; i < ORDER_SLOTS; i++) {
        int secret = of->contents[in->slots[i]].secret;
        if (in->slots[i] != 0 && secret >= 0)
            keys |= of->contents[content].under[secret];
    }
    return keys;
}

uint64_t order_held(order_store *of, const order_folder *in)
{
    uint64_t keys = 0;
    for (int i = 0; i < ORDER_SLOTS; i++)
        keys |= order_keys_of(of, in, in->slots[i]);
    for (int i = 0; i < ORDER_ASIDES; i++)
        keys |= order_keys_of(of, in, in->asides[i]);
    return keys;
}

/* ---- the folder ---- */

static char *slot_path(const order_store *of, char out[TEST_PATH_BYTES],
                       int slot)
{
    return life_path(&of->in, out, order_names[slot / ORDER_PARTS],
                     order_parts[slot % ORDER_PARTS]);
}

static void put_file(const order_store *of, const char *path, int content)
{
    char copy[TEST_PATH_BYTES];
    if (content == 0)
        (void)unlink(path);
    else
        assert_true(life_copy(copy_path(of, copy, content), path));
}

/* The folder is that now, and its files are known again. */
static void know(order_store *of, const order_folder *now)
{
    struct stat status;
    of->disk = *now;
    for (int i = 0; i < ORDER_SLOTS + ORDER_ASIDES; i++) {
        char path[TEST_PATH_BYTES];
        of->inodes[i] = 0;
        if (content_at(now, i) == 0)
            continue;
        if (i < ORDER_SLOTS)
            slot_path(of, path, i);
        else
            test_path(path, &of->in.folder,
                      of->aside_names[now->aside_names[i - ORDER_SLOTS]]);
        assert_int_equal(utimensat(AT_FDCWD, path, known_time, 0), 0);
        assert_int_equal(stat(path, &status), 0);
        of->inodes[i] = status.st_ino;
    }
}

static int find_aside(const order_folder *in, int name)
{
    for (int i = 0; i < ORDER_ASIDES; i++)
        if (in->aside_names[i] == name)
            return in->asides[i];
    return 0;
}

static void put_aside(order_store *of, const order_folder *to, int name)
{
    char path[TEST_PATH_BYTES];
    int content = find_aside(to, name);
    if (name != 0 && content != find_aside(&of->disk, name))
        put_file(of, test_path(path, &of->in.folder, of->aside_names[name]),
                 content);
}

void order_put(order_store *of, const order_folder *to)
{
    char path[TEST_PATH_BYTES];
    for (int i = 0; i < ORDER_SLOTS; i++)
        if (of->disk.slots[i] != to->slots[i])
            put_file(of, slot_path(of, path, i), to->slots[i]);
    for (int i = 0; i < ORDER_ASIDES; i++) {
        put_aside(of, to, of->disk.aside_names[i]);
        put_aside(of, to, to->aside_names[i]);
    }
    know(of, to);
}

static int find_aside_name(order_store *of, const char *name)
{
    int found = 1;
    while (found < of->aside_name_count &&
           strcmp(of->aside_names[found], name) != 0)
        found++;
    assert_true(found < ORDER_ASIDE_NAMES);
    if (found == of->aside_name_count)
        strcpy(of->aside_names[of->aside_name_count++], name);
    return found;
}

static void take_aside(order_store *of, order_folder *into, const char *path)
{
    int name = find_aside_name(of, strrchr(path, '/') + 1);
    int content = find_content(of, path), at = 0;
    assert_int_equal(into->aside_names[ORDER_ASIDES - 1], 0);
    while (into->aside_names[at] != 0 && into->aside_names[at] < name)
        at++;
    for (int i = ORDER_ASIDES - 1; i > at; i--) {
        into->aside_names[i] = into->aside_names[i - 1];
        into->asides[i] = into->asides[i - 1];
    }
    into->aside_names[at] = (uint16_t)name;
    into->asides[at] = (uint16_t)content;
}

void order_take(order_store *of, order_folder *out)
{
    static char paths[LIFE_FILES][TEST_PATH_BYTES];
    char path[TEST_PATH_BYTES];
    int count = life_list(&of->in, paths);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < count; i++) {
        int slot = 0;
        while (slot < ORDER_SLOTS &&
               strcmp(paths[i], slot_path(of, path, slot)) != 0)
            slot++;
        if (slot < ORDER_SLOTS)
            out->slots[slot] = (uint16_t)find_content(of, paths[i]);
        else
            take_aside(of, out, paths[i]);
    }
    know(of, out);
}

static bool is_of(const char *file, const char *name)
{
    size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && file[length] == '.';
}

order_folder order_only(const order_store *of, const order_folder *from,
                        unsigned which_names)
{
    order_folder out = {0};
    int count = 0;
    for (int n = 0; n < ORDER_NAMES; n++)
        if ((which_names >> n & 1) != 0)
            memcpy(out.slots + n * ORDER_PARTS, from->slots + n * ORDER_PARTS,
                   ORDER_PARTS * sizeof *out.slots);
    for (int i = 0; i < ORDER_ASIDES && from->aside_names[i] != 0; i++)
        for (int n = 0; n < ORDER_NAMES; n++)
            if ((which_names >> n & 1) != 0 &&
                is_of(of->aside_names[from->aside_names[i]], order_names[n])) {
                out.aside_names[count] = from->aside_names[i];
                out.asides[count++] = from->asides[i];
            }
    return out;
}
