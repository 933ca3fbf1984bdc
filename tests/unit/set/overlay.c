/*
 * overlay.c - hashes beside a table that grows in place: the list against a
 * plain one, and sets that have such a list while memory ends.
 */
#include "set/view/overlay.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/file.h"
#include "journal_place.h"
#include "set/view/checks.h"
#include "set/view/remembered.h"

enum {
    ROUNDS = 300,
    A_ROUND = 16,
    OLD_KEYS = 400000,
    NEW_KEYS = 700
};

/* ---- the list ---- */

static bool is_among(const uint64_t *hashes, size_t count, uint64_t hash)
{
    size_t i = 0;
    while (i < count && hashes[i] != hash)
        i++;
    return i < count;
}

/* A hash that often comes again: zero, small ones, and such as agree in their
 * upper or lower bits. */
static uint64_t some_hash(test_random *random)
{
    uint64_t value = test_random_below(random, 200);
    switch (test_random_below(random, 4)) {
    case 0:
        return value;
    case 1:
        return value << 56 | 7;
    case 2:
        return value << 32;
    default:
        return test_mix(value);
    }
}

static bool put(ss_overlay *beside, const uint64_t *hashes, uint64_t count,
                uint64_t later, uint64_t *news)
{
    uint8_t bytes[A_ROUND * sizeof *hashes];
    for (uint64_t i = 0; i < count; i++)
        ss_bits_store(bytes + i * sizeof *hashes, sizeof *hashes, hashes[i]);
    return ss_overlay_put(beside, bytes, count, later, news);
}

/* The same in an array: news of what is put before the last ones. */
static uint64_t put_plainly(uint64_t *all, size_t *all_count,
                            const uint64_t *hashes, size_t count, size_t later)
{
    uint64_t news = 0;
    for (size_t i = 0; i < count; i++)
        news += !is_among(all, *all_count, hashes[i]) &&
                !is_among(hashes, i, hashes[i]);
    uint64_t *at = all + *all_count - later;
    memmove(at + count, at, later * sizeof *at);
    memcpy(at, hashes, count * sizeof *at);
    *all_count += count;
    return news;
}

static void list_is_that_of_a_plain_one(void **state)
{
    static uint64_t all[ROUNDS * A_ROUND];
    size_t count = 0;
    test_random random = {11};
    ss_memory memory;
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), 0);
    ss_overlay *beside = ss_overlay_new(&memory);
    uint64_t distinct = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t hashes[A_ROUND], news;
        size_t more = 1 + test_random_below(&random, A_ROUND);
        size_t later = test_random_below(&random, count + 1);
        for (size_t i = 0; i < more; i++)
            hashes[i] = some_hash(&random);
        distinct += put_plainly(all, &count, hashes, more, later);
        assert_true(put(beside, hashes, more, later, &news));
        assert_int_equal(beside->distinct, distinct);
        assert_int_equal(beside->count, count);
        assert_memory_equal(beside->hashes, all, count * sizeof *all);
        uint64_t other = some_hash(&random);
        assert_int_equal(ss_overlay_has(beside, other),
                         is_among(all, count, other));
    }
    for (size_t i = 0; i < count; i++)
        assert_true(ss_overlay_has(beside, all[i]));
    assert_true(ss_overlay_memory_bytes(beside) < 48 * count);
    ss_overlay_free(beside);
    ss_overlay_free(NULL);
}

static void list_is_as_it_was_when_memory_ends(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at < 12; fail_at++) {
        test_memory from;
        ss_memory memory;
        uint64_t news, put_count = 0;
        test_memory_init(&from);
        assert_int_equal(ss_memory_init(&memory, &from.allocator), 0);
        from.fail_at = fail_at;
        ss_overlay *beside = ss_overlay_new(&memory);
        for (uint64_t i = 0; beside != NULL && i < ROUNDS; i++) {
            uint64_t hash = test_mix(i);
            if (put(beside, &hash, 1, 0, &news))
                put_count++;
            else
                assert_false(ss_overlay_has(beside, hash));
            assert_int_equal(beside->count, put_count);
            assert_int_equal(beside->distinct, put_count);
        }
        assert_true(beside == NULL || put_count + 1 >= ROUNDS);
        ss_overlay_free(beside);
        assert_int_equal(from.live_blocks, 0);
    }
}

/* ---- sets ---- */

static const seenset_options grown = {.capacity_items = 500, .fp_rate = 1e-6};

static void save_grown(const journal_place *at)
{
    seenset *set = test_make(grown);
    (void)test_add_stream(set, 0, OLD_KEYS);
    assert_int_equal(seenset_save(set, at->path), 0);
    seenset_free(set);
}

static int open_with(const journal_place *at, uint32_t flags,
                     test_memory *memory, size_t fail_at, seenset **out)
{
    const seenset_open_options options = {.flags = flags,
                                          .allocator = &memory->allocator};
    test_memory_init(memory);
    memory->fail_at = fail_at;
    memory->is_lasting = true;
    *out = NULL;
    return seenset_open(out, at->path, &options);
}

/* Adds until the set needs memory that there is not. */
static int add_all(seenset *set, uint64_t *added)
{
    int answer = 1;
    for (*added = 0; answer >= 0 && *added < NEW_KEYS; *added += answer >= 0)
        answer = seenset_add_hash(set, test_mix(OLD_KEYS + *added));
    return answer < 0 ? answer : 0;
}

static void mapped_set_outlasts_the_end_of_memory(void **state)
{
    const journal_place *at = *state;
    save_grown(at);
    int error = SEENSET_ENOMEM;
    for (size_t fail_at = 1; error != 0; fail_at++) {
        test_memory memory;
        seenset *set;
        uint64_t added = 0;
        error = open_with(at, SEENSET_OPEN_APPEND, &memory, fail_at, &set);
        if (error == 0)
            error = add_all(set, &added);
        assert_true(error == 0 || error == SEENSET_ENOMEM);
        if (set != NULL)
            assert_true(test_has_stream(set, OLD_KEYS, OLD_KEYS + added));
        seenset_free(set);
        assert_int_equal(memory.live_blocks, 0);
    }
}

static void append_new_keys(const journal_place *at)
{
    uint64_t added;
    test_memory memory;
    seenset *set;
    assert_int_equal(open_with(at, SEENSET_OPEN_APPEND, &memory, 0, &set), 0);
    assert_int_equal(add_all(set, &added), 0);
    assert_int_equal(seenset_append(set, at->path), 0);
    seenset_free(set);
}

/* A view that is saved makes a copy for it, and stays what it was. */
static void view_outlasts_the_end_of_memory(void **state)
{
    const journal_place *at = *state;
    save_grown(at);
    append_new_keys(at);
    int error = SEENSET_ENOMEM;
    for (size_t fail_at = 1; error != 0; fail_at++) {
        test_memory memory;
        seenset *set;
        error = open_with(at, SEENSET_OPEN_VIEW, &memory, fail_at, &set);
        if (error == 0) {
            error = seenset_save(set, at->other_path);
            assert_true(test_has_stream(set, 0, OLD_KEYS + NEW_KEYS));
        }
        assert_true(error == 0 || error == SEENSET_ENOMEM);
        seenset_free(set);
        assert_int_equal(memory.live_blocks, 0);
    }
    assert_int_equal(seenset_verify(at->other_path, NULL), 0);
}

/* A copy adds the journal's keys to its table, which may need a page. */
static void copy_outlasts_the_end_of_memory(void **state)
{
    const journal_place *at = *state;
    save_grown(at);
    append_new_keys(at);
    int error = SEENSET_ENOMEM;
    for (size_t fail_at = 1; error != 0; fail_at++) {
        test_memory memory;
        seenset *set;
        error = open_with(at, SEENSET_OPEN_COPY, &memory, fail_at, &set);
        assert_true(error == 0 || error == SEENSET_ENOMEM);
        if (error == 0)
            assert_true(test_has_stream(set, 0, OLD_KEYS + NEW_KEYS));
        seenset_free(set);
        assert_int_equal(memory.live_blocks, 0);
    }
}

/* ---- at once, for a look ---- */

static void look_leaves_a_file_unread(void **state)
{
    enum {
        FEW = 5000
    };
    const journal_place *at = *state;
    seenset *set, *copy;
    save_grown(at);
    assert_int_equal(ss_file_map_as(&ss_io_system, &grown, &set, at->path), 0);
    assert_int_equal(ss_file_load_as(&ss_io_system, &grown, &copy, at->path),
                     0);
    assert_true(set->is_view);
    assert_int_equal(test_add_stream(set, OLD_KEYS, OLD_KEYS + FEW), FEW);
    assert_int_equal(test_add_stream(copy, OLD_KEYS, OLD_KEYS + FEW), FEW);
    assert_true(set->is_view); /* still, and nothing is remembered twice */
    assert_int_equal(ss_checks_beside_count(set), FEW);
    assert_true(test_has_stream(set, 0, OLD_KEYS + FEW));
    assert_true(test_are_equal(set, copy));
    set->remembered->most_items = FEW;
    assert_int_equal(test_add_stream(set, OLD_KEYS + FEW, OLD_KEYS + 2 * FEW),
                     FEW);
    assert_false(set->is_view);
    assert_int_equal(test_add_stream(copy, OLD_KEYS + FEW, OLD_KEYS + 2 * FEW),
                     FEW);
    assert_true(test_are_equal(set, copy));
    seenset_free(set);
    seenset_free(copy);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, journal_place_enter,                 \
                                    journal_place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_is_that_of_a_plain_one),
        cmocka_unit_test(list_is_as_it_was_when_memory_ends),
        TEST(mapped_set_outlasts_the_end_of_memory),
        TEST(view_outlasts_the_end_of_memory),
        TEST(copy_outlasts_the_end_of_memory),
        TEST(look_leaves_a_file_unread),
    };
    test_need_mapped_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
