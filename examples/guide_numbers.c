/*
 * guide_numbers.c - the figures of docs/guide.md that follow from formulas: the
 * steps from bits to the best number of hashes, tables of sizes and rates, and
 * what the filters of well-known systems come to.
 *
 * Where there are a formula of the textbooks, the truth and a bound, all three
 * are shown.
 * One block counts instead: a million questions to a filter.
 *
 *     cc guide_numbers.c -lseenset -lm && ./a.out
 */
#include <math.h>

#include "example.h"
#include "seenset/extra/formulas.h"

static const double ln_2 = 0.69314718055994530942;

/* (1 - e^(-kn/m))^k, for b = m/n bits per key */
static double textbook_rate(double bits_per_key, double k)
{
    return pow(1 - exp(-k / bits_per_key), k);
}

/* The mean over filters, E[(X/m)^k] of X bits that are 1. */
static double true_rate(uint64_t n, uint64_t m, uint32_t k)
{
    return seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, n, m, k);
}

static double rate_at_most(uint64_t n, uint64_t m, uint32_t k)
{
    seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                         .capacity_items = n,
                         .size_bits = m,
                         .hash_count = k};
    check(seenset_plan_solve(&plan));
    return plan.expected_fp_rate;
}

/* ---- the steps ---- */

static void show_steps(void)
{
    const double n = 100, m = 1000, k = 7;
    double zero = pow(1 - 1 / m, k * n);
    puts("== steps");
    printf("n = %.0f keys, m = %.0f bits, k = %.0f\n", n, m, k);
    printf("a bit is missed by one hash         1 - 1/m           %.6f\n",
           1 - 1 / m);
    printf("and by all of one key               (1 - 1/m)^k       %.6f\n",
           pow(1 - 1 / m, k));
    printf("and by all keys: the bit is 0       (1 - 1/m)^(kn)    %.6f\n",
           zero);
    printf("nearly the same                     e^(-kn/m)         %.6f\n",
           exp(-k * n / m));
    printf("the bit is 1                        1 - e^(-kn/m)     %.6f\n",
           1 - exp(-k * n / m));
    printf("k bits are 1: a false positive      (1 - e^(-kn/m))^k %.6f\n",
           textbook_rate(m / n, k));
    printf("the same without approximation      E[(X/m)^k]        %.6f\n",
           true_rate((uint64_t)n, (uint64_t)m, (uint32_t)k));
    printf("at most, as this library plans                        %.6f\n",
           rate_at_most((uint64_t)n, (uint64_t)m, (uint32_t)k));
}

static void show_best_k(void)
{
    const double bits = 10;
    puts("== best-k");
    printf("%.0f bits per key; (m/n) ln 2 = %.2f\n", bits, bits * ln_2);
    puts(" k   bits that are 1   false positives");
    for (int k = 1; k <= 13; k++)
        printf("%2d   %5.1f %%           %7.4f %%%s\n", k,
               100 * (1 - exp(-k / bits)), 100 * textbook_rate(bits, k),
               k == 7 ? "   the least" : "");
}

static void show_sizes(void)
{
    static const double rates[] = {0.1,  0.05, 0.025, 0.01,
                                   1e-3, 1e-4, 1e-6,  1e-9};
    puts("== sizes");
    printf("1/ln 2 = %.2f; a bit per key more divides the rate by %.2f\n",
           1 / ln_2, exp(ln_2 * ln_2));
    puts("rate     bits per key   k exactly   in whole numbers      a million "
         "keys");
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        uint32_t bits, k;
        double p = rates[i];
        seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                             .capacity_items = 1000000,
                             .fp_rate = p};
        check(seenset_plan_whole_bits(p, &bits, &k));
        check(seenset_plan_solve(&plan));
        printf("%-8g %-14.2f %-11.2f %2u bits, k = %2u       %5.2f MB\n", p,
               -log(p) / (ln_2 * ln_2), -log2(p), bits, k,
               (double)plan.size_bits / 8e6);
    }
}

static void show_table(void)
{
    static const int sizes[] = {4, 5, 6, 8, 10, 12, 16, 20};
    static const int hashes[] = {1, 2, 3, 4, 6, 8, 10};
    puts("== table");
    printf("m/n ");
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++)
        printf("  %5s%4d", "k =", hashes[i]);
    putchar('\n');
    for (size_t row = 0; row < sizeof sizes / sizeof sizes[0]; row++) {
        printf("%3d ", sizes[row]);
        for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++)
            printf("  %9.3g", textbook_rate(sizes[row], hashes[i]));
        putchar('\n');
    }
}

/* ---- counted ---- */

enum {
    KEYS = 100000,
    QUESTIONS = 1000000
};

/* Numbers as keys: those below KEYS are added, those above are asked for. */
static void show_counted(void)
{
    seenset *set;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .size_bits = 10 * KEYS,
                               .hash_count = 7,
                               .capacity_items = KEYS};
    uint64_t forgotten = 0, wrong = 0;
    check(seenset_new(&set, &options));
    for (uint64_t i = 0; i < KEYS; i++)
        check(seenset_add(set, &i, sizeof i));
    for (uint64_t i = 0; i < KEYS; i++)
        forgotten += !seenset_has(set, &i, sizeof i);
    for (uint64_t i = KEYS; i < KEYS + QUESTIONS; i++)
        wrong += seenset_has(set, &i, sizeof i) != 0;
    puts("== counted");
    printf("%d keys in %d bits, k = 7\n", KEYS, 10 * KEYS);
    printf("keys that it forgot             %" PRIu64 "\n", forgotten);
    printf("of %d new keys, \"seen\"    %" PRIu64 "\n", QUESTIONS, wrong);
    printf("by the formula                  %.0f\n",
           QUESTIONS * textbook_rate(10, 7));
    printf("from this filter's own bits     %.0f\n",
           QUESTIONS * stats_of(set).current_fp_rate);
    printf("keys, estimated from the bits   %.0f\n",
           stats_of(set).estimated_items);
    seenset_free(set);
}

/* ---- a billion URLs ---- */

static void show_floor(void)
{
    static const double rates[] = {0.01, 0.0001};
    puts("== floor");
    puts("1,000,000,000 URLs at       no structure under   Bloom filter");
    for (int i = 0; i < 2; i++) {
        seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                             .capacity_items = 1000000000,
                             .fp_rate = rates[i]};
        check(seenset_plan_solve(&plan));
        printf("%-27g %.3f GB             %.3f GB\n", rates[i],
               seenset_plan_floor_bits(plan.capacity_items, rates[i]) / 8e9,
               (double)plan.size_bits / 8e9);
    }
    for (int i = 0; i < 2; i++) {
        seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                             .size_bits = 8 * 18000000,
                             .fp_rate = rates[i]};
        check(seenset_plan_solve(&plan));
        printf("18 MB at %-18g hold %.1f million URLs\n", rates[i],
               (double)plan.capacity_items / 1e6);
    }
}

/* ---- counters ---- */

static void show_widths(void)
{
    static const uint32_t widths[] = {2, 3, 4, 5, 6, 8, 16};
    seenset_plan plan = {.layout = SEENSET_LAYOUT_COUNTING,
                         .capacity_items = 1000000,
                         .fp_rate = 0.01};
    check(seenset_plan_solve(&plan));
    puts("== widths");
    printf("a million keys at 1 %%: %" PRIu64 " counters, k = %u\n",
           plan.size_bits, plan.hash_count);
    puts("bits   full at   memory     chance that a counter is full, at most");
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        double bound = seenset_plan_overflow_bound(
            plan.capacity_items, plan.size_bits, plan.hash_count, widths[i]);
        printf("%-6u %-9u %5.2f MB   ", widths[i], (1u << widths[i]) - 1,
               (double)plan.size_bits * widths[i] / 8e6);
        printf(bound > 1e-99 ? "%.2g\n" : "under 1e-99\n", bound);
    }
}

/* ---- how others do it ---- */

typedef struct system_row {
    const char *name;
    double bits_per_key; /* documented, or found from the rate */
    uint32_t hash_count; /* 0: the best */
} system_row;

/* docs/guide.md names the source of each. */
static const system_row systems[] = {
    {"Squid, cache digests", 5, 4},
    {"ClickHouse, bloom_filter(0.025)", 8, 4},
    {"LevelDB, as its manual sets it", 10, 6},
    {"Riak's LevelDB", 16, 0},
    {"Redis, BF.RESERVE 0.01", 9.585, 7},
};

static void show_systems(void)
{
    puts("== systems");
    puts("                                 bits per key   k    new keys "
         "\"seen\"");
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        double bits = systems[i].bits_per_key;
        uint32_t k = systems[i].hash_count;
        if (k == 0)
            k = (uint32_t)lround(bits * ln_2);
        printf("%-32s %-14g %-4u %.3g %%\n", systems[i].name, bits, k,
               100 * textbook_rate(bits, k));
    }
    /* 1.2 MB for a million values of a column: blocks of 256 bits */
    const uint64_t values = 1000000, parquet_bits = 8 * 1200000;
    printf("%-32s %-14g %-4u %.3g %%\n", "Parquet (*)",
           (double)parquet_bits / (double)values, 8u,
           100 * seenset_plan_fp_rate(SEENSET_LAYOUT_SPLIT_BLOCK, values,
                                      parquet_bits, 8));
    puts("(*) blocks of 256 bits, 1.2 MB for a million values");
}

/* Sorted 32-bit beginnings of hashes, about 8000 apart, as 16-bit steps. */
static void show_prefixes(void)
{
    const double apart = 8000;
    double bits = log2(apart) / ln_2;
    puts("== prefixes");
    printf("prefixes of 32 bits, %.0f apart: %.0f of them\n", apart,
           0x1p32 / apart);
    printf("a new URL hits one in %.0f cases: %.4f %%\n", apart, 100 / apart);
    printf("as steps of 16 bits             16 bits per URL\n");
    printf("Bloom filter at the same rate   %.1f bits per URL\n", bits);
    printf("no structure under              %.1f bits per URL\n", log2(apart));
}

int main(void)
{
    show_steps();
    show_best_k();
    show_sizes();
    show_table();
    show_counted();
    show_floor();
    show_widths();
    show_systems();
    show_prefixes();
    return 0;
}
