/*
 * measured.c - the rate that is promised is the rate one gets.
 *
 * The rate of one table differs from the formula's expectation for two
 * reasons, and each has a bound of its own:
 *
 * 1. Questions: against one table, fresh keys are seen or not independently,
 *    with the table's own rate. Counted false positives against
 *    stats.current_fp_rate are binomial.
 *
 * 2. The table: which bits got set is chance as well.
 *    bloom: the number X of set bits is a function of kn independent throws,
 *    and changes by at most 1 when one throw does, so by McDiarmid
 *    P(|X - E X| >= t) <= 2 exp(-2 t^2 / kn).
 *    blocked: a region's rate is S / R, where S is the sum over its R lines of
 *    F = the product of the fills of a line's eight words. Given for each key
 *    and line the bits that it would set there, F grows with the set of keys
 *    that chose the line; and the choices, of one line by each key, are
 *    negatively associated (Joag-Dev & Proschan 1983). So E exp(aS) is at most
 *    (E exp(aF))^R for every a, and Chernoff's bound is
 *    P(S >= s) <= (E exp(aF))^R exp(-as), all a > 0;
 *    E exp(aF) is the series of F's moments, which are computed exactly, and
 *    for a < 0 at most 1 - |a| E F + a^2 E F^2 / 2.
 *
 * Every bound is held with a false alarm of 1e-9, both sides together. The
 * last three tests plant a bad hash or index function, and must be caught.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "seenset/extra/formulas.h"
#include "support.h"

enum {
    BATCH = 512,
    KEY_BYTES = 80
};

/* ---- keys ---- */

typedef size_t make_key(char key[KEY_BYTES], uint64_t i);

static size_t sequential_key(char key[KEY_BYTES], uint64_t i)
{
    ss_bits_store((uint8_t *)key, 8, i);
    return 8;
}

/* A shared prefix, a path of a thousand folders, a number, a suffix. */
static size_t url_key(char key[KEY_BYTES], uint64_t i)
{
    static const char prefix[] = "https://www.example.com/catalog/000/item?id=";
    static const char suffix[] = "&lang=en";
    size_t length = sizeof prefix - 1;
    memcpy(key, prefix, length);
    key[32] = (char)('0' + i / 100 % 10);
    key[33] = (char)('0' + i / 10 % 10);
    key[34] = (char)('0' + i % 10);
    for (uint64_t rest = i / 1000 + 1; rest > 0; rest /= 10)
        key[length++] = (char)('0' + rest % 10);
    memcpy(key + length, suffix, sizeof suffix - 1);
    return length + sizeof suffix - 1;
}

static size_t random_key(char key[KEY_BYTES], uint64_t i)
{
    ss_bits_store((uint8_t *)key, 8, test_mix(i));
    ss_bits_store((uint8_t *)key + 8, 8, test_mix(~i));
    return 16;
}

/* Adds keys first to first + count - 1, or counts how many are seen. */
static uint64_t run_keys(seenset *set, make_key *make, uint64_t first,
                         uint64_t count, bool is_adding)
{
    static char text[BATCH][KEY_BYTES];
    seenset_key keys[BATCH];
    uint8_t answers[BATCH];
    uint64_t seen = 0;
    for (uint64_t done = 0; done < count; done += BATCH) {
        size_t size = count - done < BATCH ? (size_t)(count - done) : BATCH;
        for (size_t i = 0; i < size; i++)
            keys[i] = (seenset_key){text[i], make(text[i], first + done + i)};
        int error = is_adding ? seenset_add_many(set, keys, size, answers)
                              : seenset_has_many(set, keys, size, answers);
        assert_int_equal(error, SEENSET_OK);
        for (size_t i = 0; i < size; i++)
            seen += answers[i];
    }
    return seen;
}

/* ---- the table against the formula ---- */

static bool is_bloom_fill_likely(uint64_t set_bits, uint64_t n, uint64_t m,
                                 uint32_t k)
{
    double throws = (double)n * k;
    double expected = -(double)m * expm1(throws * log1p(-1.0 / (double)m));
    double bound = sqrt(throws * log(2.0 / TEST_ALARM) / 2.0);
    return fabs((double)set_bits - expected) <= bound;
}

enum {
    MOMENTS = 250,
    MOST_LOAD = 400
};
static const double most_exponent = 60.0; /* 60^250 / 250! is below 1e-47 */

/* chance[c]: that j keys leave c of a word's 64 bits set, from that of j - 1 */
static void throw_once(double chance[65])
{
    for (int c = 64; c > 0; c--)
        chance[c] = (chance[c] * c + chance[c - 1] * (65 - c)) / 64.0;
    chance[0] = 0.0;
}

/* moment[r] = E F^r, F of a line among `lines` after n keys. */
static void line_moments(double moment[MOMENTS], double n, double lines)
{
    double chance[65] = {1.0};
    double load = exp(n * log1p(-1.0 / lines)); /* P(j keys in the line) */
    memset(moment, 0, MOMENTS * sizeof *moment);
    for (int j = 0; j < MOST_LOAD; j++) {
        double power[65];
        for (int c = 0; c <= 64; c++)
            power[c] = 1.0;
        for (int r = 0; r < MOMENTS; r++) {
            double word = 0.0; /* E (c/64)^r */
            for (int c = 0; c <= 64; c++) {
                word += chance[c] * power[c];
                power[c] *= c / 64.0;
            }
            moment[r] += load * pow(word, 8);
        }
        throw_once(chance);
        load *= (n - j) / ((j + 1.0) * (lines - 1.0));
    }
}

/* log E exp(aF), a > 0 */
static double log_mean_exp(const double moment[MOMENTS], double a)
{
    double sum = 0.0, term = 1.0;
    for (int r = 1; r < MOMENTS; r++) {
        term *= a / r;
        sum += term * moment[r];
    }
    return log1p(sum);
}

static bool is_region_likely(double s, const double moment[MOMENTS],
                             double lines)
{
    double best = 0.0; /* the log of the bound on the tail */
    for (double a = 1e-3; a <= most_exponent; a *= 1.05) {
        double high = lines * log_mean_exp(moment, a) - a * s;
        double low =
            lines * log1p(-a * moment[1] + a * a * moment[2] / 2.0) + a * s;
        best = fmin(best, s > lines * moment[1] ? high : low);
    }
    return best >= log(TEST_ALARM / 2.0);
}

/* The sum over a region's lines of the product of their words' fills. */
static double region_sum(const uint8_t *bytes, uint64_t lines)
{
    double sum = 0.0;
    for (uint64_t i = 0; i < lines; i++) {
        double full = 1.0;
        for (int w = 0; w < 8; w++, bytes += 8)
            full *= ss_bits_count(ss_bits_load(bytes, 8)) / 64.0;
        sum += full;
    }
    return sum;
}

/* Compares every region; *rate is the product of their rates. */
static bool are_regions_likely(const seenset *set, uint64_t n, uint32_t k,
                               uint64_t m, double *rate)
{
    double moment[MOMENTS];
    uint32_t regions = k / 8;
    uint64_t lines = m / 512 / regions;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    bool are_likely = true;
    line_moments(moment, (double)n, (double)lines);
    assert_true(test_is_near(
        pow(moment[1], regions) + (double)n * 0x1p-64,
        seenset_plan_fp_rate(SEENSET_LAYOUT_BLOCKED, n, m, k), 1e-9));
    *rate = 1.0;
    for (uint32_t r = 0; r < regions; r++) {
        double s = region_sum(bytes + test_header_bytes(bytes) + 64 * lines * r,
                              lines);
        are_likely &= is_region_likely(s, moment, (double)lines);
        *rate *= s / (double)lines;
    }
    free(bytes);
    return are_likely;
}

static bool is_table_likely(const seenset *set, uint64_t n)
{
    seenset_stats stats;
    double rate;
    bool is_likely;
    assert_int_equal(seenset_get_stats(set, &stats, sizeof stats), SEENSET_OK);
    if (stats.layout == SEENSET_LAYOUT_BLOOM) {
        is_likely = is_bloom_fill_likely(stats.set_bits, n, stats.size_bits,
                                         stats.hash_count);
        rate = pow((double)stats.set_bits / (double)stats.size_bits,
                   stats.hash_count);
    } else {
        is_likely = are_regions_likely(set, n, stats.hash_count,
                                       stats.size_bits, &rate);
    }
    assert_true(test_is_near(stats.current_fp_rate, rate, 1e-9));
    return is_likely;
}

/* ---- the cases ---- */

/* Enough questions for some thousand hits, where that is affordable. */
static uint64_t question_count(uint64_t n, double p)
{
    uint64_t most = n >= 1000000 ? 10000000 : 4000000;
    double wanted = 4000.0 / p;
    return wanted < (double)most ? (uint64_t)wanted : most;
}

static seenset *make_set(seenset_layout layout, uint64_t n, double p,
                         uint32_t k)
{
    seenset *set = NULL;
    seenset_options options = {.layout = layout,
                               .on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = n,
                               .fp_rate = p,
                               .hash_count = k};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

static void check_case(make_key *make, const seenset_plan *plan)
{
    uint64_t n = plan->capacity_items;
    uint64_t questions = question_count(n, plan->fp_rate);
    seenset_stats stats;
    seenset *set = make_set(plan->layout, n, plan->fp_rate, plan->hash_count);
    (void)run_keys(set, make, 0, n, true);
    assert_int_equal(seenset_get_stats(set, &stats, sizeof stats), SEENSET_OK);
    uint64_t hits = run_keys(set, make, n, questions, false);
    if (!is_table_likely(set, n) ||
        !test_is_binomial(hits, questions, stats.current_fp_rate))
        fail_msg("%s k=%u n=%llu p=%g: formula %g, bits %g, counted %g",
                 seenset_layout_name(plan->layout), plan->hash_count,
                 (unsigned long long)n, plan->fp_rate, plan->expected_fp_rate,
                 stats.current_fp_rate, (double)hits / (double)questions);
    seenset_free(set);
}

/* Every k of the layout that costs at most half more bits than the best. */
static void check_layout(make_key *make, seenset_layout layout, uint64_t n,
                         double p)
{
    seenset_plan best = {.layout = layout, .capacity_items = n, .fp_rate = p};
    assert_int_equal(seenset_plan_solve(&best), SEENSET_OK);
    check_case(make, &best);
    for (uint32_t k = 8; layout == SEENSET_LAYOUT_BLOCKED && k <= 24; k += 8) {
        seenset_plan plan = {.layout = layout,
                             .capacity_items = n,
                             .fp_rate = p,
                             .hash_count = k};
        assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
        if (k != best.hash_count && plan.size_bits <= best.size_bits * 3 / 2)
            check_case(make, &plan);
    }
}

static void check_all(make_key *make, seenset_layout layout)
{
    static const double rates[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-6};
    for (size_t i = 0; i < TEST_COUNT(rates); i++) {
        check_layout(make, layout, 100000, rates[i]);
        check_layout(make, layout, 1000000, rates[i]);
    }
}

static void measured_bloom_sequential(void **state)
{
    (void)state;
    check_all(sequential_key, SEENSET_LAYOUT_BLOOM);
}

static void measured_bloom_urls(void **state)
{
    (void)state;
    check_all(url_key, SEENSET_LAYOUT_BLOOM);
}

static void measured_bloom_random(void **state)
{
    (void)state;
    check_all(random_key, SEENSET_LAYOUT_BLOOM);
}

static void measured_blocked_sequential(void **state)
{
    (void)state;
    check_all(sequential_key, SEENSET_LAYOUT_BLOCKED);
}

static void measured_blocked_urls(void **state)
{
    (void)state;
    check_all(url_key, SEENSET_LAYOUT_BLOCKED);
}

static void measured_blocked_random(void **state)
{
    (void)state;
    check_all(random_key, SEENSET_LAYOUT_BLOCKED);
}

/* ---- planted ---- */

/* A caller's hash of 32 good bits: two keys in 4,000 share one. */
static void planted_short_hash_is_caught(void **state)
{
    const uint64_t n = 1000000, high = ~(uint64_t)UINT32_MAX;
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset *set = make_set(layout, n, 1e-6, 0);
        seenset_stats stats;
        uint64_t hits = 0;
        for (uint64_t i = 0; i < n; i++)
            (void)seenset_add_hash(set, test_mix(i) & high);
        for (uint64_t i = n; i < 3 * n; i++)
            hits += (uint64_t)seenset_has_hash(set, test_mix(i) & high);
        assert_int_equal(seenset_get_stats(set, &stats, sizeof stats),
                         SEENSET_OK);
        assert_false(test_is_binomial(hits, 2 * n, stats.current_fp_rate));
        seenset_free(set);
    }
}

/* A hash whose first bit is 0 for two keys in three. */
static void planted_lean_is_caught(void **state)
{
    const uint64_t n = 1000000;
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        if (layout == SEENSET_LAYOUT_SPLIT_BLOCK)
            continue; /* its lines are others; see unit/table/split_block.c */
        for (unsigned part = 0; part <= 30; part += 30) {
            /* bloom: every index but the first is far from the lean */
            seenset *set = make_set(layout, n, 0.1,
                                    layout == SEENSET_LAYOUT_BLOOM ? 1 : 0);
            for (uint64_t i = 0; i < n; i++)
                (void)seenset_add_hash(set,
                                       test_mix(i) >> (i % 100 < part ? 1 : 0));
            assert_true(is_table_likely(set, n) == (part == 0));
            seenset_free(set);
        }
    }
}

/* Plain double hashing inside a line: bit (a + w b) mod 64 of word w. */
static bool line_sees(uint64_t line[8], uint64_t x, bool is_adding)
{
    bool is_seen = true;
    for (unsigned w = 0; w < 8; w++) {
        uint64_t bit = UINT64_C(1) << (((x & 63) + w * (x >> 6 & 63)) & 63);
        is_seen &= (line[w] & bit) != 0;
        if (is_adding)
            line[w] |= bit;
    }
    return is_seen;
}

static void planted_double_hashing_is_caught(void **state)
{
    enum {
        LINES = 3072,
        KEYS = 100000,
        QUESTIONS = 4000000
    };
    static uint64_t table[LINES][8];
    uint64_t hits = 0;
    (void)state;
    for (uint64_t i = 0; i < KEYS + QUESTIONS; i++) {
        uint64_t x = test_mix(i);
        bool is_seen = line_sees(table[(x >> 32) % LINES], x, i < KEYS);
        hits += i >= KEYS && is_seen;
    }
    double sum = 0.0;
    for (int i = 0; i < LINES; i++) {
        double full = 1.0;
        for (int w = 0; w < 8; w++)
            full *= ss_bits_count(table[i][w]) / 64.0;
        sum += full;
    }
    assert_false(test_is_binomial(hits, QUESTIONS, sum / LINES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_bloom_sequential),
        cmocka_unit_test(measured_bloom_urls),
        cmocka_unit_test(measured_bloom_random),
        cmocka_unit_test(measured_blocked_sequential),
        cmocka_unit_test(measured_blocked_urls),
        cmocka_unit_test(measured_blocked_random),
        cmocka_unit_test(planted_short_hash_is_caught),
        cmocka_unit_test(planted_lean_is_caught),
        cmocka_unit_test(planted_double_hashing_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
