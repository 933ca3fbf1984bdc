/*
 * append_journal.c - a journal that is not there, of another set, torn or
 * damaged: no key is lost unnoticed.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "append_sets.h"

enum {
    NEW_KEYS = 8
};

/* ---- a journal that is not there, or of another set ---- */

static void refuse(const append_place *place, int error)
{
    seenset *set;
    assert_int_equal(seenset_open(&set, place->path, NULL), error);
    assert_int_equal(seenset_verify(place->path, NULL), error);
    const seenset_open_options copy = {.flags = SEENSET_OPEN_COPY};
    assert_int_equal(seenset_open(&set, place->path, &copy), error);
    assert_int_equal(seenset_compact(place->path, NULL), error);
}

static void set_without_its_journal_is_refused(void **state)
{
    const append_place *place = *state;
    seenset *set;
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, -1);
    append_copy_file(place->log_path, place->other_path);
    assert_int_equal(unlink(place->log_path), 0);
    refuse(place, SEENSET_EJOURNAL);
    append_copy_file(place->other_path, place->log_path);
    set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(append_answer(set, -1), 1);
    seenset_free(set);
}

static void journal_of_another_set_is_refused(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, -1);
    append_copy_file(place->log_path, place->other_path);
    assert_int_equal(seenset_compact(place->path, NULL), 0);
    append_one(place, -2);
    append_copy_file(place->other_path, place->log_path);
    refuse(place, SEENSET_EJOURNAL);
}

/* A file without the mark may be an older copy: what was appended since is in
 * the journal beside it, and stays there. */
static void journal_of_an_older_copy_counts(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, -1);
    append_put_byte(place->path, APPEND_MARK, 0);
    seenset *set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(append_answer(set, -1), 1);
    seenset_free(set);
    append_one(place, -2);
    assert_int_equal(append_length(place->log_path), 64 + 2 * 24);
    set = append_open(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(append_answer(set, -1), 1);
    assert_int_equal(append_answer(set, -2), 1);
    seenset_free(set);
}

static void bytes_without_their_journal_are_refused(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, -1);
    size_t length = (size_t)append_length(place->path);
    uint8_t *block = malloc(length + 64);
    uint8_t *bytes = block + 64 - (uintptr_t)block % 64;
    FILE *file = fopen(place->path, "rb");
    assert_int_equal(fread(bytes, 1, length, file), length);
    (void)fclose(file);
    seenset *set;
    const seenset_open_options copy = {.flags = SEENSET_OPEN_COPY};
    const seenset_open_options append = {.flags = SEENSET_OPEN_APPEND};
    assert_int_equal(seenset_open_bytes(&set, bytes, length, NULL),
                     SEENSET_EJOURNAL);
    assert_int_equal(seenset_open_bytes(&set, bytes, length, &copy),
                     SEENSET_EJOURNAL);
    assert_int_equal(seenset_open_bytes(&set, bytes, length, &append),
                     SEENSET_EINVAL);
    free(block);
}

/* ---- opened without it ---- */

static uint64_t missing_items(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    return info.journal_missing_items;
}

static void check_without(const append_place *place, bool is_missing)
{
    static const uint32_t flags[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                     SEENSET_OPEN_COPY, SEENSET_OPEN_APPEND};
    for (size_t i = 0; i < TEST_COUNT(flags); i++) {
        seenset *set = append_open(
            place->path, flags[i] | SEENSET_OPEN_WITHOUT_JOURNAL, NULL);
        append_assert_has(set, APPEND_OLD_KEYS);
        assert_int_equal(append_answer(set, -1), !is_missing);
        assert_int_equal(missing_items(set) > 0, is_missing);
        assert_true(missing_items(set) <= 65536);
        seenset_free(set);
    }
}

static void set_opens_without_its_journal_on_request(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, -1);
    check_without(place, false); /* planted: it is there */
    append_copy_file(place->log_path, place->other_path);
    assert_int_equal(unlink(place->log_path), 0);
    check_without(place, true);
    refuse(place, SEENSET_EJOURNAL);
    append_copy_file(place->other_path, place->log_path);
    check_without(place, false);
    append_put_byte(place->log_path, 70, 0xAA);
    refuse(place, SEENSET_ECORRUPT);
    check_without(place, true);
}

/* What is added to it makes it a set of its own again, without a journal. */
static void set_without_its_journal_is_saved_whole(void **state)
{
    const append_place *place = *state;
    const seenset_open_options without = {.flags =
                                              SEENSET_OPEN_WITHOUT_JOURNAL};
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, -1);
    assert_int_equal(unlink(place->log_path), 0);
    seenset *set = append_open(
        place->path, SEENSET_OPEN_APPEND | SEENSET_OPEN_WITHOUT_JOURNAL, NULL);
    assert_int_equal(append_add(set, -2), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
    assert_int_equal(seenset_verify(place->path, NULL), 0);
    append_one(place, -3);
    assert_int_equal(unlink(place->log_path), 0);
    assert_int_equal(seenset_compact(place->path, NULL), SEENSET_EJOURNAL);
    assert_int_equal(seenset_compact(place->path, &without), 0);
    set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    append_assert_has(set, APPEND_OLD_KEYS);
    assert_int_equal(append_answer(set, -2), 1);
    assert_int_equal(append_answer(set, -3), 0);
    assert_int_equal(missing_items(set), 0);
    seenset_free(set);
}

/* ---- another set's ---- */

/* The name that the journal gets when it is set aside. */
static const char *aside_path(char out[TEST_PATH_BYTES + 32],
                              const append_place *place, const char *set_path)
{
    uint8_t bytes[128];
    unsigned long long checksum = 0;
    FILE *file = fopen(set_path, "rb");
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
    (void)fclose(file);
    for (int i = 7; i >= 0; i--)
        checksum = checksum << 8 | bytes[120 + i];
    (void)snprintf(out, TEST_PATH_BYTES + 32, "%s.of-%016llx", place->log_path,
                   checksum);
    return out;
}

/* The set goes away, and another one gets its name: it is saved at once, or
 * gets a journal of its own. */
static void journal_of_a_set_that_moved_is_kept(void **state)
{
    const append_place *place = *state;
    char aside[TEST_PATH_BYTES + 32];
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, -1);
    assert_int_equal(rename(place->path, place->other_path), 0);
    append_save_kind(&append_kinds[1], place->path);
    assert_false(append_is_there(place->log_path));
    aside_path(aside, place, place->other_path);
    assert_int_equal(append_length(aside), 64 + 24);
    append_one(place, -2);
    assert_int_equal(append_length(place->log_path), 64 + 24);
    assert_int_equal(
        rename(place->log_path, aside_path(aside, place, place->path)), 0);
    assert_int_equal(rename(place->other_path, place->path), 0);
    refuse(place, SEENSET_EJOURNAL);
    assert_int_equal(
        rename(aside_path(aside, place, place->path), place->log_path), 0);
    seenset *set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(append_answer(set, -1), 1);
    seenset_free(set);
}

/* The other set is renamed to the name, so that no save sees the journal. */
static void append_keeps_another_sets_journal(void **state)
{
    const append_place *place = *state;
    char aside[TEST_PATH_BYTES + 32];
    append_save_kind(&append_kinds[1], place->other_path);
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, -1);
    aside_path(aside, place, place->path);
    assert_int_equal(rename(place->other_path, place->path), 0);
    append_one(place, -2);
    assert_int_equal(append_length(aside), 64 + 24);
    assert_int_equal(append_length(place->log_path), 64 + 24);
    seenset *set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(append_answer(set, -1), 0);
    assert_int_equal(append_answer(set, -2), 1);
    seenset_free(set);
}

/* ---- torn and damaged ---- */

/* An add that was cut off was never answered, and the next one follows what
 * was there before it. */
static void journal_goes_on_after_a_torn_record(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    append_one(place, APPEND_OLD_KEYS);
    int fd = open(place->log_path, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, "0123456789012345678901234567", 28), 28);
    close(fd);
    assert_int_equal(seenset_verify(place->path, NULL), 0);
    append_one(place, APPEND_OLD_KEYS + 1);
    assert_int_equal(append_length(place->log_path), 64 + 2 * 24);
    seenset *set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    append_assert_has(set, APPEND_OLD_KEYS + 2);
    seenset_free(set);
}

/* ---- damage ---- */

static bool is_refused_or_whole(const append_place *place)
{
    seenset *set;
    int error = seenset_open(&set, place->path, NULL);
    assert_int_equal(seenset_verify(place->path, NULL), error);
    if (error != 0)
        return true;
    bool has_all = true;
    for (int i = 0; i < NEW_KEYS; i++)
        has_all = has_all && append_answer(set, APPEND_OLD_KEYS + i) == 1;
    seenset_free(set);
    return has_all;
}

/* Whatever byte of the journal changes, no key is lost unnoticed; nor if it
 * is cut off anywhere. */
static void journal_notices_damage(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    for (int i = 0; i < NEW_KEYS; i++)
        append_one(place, APPEND_OLD_KEYS + i);
    off_t length = append_length(place->log_path);
    for (off_t at = 0; at < length; at++) {
        uint8_t byte = append_byte(place->log_path, at);
        for (int bit = 0; bit < 8; bit += 7) {
            append_put_byte(place->log_path, at, byte ^ (uint8_t)(1 << bit));
            assert_true(is_refused_or_whole(place));
        }
        append_put_byte(place->log_path, at, byte);
    }
    for (off_t cut = length - 1; cut >= 0; cut--) {
        assert_int_equal(truncate(place->log_path, cut), 0);
        assert_int_equal(seenset_verify(place->path, NULL), SEENSET_ETRUNCATED);
    }
}

/* ---- golden journals ---- */

static char *golden_path(char out[TEST_PATH_BYTES], size_t i)
{
    (void)snprintf(out, TEST_PATH_BYTES, "%s/%s", SEENSET_TEST_GOLDEN,
                   append_goldens[i].name);
    return out;
}

/* The set of a golden journal, with the journal of golden number `i` beside
 * it. */
static void place_golden(const append_place *place, const append_golden *of,
                         size_t i)
{
    char path[TEST_PATH_BYTES];
    append_save_kind(&append_kinds[of->kind], place->path);
    append_put_byte(place->path, APPEND_MARK, 0x80);
    append_copy_file(golden_path(path, i), place->log_path);
}

static void check_golden(const append_place *place)
{
    static const unsigned all[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                   SEENSET_OPEN_COPY, SEENSET_OPEN_APPEND};
    for (size_t i = 0; i < TEST_COUNT(all); i++) {
        int strangers = 0;
        seenset *set = append_open(place->path, all[i], NULL);
        append_assert_has(set, APPEND_OLD_KEYS + APPEND_GOLDEN_KEYS);
        for (int key = 2000; key < 3000; key++)
            strangers += append_answer(set, key);
        assert_true(strangers < 50); /* planted: not all are there */
        seenset_free(set);
    }
    assert_int_equal(seenset_verify(place->path, NULL), 0);
}

/* A journal that was written once opens for ever, and the same appends write
 * it again. */
static void golden_journals_open_and_are_written_again(void **state)
{
    const append_place *place = *state;
    char path[TEST_PATH_BYTES];
    for (size_t i = 0; i < APPEND_GOLDENS; i++) {
        const append_golden *golden = &append_goldens[i];
        place_golden(place, golden, i);
        check_golden(place);
        append_copy_file(place->path, place->other_path);
        assert_int_equal(unlink(place->log_path), 0);
        append_make_golden(place, golden);
        append_assert_same(place->log_path, golden_path(path, i));
        append_assert_same(place->path, place->other_path);
        place_golden(place, golden, APPEND_GOLDENS - 1 - i);
        refuse(place, SEENSET_EJOURNAL); /* planted: the other one's journal */
    }
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, append_enter, append_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(set_without_its_journal_is_refused),
        TEST(journal_of_another_set_is_refused),
        TEST(journal_of_an_older_copy_counts),
        TEST(bytes_without_their_journal_are_refused),
        TEST(set_opens_without_its_journal_on_request),
        TEST(set_without_its_journal_is_saved_whole),
        TEST(journal_of_a_set_that_moved_is_kept),
        TEST(append_keeps_another_sets_journal),
        TEST(journal_goes_on_after_a_torn_record),
        TEST(journal_notices_damage),
        TEST(golden_journals_open_and_are_written_again),
    };
    test_need_mapped_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
