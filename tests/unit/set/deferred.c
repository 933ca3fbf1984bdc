/*
 * deferred.c - hashes that a mapped table gets block by block: as many as are
 * listed, more than that, and while memory ends.
 */
#include <stdlib.h>

#include "faulty_io.h"
#include "file/append.h"
#include "set/view/deferred.h"
#include "set/view/remembered.h"
#include "journal_place.h"

enum {
    LONG = 1500,
    A_RECORD = 500,
    PLACES = 8 /* of a hash of a bloom set at 1 % */
};

static const seenset_options bloom = {
    .layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 1000000, .fp_rate = 0.01};
static void save_set(const journal_place *at)
{
    seenset *set;
    assert_int_equal(seenset_new(&set, &bloom), 0);
    assert_int_equal(seenset_save(set, at->path), 0);
    seenset_free(set);
}

static seenset *open_with(const journal_place *at, uint32_t flags)
{
    const seenset_open_options options = {.flags = flags};
    seenset *set;
    assert_int_equal(seenset_open(&set, at->path, &options), 0);
    return set;
}

static uint64_t count_missing(const seenset *set, uint64_t count)
{
    uint64_t missing = 0;
    for (uint64_t i = 0; i < count; i++)
        missing += seenset_has_hash(set, test_mix(i)) != 1;
    return missing;
}

static uint64_t added_items(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    return info.added_items;
}

/* ---- while memory ends ---- */

static void append_long_journal(const journal_place *at)
{
    seenset *set = open_with(at, SEENSET_OPEN_APPEND);
    for (uint64_t i = 0; i < LONG; i++) {
        assert_int_equal(seenset_add_hash(set, test_mix(i)), 1);
        if ((i + 1) % A_RECORD == 0)
            assert_int_equal(seenset_append(set, at->path), 0);
    }
    seenset_free(set);
}

/* Opens it with memory that ends; NULL: it needs more. */
static seenset *open_with_memory(const journal_place *at, test_memory *memory,
                                 size_t fail_at)
{
    const seenset_open_options options = {.allocator = &memory->allocator};
    seenset *set = NULL;
    test_memory_init(memory);
    memory->fail_at = fail_at;
    memory->is_lasting = true;
    int error = seenset_open(&set, at->path, &options);
    assert_true(error == 0 || error == SEENSET_ENOMEM);
    return set;
}

/* Without memory for a list, hashes are added at once: some or all of them. */
static void long_journal_is_read_while_memory_ends(void **state)
{
    const journal_place *at = *state;
    int opened = 0;
    bool is_done = false;
    save_set(at);
    append_long_journal(at);
    for (size_t fail_at = 1; !is_done; fail_at++) {
        test_memory memory;
        seenset *set = open_with_memory(at, &memory, fail_at);
        is_done = memory.calls < fail_at;
        if (set == NULL)
            continue;
        opened++;
        assert_int_equal(added_items(set), LONG);
        assert_int_equal(count_missing(set, LONG), 0);
        seenset_free(set);
        assert_int_equal(memory.live_blocks, 0);
    }
    assert_true(opened > 8); /* lists are made and made anew in several steps */
}

/* ---- more than are listed ---- */

static void replay(seenset *set, uint64_t first, uint64_t count)
{
    uint8_t bytes[8];
    for (uint64_t i = first; i < first + count; i++) {
        ss_bits_store(bytes, 8, test_mix(i));
        ss_remembered_replay(set, bytes, 1);
    }
}

static void more_hashes_than_the_list_takes_are_there(void **state)
{
    enum {
        LISTED = SS_DEFERRED_MOST_ENTRIES / (PLACES + 1),
        MORE = 500
    };
    const journal_place *at = *state;
    save_set(at);
    seenset *set = open_with(at, SEENSET_OPEN_APPEND);
    seenset *copy = open_with(at, SEENSET_OPEN_COPY);
    replay(set, 0, LISTED + MORE);
    replay(copy, 0, LISTED + MORE);
    assert_int_equal(count_missing(set, LISTED + MORE), 0);
    assert_int_equal(ss_remembered_make_whole(set), 0);
    size_t words = (size_t)ss_set_word_count(ss_set_newest(set));
    assert_memory_equal(ss_set_newest(set)->table.words,
                        ss_set_newest(copy)->table.words, 8 * words);
    seenset_free(copy);
    seenset_free(set);
}

static void list_takes_no_more_places_than_it_may(void **state)
{
    const ss_memory memory = {0};
    uint64_t blocks[SS_DEFERRED_MOST_BLOCKS], hash = 0;
    const journal_place *at = *state;
    save_set(at);
    seenset *set = open_with(at, SEENSET_OPEN_VIEW);
    const ss_table *table = &ss_set_newest(set)->table;
    ss_deferred *late = ss_deferred_new(&memory, table, 1000);
    assert_non_null(late);
    do
        ss_deferred_list_blocks(table, test_mix(hash), blocks);
    while (ss_deferred_put(late, table, blocks, test_mix(hash++)));
    assert_int_equal(late->count, SS_DEFERRED_MOST_ENTRIES / (PLACES + 1));
    assert_int_equal(late->places, PLACES);
    assert_true(ss_deferred_memory_bytes(late) < (size_t)16 << 20);
    assert_true(ss_deferred_has(late, test_mix(7)));
    assert_false(ss_deferred_has(late, test_mix(hash)));
    ss_deferred_free(late);
    seenset_free(set);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, journal_place_enter,                 \
                                    journal_place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(long_journal_is_read_while_memory_ends),
        TEST(more_hashes_than_the_list_takes_are_there),
        TEST(list_takes_no_more_places_than_it_may),
    };
    test_need_mapped_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
