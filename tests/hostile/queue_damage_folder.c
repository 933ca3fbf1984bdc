/*
 * queue_damage_folder.c - damage to whole files of a queue.
 *
 * Each file is gone, cut, longer, or changed in a byte; two are gone, or all of
 * a kind; one has another name. And a file may be there whose name puts it far
 * after the end of the log, by accident or on purpose: repair keeps positions
 * where they are and fills with holes what is missing before a file, but not
 * for whatever a name says. A snapshot that is too far ahead goes, and a log
 * file that is stops the repair.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <string.h>

#include "items/state.h"
#include "queue_damage_rows.h"

/* ---- each file ---- */

void damage_list_files(damage_list *to, disk *made)
{
    const char *name;
    for (int i = 0; (name = disk_name(made, "", i)) != NULL; i++) {
        size_t *length;
        (void)disk_file(made, name, &length);
        const size_t size = *length;
        const size_t lengths[] = {0, 20, 32, size / 2, size - 1};
        const size_t offsets[] = {9, 28, 40, size / 2};
        damage_add_gone(to, name);
        for (size_t j = 0; j < TEST_COUNT(lengths) && size > 0; j++)
            if (lengths[j] < size)
                damage_add_cut(to, name, lengths[j]);
        for (size_t j = 0; j < TEST_COUNT(offsets); j++)
            if (offsets[j] < size)
                damage_add_changed(to, name, offsets[j]);
        damage_add_longer(to, name);
    }
}

/* ---- some files ---- */

static void make_two_gone(const damage *of, disk *on)
{
    const char *other = strchr(of->what, ' ') + 1;
    char second[SS_FOLDER_NAME_BYTES] = "";
    memcpy(second, other, strcspn(other, " "));
    damage_remove(on, of->file);
    damage_remove(on, second);
}

static void make_all_gone(const damage *of, disk *on)
{
    const char *name;
    while ((name = disk_name(on, of->file, 0)) != NULL)
        damage_remove(on, name);
}

static void make_renamed(const damage *of, disk *on)
{
    size_t size_bytes;
    char name[SS_FOLDER_NAME_BYTES];
    const uint8_t *bytes = damage_bytes(on, of->file, 0, &size_bytes);
    if (bytes == NULL)
        return;
    damage_name(name, "log-", of->value);
    damage_write(on, name, bytes, size_bytes);
    damage_remove(on, of->file);
}

static damage on_file(const char *file, void (*make)(const damage *, disk *))
{
    damage row = {.make = make};
    strcpy(row.file, file);
    return row;
}

void damage_list_gone(damage_list *to, disk *made)
{
    static const char *const kinds[] = {"log-", "set-", "state-"};
    const char *first, *second;
    for (int i = 0; (first = disk_name(made, "", i)) != NULL; i++) {
        for (int j = 0; j < i; j++) {
            second = disk_name(made, "", j);
            damage_add(to, on_file(first, make_two_gone), "%s %s gone", first,
                       second);
        }
    }
    for (size_t i = 0; i < TEST_COUNT(kinds); i++)
        damage_add(to, on_file(kinds[i], make_all_gone), "all %s* gone",
                   kinds[i]);
    damage row = on_file(disk_name(made, "log-", 0), make_renamed);
    row.value = 0x400;
    row.stops_repair = true;
    damage_add(to, row, "%s called log-0400", row.file);
}

/* ---- what is put too far away ---- */

/* The queue's own set under another name. */
static void make_set(const damage *of, disk *on)
{
    char name[SS_FOLDER_NAME_BYTES];
    size_t size_bytes;
    const char *own = disk_last_name(on, "set-");
    if (own == NULL)
        return;
    const uint8_t *bytes = damage_bytes(on, own, 0, &size_bytes);
    damage_name(name, "set-", of->at);
    damage_write(on, name, bytes, size_bytes);
}

/* A state that says so itself, and of many more items. */
static void make_state(const damage *of, disk *on)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint8_t bytes[200];
    ss_state state = {.position = of->at,
                      .next_item = of->at / 32,
                      .lanes = {{.read_position = SS_SEGMENT_HEADER_BYTES}}};
    damage_name(name, "state-", of->at);
    ss_state_encode(&state, damage_log_id(on), bytes);
    damage_write(on, name, bytes, ss_state_bytes(&state));
}

static void make_both(const damage *of, disk *on)
{
    make_set(of, on);
    make_state(of, on);
}

enum {
    FAR_LOG_BYTES = SS_SEGMENT_HEADER_BYTES + 100
};

/* A segment with a sound header, and something after it. */
static void make_log(const damage *of, disk *on)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint8_t bytes[FAR_LOG_BYTES] = {0};
    damage_name(name, "log-", of->at);
    ss_segment_encode(bytes, damage_log_id(on), of->at);
    damage_write(on, name, bytes, sizeof bytes);
}

static void make_rubbish(const damage *of, disk *on)
{
    char name[SS_FOLDER_NAME_BYTES];
    static const char text[] = "something that somebody calls a log of theirs";
    damage_name(name, "log-", of->at);
    damage_write(on, name, text, sizeof text);
}

typedef struct far_file {
    const char *name;
    void (*make)(const damage *of, disk *on);
    uint64_t more; /* that the queue needs before it is full of holes */
} far_file;

static const far_file far_files[] = {
    {"set- there at", make_set, 0},
    {"state- there at", make_state, 0},
    {"set- and state- there at", make_both, 0},
    {"log- there at", make_log, FAR_LOG_BYTES},
    {"log- of another there at", make_rubbish, 46}};

void damage_list_far_files(damage_list *to, disk *made)
{
    const uint64_t gap = UINT64_C(1) << 30; /* as docs/queue.md has it */
    size_t end;
    (void)damage_bytes(made, "log-0000000000000000", 0, &end);
    for (size_t i = 0; i < TEST_COUNT(far_files); i++) {
        const far_file *of = &far_files[i];
        const uint64_t limit = 2 * end + of->more + gap;
        const uint64_t positions[] = {end + (64 << 10),  limit,
                                      limit + 1,         UINT64_C(1) << 31,
                                      UINT64_C(1) << 40, UINT64_C(1) << 62,
                                      INT64_MAX};
        for (size_t j = 0; j < TEST_COUNT(positions); j++) {
            damage row = {.make = of->make,
                          .at = positions[j],
                          .stops_repair = of->more > 0};
            damage_add_at(to, row, row.at, of->name);
        }
    }
}
