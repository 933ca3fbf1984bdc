/*
 * append.c - few keys added to a large file: they are in its journal, and the
 * set has them however it is opened, as if it had been saved.
 */
#include <stdio.h>
#include <string.h>

#include "append_sets.h"

enum {
    NEW_KEYS = 8,
    SEEN_KEYS = 5 /* which are added again */
};

/* ---- every kind ---- */

static uint64_t added_items(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    return info.added_items;
}

static void assert_seen_by_all(const append_kind *of, const append_place *place)
{
    static const unsigned all[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                   SEENSET_OPEN_COPY, SEENSET_OPEN_APPEND};
    uint64_t items = 0;
    for (size_t i = 0; i < TEST_COUNT(all); i++) {
        seenset *set = append_open(place->path, all[i], of->options.secret);
        append_assert_has(set, APPEND_OLD_KEYS + NEW_KEYS);
        if (i > 0)
            assert_int_equal(added_items(set), items);
        items = added_items(set);
        seenset_free(set);
    }
    assert_int_equal(seenset_verify(place->path, NULL), 0);
}

/* The same adds, to a set that is saved whole. */
static void save_directly(const append_kind *of, const append_place *place)
{
    seenset *set =
        append_open(place->other_path, SEENSET_OPEN_COPY, of->options.secret);
    for (int i = APPEND_OLD_KEYS - SEEN_KEYS; i < APPEND_OLD_KEYS + NEW_KEYS;
         i++)
        assert_true(append_add(set, i) >= 0);
    assert_int_equal(seenset_save(set, place->other_path), 0);
    seenset_free(set);
}

static void append_one_by_one(const append_kind *of, const append_place *place)
{
    for (int i = APPEND_OLD_KEYS - SEEN_KEYS; i < APPEND_OLD_KEYS + NEW_KEYS;
         i++) {
        seenset *set =
            append_open(place->path, SEENSET_OPEN_APPEND, of->options.secret);
        int answer = append_add(set, i);
        assert_int_equal(answer, i >= APPEND_OLD_KEYS);
        assert_int_equal(seenset_append(set, place->path), 0);
        seenset_free(set);
    }
}

static void append_equals_saving_whole(void **state)
{
    const append_place *place = *state;
    for (size_t i = 0; i < APPEND_KINDS; i++) {
        const seenset_open_options options = {
            .secret = append_kinds[i].options.secret};
        append_save_kind(&append_kinds[i], place->path);
        append_copy_file(place->path, place->other_path);
        append_one_by_one(&append_kinds[i], place);
        if (!append_is_there(place->log_path))
            fail_msg("%s: no journal", append_kinds[i].name);
        assert_int_equal(append_byte(place->path, APPEND_MARK), 0x80);
        assert_seen_by_all(&append_kinds[i], place);
        save_directly(&append_kinds[i], place);
        assert_int_equal(seenset_compact(place->path, &options), 0);
        assert_false(append_is_there(place->log_path));
        append_assert_same(place->path, place->other_path);
    }
}

static void append_keeps_one_handle_going(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    seenset *set = append_open_more(place);
    for (int i = 0; i < NEW_KEYS; i++) {
        assert_int_equal(append_add(set, APPEND_OLD_KEYS + i), 1);
        assert_int_equal(append_add(set, APPEND_OLD_KEYS + i), 0);
        assert_int_equal(seenset_append(set, place->path), 0);
        seenset *seen = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
        append_assert_has(seen, APPEND_OLD_KEYS + i + 1);
        seenset_free(seen);
    }
    seenset_free(set);
    /* 64 bytes, and 24 for each record of one hash */
    assert_int_equal(append_length(place->log_path), 64 + 24 * NEW_KEYS);
}

/* Batches and hashes, on both sides of the journal's end. */
static void append_many(const append_place *place, const append_kind *of)
{
    enum {
        MANY = 30000 /* over twice what the journal takes */
    };
    uint64_t hashes[MANY];
    uint8_t is_new[MANY];
    append_save_kind(of, place->path);
    for (int i = 0; i < MANY; i++)
        hashes[i] = test_mix((uint64_t)i);
    seenset *set = append_open_more(place);
    uint64_t before = added_items(set);
    for (size_t done = 0; done < MANY; done += MANY / 10) {
        assert_int_equal(
            seenset_add_hash_many(set, hashes + done, MANY / 10, is_new + done),
            0);
        assert_int_equal(seenset_append(set, place->path), 0);
        seenset *seen = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
        for (size_t i = 0; i < done + MANY / 10; i++)
            assert_int_equal(seenset_has_hash(seen, hashes[i]), 1);
        append_assert_has(seen, APPEND_OLD_KEYS);
        seenset_free(seen);
    }
    assert_int_equal(added_items(set), before + MANY);
    seenset_free(set);
}

static void append_takes_any_number(void **state)
{
    append_many(*state, &append_kinds[0]);
    append_many(*state, &append_kinds[APPEND_GROWN]);
}

/* Two who append in turn, and have the same keys in another order: the set is
 * that of the journal, whoever saves it. */
static void order_is_that_of_the_journal(void **state)
{
    enum {
        MANY = 3000,
        SHARED = 1000
    };
    const append_place *place = *state;
    char copy_path[TEST_PATH_BYTES];
    append_save_kind(&append_kinds[APPEND_GROWN], place->path);
    seenset *a = append_open_more(place), *b = append_open_more(place);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(append_add(a, -1 - i), 1);
    for (int i = MANY + SHARED; i > MANY - SHARED; i--)
        assert_int_equal(append_add(b, -i), 1);
    assert_int_equal(seenset_append(b, place->path), 0);
    assert_int_equal(seenset_append(a, place->path), 0);
    assert_int_equal(append_add(a, -1 - MANY - SHARED), 1);
    assert_int_equal(seenset_append(a, place->path), 0);
    assert_int_equal(seenset_save(a, place->other_path), 0);
    seenset *copy = append_open(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(added_items(copy), added_items(a));
    test_path(copy_path, &place->folder, "copy");
    assert_int_equal(seenset_save(copy, copy_path), 0);
    append_assert_same(place->other_path, copy_path);
    seenset_free(copy);
    seenset_free(a);
    seenset_free(b);
    assert_int_equal(seenset_compact(place->path, NULL), 0);
    append_assert_same(place->path, copy_path);
}

/* ---- what it is not for ---- */

static void append_refuses_other_sets(void **state)
{
    const append_place *place = *state;
    seenset *set;
    append_save_kind(&append_kinds[0], place->path);
    set = append_open(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(seenset_append(set, place->path), SEENSET_EUNSUPPORTED);
    seenset_free(set);
    set = append_open_more(place);
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
    const append_place *place = *state;
    const append_kind small = {
        .name = "small", .options = {.capacity_items = 1000, .fp_rate = 0.01}};
    append_save_kind(&small, place->path);
    seenset *set = append_open_more(place);
    assert_int_equal(append_add(set, -1), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
    assert_false(append_is_there(place->log_path));
    set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(append_answer(set, -1), 1);
    seenset_free(set);
    assert_int_equal(seenset_compact(place->path, NULL), 0);
}

static void append_leaves_a_file_that_is_no_journal(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    FILE *notes = fopen(place->log_path, "w");
    (void)fputs("my notes", notes);
    (void)fclose(notes);
    seenset *set = append_open_more(place);
    assert_int_equal(append_add(set, -1), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
    assert_int_equal(append_length(place->log_path), strlen("my notes"));
    assert_int_equal(append_byte(place->path, APPEND_MARK), 0);
    set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(append_answer(set, -1), 1);
    seenset_free(set);
}

/* ---- beside others ---- */

static void append_sees_what_others_appended(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[3], place->path);
    seenset *a = append_open_more(place), *b = append_open_more(place);
    uint64_t count;
    for (int i = 0; i < NEW_KEYS; i++) {
        seenset *next = i % 2 == 0 ? a : b;
        assert_true(append_add(next, -1 - i / 3) >= 0);
        assert_int_equal(seenset_append(next, place->path), 0);
    }
    assert_true(append_add(a, -1) >= 0);
    assert_int_equal(seenset_append(a, place->path), 0);
    assert_int_equal(seenset_count(a, "key -1", 6, &count), 0);
    assert_int_equal(count, 4);
    seenset_free(a);
    seenset_free(b);
    seenset *seen = append_open(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(seenset_count(seen, "key -1", 6, &count), 0);
    assert_int_equal(count, 4);
    seenset_free(seen);
}

static void append_notices_another_file(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    seenset *set = append_open_more(place);
    assert_int_equal(append_add(set, -1), 1);
    seenset *other = append_open_more(place);
    assert_int_equal(append_add(other, -2), 1);
    assert_int_equal(seenset_append(other, place->path), 0);
    assert_int_equal(seenset_compact(place->path, NULL), 0);
    assert_int_equal(seenset_append(set, place->path), SEENSET_EMISMATCH);
    seenset_free(other);
    seenset_free(set);
    set = append_open_more(place);
    assert_int_equal(append_answer(set, -2), 1);
    seenset_free(set);
}

/* seenset_save takes the journal's keys along, and removes it. */
static void save_ends_the_journal(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    seenset *set = append_open_more(place);
    assert_int_equal(append_add(set, -1), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
    set = append_open(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(seenset_save(set, place->path), 0);
    seenset_free(set);
    assert_false(append_is_there(place->log_path));
    assert_int_equal(append_byte(place->path, APPEND_MARK), 0);
    set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(append_answer(set, -1), 1);
    seenset_free(set);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, append_enter, append_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(append_equals_saving_whole),
        TEST(append_keeps_one_handle_going),
        TEST(append_takes_any_number),
        TEST(order_is_that_of_the_journal),
        TEST(append_refuses_other_sets),
        TEST(append_saves_a_small_file),
        TEST(append_leaves_a_file_that_is_no_journal),
        TEST(append_sees_what_others_appended),
        TEST(append_notices_another_file),
        TEST(save_ends_the_journal),
    };
    test_need_mapped_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
