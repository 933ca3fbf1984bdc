/*
 * append.c - few keys added to a large file: they are in its journal, and the
 * set has them however it is opened, as if it had been saved.
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

enum {
    OLD_KEYS = 1000,
    NEW_KEYS = 8,
    SEEN_KEYS = 5, /* which are added again */
    MARK = 11 /* the byte of the header that says that there is a journal */
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "fifteen letters";

struct place {
    test_folder folder;
    char path[TEST_PATH_BYTES];
    char log_path[TEST_PATH_BYTES];
    char other_path[TEST_PATH_BYTES];
};

static int enter(void **state)
{
    struct place *place = malloc(sizeof *place);
    assert_non_null(place);
    test_folder_make(&place->folder);
    test_path(place->path, &place->folder, "set");
    test_path(place->log_path, &place->folder, "set.log");
    test_path(place->other_path, &place->folder, "other");
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

/* ---- sets ---- */

typedef struct kind {
    const char *name;
    seenset_options options;
} kind;

/* A file of each is over 1 MiB. */
static const kind kinds[] = {
    {"blocked", {.capacity_items = 1000000, .fp_rate = 1e-4}},
    {"bloom",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .capacity_items = 1000000,
      .fp_rate = 0.01,
      .on_full = SEENSET_ON_FULL_DEGRADE}},
    {"split block",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
      .capacity_items = 1000000,
      .fp_rate = 0.01,
      .on_full = SEENSET_ON_FULL_REFUSE}},
    {"counting",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .capacity_items = 500000,
      .fp_rate = 0.01}},
    {"odd counters",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .capacity_items = 500000,
      .counter_bits = 5,
      .fp_rate = 0.01,
      .on_full = SEENSET_ON_FULL_DEGRADE}},
    {"keyed", {.capacity_items = 1000000, .fp_rate = 0.01, .secret = secret}},
    {"window",
     {.capacity_items = 10000000,
      .fp_rate = 0.01,
      .on_full = SEENSET_ON_FULL_ROTATE}},
    {"sliding window",
     {.capacity_items = 10000000,
      .fp_rate = 0.01,
      .on_full = SEENSET_ON_FULL_ROTATE,
      .flags = SEENSET_SLIDING}},
    {"window by age",
     {.capacity_items = 10000000,
      .fp_rate = 0.01,
      .on_full = SEENSET_ON_FULL_ROTATE,
      .window_seconds = 1000000}},
};

static int add_number(seenset *set, int i)
{
    char key[16];
    int length = snprintf(key, sizeof key, "key %d", i);
    return seenset_add(set, key, (size_t)length);
}

static int answer_for(const seenset *set, int i)
{
    char key[16];
    int length = snprintf(key, sizeof key, "key %d", i);
    return seenset_has(set, key, (size_t)length);
}

static void save_kind(const kind *of, const char *path)
{
    seenset *set;
    assert_int_equal(seenset_new(&set, &of->options), 0);
    for (int i = 0; i < OLD_KEYS; i++)
        assert_true(add_number(set, i) >= 0);
    assert_int_equal(seenset_save(set, path), 0);
    seenset_free(set);
}

static seenset *open_with(const char *path, unsigned flags,
                          const uint8_t *with_secret)
{
    seenset *set = NULL;
    seenset_file_report report;
    seenset_open_options options = {
        .flags = flags, .secret = with_secret, .report = &report};
    int error = seenset_open(&set, path, &options);
    if (error != 0)
        print_error("%s: %s\n", path, report.reason);
    assert_int_equal(error, 0);
    return set;
}

static seenset *open_to_append(const struct place *place)
{
    return open_with(place->path, SEENSET_OPEN_APPEND, NULL);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static off_t length_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_size;
}

static uint8_t byte_of(const char *path, off_t at)
{
    uint8_t byte = 0;
    int fd = open(path, O_RDONLY);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    close(fd);
    return byte;
}

static void put_byte(const char *path, off_t at, uint8_t byte)
{
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static void copy_file(const char *from, const char *to)
{
    size_t length = (size_t)length_of(from);
    uint8_t *bytes = malloc(length);
    FILE *file = fopen(from, "rb");
    assert_int_equal(fread(bytes, 1, length, file), length);
    (void)fclose(file);
    file = fopen(to, "wb");
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    (void)fclose(file);
    free(bytes);
}

static void assert_same_bytes(const char *a_path, const char *b_path)
{
    FILE *a = fopen(a_path, "rb"), *b = fopen(b_path, "rb");
    int a_byte, b_byte;
    assert_non_null(a);
    assert_non_null(b);
    do {
        a_byte = getc(a);
        b_byte = getc(b);
        assert_int_equal(a_byte, b_byte);
    } while (a_byte != EOF);
    (void)fclose(a);
    (void)fclose(b);
}

/* ---- every kind ---- */

static void assert_has_all(const seenset *set, int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(answer_for(set, i), 1);
}

static uint64_t added_items(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    return info.added_items;
}

static void assert_seen_by_all(const kind *of, const struct place *place)
{
    static const unsigned all[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                   SEENSET_OPEN_COPY, SEENSET_OPEN_APPEND};
    uint64_t items = 0;
    for (size_t i = 0; i < TEST_COUNT(all); i++) {
        seenset *set = open_with(place->path, all[i], of->options.secret);
        assert_has_all(set, OLD_KEYS + NEW_KEYS);
        if (i > 0)
            assert_int_equal(added_items(set), items);
        items = added_items(set);
        seenset_free(set);
    }
    assert_int_equal(seenset_verify(place->path, NULL), 0);
}

/* The same adds, to a set that is saved whole. */
static void save_directly(const kind *of, const struct place *place)
{
    seenset *set =
        open_with(place->other_path, SEENSET_OPEN_COPY, of->options.secret);
    for (int i = OLD_KEYS - SEEN_KEYS; i < OLD_KEYS + NEW_KEYS; i++)
        assert_true(add_number(set, i) >= 0);
    assert_int_equal(seenset_save(set, place->other_path), 0);
    seenset_free(set);
}

static void append_one_by_one(const kind *of, const struct place *place)
{
    for (int i = OLD_KEYS - SEEN_KEYS; i < OLD_KEYS + NEW_KEYS; i++) {
        seenset *set =
            open_with(place->path, SEENSET_OPEN_APPEND, of->options.secret);
        int answer = add_number(set, i);
        assert_int_equal(answer, i >= OLD_KEYS);
        assert_int_equal(seenset_append(set, place->path), 0);
        seenset_free(set);
    }
}

static void append_equals_saving_whole(void **state)
{
    const struct place *place = *state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        const seenset_open_options options = {.secret =
                                                  kinds[i].options.secret};
        save_kind(&kinds[i], place->path);
        copy_file(place->path, place->other_path);
        append_one_by_one(&kinds[i], place);
        if (!is_there(place->log_path))
            fail_msg("%s: no journal", kinds[i].name);
        assert_int_equal(byte_of(place->path, MARK), 0x80);
        assert_seen_by_all(&kinds[i], place);
        save_directly(&kinds[i], place);
        assert_int_equal(seenset_compact(place->path, &options), 0);
        assert_false(is_there(place->log_path));
        assert_same_bytes(place->path, place->other_path);
    }
}

static void append_keeps_one_handle_going(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    seenset *set = open_to_append(place);
    for (int i = 0; i < NEW_KEYS; i++) {
        assert_int_equal(add_number(set, OLD_KEYS + i), 1);
        assert_int_equal(add_number(set, OLD_KEYS + i), 0);
        assert_int_equal(seenset_append(set, place->path), 0);
        seenset *seen = open_with(place->path, SEENSET_OPEN_VIEW, NULL);
        assert_has_all(seen, OLD_KEYS + i + 1);
        seenset_free(seen);
    }
    seenset_free(set);
    /* 64 bytes, and 24 for each record of one hash */
    assert_int_equal(length_of(place->log_path), 64 + 24 * NEW_KEYS);
}

/* Batches and hashes, on both sides of the journal's end. */
static void append_takes_any_number(void **state)
{
    enum {
        MANY = 3000
    };
    const struct place *place = *state;
    uint64_t hashes[MANY];
    uint8_t is_new[MANY];
    save_kind(&kinds[0], place->path);
    for (int i = 0; i < MANY; i++)
        hashes[i] = test_mix((uint64_t)i);
    seenset *set = open_to_append(place);
    for (size_t done = 0; done < MANY; done += MANY / 10) {
        assert_int_equal(
            seenset_add_hash_many(set, hashes + done, MANY / 10, is_new + done),
            0);
        assert_int_equal(seenset_append(set, place->path), 0);
        seenset *seen = open_with(place->path, SEENSET_OPEN_VIEW, NULL);
        for (size_t i = 0; i < done + MANY / 10; i++)
            assert_int_equal(seenset_has_hash(seen, hashes[i]), 1);
        assert_has_all(seen, OLD_KEYS);
        seenset_free(seen);
    }
    assert_int_equal(added_items(set), OLD_KEYS + MANY);
    seenset_free(set);
}

/* ---- what it is not for ---- */

static void append_refuses_other_sets(void **state)
{
    const struct place *place = *state;
    seenset *set;
    save_kind(&kinds[0], place->path);
    set = open_with(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(seenset_append(set, place->path), SEENSET_EUNSUPPORTED);
    seenset_free(set);
    set = open_to_append(place);
    assert_int_equal(seenset_clear(set), SEENSET_EREADONLY);
    assert_int_equal(seenset_merge(set, set), SEENSET_EREADONLY);
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    assert_false(info.is_read_only);
    seenset_free(set);
}

/* A small file is saved whole. */
static void append_saves_a_small_file(void **state)
{
    const struct place *place = *state;
    const kind small = {"small", {.capacity_items = 1000, .fp_rate = 0.01}};
    save_kind(&small, place->path);
    seenset *set = open_to_append(place);
    assert_int_equal(add_number(set, -1), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
    assert_false(is_there(place->log_path));
    set = open_with(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(answer_for(set, -1), 1);
    seenset_free(set);
    assert_int_equal(seenset_compact(place->path, NULL), 0);
}

static void append_leaves_a_file_that_is_no_journal(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    FILE *notes = fopen(place->log_path, "w");
    (void)fputs("my notes", notes);
    (void)fclose(notes);
    seenset *set = open_to_append(place);
    assert_int_equal(add_number(set, -1), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
    assert_int_equal(length_of(place->log_path), strlen("my notes"));
    assert_int_equal(byte_of(place->path, MARK), 0);
    set = open_with(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(answer_for(set, -1), 1);
    seenset_free(set);
}

/* ---- beside others ---- */

static void append_sees_what_others_appended(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[3], place->path);
    seenset *a = open_to_append(place), *b = open_to_append(place);
    uint64_t count;
    for (int i = 0; i < NEW_KEYS; i++) {
        seenset *next = i % 2 == 0 ? a : b;
        assert_true(add_number(next, -1 - i / 3) >= 0);
        assert_int_equal(seenset_append(next, place->path), 0);
    }
    assert_true(add_number(a, -1) >= 0);
    assert_int_equal(seenset_append(a, place->path), 0);
    assert_int_equal(seenset_count(a, "key -1", 6, &count), 0);
    assert_int_equal(count, 4);
    seenset_free(a);
    seenset_free(b);
    seenset *seen = open_with(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(seenset_count(seen, "key -1", 6, &count), 0);
    assert_int_equal(count, 4);
    seenset_free(seen);
}

static void append_notices_another_file(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    seenset *set = open_to_append(place);
    assert_int_equal(add_number(set, -1), 1);
    seenset *other = open_to_append(place);
    assert_int_equal(add_number(other, -2), 1);
    assert_int_equal(seenset_append(other, place->path), 0);
    assert_int_equal(seenset_compact(place->path, NULL), 0);
    assert_int_equal(seenset_append(set, place->path), SEENSET_EMISMATCH);
    seenset_free(other);
    seenset_free(set);
    set = open_to_append(place);
    assert_int_equal(answer_for(set, -2), 1);
    seenset_free(set);
}

/* seenset_save takes the journal's keys along, and removes it. */
static void save_ends_the_journal(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    seenset *set = open_to_append(place);
    assert_int_equal(add_number(set, -1), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
    set = open_with(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(seenset_save(set, place->path), 0);
    seenset_free(set);
    assert_false(is_there(place->log_path));
    assert_int_equal(byte_of(place->path, MARK), 0);
    set = open_with(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(answer_for(set, -1), 1);
    seenset_free(set);
}

/* ---- a journal that is not there, or of another set ---- */

static void refuse(const struct place *place, int error)
{
    seenset *set;
    assert_int_equal(seenset_open(&set, place->path, NULL), error);
    assert_int_equal(seenset_verify(place->path, NULL), error);
    const seenset_open_options copy = {.flags = SEENSET_OPEN_COPY};
    assert_int_equal(seenset_open(&set, place->path, &copy), error);
    assert_int_equal(seenset_compact(place->path, NULL), error);
}

static void append_one(const struct place *place, int i)
{
    seenset *set = open_to_append(place);
    assert_int_equal(add_number(set, i), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
}

static void set_without_its_journal_is_refused(void **state)
{
    const struct place *place = *state;
    seenset *set;
    save_kind(&kinds[0], place->path);
    append_one(place, -1);
    copy_file(place->log_path, place->other_path);
    assert_int_equal(unlink(place->log_path), 0);
    refuse(place, SEENSET_ECORRUPT);
    copy_file(place->other_path, place->log_path);
    set = open_with(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(answer_for(set, -1), 1);
    seenset_free(set);
}

static void journal_of_another_set_is_refused(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    append_one(place, -1);
    copy_file(place->log_path, place->other_path);
    assert_int_equal(seenset_compact(place->path, NULL), 0);
    append_one(place, -2);
    copy_file(place->other_path, place->log_path);
    refuse(place, SEENSET_ECORRUPT);
}

/* What is beside a file without the mark is not looked at. */
static void journal_without_a_mark_is_nothing(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    append_one(place, -1);
    put_byte(place->path, MARK, 0);
    seenset *set = open_with(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(answer_for(set, -1), 0);
    seenset_free(set);
    append_one(place, -2);
    assert_int_equal(length_of(place->log_path), 64 + 24);
}

static void bytes_without_their_journal_are_refused(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    append_one(place, -1);
    size_t length = (size_t)length_of(place->path);
    uint8_t *bytes = aligned_alloc(64, (length + 63) / 64 * 64);
    FILE *file = fopen(place->path, "rb");
    assert_int_equal(fread(bytes, 1, length, file), length);
    (void)fclose(file);
    seenset *set;
    const seenset_open_options copy = {.flags = SEENSET_OPEN_COPY};
    const seenset_open_options append = {.flags = SEENSET_OPEN_APPEND};
    assert_int_equal(seenset_open_bytes(&set, bytes, length, NULL),
                     SEENSET_ECORRUPT);
    assert_int_equal(seenset_open_bytes(&set, bytes, length, &copy),
                     SEENSET_ECORRUPT);
    assert_int_equal(seenset_open_bytes(&set, bytes, length, &append),
                     SEENSET_EINVAL);
    free(bytes);
}

/* An add that was cut off was never answered, and the next one follows what
 * was there before it. */
static void journal_goes_on_after_a_torn_record(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    append_one(place, OLD_KEYS);
    int fd = open(place->log_path, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, "0123456789012345678901234567", 28), 28);
    close(fd);
    assert_int_equal(seenset_verify(place->path, NULL), 0);
    append_one(place, OLD_KEYS + 1);
    assert_int_equal(length_of(place->log_path), 64 + 2 * 24);
    seenset *set = open_with(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_has_all(set, OLD_KEYS + 2);
    seenset_free(set);
}

/* ---- damage ---- */

static bool is_refused_or_whole(const struct place *place)
{
    seenset *set;
    int error = seenset_open(&set, place->path, NULL);
    assert_int_equal(seenset_verify(place->path, NULL), error);
    if (error != 0)
        return true;
    bool has_all = true;
    for (int i = 0; i < NEW_KEYS; i++)
        has_all = has_all && answer_for(set, OLD_KEYS + i) == 1;
    seenset_free(set);
    return has_all;
}

/* Whatever byte of the journal changes, no key is lost unnoticed; nor if it
 * is cut off anywhere. */
static void journal_notices_damage(void **state)
{
    const struct place *place = *state;
    save_kind(&kinds[0], place->path);
    for (int i = 0; i < NEW_KEYS; i++)
        append_one(place, OLD_KEYS + i);
    off_t length = length_of(place->log_path);
    for (off_t at = 0; at < length; at++) {
        uint8_t byte = byte_of(place->log_path, at);
        for (int bit = 0; bit < 8; bit += 7) {
            put_byte(place->log_path, at, byte ^ (uint8_t)(1 << bit));
            assert_true(is_refused_or_whole(place));
        }
        put_byte(place->log_path, at, byte);
    }
    for (off_t cut = length - 1; cut >= 0; cut--) {
        assert_int_equal(truncate(place->log_path, cut), 0);
        assert_int_equal(seenset_verify(place->path, NULL), SEENSET_ETRUNCATED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(append_equals_saving_whole, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(append_keeps_one_handle_going, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(append_takes_any_number, enter, leave),
        cmocka_unit_test_setup_teardown(append_refuses_other_sets, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(append_saves_a_small_file, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(append_leaves_a_file_that_is_no_journal,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(append_sees_what_others_appended, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(append_notices_another_file, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(save_ends_the_journal, enter, leave),
        cmocka_unit_test_setup_teardown(set_without_its_journal_is_refused,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(journal_of_another_set_is_refused,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(journal_without_a_mark_is_nothing,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(bytes_without_their_journal_are_refused,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(journal_goes_on_after_a_torn_record,
                                        enter, leave),
        cmocka_unit_test_setup_teardown(journal_notices_damage, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
