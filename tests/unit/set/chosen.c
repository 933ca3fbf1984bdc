/*
 * chosen.c - journals whose hashes somebody chose, so that all of them want one
 * place: the steps that it takes to find each, which do not grow with their
 * number, and how many hashes a journal may have.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bits.h"
#include "file/append.h"
#include "file/journal/journal.h"
#include "file/open_parts.h"
#include "journal_place.h"
#include "set/view/checks.h"
#include "set/view/checks_parts.h"
#include "set/view/deferred.h"
#include "set/view/overlay.h"

#define KNOWN_SEED UINT64_C(0x0123456789ABCDEF)

enum {
    CHOSEN = 2000,
    CHOSEN_BITS = 12,
    FORGED = 20000,
    MOST_STEPS = 20 /* for a hash, in the mean; honest ones take about two */
};

/* Hashes that begin at one place where the seed is known. */
static void choose(uint64_t hashes[CHOSEN])
{
    uint64_t value = 0;
    for (int i = 0; i < CHOSEN; value++)
        if ((ss_seeded_mix(value, KNOWN_SEED) & ((1 << CHOSEN_BITS) - 1)) == 0)
            hashes[i++] = value;
}

/* ---- steps ---- */

/* From the place that a hash is sent to, to where it is. */
static uint64_t steps_beside(const ss_overlay *beside)
{
    uint64_t mask = (UINT64_C(1) << beside->place_bits) - 1, steps = 0;
    for (uint64_t at = 0; at <= mask; at++)
        if (beside->places[at] != 0)
            steps +=
                1 +
                ((at - ss_seeded_mix(beside->places[at], beside->seed)) & mask);
    return steps;
}

static uint64_t steps_late(const ss_deferred *late)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < late->count; i++) {
        uint32_t entry = ss_deferred_first_of(late, late->hashes[i]);
        while (late->hashes[ss_deferred_number(late, entry)] !=
               late->hashes[i]) {
            entry = ss_deferred_next(late, entry);
            steps++;
        }
        steps++;
    }
    return steps;
}

/* ---- lists ---- */

static uint64_t fill_beside(const uint64_t hashes[CHOSEN], bool is_known)
{
    const ss_memory memory = {0};
    ss_overlay *beside = ss_overlay_new(&memory);
    uint64_t news;
    if (is_known)
        beside->seed = KNOWN_SEED;
    for (int i = 0; i < CHOSEN; i++) {
        uint8_t bytes[8];
        ss_bits_store(bytes, 8, hashes[i]);
        assert_true(ss_overlay_put(beside, bytes, 1, 0, &news));
    }
    uint64_t steps = steps_beside(beside);
    ss_overlay_free(beside);
    return steps;
}

static uint64_t fill_late(const uint64_t hashes[CHOSEN], bool is_known)
{
    const ss_memory memory = {0};
    seenset *set =
        test_make((seenset_options){.capacity_items = 1000000,
                                    .fp_rate = 0.01,
                                    .on_full = SEENSET_ON_FULL_DEGRADE});
    const ss_table *table = &ss_set_newest(set)->table;
    uint64_t blocks[SS_DEFERRED_MOST_BLOCKS];
    ss_deferred *late = ss_deferred_new(&memory, table, 1000);
    if (is_known)
        late->seed = KNOWN_SEED;
    for (int i = 0; i < CHOSEN; i++) {
        ss_deferred_list_blocks(table, hashes[i], blocks);
        assert_true(ss_deferred_put(late, table, blocks, hashes[i]));
    }
    uint64_t steps = steps_late(late);
    ss_deferred_free(late);
    seenset_free(set);
    return steps;
}

/* Planted: lists whose seed was known when the hashes were chosen. */
static void chosen_hashes_find_no_common_place(void **state)
{
    static uint64_t hashes[CHOSEN];
    (void)state;
    choose(hashes);
    assert_true(fill_beside(hashes, false) < MOST_STEPS * CHOSEN);
    assert_true(fill_late(hashes, false) < MOST_STEPS * CHOSEN);
    assert_true(fill_beside(hashes, true) > MOST_STEPS * CHOSEN);
    assert_true(fill_late(hashes, true) > MOST_STEPS * CHOSEN);
}

static void each_list_has_a_seed_of_its_own(void **state)
{
    const ss_memory memory = {0};
    ss_overlay *one = ss_overlay_new(&memory), *other = ss_overlay_new(&memory);
    (void)state;
    assert_true(one->seed != other->seed);
    ss_overlay_free(one);
    ss_overlay_free(other);
}

/* ---- journals ---- */

/* Writes a journal beside the set's file, of `count` different hashes that
 * agree in their lower 40 bits. Returns how many it may have. */
static uint64_t forge(const journal_place *at, uint64_t count)
{
    static uint64_t hashes[SS_JOURNAL_MOST_HASHES];
    ss_path_found old;
    ss_header header;
    ss_journal journal;
    seenset_file_report report;
    int fd, journal_fd;
    assert_true(ss_path_look(at->path, &old));
    assert_int_equal(
        ss_file_open(&ss_io_system, at->path, &fd, &header, &report), 0);
    close(fd);
    assert_int_equal(
        ss_journal_open(&ss_io_system, at->path, &old, &journal_fd), 0);
    assert_true(ss_journal_begin(&ss_io_system, journal_fd, at->path,
                                 header.checksum, &journal));
    for (uint64_t done = 0, now; done < count; done += now) {
        now = count - done < SS_JOURNAL_MOST_HASHES ? count - done
                                                    : SS_JOURNAL_MOST_HASHES;
        for (uint64_t i = 0; i < now; i++)
            hashes[i] = (done + i + 1) << 40;
        assert_true(ss_journal_append(&ss_io_system, journal_fd, &journal,
                                      header.checksum, hashes, now));
    }
    close(journal_fd);
    fd = open(at->path, O_RDWR);
    assert_true(ss_journal_mark_set(&ss_io_system, fd));
    close(fd);
    return ss_journal_most_items(&header);
}

static void save_set(const journal_place *at, seenset_on_full on_full,
                     uint64_t key_count)
{
    seenset *set = test_make((seenset_options){
        .capacity_items = key_count == 0 ? 4000000 : key_count / 4,
        .fp_rate = 0.001,
        .on_full = on_full});
    (void)test_add_stream(set, 0, key_count);
    assert_int_equal(seenset_save(set, at->path), 0);
    seenset_free(set);
}

static seenset *open_view(const journal_place *at)
{
    seenset *set = NULL;
    assert_int_equal(seenset_open(&set, at->path, NULL), 0);
    return set;
}

static void forged_journal_takes_few_steps(void **state)
{
    const journal_place *at = *state;
    save_set(at, SEENSET_ON_FULL_DEGRADE, 0);
    assert_true(forge(at, FORGED) >= FORGED);
    seenset *set = open_view(at);
    if (!test_views_are_copies()) { /* which have no lists */
        assert_int_equal(set->checks->late->count, FORGED);
        assert_true(steps_late(set->checks->late) < MOST_STEPS * FORGED);
    }
    assert_int_equal(seenset_has_hash(set, UINT64_C(7) << 40), 1);
    seenset_free(set);
}

static void forged_journal_of_a_grown_set_takes_few_steps(void **state)
{
    const journal_place *at = *state;
    save_set(at, SEENSET_ON_FULL_GROW, 4000000);
    assert_true(forge(at, FORGED) >= FORGED);
    seenset *set = open_view(at);
    if (!test_views_are_copies()) {
        assert_int_equal(set->checks->beside->distinct, FORGED);
        assert_true(steps_beside(set->checks->beside) < MOST_STEPS * FORGED);
    }
    assert_int_equal(seenset_has_hash(set, UINT64_C(7) << 40), 1);
    seenset_free(set);
}

static void check_refused(const journal_place *at)
{
    static const uint32_t flags[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                     SEENSET_OPEN_COPY, SEENSET_OPEN_APPEND};
    static const char reason[] =
        "in its journal: more keys than a journal takes";
    seenset_file_report report;
    for (size_t i = 0; i < TEST_COUNT(flags); i++) {
        const seenset_open_options options = {.flags = flags[i],
                                              .report = &report};
        seenset *set = NULL;
        assert_int_equal(seenset_open(&set, at->path, &options),
                         SEENSET_ECORRUPT);
        assert_string_equal(report.reason, reason);
    }
    assert_int_equal(seenset_verify(at->path, &report), SEENSET_ECORRUPT);
    assert_string_equal(report.reason, reason);
}

static void journal_has_no_more_keys_than_a_writer_writes(void **state)
{
    const journal_place *at = *state;
    save_set(at, SEENSET_ON_FULL_DEGRADE, 0);
    uint64_t most = forge(at, 1);
    assert_true(forge(at, most) == most && most > SS_JOURNAL_MOST_HASHES);
    seenset_free(open_view(at));
    assert_int_equal(seenset_verify(at->path, NULL), 0);
    (void)forge(at, most + 1);
    check_refused(at);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, journal_place_enter,                 \
                                    journal_place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_hashes_find_no_common_place),
        cmocka_unit_test(each_list_has_a_seed_of_its_own),
        TEST(forged_journal_takes_few_steps),
        TEST(forged_journal_of_a_grown_set_takes_few_steps),
        TEST(journal_has_no_more_keys_than_a_writer_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
