/*
 * queue_folders.c - what queues hardly ever meet: folders with names that
 * are almost theirs, paths at the limit, options that do not agree, files that
 * are gone.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seenset/queue.h"
#include "support.h"

struct place {
    test_folder folder;
    seenset_queue_options made;
};

/* A folder with a queue of one item, closed. */
static int enter(void **state)
{
    struct place *place = malloc(sizeof *place);
    seenset_queue *queue;
    assert_non_null(place);
    test_folder_make(&place->folder);
    static const seenset_options set = {.layout = SEENSET_LAYOUT_BLOOM,
                                        .on_full = SEENSET_ON_FULL_DEGRADE,
                                        .capacity_items = 1000,
                                        .fp_rate = 0.001};
    place->made =
        (seenset_queue_options){.set = &set,
                                .normalise = SEENSET_QUEUE_NORMALISE_OFF,
                                .segment_bytes = 1 << 16};
    assert_int_equal(
        seenset_queue_open(&queue, place->folder.path, &place->made), 0);
    assert_int_equal(seenset_queue_push(queue, "item", 4, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    *state = place;
    return 0;
}

static int leave(void **state)
{
    struct place *place = *state;
    test_folder_remove(&place->folder);
    free(place);
    return 0;
}

static int open_and_close(const struct place *place,
                          const seenset_queue_options *options)
{
    seenset_queue *queue = NULL;
    int error = seenset_queue_open(&queue, place->folder.path, options);
    assert_int_equal(error == SEENSET_OK, queue != NULL);
    if (queue != NULL) {
        assert_int_equal(seenset_queue_push(queue, "item", 4, NULL, 0), 0);
        assert_int_equal(seenset_queue_close(queue), 0);
    }
    return error;
}

static bool is_there(const struct place *place, const char *name)
{
    char path[TEST_PATH_BYTES];
    return access(test_path(path, &place->folder, name), F_OK) == 0;
}

static void put_file(const test_folder *folder, const char *name)
{
    char path[TEST_PATH_BYTES];
    test_write_file(test_path(path, folder, name), "x", 1);
}

/* Only what is a queue's by its whole name is read or removed. */
static void queue_minds_its_own_files(void **state)
{
    static const char *const others[] = {
        "notes",
        "log-",
        "log-1",
        "log-00000000000000FF",
        "log-000000000000000g",
        "log-8000000000000000",
        "log-00000000000000001",
        "set-0000000000000001.old",
        "state-x",
        ".tmp",
        "notes.tmp",
        "set-1.tmp",
        "log-0000000000000001.tmp",
        "a-name-that-is-longer-than-any-that-a-queue-gives-out.tmp"};
    static const char *const leftovers[] = {"MANIFEST.tmp",
                                            "set-0000000000000001.tmp",
                                            "state-0000000000000001.tmp"};
    struct place *place = *state;
    for (size_t i = 0; i < TEST_COUNT(others); i++)
        put_file(&place->folder, others[i]);
    for (size_t i = 0; i < TEST_COUNT(leftovers); i++)
        put_file(&place->folder, leftovers[i]);
    char path[TEST_PATH_BYTES]; /* its lock may be gone: it is a queue still */
    assert_int_equal(unlink(test_path(path, &place->folder, "LOCK")), 0);
    assert_int_equal(open_and_close(place, NULL), SEENSET_OK);
    for (size_t i = 0; i < TEST_COUNT(others); i++)
        assert_true(is_there(place, others[i]));
    for (size_t i = 0; i < TEST_COUNT(leftovers); i++)
        assert_false(is_there(place, leftovers[i]));
    assert_int_equal(seenset_queue_verify(place->folder.path, NULL), 0);
}

/* ---- a folder with something in it ---- */

/* Tries to make a queue where there are these files already. */
static int make_among(const char *const names[], size_t name_count,
                      seenset_queue_report *report)
{
    test_folder folder;
    seenset_queue *queue = NULL;
    seenset_queue_options options = {.report = report};
    test_folder_make(&folder);
    for (size_t i = 0; i < name_count; i++)
        put_file(&folder, names[i]);
    int error = seenset_queue_open(&queue, folder.path, &options);
    assert_int_equal(error == SEENSET_OK, queue != NULL);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    if (error != SEENSET_OK)
        assert_int_equal(test_folder_count(&folder), name_count);
    test_folder_remove(&folder);
    return error;
}

static void a_folder_of_other_files_is_left_alone(void **state)
{
    static const char *const names[] = {"notes", "draft.tmp", "log-1",
                                        "LOCK.tmp", "log-0000000000000000.tmp"};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        seenset_queue_report report;
        const char *const locked[] = {"LOCK", names[i]};
        assert_int_equal(make_among(&names[i], 1, &report), SEENSET_EFORMAT);
        assert_string_equal(report.file, names[i]);
        assert_string_equal(report.reason,
                            "this file is not of a queue, and a new "
                            "queue needs an empty folder");
        assert_int_equal(make_among(locked, 2, &report), SEENSET_EFORMAT);
        assert_int_equal(make_among(locked, 2, NULL), SEENSET_EFORMAT);
    }
}

/* Of a mounted disk, an editor, or a queue that was being made. */
static void what_nobody_put_there_is_no_other_file(void **state)
{
    static const char *const names[] = {"lost+found", ".keep", "LOCK",
                                        "MANIFEST.tmp", "log-0000000000000000"};
    seenset_queue_report report;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_int_equal(make_among(&names[i], 1, &report), SEENSET_OK);
    assert_int_equal(make_among(names, TEST_COUNT(names), &report), SEENSET_OK);
    assert_int_equal(make_among(names, 0, &report), SEENSET_OK);
}

/* What is left of a queue without its MANIFEST is none to begin anew. */
static void a_queue_without_its_manifest_is_not_made_anew(void **state)
{
    static const char *const names[] = {"log-0000000000001000",
                                        "set-0000000000000100",
                                        "state-0000000000000100"};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        seenset_queue_report report;
        const char *const locked[] = {"LOCK", names[i], "notes"};
        assert_int_equal(make_among(locked, 3, &report), SEENSET_EDAMAGED);
        assert_string_equal(report.file, "MANIFEST");
    }
}

static void queue_agrees_with_what_was_made(void **state)
{
    struct place *place = *state;
    seenset_queue_options asked[9];
    seenset_options sets[9];
    assert_int_equal(open_and_close(place, &place->made), SEENSET_OK);
    for (size_t i = 0; i < TEST_COUNT(asked); i++)
        asked[i] = place->made;
    asked[0].normalise = SEENSET_QUEUE_NORMALISE_URL;
    asked[1].segment_bytes = 1 << 17;
    for (size_t i = 2; i < 8; i++) {
        sets[i] = *place->made.set;
        asked[i].set = &sets[i];
    }
    sets[2].layout = SEENSET_LAYOUT_BLOCKED;
    sets[3].on_full = SEENSET_ON_FULL_REFUSE;
    sets[4].capacity_items = 1001;
    sets[5].fp_rate = 0.002;
    sets[6].size_bits = 12345;
    sets[7].hash_count = 3;
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(open_and_close(place, &asked[i]), SEENSET_EMISMATCH);
    /* what is not said agrees with all */
    asked[8] = (seenset_queue_options){.flags = SEENSET_QUEUE_MUST_EXIST};
    assert_int_equal(open_and_close(place, &asked[8]), SEENSET_OK);
}

static void queue_times_have_limits(void **state)
{
    static const double intervals[] = {0.001, 3600};
    static const double leases[] = {1e-9, 1e9};
    struct place *place = *state;
    for (size_t i = 0; i < 2; i++) {
        double outside = i == 0 ? 0.0 : INFINITY;
        seenset_queue_options options = {.interval_seconds = intervals[i],
                                         .lease_seconds = leases[i]};
        assert_int_equal(open_and_close(place, &options), SEENSET_OK);
        options.interval_seconds = nextafter(intervals[i], outside);
        assert_int_equal(open_and_close(place, &options), SEENSET_EINVAL);
        options.interval_seconds = intervals[i];
        options.lease_seconds = nextafter(leases[i], outside);
        assert_int_equal(open_and_close(place, &options), SEENSET_EINVAL);
    }
}

static void queue_refuses_times_that_are_none(void **state)
{
    static const double intervals[] = {-1, 1e-9, 3601, INFINITY, NAN};
    static const double leases[] = {-1, 1e-12, 1.1e9, INFINITY, NAN};
    struct place *place = *state;
    for (size_t i = 0; i < TEST_COUNT(intervals); i++) {
        seenset_queue_options options = {.interval_seconds = intervals[i]};
        assert_int_equal(open_and_close(place, &options), SEENSET_EINVAL);
        options = (seenset_queue_options){.lease_seconds = leases[i]};
        assert_int_equal(open_and_close(place, &options), SEENSET_EINVAL);
    }
    seenset_queue_options options = {.durability = (seenset_queue_durability)4};
    assert_int_equal(open_and_close(place, &options), SEENSET_EINVAL);
    options.durability = (seenset_queue_durability)-1;
    assert_int_equal(open_and_close(place, &options), SEENSET_EINVAL);
}

/* Paths as long as one can be, and longer. */
static void queue_needs_a_path_with_room(void **state)
{
    struct place *place = *state;
    seenset_queue *queue = NULL;
    seenset_queue_report report;
    char path[PATH_MAX + 8];
    assert_int_equal(seenset_queue_open(&queue, "", NULL), SEENSET_EINVAL);
    for (size_t length = PATH_MAX - 49; length < sizeof path; length++) {
        size_t folder_length = strlen(place->folder.path);
        memset(path, '/', length);
        memcpy(path, place->folder.path, folder_length);
        path[length] = '\0';
        int error = seenset_queue_open(&queue, path, NULL);
        if (length < PATH_MAX - 48) {
            assert_int_equal(error, SEENSET_OK);
            assert_int_equal(seenset_queue_close(queue), 0);
            queue = NULL;
        } else {
            assert_int_equal(error, SEENSET_EINVAL);
            assert_int_equal(
                seenset_queue_verify(
                    path, &(const seenset_queue_options){.report = &report}),
                SEENSET_EINVAL);
            assert_null(queue);
        }
    }
    assert_int_equal(seenset_queue_verify(NULL, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_repair(NULL, NULL), SEENSET_EINVAL);
}

/* Nothing is made where a queue must be, and no log passes for none. */
static void queue_notices_what_is_gone(void **state)
{
    struct place *place = *state;
    const char *dir = place->folder.path;
    char path[TEST_PATH_BYTES];
    seenset_queue_report report;
    seenset_queue_options options = {.flags = SEENSET_QUEUE_MUST_EXIST,
                                     .report = &report};
    assert_int_equal(unlink(test_path(path, &place->folder, "MANIFEST")), 0);
    assert_int_equal(open_and_close(place, &options), SEENSET_EFORMAT);
    options.flags = 0;
    assert_int_equal(open_and_close(place, &options), SEENSET_EDAMAGED);
    assert_string_equal(report.file, "MANIFEST");
    assert_int_equal(
        seenset_queue_verify(dir,
                             &(const seenset_queue_options){.report = &report}),
        SEENSET_EFORMAT);
    assert_int_equal(
        seenset_queue_repair(dir,
                             &(const seenset_queue_options){.report = &report}),
        SEENSET_EFORMAT);
    test_path(path, &place->folder, "nowhere");
    assert_int_equal(
        seenset_queue_verify(path,
                             &(const seenset_queue_options){.report = &report}),
        SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    options.flags = SEENSET_QUEUE_MUST_EXIST;
    seenset_queue *queue = NULL;
    assert_int_equal(seenset_queue_open(&queue, path, &options), SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    assert_null(queue);
    assert_false(is_there(place, "nowhere"));
}

/* A manifest cut short, too long, of another make or a later version. */
static void queue_doubts_its_manifest(void **state)
{
    static const struct {
        size_t at;
        int error;
    } flips[] = {{0, SEENSET_EFORMAT},
                 {6, SEENSET_EFORMAT},
                 {7, SEENSET_EVERSION},
                 {20, SEENSET_EDAMAGED}};
    struct place *place = *state;
    char path[TEST_PATH_BYTES];
    size_t size_bytes;
    test_path(path, &place->folder, "MANIFEST");
    uint8_t *bytes = test_read_file(path, &size_bytes);
    uint8_t longer[256] = {0};
    assert_true(size_bytes < sizeof longer);
    memcpy(longer, bytes, size_bytes);
    for (size_t length = 1; length < sizeof longer; length++) {
        if (length == size_bytes)
            continue;
        test_write_file(path, longer, length);
        assert_int_equal(open_and_close(place, NULL),
                         length < 8 ? SEENSET_EFORMAT : SEENSET_EDAMAGED);
    }
    for (size_t i = 0; i < TEST_COUNT(flips); i++) {
        bytes[flips[i].at] ^= 1;
        test_write_file(path, bytes, size_bytes);
        assert_int_equal(open_and_close(place, NULL), flips[i].error);
        bytes[flips[i].at] ^= 1;
    }
    test_write_file(path, bytes, size_bytes);
    free(bytes);
    assert_int_equal(open_and_close(place, NULL), SEENSET_OK);
}

/* The bits of tables for n, 2n, ... keys, planned for p/2, p/4, ... */
static uint64_t halving_bits(uint64_t n, double p, int tables)
{
    uint64_t size_bits = 0;
    for (int i = 0; i < tables; i++) {
        seenset_plan plan = {.capacity_items = n << i,
                             .fp_rate = ldexp(p, -i - 1)};
        assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
        size_bits += plan.size_bits;
    }
    return size_bits;
}

/*
 * A queue of 100 items, "key 0" to "key 99", that version 0.1.0 made for 20 at
 * 1 %, with a set of the tables that were planned then: its set is taken as it
 * is, and goes on.
 */
static void queue_of_version_0_1_goes_on(void **state)
{
    static const char *const names[] = {"MANIFEST", "log-0000000000000000",
                                        "set-00000000000016be",
                                        "state-00000000000016be"};
    const seenset_queue_options asked = {
        .set = &(const seenset_options){.capacity_items = 20, .fp_rate = 0.01}};
    test_folder folder;
    seenset_queue *queue;
    seenset_queue_stats stats;
    seenset_stats set;
    char path[TEST_PATH_BYTES], url[16];
    (void)state;
    test_folder_make(&folder);
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        size_t size_bytes;
        snprintf(path, sizeof path, "%s/queue-grown/%s", SEENSET_TEST_GOLDEN,
                 names[i]);
        uint8_t *bytes = test_read_file(path, &size_bytes);
        test_write_file(test_path(path, &folder, names[i]), bytes, size_bytes);
        free(bytes);
    }
    assert_int_equal(seenset_queue_verify(folder.path, NULL), SEENSET_OK);
    assert_int_equal(seenset_queue_open(&queue, folder.path, &asked), 0);
    assert_int_equal(seenset_queue_get_set_stats(queue, &set, sizeof set), 0);
    assert_int_equal(set.size_bits, halving_bits(20, 0.01, 3));
    for (int i = 0; i < 1000; i++) {
        int length = snprintf(url, sizeof url, "key %d", i);
        int is_new = seenset_queue_push(queue, url, (size_t)length, NULL, 0);
        assert_true(i < 100 ? is_new == 0 : is_new >= 0);
    }
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_int_equal(seenset_queue_get_set_stats(queue, &set, sizeof set), 0);
    assert_int_equal(set.table_count, 4); /* three old ones */
    assert_true(stats.pending_items > 980);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_verify(folder.path, NULL), SEENSET_OK);
    test_folder_remove(&folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(queue_minds_its_own_files),
        cmocka_unit_test(a_folder_of_other_files_is_left_alone),
        cmocka_unit_test(what_nobody_put_there_is_no_other_file),
        cmocka_unit_test(a_queue_without_its_manifest_is_not_made_anew),
        TEST(queue_agrees_with_what_was_made),
        TEST(queue_times_have_limits),
        TEST(queue_refuses_times_that_are_none),
        TEST(queue_needs_a_path_with_room),
        TEST(queue_notices_what_is_gone),
        TEST(queue_doubts_its_manifest),
        cmocka_unit_test(queue_of_version_0_1_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
