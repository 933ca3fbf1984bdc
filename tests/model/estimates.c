/*
 * estimates.c - figures at once, held against the audit after random histories.
 *
 *     estimates [HISTORIES [FIRST]]      300 from 0 on without arguments
 *
 * A history makes a set of a random kind and does to it what programs do: adds,
 * one by one, many at once, by threads; merges, intersects, removes, clears,
 * copies, saves and opens. Then the figures of seenset_get_estimate are held
 * against those of seenset_get_stats: each must be within 1 %.
 *
 * Sets of up to 4 MiB are counted, which leaves nothing to a model. So each set
 * is estimated a second time, with 64 KiB to read (of a table past its capacity
 * four times as much); and every hundredth history makes a set of over 4 MiB.
 */
#include <math.h>
#include <stdlib.h>

#include "set/figures/figures.h"
#include "support.h"

enum {
    MOST_KEYS = 50000,
    LARGE_KEYS = 6000000,
    LARGE_EVERY = 100,
    MODELLED_BYTES = 1 << 16
};

static uint64_t history_count = 300, first_history = 0;

/* A set, and what became of it. */
typedef struct history {
    test_random random;
    seenset_options options;
    uint64_t most_keys; /* that an add adds */
    uint64_t next_key;
    seenset *set;
    bool is_told; /* keys were added or merged, and no more */
} history;

/* ---- judging ---- */

/* Relative errors that a judge lets pass. */
typedef struct slack {
    double bits;
    double items;
    double rate;
} slack;

static bool is_within(double a, double b, double most)
{
    if (!isfinite(a) || !isfinite(b) || most >= 1.0)
        return a == b || most >= 1.0;
    return fabs(a - b) <= most * fabs(b) + 1e-300;
}

/* NULL, or which figure is wrong. */
static const char *judge(const seenset_stats *audit,
                         const seenset_estimate *estimate, slack most)
{
    if (estimate->added_items != audit->added_items ||
        estimate->capacity_items != audit->capacity_items ||
        estimate->size_bits != audit->size_bits ||
        estimate->fp_rate != audit->fp_rate)
        return "what is known";
    if (!is_within((double)estimate->set_bits, (double)audit->set_bits,
                   most.bits))
        return "set_bits";
    if (!is_within(estimate->fill, audit->fill, most.bits))
        return "fill";
    if (!is_within(estimate->estimated_items, audit->estimated_items,
                   most.items))
        return "estimated_items";
    if (!is_within(estimate->current_fp_rate, audit->current_fp_rate,
                   most.rate))
        return "current_fp_rate";
    if (!is_within(estimate->wrong_items, audit->wrong_items, most.rate))
        return "wrong_items";
    return NULL;
}

/* So few keys that a part of the bits, or chance, tells little of them. */
static bool is_sparse(const seenset_stats *audit, double cells)
{
    return audit->fill * cells < 2000.0 * audit->hash_count;
}

/* Are small tables counted, and large ones not? Give or take the bytes that are
 * not the tables'. */
static bool is_counted_right(const seenset_estimate *estimate, double bytes)
{
    double slack_bytes = 0.1 * SS_ESTIMATE_BYTES;
    return estimate->is_counted
               ? bytes < SS_ESTIMATE_BYTES * SS_FIGURES_MORE + slack_bytes
               : bytes > SS_ESTIMATE_BYTES - slack_bytes;
}

/* What the header promises. */
static const char *judge_estimate(const seenset *set,
                                  const seenset_stats *audit)
{
    seenset_estimate estimate;
    if (seenset_get_estimate(set, &estimate, sizeof estimate) != SEENSET_OK)
        return "refused";
    slack most = {0.01, audit->fill > 0.99 ? 1.0 : 0.01,
                  fmax(0.01, 8 * estimate.fp_rate_error)};
    if (!is_counted_right(&estimate, (double)audit->memory_bytes))
        return "is_counted";
    if (estimate.is_counted)
        most = (slack){0.0, 0.0, 0.0};
    else if (is_sparse(audit, SS_ESTIMATE_BYTES * 8))
        most = (slack){1.0, 1.0, 1.0};
    return judge(audit, &estimate, most);
}

/*
 * The same with less to read. Chance decides more where less is read: what it
 * does to the number of bits that some keys set, k at a time; and what the bits
 * of a part are believed against the model for, if it was not told all.
 */
static const char *judge_model(const history *at, const seenset_stats *audit)
{
    ss_set_state state;
    if (ss_figures_take(at->set, MODELLED_BYTES, &state) != SEENSET_OK)
        return "refused";
    seenset_estimate estimate = ss_figures_of(&state);
    double cells = fmin((double)audit->size_bits, MODELLED_BYTES * 8);
    double bits =
        fmax(0.01, 8 * sqrt(audit->hash_count / (audit->fill * cells + 1e-9)));
    double rate = fmax(0.01, 8 * estimate.fp_rate_error);
    slack most = {bits, audit->fill > 0.9 ? 1.0 : bits / (1.0 - audit->fill),
                  at->is_told && !is_sparse(audit, cells) ? rate : 1.0};
    return judge(audit, &estimate, most);
}

/* ---- histories ---- */

static uint64_t below(history *at, uint64_t limit)
{
    return test_random_below(&at->random, limit);
}

/* From 1 to `most`, small ones as often as large ones. */
static uint64_t size_up_to(history *at, uint64_t most)
{
    return (uint64_t)exp(test_random_unit(&at->random) * log((double)most));
}

static seenset_options choose_options(history *at)
{
    static const seenset_layout layouts[] = {
        SEENSET_LAYOUT_BLOCKED,  SEENSET_LAYOUT_BLOCKED,
        SEENSET_LAYOUT_BLOOM,    SEENSET_LAYOUT_SPLIT_BLOCK,
        SEENSET_LAYOUT_COUNTING, SEENSET_LAYOUT_FINGERPRINT};
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "seenset";
    seenset_options made = {.layout = layouts[below(at, TEST_COUNT(layouts))]};
    bool is_counting = made.layout == SEENSET_LAYOUT_COUNTING ||
                       made.layout == SEENSET_LAYOUT_FINGERPRINT;
    made.capacity_items = size_up_to(at, at->most_keys);
    made.fp_rate = exp(-1.0 - 15.0 * test_random_unit(&at->random));
    made.on_full = is_counting ? SEENSET_ON_FULL_DEGRADE
                               : (seenset_on_full)(1 + below(at, 4));
    if (made.on_full == SEENSET_ON_FULL_ROTATE && below(at, 2) == 0)
        made.flags = SEENSET_FLAG_SLIDING;
    if (made.on_full < SEENSET_ON_FULL_GROW && !is_counting &&
        below(at, 3) == 0)
        made.flags = SEENSET_FLAG_SHARED;
    if (below(at, 5) == 0)
        made.secret = secret;
    else if (made.flags == 0 && made.on_full == SEENSET_ON_FULL_DEGRADE &&
             (made.layout == SEENSET_LAYOUT_BLOOM ||
              made.layout == SEENSET_LAYOUT_COUNTING) &&
             below(at, 3) == 0)
        made.scheme = SEENSET_SCHEME_MURMUR3_128;
    return made;
}

static void add_keys(history *at, seenset *set, uint64_t first, uint64_t count)
{
    uint64_t *numbers = malloc((size_t)count * sizeof *numbers);
    seenset_key *keys = malloc((size_t)count * sizeof *keys);
    assert_true(numbers != NULL && keys != NULL);
    for (uint64_t i = 0; i < count; i++) {
        numbers[i] = test_mix(first + i);
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    size_t singly = count < 20 ? (size_t)count : 20;
    for (size_t i = 0; i < singly; i++)
        (void)seenset_add(set, keys[i].data, keys[i].len);
    if (below(at, 4) == 0)
        (void)seenset_add_parallel(set, keys, (size_t)count, 2);
    else
        (void)seenset_add_many(set, keys, (size_t)count, NULL);
    free(keys);
    free(numbers);
}

/* Some keys are new, and some may not be. */
static void add_some(history *at)
{
    uint64_t count = size_up_to(at, at->most_keys);
    uint64_t back = below(at, 3) == 0 ? below(at, at->next_key + 1) : 0;
    add_keys(at, at->set, at->next_key - back, count);
    if (count > back)
        at->next_key += count - back;
}

static void remove_some(history *at)
{
    uint64_t count = below(at, at->next_key + 1);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = test_mix(i);
        if (seenset_remove(at->set, &number, sizeof number) < 0)
            return;
    }
    at->is_told = false;
}

static void combine(history *at, int (*fold)(seenset *, const seenset *))
{
    seenset *other = test_make(at->options);
    uint64_t first = below(at, at->next_key + 1);
    add_keys(at, other, first, size_up_to(at, at->most_keys));
    bool is_done = fold(at->set, other) == SEENSET_OK;
    at->is_told &= !is_done || fold == seenset_merge;
    seenset_free(other);
}

static void reopen(history *at, uint32_t flags)
{
    static uint8_t *kept; /* what a view is of */
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(at->set, &size_bytes);
    seenset_open_options options = {.flags = flags,
                                    .secret = at->options.secret};
    seenset_free(at->set);
    free(kept);
    assert_int_equal(seenset_open_bytes(&at->set, bytes, size_bytes, &options),
                     SEENSET_OK);
    kept = bytes;
}

static void replace_by_copy(history *at)
{
    seenset *copy;
    assert_int_equal(seenset_copy(&copy, at->set), SEENSET_OK);
    seenset_free(at->set);
    at->set = copy;
}

static void take_a_step(history *at)
{
    switch (below(at, 12)) {
    case 0:
        combine(at, seenset_merge);
        return;
    case 1:
        combine(at, seenset_intersect);
        return;
    case 2:
        reopen(at,
               SEENSET_OPEN_COPY | (at->options.flags & SEENSET_FLAG_SHARED));
        return;
    case 3:
        replace_by_copy(at);
        return;
    case 4:
        if (below(at, 4) == 0)
            assert_int_equal(seenset_clear(at->set), SEENSET_OK);
        return;
    case 5:
        remove_some(at);
        return;
    default:
        add_some(at);
    }
}

static const char *run(uint64_t seed)
{
    bool is_large = seed % LARGE_EVERY == LARGE_EVERY - 1;
    history at = {.random = {seed},
                  .most_keys = is_large ? LARGE_KEYS : MOST_KEYS,
                  .is_told = true};
    at.options = choose_options(&at);
    if (is_large)
        at.options.capacity_items = LARGE_KEYS;
    at.set = test_make(at.options);
    if (is_large)
        add_keys(&at, at.set, 0, LARGE_KEYS / 2);
    for (uint64_t steps = 1 + below(&at, 8); steps > 0; steps--)
        take_a_step(&at);
    if (below(&at, 4) == 0)
        reopen(&at,
               below(&at, 2) == 0 ? SEENSET_OPEN_VIEW : SEENSET_OPEN_UNCHECKED);
    seenset_stats audit = test_stats_of(at.set);
    const char *wrong = judge_estimate(at.set, &audit);
    if (wrong == NULL)
        wrong = judge_model(&at, &audit);
    seenset_free(at.set);
    return wrong;
}

static void estimates_agree_with_the_audit(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < history_count; i++) {
        const char *wrong = run(first_history + i);
        if (wrong != NULL)
            fail_msg("history %llu: %s",
                     (unsigned long long)(first_history + i), wrong);
    }
}

/* The judge finds an estimate that is wrong by 1.5 %, in each figure. */
static void judge_finds_what_is_wrong(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 5000});
    slack most = {0.01, 0.01, 0.01};
    seenset_estimate right;
    (void)state;
    test_add_numbers(set, 0, 4000);
    seenset_stats audit = test_stats_of(set);
    assert_int_equal(seenset_get_estimate(set, &right, sizeof right), 0);
    assert_null(judge(&audit, &right, most));
    for (int i = 0; i < 5; i++) {
        seenset_estimate wrong = right;
        double *figures[] = {&wrong.fill, &wrong.estimated_items,
                             &wrong.current_fp_rate, &wrong.wrong_items};
        if (i < 4)
            *figures[i] *= i % 2 == 0 ? 1.015 : 0.985;
        else
            wrong.set_bits += wrong.set_bits / 64;
        assert_non_null(judge(&audit, &wrong, most));
    }
    seenset_free(set);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judge_finds_what_is_wrong),
        cmocka_unit_test(estimates_agree_with_the_audit),
    };
    if (argc > 1)
        history_count = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        first_history = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
