/* overlap.c - see overlap.h */
#include "expand/overlap.h"

#include <math.h>

#include "expand/unit.h"

/* The slots of one unit, as prefixes. */
typedef struct prefixes {
    uint32_t unit_bits;
    uint32_t count;
    ss_prefix of[SS_END_MAX];
} prefixes;

static void read_unit(prefixes *out, const ss_expand *expand, uint64_t hash)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    ss_place place = ss_place_of(expand, entry, hash);
    uint64_t slots[SS_END_MAX];
    uint32_t bits = ss_place_unit_bits(expand, ss_entry_depth(entry));
    uint64_t unit = hash & ~(UINT64_MAX >> bits);
    out->unit_bits = bits;
    out->count = ss_unit_read(&expand->pool, entry, place, slots);
    for (uint32_t i = 0; i < out->count; i++) {
        uint64_t rest = slots[i] & (slots[i] - 1);
        out->of[i] = (ss_prefix){unit | rest << (64 - place.width) >> bits,
                                 bits + ss_slot_length(slots[i], place.width)};
    }
}

static bool is_match(const ss_prefix *a, uint64_t prefix, uint32_t bits)
{
    uint32_t common = a->bits < bits ? a->bits : bits;
    return common == 0 || (a->prefix ^ prefix) >> (64 - common) == 0;
}

/* Slots by their length. */
static void count_lengths(const prefixes *in, double counts[65])
{
    for (uint32_t i = 0; i < in->count; i++)
        counts[in->of[i].bits]++;
}

static double count_pairs(const prefixes *fine, const prefixes *coarse)
{
    double pairs = 0.0;
    for (uint32_t i = 0; i < coarse->count; i++)
        for (uint32_t j = 0; j < fine->count; j++)
            pairs +=
                is_match(&coarse->of[i], fine->of[j].prefix, fine->of[j].bits);
    return pairs;
}

static double expect_pairs(const double a[65], const double b[65])
{
    double pairs = 0.0;
    for (int i = 0; i <= 64; i++)
        for (int j = 0; j <= 64; j++)
            pairs += ldexp(a[i] * b[j], -(i < j ? i : j));
    return pairs;
}

static double total(const double counts[65])
{
    double sum = 0.0;
    for (int i = 0; i <= 64; i++)
        sum += counts[i];
    return sum;
}

/* c from the pairs: each step halves what is wrong of it, and more. */
static ss_matches solve(double pairs, const double a[65], const double b[65])
{
    enum {
        STEPS = 60
    };
    double expected = expect_pairs(a, b), n_a = total(a), n_b = total(b);
    double most = fmin(n_a, n_b), items = 0.0, chance = expected;
    for (int i = 0; i < STEPS && most > 0.0; i++) {
        chance = expected * (1.0 - items / n_a) * (1.0 - items / n_b);
        items = (items + fmin(fmax(pairs - chance, 0.0), most)) / 2.0;
    }
    return (ss_matches){most > 0.0 ? pairs - chance : 0.0, chance};
}

/* A unit's slots are counted where it begins. */
static bool is_start(uint64_t hash, uint32_t unit_bits)
{
    return (hash & UINT64_MAX >> unit_bits) == 0;
}

ss_matches ss_expand_matches(const ss_expand *a, const ss_expand *b)
{
    double a_counts[65] = {0}, b_counts[65] = {0};
    double pairs = 0.0;
    prefixes x, y;
    uint64_t hash = 0;
    do {
        read_unit(&x, a, hash);
        read_unit(&y, b, hash);
        if (is_start(hash, x.unit_bits))
            count_lengths(&x, a_counts);
        if (is_start(hash, y.unit_bits))
            count_lengths(&y, b_counts);
        bool is_x_fine = x.unit_bits >= y.unit_bits;
        uint32_t bits = is_x_fine ? x.unit_bits : y.unit_bits;
        pairs += is_x_fine ? count_pairs(&x, &y) : count_pairs(&y, &x);
        hash += UINT64_C(1) << (64 - bits);
    } while (hash != 0);
    return solve(pairs, a_counts, b_counts);
}
