/* lives_files.c - see lives.h */
#define _GNU_SOURCE /* O_CLOEXEC */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash/siphash.h"
#include "lives.h"

enum {
    AT_MARK = 11,
    AT_CHECKSUM = 120,
    AT_JOURNAL_SET = 16,
    AT_RECORDS = 64,
    OF_COUNT = 8,
    OF_HASHES = 16
};

char *life_path(const life_folder *of, char out[TEST_PATH_BYTES],
                const char *name, const char *part)
{
    char joined[TEST_PATH_BYTES];
    (void)snprintf(joined, sizeof joined, "%s%s", name, part);
    test_path(out, &of->folder, joined);
    return out;
}

void life_key(char out[LIFE_KEY_BYTES], int key)
{
    (void)snprintf(out, LIFE_KEY_BYTES, "k%d", key);
}

/* ---- what is in a file ---- */

life_bytes life_map(const char *path)
{
    struct stat status;
    life_bytes out = {NULL, 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0)
        out.at =
            mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (out.at == NULL || out.at == MAP_FAILED)
        return (life_bytes){NULL, 0};
    out.count = (size_t)status.st_size;
    return out;
}

void life_unmap(life_bytes of)
{
    if (of.at != NULL)
        munmap(of.at, of.count);
}

static uint64_t number(const uint8_t *at_byte, int size_bytes)
{
    uint64_t out = 0;
    for (int i = size_bytes - 1; i >= 0; i--)
        out = out << 8 | at_byte[i];
    return out;
}

static bool begins(life_bytes of, const char *magic, size_t least)
{
    return of.count >= least && of.at[0] == 0x89 &&
           memcmp(of.at + 1, magic, strlen(magic)) == 0;
}

static bool is_journal(life_bytes of)
{
    return begins(of, "SSJL", AT_RECORDS);
}

static bool is_set(life_bytes of)
{
    return !is_journal(of) && begins(of, "S", 128);
}

static uint64_t keys_of_set(const life_folder *of, const seenset *set)
{
    uint64_t keys = 0;
    for (int i = 0; i < of->key_count; i++) {
        char key[LIFE_KEY_BYTES];
        life_key(key, i);
        if (seenset_has(set, key, strlen(key)) == 1)
            keys |= UINT64_C(1) << i;
    }
    return keys;
}

/* Opens the set alone, with whichever secret of the folder fits; or NULL. */
static seenset *open_alone(const life_folder *of, life_bytes from)
{
    seenset_open_options options = {.flags = SEENSET_OPEN_UNCHECKED |
                                             SEENSET_OPEN_WITHOUT_JOURNAL};
    seenset *set = NULL;
    int error = seenset_open_bytes(&set, from.at, from.count, &options);
    for (int i = 0; error == SEENSET_ESECRET && i < of->secret_count; i++) {
        options.secret = of->secrets[i];
        error = seenset_open_bytes(&set, from.at, from.count, &options);
    }
    return set;
}

static uint64_t keys_of_hash(const life_folder *of, uint64_t hash)
{
    uint64_t keys = 0;
    for (int i = 0; i < of->key_count; i++) {
        char key[LIFE_KEY_BYTES];
        life_key(key, i);
        bool is_it = seenset_hash(key, strlen(key)) == hash;
        for (int s = 0; s < of->secret_count; s++)
            is_it = is_it || ss_siphash_2_4_128(key, strlen(key),
                                                of->secrets[s]) == hash;
        if (is_it)
            keys |= UINT64_C(1) << i;
    }
    return keys;
}

static uint64_t keys_of_journal(const life_folder *of, life_bytes from)
{
    uint64_t keys = 0;
    size_t record = AT_RECORDS;
    while (record + OF_HASHES <= from.count) {
        uint64_t count = number(from.at + record + OF_COUNT, 4);
        if (count < 1 || count > 4096 ||
            record + OF_HASHES + 8 * count > from.count)
            break;
        for (uint64_t i = 0; i < count; i++)
            keys |= keys_of_hash(
                of, number(from.at + record + OF_HASHES + 8 * i, 8));
        record += OF_HASHES + 8 * count;
    }
    return keys;
}

uint64_t life_keys(const life_folder *of, const char *path)
{
    life_bytes from = life_map(path);
    uint64_t keys = 0;
    if (is_journal(from)) {
        keys = keys_of_journal(of, from);
    } else if (is_set(from)) {
        seenset *set = open_alone(of, from);
        keys = set == NULL ? 0 : keys_of_set(of, set);
        seenset_free(set);
    }
    life_unmap(from);
    return keys;
}

/* ---- what is in the folder ---- */

int life_list(const life_folder *of, char out[LIFE_FILES][TEST_PATH_BYTES])
{
    int count = 0;
    DIR *folder = opendir(of->folder.path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && count < LIFE_FILES)
            test_path(out[count++], &of->folder, entry->d_name);
    closedir(folder);
    return count;
}

bool life_read_secret(const char *path, uint8_t out[SEENSET_SECRET_BYTES])
{
    char text[2 * SEENSET_SECRET_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_read = fd >= 0 && read(fd, text, sizeof text) == sizeof text;
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; is_read && i < SEENSET_SECRET_BYTES; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], '\0'};
        out[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return is_read;
}

void life_find_secrets(life_folder *of)
{
    static char paths[LIFE_FILES][TEST_PATH_BYTES];
    int count = life_list(of, paths);
    of->secret_count = 0;
    for (int i = 0; i < count && of->secret_count < LIFE_SECRETS; i++)
        if (strstr(paths[i], ".secret") != NULL &&
            life_read_secret(paths[i], of->secrets[of->secret_count]))
            of->secret_count++;
}

uint64_t life_look(life_folder *of)
{
    static char paths[LIFE_FILES][TEST_PATH_BYTES];
    int count = life_list(of, paths);
    uint64_t keys = 0;
    life_find_secrets(of);
    for (int i = 0; i < count; i++)
        keys |= life_keys(of, paths[i]);
    return keys;
}

/* ---- what a set answers ---- */

/* Of the journal beside a set: does it count for it? */
static bool counts(life_bytes set, life_bytes journal, bool has_keys)
{
    bool is_marked = (set.at[AT_MARK] & 0x80) != 0;
    return is_journal(journal) &&
           number(set.at + AT_CHECKSUM, 8) ==
               number(journal.at + AT_JOURNAL_SET, 8) &&
           (is_marked || (has_keys && journal.count > AT_RECORDS));
}

static uint64_t added_items(const seenset *set)
{
    seenset_info info = {0};
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    return info.added_items;
}

static uint64_t missing_items(const seenset *set)
{
    seenset_info info = {0};
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    return info.journal_missing_items;
}

/* Opens it by its name, as any program does. */
static const char *check_open(const life_folder *of, const char *path,
                              const uint8_t *secret, bool is_whole,
                              uint64_t keys)
{
    seenset_open_options options = {.secret = secret};
    seenset *set = NULL;
    const char *fault = NULL;
    int error = seenset_open(&set, path, &options);
    if (is_whole ? error != 0 : error != SEENSET_EJOURNAL)
        return "a set is refused or opened against what is beside it";
    if (error == 0 && keys_of_set(of, set) != keys)
        fault = "a set answers other than its files say";
    seenset_free(set);
    options.flags = SEENSET_OPEN_WITHOUT_JOURNAL;
    set = NULL;
    if (fault == NULL && seenset_open(&set, path, &options) != 0)
        return "a set does not open without its journal";
    if (fault == NULL &&
        (keys_of_set(of, set) != keys || (missing_items(set) == 0) != is_whole))
        fault = "a set without its journal says what is not so";
    seenset_free(set);
    return fault;
}

const char *life_check_set(const life_folder *of, const char *name)
{
    char path[TEST_PATH_BYTES], log[TEST_PATH_BYTES], secret[TEST_PATH_BYTES];
    uint8_t own[SEENSET_SECRET_BYTES];
    const char *fault = NULL;
    life_bytes set = life_map(life_path(of, path, name, ""));
    life_bytes journal = life_map(life_path(of, log, name, ".log"));
    bool has_secret =
        life_read_secret(life_path(of, secret, name, ".secret"), own);
    seenset *alone = is_set(set) ? open_alone(of, set) : NULL;
    seenset *plain = NULL;
    const seenset_open_options options = {
        .flags = SEENSET_OPEN_UNCHECKED | SEENSET_OPEN_WITHOUT_JOURNAL};
    bool is_keyed =
        alone != NULL &&
        seenset_open_bytes(&plain, set.at, set.count, &options) != 0;
    if (alone != NULL && (!is_keyed || has_secret)) {
        bool is_its = counts(set, journal, added_items(alone) > 0);
        bool is_whole = is_its || (set.at[AT_MARK] & 0x80) == 0;
        uint64_t keys = keys_of_set(of, alone);
        if (is_its)
            keys |= keys_of_journal(of, journal);
        seenset_open_options with = options;
        seenset *fits = NULL;
        with.secret = is_keyed ? own : NULL;
        if (seenset_open_bytes(&fits, set.at, set.count, &with) == 0)
            fault = check_open(of, path, with.secret, is_whole, keys);
        seenset_free(fits);
    }
    seenset_free(plain);
    seenset_free(alone);
    life_unmap(set);
    life_unmap(journal);
    return fault;
}

uint64_t life_answers(const life_folder *of, const char *path)
{
    uint8_t own[SEENSET_SECRET_BYTES];
    char secret[TEST_PATH_BYTES + 8];
    seenset_open_options options = {.flags = 0};
    seenset *set = NULL;
    (void)snprintf(secret, sizeof secret, "%s.secret", path);
    if (seenset_open(&set, path, &options) == SEENSET_ESECRET &&
        life_read_secret(secret, own)) {
        options.secret = own;
        (void)seenset_open(&set, path, &options);
    }
    uint64_t keys = set != NULL ? keys_of_set(of, set) : 0;
    seenset_free(set);
    return keys;
}
