/*
 * fingerprint.c - the table of fingerprints, held against the hashes that were
 * added to it and how often: each twin at many shapes, from empty to far too
 * full, with hashes that somebody chose, and on words that are no table.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "table/fingerprint/fingerprint.h"

enum {
    GUARD = 64 /* words after a table that nobody may touch */
};

static const char *const twins[] = {"portable", "avx2", "vbmi"};

typedef struct subject {
    ss_table table;
    uint64_t *words;
    size_t word_count;
} subject;

static subject make(const char *twin, uint64_t lines, uint32_t width)
{
    subject made = {.word_count = (size_t)lines * SS_LINE_WORDS};
    made.words = calloc(made.word_count + GUARD, sizeof *made.words);
    assert_non_null(made.words);
    memset(made.words + made.word_count, 0xA5, GUARD * sizeof *made.words);
    const ss_layout *row = ss_fingerprint_kernel(twin);
    assert_non_null(row);
    made.table = ss_table_make(row, lines * SS_LINE_BITS, width, 1, made.words);
    return made;
}

static void release(subject *made)
{
    for (size_t i = 0; i < GUARD; i++)
        assert_true(made->words[made->word_count + i] ==
                    UINT64_C(0xA5A5A5A5A5A5A5A5));
    free(made->words);
}

static bool add(subject *to, uint64_t hash)
{
    return to->table.layout->add(&to->table, hash);
}

static int has(const subject *of, uint64_t hash)
{
    return of->table.layout->has(&of->table, hash);
}

static uint64_t room(const subject *of)
{
    return (uint64_t)ss_fingerprint_room(of->table.size_bits,
                                         of->table.hash_count);
}

static void check_sound(const subject *of)
{
    assert_true(ss_table_is_sound(&of->table));
}

typedef struct dimensions {
    uint64_t lines;
    uint32_t width;
} dimensions;

static const dimensions shapes[] = {
    {1, 8},    {1, 32},  {2, 10},   {3, 16},   {9, 32},    {64, 14},
    {255, 21}, {256, 9}, {700, 25}, {768, 8},  {1001, 26}, {3000, 11},
    {1, 49},   {15, 32}, {27, 49},  {300, 41},
};

/* The example of docs/format.md. */
static void fingerprint_places_as_the_format_says(void **state)
{
    (void)state;
    subject made = make("portable", 1000, 10);
    ss_fingerprint_place place =
        ss_fingerprint_place_of(&made.table, UINT64_C(0x26C7827D889F6DA3));
    assert_int_equal(place.line - made.words, 150 * SS_LINE_WORDS);
    assert_int_equal(place.left, 333 - 1 - 150);
    assert_int_equal(place.unit, 3);
    assert_int_equal(place.query, 381);
    release(&made);
}

/* ---- copies, in and out ---- */

enum {
    POOL = 3000
};

static void check_against(const subject *of, const uint32_t *copies,
                          uint64_t salt)
{
    check_sound(of);
    for (uint32_t i = 0; i < POOL; i++) {
        uint64_t hash = test_mix(salt + i);
        uint64_t told = ss_fingerprint_count(&of->table, hash);
        uint32_t least = copies[i] < SS_FINGERPRINT_COPIES
                             ? copies[i]
                             : SS_FINGERPRINT_COPIES;
        assert_true(told >= least);
        assert_int_equal(has(of, hash), told > 0);
        assert_true(copies[i] == 0 || has(of, hash));
    }
}

/* Adds and removes at random, `load` times the room at most; then takes out
 * what is left. Nothing was cut: then nothing is left. */
static void run_operations(subject *of, double load, uint64_t seed)
{
    uint32_t copies[POOL] = {0};
    test_random random = {seed};
    uint64_t most = (uint64_t)((double)room(of) * load), stored = 0;
    for (uint32_t step = 0; step < 20000; step++) {
        uint32_t i = (uint32_t)test_random_below(&random, POOL);
        uint64_t hash = test_mix(seed + i);
        if (stored < most && test_random_below(&random, 3) > 0) {
            bool was_seen = has(of, hash);
            assert_int_equal(add(of, hash), !was_seen);
            copies[i]++;
            stored++;
        } else if (copies[i] > 0) {
            assert_true(ss_fingerprint_remove(&of->table, hash));
            copies[i]--;
            stored--;
        }
        if (step % 4000 == 0)
            check_against(of, copies, seed);
    }
    check_against(of, copies, seed);
    for (uint32_t i = 0; i < POOL; i++) {
        for (; copies[i] > 0; copies[i]--)
            assert_true(ss_fingerprint_remove(&of->table, test_mix(seed + i)));
    }
    check_sound(of);
    if (ss_fingerprint_count_cut(&of->table) > 0)
        return;
    for (size_t i = 0; i < of->word_count; i++)
        assert_true(of->words[i] == 0);
}

static void fingerprint_keeps_each_copy(void **state)
{
    (void)state;
    static const double loads[] = {0.5, 1.0, 1.5};
    for (size_t i = 0; i < TEST_COUNT(shapes) * TEST_COUNT(loads); i++) {
        dimensions of = shapes[i / TEST_COUNT(loads)];
        subject made = make("portable", of.lines, of.width);
        run_operations(&made, loads[i % TEST_COUNT(loads)], 1000 * i);
        release(&made);
    }
}

static void fingerprint_keeps_fifteen_copies_for_ever(void **state)
{
    (void)state;
    subject made = make("portable", 40, 12);
    for (uint32_t i = 1; i <= 20; i++) {
        assert_int_equal(add(&made, 77), i == 1);
        assert_int_equal(ss_fingerprint_count(&made.table, 77),
                         i < 15 ? i : 15);
    }
    assert_int_equal(ss_fingerprint_count_cut(&made.table), 1);
    for (uint32_t i = 0; i < 30; i++)
        assert_true(ss_fingerprint_remove(&made.table, 77));
    assert_int_equal(has(&made, 77), 1);
    assert_false(ss_fingerprint_remove(&made.table, UINT64_MAX / 2));
    release(&made);
}

/* ---- twins ---- */

static void fill_in_batches(subject *of, const uint64_t *hashes, size_t count,
                            uint8_t *answers)
{
    ss_batch batch = {.hashes = hashes, .count = count / 2};
    size_t news = of->table.layout->add_many(&of->table, &batch, answers);
    for (size_t i = 0; i < batch.count; i++)
        news -= answers[i];
    assert_int_equal(news, 0);
    for (size_t i = batch.count; i < count; i++)
        answers[i] = add(of, hashes[i]);
}

static void check_twin(const char *twin, dimensions shape,
                       const uint64_t *hashes, size_t count)
{
    subject one = make("portable", shape.lines, shape.width);
    subject other = make(twin, shape.lines, shape.width);
    uint8_t *a = calloc(2, count), *b = a + count;
    fill_in_batches(&one, hashes, count, a);
    fill_in_batches(&other, hashes, count, b);
    assert_memory_equal(a, b, count);
    assert_memory_equal(one.words, other.words, 8 * one.word_count);
    ss_batch batch = {.hashes = hashes + count / 2, .count = count};
    size_t seen = one.table.layout->has_many(&one.table, &batch, a);
    assert_int_equal(other.table.layout->has_many(&other.table, &batch, b),
                     seen);
    assert_memory_equal(a, b, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(a[i], has(&other, batch.hashes[i]));
    free(a);
    release(&one);
    release(&other);
}

static void fingerprint_is_the_same_in_each_twin(void **state)
{
    (void)state;
    for (uint32_t width = SS_WIDTH_MIN; width <= SS_FINGERPRINT_WIDTH_MAX;
         width++) {
        dimensions shape = {300, width};
        size_t count = (size_t)(ss_fingerprint_room(300 * 512, width) * 1.1);
        uint64_t *hashes = calloc(count * 2, sizeof *hashes);
        for (size_t i = 0; i < 2 * count; i++)
            hashes[i] = test_mix(i % (count + count / 3));
        for (size_t i = 1; i < TEST_COUNT(twins); i++)
            if (ss_fingerprint_kernel(twins[i]) != NULL)
                check_twin(twins[i], shape, hashes, count);
        free(hashes);
    }
}

/* ---- rates ---- */

static double rate_of(const subject *of)
{
    return ss_table_sample(&of->table).rate;
}

/* Is the rate that the slots show the one that fresh hashes meet? */
static void check_rate(const subject *of)
{
    enum {
        PROBES = 200000
    };
    uint64_t hits = 0;
    for (uint64_t i = 0; i < PROBES; i++)
        hits += (uint64_t)has(of, test_mix((UINT64_C(1) << 40) + i));
    assert_true(test_is_binomial(hits, PROBES, rate_of(of)));
}

static void fill(subject *of, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        add(of, test_mix(i));
    check_sound(of);
    for (uint64_t i = 0; i < count; i++)
        assert_true(has(of, test_mix(i)));
}

/* What is stored is found at the rate of the formula, and a table too full
 * takes on more of the rate, and forgets nothing. */
static void fingerprint_shows_its_rate(void **state)
{
    (void)state;
    test_leave_to_real_machines();
    for (size_t i = 3; i < TEST_COUNT(shapes); i++) {
        dimensions shape = shapes[i];
        subject made = make("portable", shape.lines, shape.width);
        ss_fingerprint_shape of = ss_fingerprint_shape_in(&made.table);
        uint64_t n = room(&made);
        double space =
            ldexp((double)of.segments * of.homes * 8, (int)shape.width - 1);
        fill(&made, n);
        assert_true(
            test_is_near(rate_of(&made), -expm1(-(double)n / space), 0.2));
        check_rate(&made);
        fill(&made, 2 * n);
        check_rate(&made);
        assert_true(rate_of(&made) < 0.75);
        release(&made);
    }
}

/* All hashes in one unit, or in the units of a line. */
static void fingerprint_stands_hashes_that_were_chosen(void **state)
{
    (void)state;
    static const uint32_t shared_bits[] = {24, 13, 10};
    for (size_t i = 0; i < 3 * TEST_COUNT(shapes); i++) {
        dimensions shape = shapes[i / 3];
        subject made = make("portable", shape.lines, shape.width);
        uint32_t bits = shared_bits[i % 3];
        for (uint64_t key = 0; key < 3000; key++)
            add(&made, test_mix(key) >> bits | UINT64_C(7) << (64 - bits));
        check_sound(&made);
        for (uint64_t key = 0; key < 3000; key++)
            assert_true(
                has(&made, test_mix(key) >> bits | UINT64_C(7) << (64 - bits)));
        if (shape.lines > 200 && bits > 10)
            assert_true(rate_of(&made) < 0.01);
        release(&made);
    }
}

/* ---- merging ---- */

static void fingerprint_merges_copies(void **state)
{
    (void)state;
    for (size_t i = 4; i < TEST_COUNT(shapes); i++) {
        subject a = make("portable", shapes[i].lines, shapes[i].width);
        subject b = make("portable", shapes[i].lines, shapes[i].width);
        uint64_t n = room(&a) / 3;
        fill(&a, n);
        for (uint64_t key = n / 2; key < n + n / 2; key++)
            add(&b, test_mix(key));
        ss_fingerprint_merge(&a.table, &b.table);
        check_sound(&a);
        for (uint64_t key = 0; key < n + n / 2; key++) {
            uint64_t copies = key >= n / 2 && key < n ? 2 : 1;
            assert_true(ss_fingerprint_count(&a.table, test_mix(key)) >=
                        copies);
        }
        for (uint64_t key = 0; key < n; key++)
            assert_true(ss_fingerprint_remove(&a.table, test_mix(key)));
        for (uint64_t key = n / 2; key < n + n / 2; key++)
            assert_true(ss_fingerprint_remove(&a.table, test_mix(key)));
        assert_true(rate_of(&a) == 0.0 ||
                    ss_fingerprint_count_cut(&a.table) > 0);
        release(&a);
        release(&b);
    }
}

/* What is left of `n` keys when all but each tenth were taken out; each 40th
 * is there twice. */
static void fill_and_thin(subject *to, uint64_t n)
{
    fill(to, n);
    for (uint64_t key = 0; key < n; key++) {
        if (key % 10 != 0)
            assert_true(ss_fingerprint_remove(&to->table, test_mix(key)));
        else if (key % 40 == 0)
            add(to, test_mix(key));
    }
}

static uint64_t slots_of(const subject *of)
{
    uint64_t slots = 0;
    for (size_t at = 0; at < of->word_count; at += SS_LINE_WORDS)
        slots += ss_line_used(of->words[at + SS_SLOT_WORDS],
                              ss_line_slots(of->table.hash_count));
    return slots;
}

/* The keys that fill_and_thin left are there as often, and can be taken out. */
static void check_thinned(subject *of, uint64_t n)
{
    assert_true(has(of, 0) && has(of, UINT64_MAX));
    for (uint64_t key = 0; key < n; key += 10)
        assert_true(ss_fingerprint_count(&of->table, test_mix(key)) >=
                    (key % 40 == 0 ? 2 : 1));
    for (uint64_t key = 0; key < n; key += 20)
        assert_true(ss_fingerprint_remove(&of->table, test_mix(key)));
    for (uint64_t key = 0; key < n; key += 10) {
        bool is_out = key % 20 == 0 && key % 40 != 0;
        assert_true(is_out || has(of, test_mix(key)) == 1);
    }
}

/* Thins a table and puts it into a smaller one; returns how many slots more
 * there are. */
static uint64_t squeeze(subject *into, subject *from)
{
    uint64_t n = room(from) < 4 * room(into) ? room(from) : 4 * room(into);
    fill_and_thin(from, n);
    add(from, 0);
    add(from, UINT64_MAX);
    ss_fingerprint_merge(&into->table, &from->table);
    check_sound(into);
    uint64_t before = slots_of(from), after = slots_of(into);
    check_thinned(into, n);
    return after > before ? after - before : 0;
}

/* A slot becomes one or two: with the first alone keys would be lost. */
static void fingerprint_goes_into_a_smaller_table(void **state)
{
    (void)state;
    uint64_t most_more = 0;
    for (size_t i = 0; i < TEST_COUNT(shapes) * TEST_COUNT(shapes); i++) {
        dimensions large = shapes[i / TEST_COUNT(shapes)];
        dimensions small = shapes[i % TEST_COUNT(shapes)];
        subject from = make("portable", large.lines, large.width);
        subject into = make("portable", small.lines, small.width);
        uint64_t more = 0;
        if (ss_table_can_take(&into.table, &from.table))
            more = squeeze(&into, &from);
        most_more = more > most_more ? more : most_more;
        release(&from);
        release(&into);
    }
    assert_true(most_more > 100);
}

/* ---- words from outside ---- */

/* Each kind of damage is found. */
static void fingerprint_knows_what_is_no_table(void **state)
{
    (void)state;
    subject made = make("portable", 600, 13); /* 34 slots, 6 bits a line left */
    fill(&made, room(&made));
    static const struct {
        size_t word;
        uint64_t bits;
    } damage[] = {
        {7, UINT64_C(1) << 63},         /* the spare bit */
        {7, 1},                         /* begins elsewhere */
        {8 * 5 + 7, 0x7F << 7},         /* a unit ends elsewhere */
        {8 * 5, 0x1FFF},                /* a slot changed: only if it is zero */
        {8 * 5 + 6, UINT64_C(1) << 63}, /* after the last place */
        {8 * 299 + 7, UINT64_C(1) << 56}, /* nobody's home has a unit */
    };
    for (size_t i = 0; i < TEST_COUNT(damage); i++) {
        uint64_t *word = &made.words[damage[i].word], old = *word;
        *word = i == 3 ? old & ~damage[i].bits : old ^ damage[i].bits;
        assert_false(ss_table_is_sound(&made.table));
        *word = old;
        check_sound(&made);
    }
    release(&made);
    made = make("portable", 513, 13); /* the last line is of no segment */
    made.words[8 * 512] = 1;
    assert_false(ss_table_is_sound(&made.table));
    release(&made);
}

/* Whatever the words are, nothing outside them is touched, and all ends. */
static void fingerprint_stays_within_forged_words(void **state)
{
    (void)state;
    test_random random = {4711};
    for (size_t i = 0; i < TEST_COUNT(shapes) * 4; i += TEST_STEP) {
        dimensions shape = shapes[i / 4];
        subject made = make("portable", shape.lines, shape.width);
        subject other = make("portable", shape.lines, shape.width);
        for (size_t at = 0; at < made.word_count; at++) {
            uint64_t word = test_random_next(&random);
            made.words[at] = i % 4 == 3 ? UINT64_MAX : i % 4 == 2 ? 0 : word;
            if (i % 4 == 2 && at % 8 == 7)
                made.words[at] = word;
            other.words[at] = word;
        }
        for (uint64_t key = 0; key < 500; key++) {
            uint64_t hash = test_mix(key), bits[SEENSET_MAX_HASH_COUNT];
            uint32_t count = ss_fingerprint_list_bits(&made.table, hash, bits);
            for (uint32_t j = 0; j < count; j++)
                assert_true(bits[j] < made.table.size_bits);
            (void)has(&made, hash);
            (void)add(&made, hash);
            (void)ss_fingerprint_count(&made.table, hash);
            (void)ss_fingerprint_remove(&made.table, hash);
        }
        (void)ss_table_sample(&made.table);
        (void)ss_fingerprint_count_cut(&made.table);
        if (shape.lines < 100)
            ss_fingerprint_merge(&other.table, &made.table);
        subject smaller = make("portable", (shape.lines + 1) / 2, SS_WIDTH_MIN);
        if (shape.lines < 100)
            ss_fingerprint_merge(&smaller.table, &made.table);
        release(&smaller);
        release(&made);
        release(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingerprint_places_as_the_format_says),
        cmocka_unit_test(fingerprint_keeps_each_copy),
        cmocka_unit_test(fingerprint_keeps_fifteen_copies_for_ever),
        cmocka_unit_test(fingerprint_is_the_same_in_each_twin),
        cmocka_unit_test(fingerprint_shows_its_rate),
        cmocka_unit_test(fingerprint_stands_hashes_that_were_chosen),
        cmocka_unit_test(fingerprint_merges_copies),
        cmocka_unit_test(fingerprint_goes_into_a_smaller_table),
        cmocka_unit_test(fingerprint_knows_what_is_no_table),
        cmocka_unit_test(fingerprint_stays_within_forged_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
