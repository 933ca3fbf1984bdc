/*
 * wrong_items.c - how many new keys were taken for seen, against the truth.
 *
 * Different keys are offered to sets of each layout and policy until they are
 * as full as can be, and those that are answered "seen" are counted. On the way
 * the figure is compared with the count: it is within six of its stated
 * standard deviations, and in the mean over all looks within one; or it is
 * unknown, and then not above the count. A printed row has, for each set, up to
 * which rate it is known.
 *
 * A window has forgotten what it took for seen long ago: there the keys count
 * that were answered "seen" and are answered so by what it has.
 */
#include <math.h>
#include <stdio.h>

#include "seenset/queue.h"
#include "seenset/seenset.h"
#include "support.h"

typedef struct kind {
    const char *name;
    seenset_options options;
    uint64_t most;   /* keys that are offered */
    unsigned copies; /* how often each is added */
    double known_to; /* a rate to which it must be known */
} kind;

#define WINDOW .on_full = SEENSET_ON_FULL_ROTATE
#define REFUSE(layout_name, p)                                                 \
    .layout = SEENSET_LAYOUT_##layout_name, .fp_rate = (p),                    \
    .on_full = SEENSET_ON_FULL_REFUSE
#define SIZED(layout_name, m, k)                                               \
    .layout = SEENSET_LAYOUT_##layout_name, .size_bits = (m),                  \
    .hash_count = (k), .capacity_items = (m), .flags = SEENSET_FLAG_ANY_RATE

static const kind kinds[] = {
    {"bloom, 64 bits", {SIZED(BLOOM, 64, 3)}, 2000, 1, 0.2},
    {"bloom, 512 bits", {SIZED(BLOOM, 512, 7)}, 4000, 1, 0.25},
    {"bloom, 10,000 bits", {SIZED(BLOOM, 10000, 7)}, 50000, 1, 0.75},
    {"bloom, 1,000,000 bits", {SIZED(BLOOM, 1000000, 7)}, 700000, 1, 0.97},
    {"bloom, k = 1", {SIZED(BLOOM, 10000, 1)}, 200000, 1, 0.9},
    {"blocked, 1 block", {SIZED(BLOCKED, 512, 8)}, 4000, 1, 0.25},
    {"blocked, 2 blocks", {SIZED(BLOCKED, 1024, 16)}, 4000, 1, 0.25},
    {"blocked, 3 blocks", {SIZED(BLOCKED, 1536, 24)}, 4000, 1, 0.2},
    {"blocked, 100 blocks", {SIZED(BLOCKED, 51200, 8)}, 200000, 1, 0.9},
    {"blocked, 300 pairs", {SIZED(BLOCKED, 307200, 16)}, 400000, 1, 0.9},
    {"blocked, 300 triples", {SIZED(BLOCKED, 460800, 24)}, 500000, 1, 0.9},
    {"split_block, 1 block", {SIZED(SPLIT_BLOCK, 256, 8)}, 2000, 1, 0.15},
    {"split_block, 200 blocks", {SIZED(SPLIT_BLOCK, 51200, 8)}, 200000, 1, 0.9},
    {"counting", {SIZED(COUNTING, 10000, 7)}, 50000, 1, 0.75},
    {"fingerprint",
     {.layout = SEENSET_LAYOUT_FINGERPRINT, .capacity_items = 5000},
     50000,
     1,
     0.01},
    {"fingerprint, copies",
     {.layout = SEENSET_LAYOUT_FINGERPRINT, .capacity_items = 5000},
     20000,
     3,
     0.003},
    {"degrade, planned",
     {.capacity_items = 1000, .on_full = SEENSET_ON_FULL_DEGRADE},
     50000,
     1,
     0.8},
    {"degrade, shared",
     {.capacity_items = 10000, .flags = SEENSET_FLAG_SHARED},
     300000,
     1,
     0.9},
    {"refuse",
     {.capacity_items = 10000,
      .fp_rate = 0.3,
      .on_full = SEENSET_ON_FULL_REFUSE},
     50000,
     1,
     0.3},
    {"refuse, bloom",
     {REFUSE(BLOOM, 0.3), .capacity_items = 10000},
     50000,
     1,
     0.3},
    {"refuse, split_block",
     {REFUSE(SPLIT_BLOCK, 0.3), .capacity_items = 10000},
     50000,
     1,
     0.3},
    {"refuse, counting",
     {REFUSE(COUNTING, 0.3), .capacity_items = 10000},
     50000,
     1,
     0.3},
    {"refuse, fingerprint",
     {REFUSE(FINGERPRINT, 0.01), .capacity_items = 20000},
     50000,
     1,
     0.009},
    {"grow", {.capacity_items = 1000, .fp_rate = 0.1}, 300000, 1, 0.1},
    {"grow, bloom",
     {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 1000, .fp_rate = 0.1},
     300000,
     1,
     0.1},
    {"grow, split_block",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
      .capacity_items = 1000,
      .fp_rate = 0.1},
     300000,
     1,
     0.1},
    {"grow, at 40 %", {.capacity_items = 100, .fp_rate = 0.4}, 100000, 1, 0.4},
    {"window by number",
     {.capacity_items = 20000, .fp_rate = 0.1, WINDOW},
     200000,
     1,
     0.1},
    {"window by age",
     {.capacity_items = 2000,
      .fp_rate = 0.1,
      .window_seconds = 1000000,
      WINDOW},
     200000,
     1,
     0.1},
    {"window by number, bloom",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .capacity_items = 20000,
      .fp_rate = 0.1,
      WINDOW},
     200000,
     1,
     0.1},
    {"window by age, split_block",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
      .capacity_items = 2000,
      .fp_rate = 0.1,
      .window_seconds = 1000000,
      WINDOW},
     200000,
     1,
     0.1},
    {"sliding window",
     {.capacity_items = 20000,
      .fp_rate = 0.1,
      .flags = SEENSET_FLAG_SLIDING,
      WINDOW},
     200000,
     3,
     0.002},
};

/* ---- the judge ---- */

typedef struct figure {
    double wrong_items;
    int is_at_least;
} figure;

static double stated_deviation(double wrong)
{
    return 0.1 * wrong + sqrt(wrong) + 0.5;
}

static bool is_right(figure is, double truth)
{
    if (!isfinite(is.wrong_items) || is.wrong_items < 0)
        return false;
    if (is.is_at_least)
        return is.wrong_items <= truth;
    return fabs(is.wrong_items - truth) <=
           6.0 * stated_deviation(is.wrong_items);
}

/* ---- the looks ---- */

typedef struct row {
    double known_rate;  /* the highest at which it was known, */
    double known_truth; /* and what was wrong then */
    double known_items;
    double unknown_rate;           /* the lowest at which it was not; 1: none */
    double last_truth, last_least; /* at the end */
    double squares; /* of deviations, as a part of the stated one */
    unsigned known_looks;
} row;

static void take_down(row *to, figure is, double rate, double truth)
{
    if (!is_right(is, truth))
        print_error("%g%s of %g at %g\n", is.wrong_items,
                    is.is_at_least ? " at least" : "", truth, rate);
    assert_true(is_right(is, truth));
    to->last_truth = truth;
    to->last_least = is.wrong_items;
    if (is.is_at_least) {
        to->unknown_rate = fmin(to->unknown_rate, rate);
        return;
    }
    double off = (is.wrong_items - truth) / stated_deviation(is.wrong_items);
    to->squares += off * off;
    to->known_looks++;
    if (rate >= to->known_rate) {
        to->known_rate = rate;
        to->known_truth = truth;
        to->known_items = is.wrong_items;
    }
}

/* The audit and the estimate say the same where all is counted. */
static figure look(const seenset *set, double *rate)
{
    seenset_stats stats;
    seenset_estimate estimate;
    assert_int_equal(seenset_get_stats(set, &stats, sizeof stats), 0);
    assert_int_equal(seenset_get_estimate(set, &estimate, sizeof estimate), 0);
    assert_true(estimate.wrong_items == stats.wrong_items);
    assert_int_equal(estimate.is_wrong_at_least, stats.is_wrong_at_least);
    *rate = stats.current_fp_rate;
    return (figure){stats.wrong_items, stats.is_wrong_at_least};
}

typedef struct offered {
    seenset *set;
    uint64_t seed;
    uint64_t count;
    uint64_t *wrong; /* numbers of those that were taken for seen */
    size_t wrong_count;
} offered;

static uint64_t hash_of(const offered *of, uint64_t number)
{
    return test_mix(of->seed << 40 | number);
}

static bool offer(offered *to, unsigned copies)
{
    uint64_t hash = hash_of(to, to->count);
    int answer = seenset_add_hash(to->set, hash);
    if (answer == 0)
        to->wrong[to->wrong_count++] = to->count;
    to->count++;
    for (unsigned i = 1; i < copies; i++)
        (void)seenset_add_hash(to->set, hash);
    return answer >= 0;
}

/* The first key that a window remembers, or nearly: those that it has, and were
 * new, and those among them that were not. */
static uint64_t first_of(const offered *of, const seenset_info *info)
{
    uint64_t first =
        of->count > info->added_items ? of->count - info->added_items : 0;
    size_t after = of->wrong_count;
    while (after > 0 && first > 0 && of->wrong[after - 1] >= first) {
        after--;
        first--;
    }
    return first;
}

static double truth_of(const offered *of)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(of->set, &info, sizeof info), 0);
    if (info.on_full != SEENSET_ON_FULL_ROTATE)
        return (double)of->wrong_count;
    double truth = 0;
    uint64_t first = first_of(of, &info);
    for (size_t i = 0; i < of->wrong_count; i++)
        truth += of->wrong[i] >= first &&
                 seenset_has_hash(of->set, hash_of(of, of->wrong[i]));
    return truth;
}

static row measure(const kind *what, uint64_t seed)
{
    row found = {.unknown_rate = 1.0};
    offered to = {.seed = seed};
    to.wrong = test_malloc((size_t)what->most * sizeof *to.wrong);
    assert_int_equal(seenset_new(&to.set, &what->options), 0);
    uint64_t next = 10;
    bool is_taken = true;
    while (is_taken && to.count < what->most) {
        is_taken = offer(&to, what->copies);
        if (to.count < next && to.count < what->most)
            continue;
        double rate;
        figure is = look(to.set, &rate);
        take_down(&found, is, rate, truth_of(&to));
        next = to.count + to.count / 4;
    }
    seenset_free(to.set);
    test_free(to.wrong);
    return found;
}

/* A row of the table in docs/testing.md. */
static void print_row(const char *name, const row *all, const row *one,
                      double off)
{
    printf("| %s | ", name);
    if (all->unknown_rate < 1.0)
        printf("%.2g", all->unknown_rate);
    else
        printf("always, %.2g", all->known_rate);
    printf(" | %.0f of %.0f | %.2f | ", one->known_items, one->known_truth,
           off);
    if (all->unknown_rate < 1.0)
        printf("at least %.0f of %.0f |\n", one->last_least, one->last_truth);
    else
        printf("- |\n");
}

static void wrong_items_are_true_or_unknown(void **state)
{
    enum {
        SEEDS = 8
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        row all = {.unknown_rate = 1.0}, one;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            one = measure(&kinds[i], seed);
            all.squares += one.squares;
            all.known_looks += one.known_looks;
            all.unknown_rate = fmin(all.unknown_rate, one.unknown_rate);
            all.known_rate = fmax(all.known_rate, one.known_rate);
        }
        double off = sqrt(all.squares / all.known_looks);
        print_row(kinds[i].name, &all, &one, off);
        assert_true(off < 1.0);
        assert_true(all.unknown_rate >= kinds[i].known_to);
        assert_true(all.known_looks >= 3 * SEEDS);
    }
}

/* Planted: what was said before, when a table was full, and a bound that is
 * none. */
static void wrong_judges_are_caught(void **state)
{
    (void)state;
    assert_true(is_right((figure){100, 0}, 120));
    assert_true(is_right((figure){100, 1}, 120));
    assert_false(is_right((figure){2192912043384502.8, 0}, 813));
    assert_false(is_right((figure){100, 0}, 790));
    assert_false(is_right((figure){121, 1}, 120));
    assert_false(is_right((figure){INFINITY, 0}, 813));
    assert_false(is_right((figure){(double)NAN, 1}, 813));
}

/* Nothing is known of who set them. */
static void wrong_items_of_ones_are_unknown(void **state)
{
    static const uint8_t ones[] = {0xff, 0xff};
    const seenset_options options = {.hash_count = 2,
                                     .layout = SEENSET_LAYOUT_BLOOM};
    seenset *set;
    double rate;
    (void)state;
    assert_int_equal(seenset_from_bits(&set, &options, ones, sizeof ones), 0);
    figure is = look(set, &rate);
    assert_int_equal(is.is_at_least, 1);
    assert_true(is.wrong_items < 20 && rate > 0.99);
    seenset_free(set);
}

/* A queue reads no bits for its figures. */
static void wrong_items_of_queues_are_true_or_unknown(void **state)
{
    const seenset_options set = {.capacity_items = 100,
                                 .fp_rate = 0.01,
                                 .on_full = SEENSET_ON_FULL_DEGRADE};
    const seenset_queue_options options = {.set = &set};
    seenset_queue *queue;
    seenset_queue_stats stats;
    uint64_t truth = 0;
    (void)state;
    assert_int_equal(seenset_queue_open(&queue, NULL, &options), 0);
    for (uint64_t i = 0; i < 5000; i++) {
        truth += seenset_queue_push(queue, &i, sizeof i, NULL, 0) == 0;
        if (i % 50 != 0 && i != 4999)
            continue;
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         0);
        assert_true(
            is_right((figure){stats.wrong_items, stats.is_wrong_at_least},
                     (double)truth));
        if (i == 200)
            assert_int_equal(stats.is_wrong_at_least, 0);
    }
    assert_int_equal(stats.is_wrong_at_least, 1);
    assert_int_equal(seenset_queue_close(queue), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_items_are_true_or_unknown),
        cmocka_unit_test(wrong_items_of_queues_are_true_or_unknown),
        cmocka_unit_test(wrong_items_of_ones_are_unknown),
        cmocka_unit_test(wrong_judges_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
