/*
 * file.c - a set on disk: what was saved comes back, what is damaged is
 * refused with a reason, and a save that fails leaves the old file.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

struct place {
    test_folder folder;
    char path[TEST_PATH_BYTES];
};

static int enter(void **state)
{
    struct place *place = malloc(sizeof *place);
    assert_non_null(place);
    test_folder_make(&place->folder);
    test_path(place->path, &place->folder, "set");
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

static int answer_for(const seenset *set, int i)
{
    char key[16];
    int length = snprintf(key, sizeof key, "key %d", i);
    return seenset_has(set, key, (size_t)length);
}

static bool has_number(const seenset *set, int i)
{
    return answer_for(set, i) == 1;
}

/* ---- round trips ---- */

static seenset *make_random(test_random *random, int i)
{
    static const seenset_on_full policies[] = {
        SEENSET_ON_FULL_DEGRADE, SEENSET_ON_FULL_REFUSE, SEENSET_ON_FULL_GROW,
        SEENSET_ON_FULL_ROTATE};
    seenset *set = NULL;
    seenset_options options = {
        .layout = i % 2 ? SEENSET_LAYOUT_BLOOM : SEENSET_LAYOUT_BLOCKED,
        .on_full = policies[i % 4],
        .capacity_items =
            1 + test_random_below(random, 3000 * (uint64_t)(i % 50 + 1)),
        .fp_rate = i % 5 ? 0.01 : 1e-6};
    if (options.on_full <= SEENSET_ON_FULL_REFUSE && i % 7 == 0)
        options.hash_count = 16;
    if (options.on_full <= SEENSET_ON_FULL_REFUSE && i % 5 == 0) {
        options.layout = SEENSET_LAYOUT_COUNTING;
        options.counter_bits = 2 + (uint32_t)test_random_below(random, 15);
    }
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    uint64_t most = options.capacity_items;
    if (options.on_full > SEENSET_ON_FULL_REFUSE)
        most *= 4; /* several tables */
    for (uint64_t n = test_random_below(random, most); n > 0; n--)
        assert_true(seenset_add_hash(set, test_random_next(random)) >= 0);
    return set;
}

static void check_reopened(seenset *opened, const seenset *set, bool is_view)
{
    seenset_stats a, b;
    assert_true(test_are_equal(opened, set));
    assert_int_equal(seenset_get_stats(opened, &a, sizeof a), SEENSET_OK);
    assert_int_equal(seenset_get_stats(set, &b, sizeof b), SEENSET_OK);
    assert_true(a.capacity_items == b.capacity_items &&
                a.added_items == b.added_items && a.fp_rate == b.fp_rate &&
                a.set_bits == b.set_bits && a.on_full == b.on_full &&
                a.table_count == b.table_count &&
                a.counter_bits == b.counter_bits &&
                a.window_generations == b.window_generations);
    assert_int_equal(a.is_read_only, is_view);
    int answer = seenset_add_hash(opened, test_mix(1u << 30));
    assert_true((answer == SEENSET_EREADONLY) == is_view);
    if (is_view) {
        seenset_key key = {"k", 1};
        assert_int_equal(seenset_add(opened, "k", 1), SEENSET_EREADONLY);
        assert_int_equal(seenset_add_many(opened, &key, 1, NULL),
                         SEENSET_EREADONLY);
        assert_int_equal(seenset_merge(opened, set), SEENSET_EREADONLY);
    }
    seenset_free(opened);
}

static void file_round_trips(void **state)
{
    const struct place *place = *state;
    test_random random = {5};
    for (int i = 0; i < 60; i++) {
        seenset *set = make_random(&random, i);
        for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
             flags += SEENSET_OPEN_COPY) {
            seenset *opened = NULL;
            assert_int_equal(seenset_save(set, place->path), SEENSET_OK);
            assert_int_equal(
                seenset_open(&opened, place->path,
                             &(seenset_open_options){.flags = flags}),
                0);
            check_reopened(opened, set, flags == SEENSET_OPEN_VIEW);
        }
        assert_int_equal(seenset_verify(place->path, NULL), SEENSET_OK);
        assert_int_equal(test_folder_count(&place->folder), 1);
        seenset_free(set);
    }
}

static void bytes_round_trip_at_any_address(void **state)
{
    test_random random = {6};
    (void)state;
    for (int i = 0; i < 20; i++) {
        size_t size_bytes;
        seenset *set = make_random(&random, i);
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        uint8_t *room = malloc(size_bytes + 8);
        assert_non_null(room);
        for (size_t offset = 0; offset <= 8; offset++) {
            seenset *copy = NULL, *view = NULL;
            memcpy(room + offset, bytes, size_bytes);
            assert_int_equal(
                seenset_open_bytes(
                    &copy, room + offset, size_bytes,
                    &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
                SEENSET_OK);
            check_reopened(copy, set, false);
            int error =
                seenset_open_bytes(&view, room + offset, size_bytes, NULL);
            if (offset % 8 != 0) {
                assert_int_equal(error, SEENSET_EINVAL);
                assert_null(view);
            } else {
                assert_int_equal(error, SEENSET_OK);
                check_reopened(view, set, true);
            }
        }
        free(bytes);
        free(room);
        seenset_free(set);
    }
}

static void bytes_need_room(void **state)
{
    seenset *set = test_golden_make(&test_goldens[0]);
    uint8_t bytes[400];
    size_t size_bytes = 0;
    (void)state;
    memset(bytes, 0x5A, sizeof bytes);
    assert_int_equal(seenset_write_bytes(set, bytes, &size_bytes),
                     SEENSET_ESPACE);
    assert_int_equal(size_bytes, 392);
    size_bytes = 391;
    assert_int_equal(seenset_write_bytes(set, bytes, &size_bytes),
                     SEENSET_ESPACE);
    assert_int_equal(bytes[0], 0x5A);
    size_bytes = sizeof bytes;
    assert_int_equal(seenset_write_bytes(set, bytes, &size_bytes), SEENSET_OK);
    assert_int_equal(size_bytes, 392);
    assert_int_equal(bytes[392], 0x5A);
    assert_int_equal(seenset_write_bytes(set, bytes, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_write_bytes(NULL, bytes, &size_bytes),
                     SEENSET_EINVAL);
    seenset_free(set);
}

/* ---- golden and bad files ---- */

#if defined(__GLIBC__) && defined(__x86_64__)
#define HAS_GOLDEN_RATES true /* made there */
#else
#define HAS_GOLDEN_RATES false
#endif

/*
 * Are the bytes those of the golden file? A rate that a set computes is as the
 * C library's pow and exp round it, and another library's may differ in its
 * last digit; then the header's checksum differs as well.
 */
static bool is_golden(const uint8_t *bytes, const uint8_t *golden, size_t size)
{
    enum {
        CHECKSUM_AT = 120
    };
    for (size_t at = 0; at < size; at += 8) {
        size_t length = size - at < 8 ? size - at : 8;
        double is = 0, was = 0;
        memcpy(&is, bytes + at, length);
        memcpy(&was, golden + at, length);
        bool is_near =
            at == CHECKSUM_AT || (is > 1e-300 && test_is_near(is, was, 1e-14));
        if (memcmp(bytes + at, golden + at, length) != 0 &&
            (HAS_GOLDEN_RATES || !is_near))
            return false;
    }
    return true;
}

static void golden_files_open_and_are_written_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        char path[TEST_PATH_BYTES];
        size_t file_bytes, size_bytes;
        snprintf(path, sizeof path, "%s/%s", SEENSET_TEST_GOLDEN,
                 test_goldens[i].name);
        uint8_t *file = test_read_file(path, &file_bytes);
        uint8_t *bytes = test_golden_bytes(i, &size_bytes);
        assert_int_equal(size_bytes, file_bytes);
        assert_true(is_golden(bytes, file, file_bytes));
        for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
             flags += SEENSET_OPEN_COPY) {
            seenset *opened = NULL;
            int strangers = 0;
            assert_int_equal(
                seenset_open(&opened, path,
                             &(seenset_open_options){.flags = flags}),
                SEENSET_OK);
            for (int key = 0; key < TEST_GOLDEN_KEYS; key++)
                assert_true(has_number(opened, key));
            for (int key = 1000; key < 2000; key++)
                strangers += has_number(opened, key);
            assert_true(strangers < 50); /* planted: not all are there */
            seenset_free(opened);
        }
        assert_int_equal(seenset_verify(path, NULL), SEENSET_OK);
        free(file);
        free(bytes);
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_BAD_COUNT; i++) {
        char path[TEST_PATH_BYTES];
        seenset *set = NULL;
        seenset_file_report report;
        snprintf(path, sizeof path, "%s/bad/%s", SEENSET_TEST_GOLDEN,
                 test_bads[i].name);
        assert_int_equal(
            seenset_open(&set, path,
                         &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
            test_bads[i].error);
        assert_null(set);
        assert_int_equal(seenset_verify(path, &report), test_bads[i].error);
        assert_true(strlen(report.reason) > 0);
        /* a view does not read payloads and sums yet, and sees all the rest */
        int error = seenset_open(&set, path, NULL);
        if (!test_views_are_copies() &&
            (strstr(test_bads[i].name, "payload-bit") != NULL ||
             strstr(test_bads[i].name, "sum-bit") != NULL))
            assert_int_equal(error, SEENSET_OK);
        else
            assert_int_equal(error, test_bads[i].error);
        seenset_free(set);
    }
}

/* ---- damage ---- */

/* Every way to open it must refuse; `error` 0 stands for any. */
static void check_refused(const struct place *place, const uint8_t *bytes,
                          size_t size_bytes, bool is_payload)
{
    seenset *set = NULL;
    seenset_file_report report;
    (void)remove(place->path); /* a new file is cheaper than a shrunk one */
    test_write_file(place->path, bytes, size_bytes);
    int error = seenset_verify(place->path, &report);
    assert_true(error < 0 && error != SEENSET_EIO && strlen(report.reason) > 0);
    assert_int_equal(report.file_bytes, size_bytes);
    assert_true(report.offset <= size_bytes);
    assert_int_equal(
        seenset_open(&set, place->path,
                     &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        error);
    assert_int_equal(
        seenset_open_bytes(&set, bytes, size_bytes,
                           &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        error);
    if (!is_payload) {
        assert_int_equal(seenset_open(&set, place->path, NULL), error);
        assert_int_equal(seenset_open_bytes(&set, bytes, size_bytes, NULL),
                         error);
    }
    assert_null(set);
}

/* The bytes in a block of exactly their size: the sanitizer sees each step
 * past the end. */
static void file_refuses_every_truncation(void **state)
{
    const struct place *place = *state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        size_t whole_bytes;
        uint8_t *whole = test_golden_bytes(i, &whole_bytes);
        for (size_t size_bytes = 0; size_bytes < whole_bytes; size_bytes++) {
            uint8_t *bytes = malloc(size_bytes + (size_bytes == 0));
            assert_non_null(bytes);
            memcpy(bytes, whole, size_bytes);
            check_refused(place, bytes, size_bytes, false);
            assert_int_equal(seenset_verify(place->path, NULL),
                             SEENSET_ETRUNCATED);
            free(bytes);
        }
        free(whole);
    }
}

static void file_refuses_every_flipped_bit(void **state)
{
    const struct place *place = *state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        size_t size_bytes;
        seenset *view = NULL;
        uint8_t *bytes = test_golden_bytes(i, &size_bytes);
        bool is_checked = test_goldens[i].version > 2;
        size_t header_bytes = test_header_bytes(bytes);
        size_t step = is_checked ? 7 : 1; /* a file each takes its time */
        for (size_t bit = 0; bit < 8 * size_bytes; bit += step * TEST_STEP) {
            bool is_payload = bit >= 8 * header_bytes;
            bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
            check_refused(place, bytes, size_bytes, is_payload);
            /* a view of it may open; if it has sums, no key is forgotten */
            if (is_payload && seenset_open(&view, place->path, NULL) == 0) {
                for (int key = 0; is_checked && key < TEST_GOLDEN_KEYS; key++)
                    assert_true(answer_for(view, key) != 0);
                seenset_free(view);
                view = NULL;
            }
            bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        }
        free(bytes);
    }
}

static void file_refuses_what_is_no_file(void **state)
{
    const struct place *place = *state;
    seenset *set = NULL;
    seenset_file_report report;
    for (uint32_t flags = 0; flags <= SEENSET_OPEN_COPY;
         flags += SEENSET_OPEN_COPY) {
        assert_int_equal(seenset_open(&set, place->path,
                                      &(seenset_open_options){.flags = flags}),
                         SEENSET_EIO);
        assert_int_equal(errno, ENOENT);
        assert_int_equal(seenset_open(&set, place->folder.path,
                                      &(seenset_open_options){.flags = flags}),
                         SEENSET_EFORMAT);
        assert_int_equal(
            seenset_open(&set, NULL, &(seenset_open_options){.flags = flags}),
            SEENSET_EINVAL);
        assert_int_equal(seenset_open(NULL, place->path,
                                      &(seenset_open_options){.flags = flags}),
                         SEENSET_EINVAL);
    }
    assert_int_equal(seenset_verify(place->path, &report), SEENSET_EIO);
    assert_true(strlen(report.reason) > 0);
    assert_int_equal(seenset_verify(NULL, &report), SEENSET_EINVAL);
    assert_int_equal(mkfifo(place->path, 0600), 0);
    assert_int_equal(seenset_open(&set, place->path, NULL), SEENSET_EFORMAT);
    assert_int_equal(
        seenset_open(&set, place->path,
                     &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        SEENSET_EFORMAT);
    assert_int_equal(seenset_verify(place->path, NULL), SEENSET_EFORMAT);
    assert_int_equal(seenset_open(&set, place->path,
                                  &(seenset_open_options){.flags = 1u << 30}),
                     SEENSET_EINVAL);
    assert_null(set);
}

/* ---- out of memory ---- */

static void load_survives_every_failed_allocation(void **state)
{
    const struct place *place = *state;
    seenset *set = test_golden_make(&test_goldens[3]), *loaded = NULL;
    size_t fail_at = 0;
    int error;
    assert_int_equal(seenset_save(set, place->path), SEENSET_OK);
    do {
        test_memory memory;
        test_memory_init(&memory);
        memory.fail_at = ++fail_at;
        error = seenset_open(
            &loaded, place->path,
            &(seenset_open_options){.flags = SEENSET_OPEN_COPY,
                                    .allocator = &memory.allocator});
        if (error == SEENSET_OK) {
            assert_true(test_are_equal(loaded, set));
            seenset_free(loaded);
        } else {
            assert_int_equal(error, SEENSET_ENOMEM);
            assert_null(loaded);
        }
        assert_int_equal(memory.live_blocks, 0);
    } while (error != SEENSET_OK);
    assert_true(fail_at >= 5); /* a set, a list, three tables */
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(file_round_trips, enter, leave),
        cmocka_unit_test(bytes_round_trip_at_any_address),
        cmocka_unit_test(bytes_need_room),
        cmocka_unit_test(golden_files_open_and_are_written_again),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test_setup_teardown(file_refuses_every_truncation, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(file_refuses_every_flipped_bit, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(file_refuses_what_is_no_file, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(load_survives_every_failed_allocation,
                                        enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
