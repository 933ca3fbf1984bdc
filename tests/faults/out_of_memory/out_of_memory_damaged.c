/*
 * out_of_memory_damaged.c - verify and repair of queues that are damaged, while
 * memory runs out; see out_of_memory.h
 *
 * Damage takes them to lines, and allocations, that a sound queue does not. A
 * lack of memory must not be reported as damage, nor damage as a lack of
 * memory, and a verify changes no file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "hash/xxh3.h"
#include "out_of_memory.h"
#include "queue_records.h"
#include "seenset/queue.h"

enum {
    ITEMS = 3
};

/* ---- the files of a folder ---- */

typedef struct visit {
    const char *folder, *prefix;
    uint64_t digest;
    void (*change)(const char *path, uint8_t *bytes, size_t size_bytes);
} visit;

static int visit_file(void *context, const char *name)
{
    visit *of = context;
    char path[TEST_PATH_BYTES];
    size_t size_bytes;
    if (strncmp(name, of->prefix, strlen(of->prefix)) != 0)
        return 0;
    snprintf(path, sizeof path, "%s/%s", of->folder, name);
    uint8_t *bytes = test_read_file(path, &size_bytes);
    of->digest += ss_hash_key(name, strlen(name)) ^
                  test_mix(ss_hash_key(bytes, size_bytes));
    if (of->change != NULL)
        of->change(path, bytes, size_bytes);
    free(bytes);
    return 0;
}

static uint64_t visit_files(const oom_scene *scene, const char *prefix,
                            void (*change)(const char *, uint8_t *, size_t))
{
    visit of = {scene->folder.path, prefix, 0, change};
    assert_int_equal(
        ss_io_system.list(NULL, scene->folder.path, visit_file, &of), 0);
    return of.digest;
}

static uint64_t digest_files(oom_scene *scene)
{
    return visit_files(scene, "", NULL);
}

/* ---- damage ---- */

static void flip_last(const char *path, uint8_t *bytes, size_t size_bytes)
{
    bytes[size_bytes - 1] ^= 1;
    test_write_file(path, bytes, size_bytes);
}

/* Cuts a log where its last record begins. */
static void drop_record(const char *path, uint8_t *bytes, size_t size_bytes)
{
    records of = records_begin(bytes, size_bytes);
    while (records_next(&of))
        ;
    assert_true(of.at > SS_SEGMENT_HEADER_BYTES);
    test_write_file(path, bytes, of.at);
}

static void drop_all(const char *path, uint8_t *bytes, size_t size_bytes)
{
    (void)size_bytes;
    test_write_file(path, bytes, 0);
}

static void make_queue(const oom_scene *scene)
{
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {
        .set = &(const seenset_options){.fp_rate = 0.01}};
    assert_int_equal(seenset_queue_open(&queue, scene->folder.path, &options),
                     SEENSET_OK);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(seenset_queue_push(queue, &"abc"[i], 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

static void enter_bad_state(oom_scene *scene)
{
    make_queue(scene);
    (void)visit_files(scene, "state-", flip_last);
}

static void enter_bad_set(oom_scene *scene)
{
    make_queue(scene);
    (void)visit_files(scene, "set-", flip_last);
}

static void enter_short_log(oom_scene *scene)
{
    make_queue(scene);
    (void)visit_files(scene, "log-", drop_record);
}

static void enter_empty_log(oom_scene *scene)
{
    make_queue(scene);
    (void)visit_files(scene, "log-", drop_all);
}

/* ---- the calls ---- */

/* Finds damage, as it should. */
static int call_verify(oom_scene *scene)
{
    int error = seenset_queue_verify(scene->folder.path, NULL);
    return error == SEENSET_EDAMAGED ? SEENSET_OK
           : error == SEENSET_OK     ? SEENSET_EDAMAGED
                                     : error;
}

static int call_repair(oom_scene *scene)
{
    return seenset_queue_repair(scene->folder.path, NULL);
}

/* Repaired, the queue is sound, and hands out what is left. */
static void leave_repaired(oom_scene *scene)
{
    seenset_queue *queue = NULL;
    seenset_queue_item item = {0};
    int count = 0, result;
    assert_int_equal(call_repair(scene), SEENSET_OK);
    assert_int_equal(seenset_queue_verify(scene->folder.path, NULL),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_open(&queue, scene->folder.path, NULL),
                     SEENSET_OK);
    while ((result = seenset_queue_pop(queue, &item)) == 1)
        count++;
    assert_int_equal(result, 0);
    assert_in_range(count, 0, ITEMS);
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

#define VERIFY(prepare)                                                        \
    .name = "seenset_queue_verify", .needs = OOM_NO_ALLOCATOR,                 \
    .enter = (prepare), .call = call_verify, .digest = digest_files,           \
    .leave = leave_repaired
#define REPAIR(prepare)                                                        \
    .name = "seenset_queue_repair",                                            \
    .needs = OOM_NO_ALLOCATOR | OOM_CHANGES_SOME, .enter = (prepare),          \
    .call = call_repair, .leave = leave_repaired

const oom_row oom_damaged_rows[] = {
    {VERIFY(enter_bad_state)}, {VERIFY(enter_bad_set)},
    {VERIFY(enter_short_log)}, {VERIFY(enter_empty_log)},
    {REPAIR(enter_bad_state)}, {REPAIR(enter_bad_set)},
    {REPAIR(enter_short_log)}, {REPAIR(enter_empty_log)}};
const size_t oom_damaged_row_count = TEST_COUNT(oom_damaged_rows);
