/*
 * saturation_looks.c - sets of every layout, policy and scheme, filled while
 * all answers are counted.
 *
 * A combination that cannot exist has the error with which it is refused: none
 * is skipped. A window forgets keys: there those count that it can still have,
 * and a key that was taken for seen if it is seen now. A set that refuses is
 * offered keys up to the first refusal; after that nothing may change.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "saturation.h"

const double fills[FILL_COUNT] = {0.1, 0.5, 1, 2, 4, 8, 16, 64};

/* ---- the product ---- */

static const seenset_layout layouts[] = {
    SEENSET_LAYOUT_BLOOM,    SEENSET_LAYOUT_BLOCKED,
    SEENSET_LAYOUT_COUNTING, SEENSET_LAYOUT_SPLIT_BLOCK,
    SEENSET_LAYOUT_SEALED,   SEENSET_LAYOUT_FINGERPRINT,
};

typedef struct policy {
    const char *name;
    seenset_on_full on_full;
    uint32_t flags;
    uint64_t window_seconds;
    bool is_list; /* of tables */
} policy;

static const policy policies[] = {
    {"grow", SEENSET_ON_FULL_GROW, 0, 0, true},
    {"refuse", SEENSET_ON_FULL_REFUSE, 0, 0, false},
    {"degrade", SEENSET_ON_FULL_DEGRADE, 0, 0, false},
    {"degrade, shared", SEENSET_ON_FULL_DEGRADE, SEENSET_FLAG_SHARED, 0, false},
    {"refuse, shared", SEENSET_ON_FULL_REFUSE, SEENSET_FLAG_SHARED, 0, false},
    {"grow, shared", SEENSET_ON_FULL_GROW, SEENSET_FLAG_SHARED, 0, true},
    {"by number", SEENSET_ON_FULL_ROTATE, 0, 0, true},
    {"by age", SEENSET_ON_FULL_ROTATE, 0, 1000000, true},
    {"sliding", SEENSET_ON_FULL_ROTATE, SEENSET_FLAG_SLIDING, 0, true},
    {"by number, shared", SEENSET_ON_FULL_ROTATE, SEENSET_FLAG_SHARED, 0, true},
};

/* Places like those of a good hash, from the key's own bits. */
static void own_indices(void *context, const void *key, size_t key_len,
                        uint64_t size_bits, uint32_t hash_count,
                        uint64_t *indices)
{
    uint64_t state = seenset_hash(key, key_len);
    (void)context;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = test_range(state = test_mix(state), size_bits);
}

static const seenset_scheme schemes[] = {
    SEENSET_SCHEME_CHAIN,
    SEENSET_SCHEME_MURMUR2A_FNV1A,
    SEENSET_SCHEME_MURMUR3_128,
    SEENSET_SCHEME_POLYNOMIAL,
    SEENSET_SCHEME_MD5_DIVMOD,
    SEENSET_SCHEME_ENHANCED_DOUBLE,
    SEENSET_SCHEME_CALLER,
    SEENSET_SCHEME_CLICKHOUSE_BLOOM,
    SEENSET_SCHEME_CLICKHOUSE_TOKENBF,
    SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED,
};

typedef struct kind {
    seenset_options options;
    const policy *policy;
    int refused; /* the error that the headers state, or 0 */
} kind;

static bool is_of_bits(seenset_layout layout)
{
    return layout == SEENSET_LAYOUT_BLOOM || layout == SEENSET_LAYOUT_BLOCKED ||
           layout == SEENSET_LAYOUT_SPLIT_BLOCK;
}

/* What seenset/options.h and seenset/hash.h refuse. */
static int stated_error(const kind *of)
{
    seenset_layout layout = of->options.layout;
    bool is_shared = (of->options.flags & SEENSET_FLAG_SHARED) != 0;
    bool has_scheme = of->options.scheme != SEENSET_SCHEME_CHAIN;
    if (layout == SEENSET_LAYOUT_SEALED)
        return SEENSET_EINVAL; /* built, never made empty */
    if (of->policy->is_list && (is_shared || !is_of_bits(layout)))
        return SEENSET_EUNSUPPORTED;
    if (is_shared && !is_of_bits(layout))
        return SEENSET_EUNSUPPORTED;
    if (has_scheme &&
        (is_shared || of->options.on_full != SEENSET_ON_FULL_DEGRADE ||
         (layout != SEENSET_LAYOUT_BLOOM && layout != SEENSET_LAYOUT_COUNTING)))
        return SEENSET_EUNSUPPORTED;
    return 0;
}

enum {
    KIND_COUNT =
        TEST_COUNT(layouts) * TEST_COUNT(policies) * TEST_COUNT(schemes)
};

static kind kind_at(size_t i)
{
    size_t scheme = i / (TEST_COUNT(layouts) * TEST_COUNT(policies));
    const policy *how = &policies[i % TEST_COUNT(policies)];
    kind of = {
        .policy = how,
        .options = {.layout =
                        layouts[i / TEST_COUNT(policies) % TEST_COUNT(layouts)],
                    .on_full = how->on_full,
                    .capacity_items = CAPACITY,
                    .fp_rate = how->window_seconds > 0 ? 0.5 : 0.05,
                    .flags = how->flags,
                    .window_seconds = how->window_seconds,
                    .scheme = schemes[scheme]}};
    if (of.options.scheme == SEENSET_SCHEME_CALLER)
        of.options.index_function = own_indices;
    of.refused = stated_error(&of);
    return of;
}

static void name_kind(char name[64], const kind *of)
{
    bool has_scheme = of->options.scheme != SEENSET_SCHEME_CHAIN;
    (void)snprintf(name, 64, "%s, %s%s%s",
                   seenset_layout_name(of->options.layout), of->policy->name,
                   has_scheme ? ", " : "",
                   has_scheme ? seenset_scheme_name(of->options.scheme) : "");
}

/* ---- one set ---- */

typedef struct offered {
    seenset *set;
    uint64_t seed;
    uint64_t count;
    uint64_t looks;                /* each asks for other strangers */
    uint64_t wrong[64 * CAPACITY]; /* numbers of those taken for seen */
    size_t wrong_count;
    bool is_refused;
} offered;

static uint64_t key_of(uint64_t seed, uint64_t number)
{
    return test_mix(seed << 40 | number);
}

static void offer_until(offered *to, uint64_t end)
{
    while (!to->is_refused && to->count < end) {
        uint64_t key = key_of(to->seed, to->count);
        int answer = seenset_add(to->set, &key, sizeof key);
        if (answer < 0) {
            assert_int_equal(answer, SEENSET_EFULL);
            to->is_refused = true;
            break;
        }
        if (answer == 0)
            to->wrong[to->wrong_count++] = to->count;
        to->count++;
    }
}

/* The first key that a window can have. */
static uint64_t first_of(const offered *of, const seenset_info *info)
{
    uint64_t first =
        of->count > info->added_items ? of->count - info->added_items : 0;
    for (size_t i = of->wrong_count;
         i > 0 && first > 0 && of->wrong[i - 1] >= first; i--)
        first--;
    return first;
}

static void take_truth(look *to, const offered *of, const seenset_info *info)
{
    bool forgets = info->on_full == SEENSET_ON_FULL_ROTATE;
    uint64_t first = forgets ? first_of(of, info) : 0;
    double taken = 0.0;
    for (size_t i = 0; i < of->wrong_count; i++) {
        uint64_t key = key_of(of->seed, of->wrong[i]);
        to->true_wrong += of->wrong[i] >= first &&
                          (!forgets || seenset_has(of->set, &key, sizeof key));
        taken += of->wrong[i] >= first;
    }
    to->most_items = (double)(of->count - first);
    /* what an older table took for seen left no bits in a newer one */
    to->least_items = to->most_items - (info->table_count > 1 ? taken : 0.0);
    for (uint64_t i = 0; i < STRANGERS; i++) {
        uint64_t key = key_of(of->seed + 1000, of->looks * STRANGERS + i);
        to->hits += seenset_has(of->set, &key, sizeof key) == 1;
    }
}

/* What chance does to the cells of a table: of bits (m/k^2)(e^L - 1 - L), of
 * fingerprints the keys that have that of another. */
static double items_variance(const seenset *set, uint32_t i,
                             const seenset_stats *stats)
{
    const seenset_table_info table = test_table_of(set, i);
    double m = (double)table.size_bits, k = table.hash_count;
    double n = (double)table.added_items;
    double load = stats->table_count == 1 ? -log1p(-stats->fill) : k * n / m;
    if (table.layout == SEENSET_LAYOUT_SEALED)
        return 0.0;
    if (table.layout == SEENSET_LAYOUT_EXPANDABLE ||
        table.layout == SEENSET_LAYOUT_FINGERPRINT)
        return n * stats->current_fp_rate;
    return m / (k * k) * (expm1(load) - load);
}

static look take_look(const seenset *set)
{
    seenset_estimate estimate;
    seenset_stats stats = test_stats_of(set);
    assert_int_equal(seenset_get_estimate(set, &estimate, sizeof estimate), 0);
    look is = {.items = stats.estimated_items,
               .rate = stats.current_fp_rate,
               .wrong = stats.wrong_items,
               .is_at_least = stats.is_wrong_at_least,
               .is_all_set = stats.set_bits == stats.size_bits,
               .is_cut = stats.layout == SEENSET_LAYOUT_FINGERPRINT &&
                         stats.full_counters > 0,
               .is_same =
                   estimate.estimated_items == stats.estimated_items &&
                   estimate.current_fp_rate == stats.current_fp_rate &&
                   estimate.wrong_items == stats.wrong_items &&
                   estimate.is_wrong_at_least == stats.is_wrong_at_least};
    double variance = 0.0;
    for (uint32_t i = 0; i < stats.table_count; i++)
        variance += items_variance(set, i, &stats);
    is.items_error = sqrt(variance);
    return is;
}

static look look_at(offered *of)
{
    seenset_info info;
    look is = take_look(of->set);
    assert_int_equal(seenset_get_info(of->set, &info, sizeof info), 0);
    is.is_refused = of->is_refused;
    take_truth(&is, of, &info);
    of->looks++;
    return is;
}

static void take_seed(row *to, const kind *of, uint64_t seed)
{
    offered *have = test_malloc(sizeof *have);
    *have = (offered){.seed = seed};
    assert_int_equal(seenset_new(&have->set, &of->options), 0);
    for (size_t fill = 0; fill < FILL_COUNT; fill++) {
        offer_until(have, (uint64_t)(fills[fill] * CAPACITY));
        to->looks[seed - 1][fill] = look_at(have);
    }
    seenset_free(have->set);
    test_free(have);
}

/* A sealed set is built of all its keys, and takes none for seen. */
static void take_sealed(row *to, uint64_t seed)
{
    const seenset_options options = {.fp_rate = 0.05};
    offered *have = test_malloc(sizeof *have);
    for (size_t fill = 0; fill < FILL_COUNT; fill++) {
        uint64_t count = (uint64_t)(fills[fill] * CAPACITY);
        *have = (offered){.seed = seed, .count = count, .looks = fill};
        for (uint64_t i = 0; i < count; i++) {
            uint64_t key = key_of(seed, i);
            have->wrong[i] = seenset_hash(&key, sizeof key);
        }
        assert_int_equal(seenset_build_sealed_hashes(&have->set, &options,
                                                     have->wrong, count, NULL,
                                                     NULL),
                         0);
        to->looks[seed - 1][fill] = look_at(have);
        /* as many fingerprints are in use, however full */
        to->looks[seed - 1][fill].is_all_set = false;
        seenset_free(have->set);
    }
    test_free(have);
}

size_t saturation_take(row rows[MOST_ROWS])
{
    size_t count = 0;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        const kind of = kind_at(i);
        if (of.refused != 0)
            continue; /* refusals_are_as_stated */
        assert_true(count + 1 < MOST_ROWS);
        name_kind(rows[count].name, &of);
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            take_seed(&rows[count], &of, seed);
        count++;
    }
    (void)snprintf(rows[count].name, sizeof rows[count].name, "sealed, built");
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        take_sealed(&rows[count], seed);
    return count + 1;
}

/* ---- what there cannot be ---- */

void refusals_are_as_stated(void **state)
{
    unsigned refused = 0, different = 0;
    (void)state;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        const kind of = kind_at(i);
        seenset *set = NULL;
        int error = seenset_new(&set, &of.options);
        char name[64];
        name_kind(name, &of);
        if (error != of.refused)
            print_error("%s: %s, not %s\n", name, seenset_strerror(error),
                        seenset_strerror(of.refused));
        different += error != of.refused;
        refused += error != 0;
        if (error == 0)
            seenset_free(set);
    }
    print_message("%u of %d are refused\n", refused, (int)KIND_COUNT);
    assert_int_equal(different, 0);
}

void ones_are_unknown(void **state)
{
    static uint8_t ones[64 * 24];
    static const seenset_layout of_bits[] = {SEENSET_LAYOUT_BLOOM,
                                             SEENSET_LAYOUT_BLOCKED,
                                             SEENSET_LAYOUT_SPLIT_BLOCK};
    (void)state;
    memset(ones, 0xff, sizeof ones);
    for (size_t i = 0; i < TEST_COUNT(of_bits); i++) {
        const seenset_options options = {.layout = of_bits[i], .hash_count = 8};
        seenset *set;
        assert_int_equal(seenset_from_bits(&set, &options, ones, sizeof ones),
                         0);
        look is = take_look(set);
        assert_true(is.is_same && is.is_all_set && is.is_at_least);
        assert_true(isinf(is.items) && is.rate == 1.0 && isfinite(is.wrong));
        seenset_free(set);
    }
}
