/*
 * overlap_bits.c - how many keys two tables of bits share, of any two sizes.
 *
 * A key's place in a table of R lines is floor(x R / 2^64): line i is for the
 * hashes from i / R to (i + 1) / R of all. So line i of one table and line j of
 * another share the hashes in which these intervals overlap, whatever the two
 * sizes are, and within a line a key sets the same bits in both:
 *
 *     A  |     0     |     1     |     2     |     R = 3
 *     B  |   0   |   1   |   2   |   3   |         R = 4
 *        | 0 0   |0 1|1 1|1 2|2 2|   2 3 |
 *
 * A bit is 0 in line i of A by chance pA, and in line j of B by pB. If no key
 * were in both, it would be 0 in both by chance pA pB. Each key of both whose
 * hash is in the overlap sets it in both at once, so that it is 0 in both by
 *
 *     p00 = pA pB e^(q n o),
 *
 * with n keys in both, o the overlap as a part of all hashes, and q the chance
 * that a key sets the bit, 1/64 for a line of the blocked layout (keys of an
 * interval are Poisson). The bits that are 0 in both are counted over all pairs
 * of lines that overlap, and n is found from their sum. With equal sizes that
 * is the estimate from the union's bits (Swamidass & Baldi 2007); here it holds
 * for any two.
 *
 * The variance of ln(p00 / (pA pB)) over N independent bits is, by the delta
 * method, (1/p00 - 1/pA - 1/pB + 2 p00/(pA pB) - 1) / N. Bits of a line are not
 * quite independent, as a line has more keys or fewer: that adds q^2 LA LB a
 * pair of lines, L = -ln p.
 *
 * In the classic filter a line is a bit and a key has k of them, in one region:
 * q is the number of hashes that both tables have.
 */
#include <math.h>

#include "set/two/overlap_tables.h"
#include "set/set.h"

enum {
    BINS = 256,       /* of overlaps, for their exponentials */
    MOST_STEPS = 80,  /* five or six do */
    MOST_GROWTH = 700 /* e^700 is a number */
};

/* A table, as lines that are drawn from a range. */
typedef struct field {
    const uint64_t *words;
    uint64_t range;   /* lines of a region */
    uint32_t regions; /* of which a key has `places` in each */
    uint32_t line_bits;
    double places;
    double hit; /* the chance that a place of a key is a bit of its line */
} field;

/* Where a scheme says the places, tables are alike, and each bit is a line. */
static field field_of_scheme(const ss_table *table)
{
    return (field){.words = table->words,
                   .range = table->size_bits,
                   .regions = 1,
                   .line_bits = 1,
                   .places = table->hash_count,
                   .hit = 1};
}

static field field_of(const ss_table *table)
{
    if (table->scheme != NULL)
        return field_of_scheme(table);
    const ss_layout *layout = table->layout;
    uint32_t step = layout->range_step_bits;
    uint32_t regions = (uint32_t)(table->size_bits / step / table->range);
    return (field){.words = table->words,
                   .range = table->range,
                   .regions = regions,
                   .line_bits = step,
                   .places =
                       (double)table->hash_count / layout->probe_bits / regions,
                   .hit = (double)layout->probe_bits / step};
}

/* What is counted of the pairs of lines of two tables. */
typedef struct pairs {
    double count;                  /* pairs */
    uint64_t zero_a, zero_b, both; /* bits that are 0 */
    double overlap[BINS], weight[BINS];
} pairs;

/* Zero bits of a line of A, of one of B, and of both. */
static SS_ALWAYS_INLINE void add_bits(pairs *to, uint64_t a, uint64_t b)
{
    to->zero_a += a ^ 1;
    to->zero_b += b ^ 1;
    to->both += (a | b) ^ 1;
}

static uint64_t bit_at(const uint64_t *words, uint64_t bit)
{
    return ss_bits_read(&words[bit / SS_WORD_BITS]) >> (bit % SS_WORD_BITS) & 1;
}

static void add_lines(pairs *to, const uint64_t *a, const uint64_t *b,
                      uint32_t line_bits)
{
    uint64_t ones_a = 0, ones_b = 0, ones = 0;
    for (uint32_t w = 0; w < line_bits / SS_WORD_BITS; w++) {
        uint64_t x = ss_bits_read(&a[w]);
        uint64_t y = ss_bits_read(&b[w]);
        ones_a += ss_bits_count(x);
        ones_b += ss_bits_count(y);
        ones += ss_bits_count(x | y);
    }
    to->zero_a += line_bits - ones_a;
    to->zero_b += line_bits - ones_b;
    to->both += line_bits - ones;
}

/* A pair of lines and how much they overlap, 0 to 1 of the shorter one. */
static SS_ALWAYS_INLINE void add_pair(pairs *to, const field *a, uint64_t i,
                                      const field *b, uint64_t j,
                                      double overlap)
{
    int bin = (int)(overlap * BINS);
    if (bin == BINS)
        bin--;
    to->overlap[bin] += overlap;
    to->weight[bin] += 1;
    to->count += 1;
    if (a->line_bits == 1)
        add_bits(to, bit_at(a->words, i), bit_at(b->words, j));
    else
        add_lines(to, a->words + i * a->line_bits / SS_WORD_BITS,
                  b->words + j * b->line_bits / SS_WORD_BITS, a->line_bits);
}

/*
 * Walks along both regions. A line of A is b->range units long and one of B
 * a->range, so that both regions have a->range b->range units.
 */
static void walk(pairs *to, const field *a, const field *b, uint32_t region)
{
    uint64_t i = 0, j = 0;
    uint64_t left_a = b->range, left_b = a->range;
    double shorter = (double)(a->range < b->range ? a->range : b->range);
    while (i < a->range && j < b->range) {
        uint64_t common = left_a < left_b ? left_a : left_b;
        add_pair(to, a, region * a->range + i, b, region * b->range + j,
                 (double)common / shorter);
        left_a -= common;
        left_b -= common;
        if (left_a == 0) {
            i++;
            left_a = b->range;
        }
        if (left_b == 0) {
            j++;
            left_b = a->range;
        }
    }
}

/* ---- from the counts to a number of keys ---- */

/* How far y is too large: the mean of e^(y o) over all pairs is to have the
 * logarithm `wanted`, which Newton's step aims at. */
static double newton_step(const pairs *of, double y, double wanted)
{
    double sum = 0, slope = 0;
    for (int i = 0; i < BINS; i++) {
        if (of->weight[i] == 0)
            continue;
        double overlap = of->overlap[i] / of->weight[i];
        double growth = of->weight[i] * exp(y * overlap);
        sum += growth;
        slope += growth * overlap;
    }
    return (log(sum / of->count) - wanted) * sum / slope;
}

/*
 * y of which the mean of e^(y o) has the logarithm `wanted`. It is convex in y
 * and no less than y times the mean overlap (Jensen), so that the first y here
 * is no less than the one that is sought, and each step comes nearer to it from
 * above. One that cannot be reached is far below 0.
 */
static double solve(const pairs *of, double mean_overlap, double wanted)
{
    double y = fmin(wanted / mean_overlap, MOST_GROWTH);
    for (int i = 0; i < MOST_STEPS && y > -MOST_GROWTH; i++) {
        double step = newton_step(of, y, wanted);
        y -= step;
        if (!(fabs(step) > 1e-14 * fabs(y)))
            break;
    }
    return y > -MOST_GROWTH ? y : -MOST_GROWTH;
}

typedef ss_overlap_estimate estimate;

/* rate: y for each key. */
static estimate common_items(const pairs *of, const field *a, double rate)
{
    double bits = of->count * a->line_bits;
    double pa = (double)of->zero_a / bits;
    double pb = (double)of->zero_b / bits;
    double both = (double)of->both / bits;
    double mean = 0;
    if (!(pa > 0 && pb > 0 && both > 0)) /* full: its bits tell nothing */
        return (estimate){.items = NAN, .variance = INFINITY};
    for (int i = 0; i < BINS; i++)
        mean += of->overlap[i];
    mean /= of->count;
    double chance =
        fmax(1 / both - 1 / pa - 1 / pb + 2 * both / (pa * pb) - 1, 0);
    double uneven =
        a->line_bits > 1 ? a->hit * a->hit * log(pa) * log(pb) / of->count : 0;
    double slope = rate * mean;
    return (estimate){.items = solve(of, mean, log(both / (pa * pb))) / rate,
                      .variance = (chance / bits + uneven) / (slope * slope)};
}

ss_overlap_estimate ss_overlap_of_bits(const ss_table *x, const ss_table *y)
{
    field a = field_of(x);
    field b = field_of(y);
    pairs counted = {0};
    if (ss_table_count_cells(x) == 0 || ss_table_count_cells(y) == 0)
        return (estimate){0};
    uint32_t regions = a.regions < b.regions ? a.regions : b.regions;
    for (uint32_t region = 0; region < regions; region++)
        walk(&counted, &a, &b, region);
    double longer = (double)(a.range > b.range ? a.range : b.range);
    double places = fmin(a.places, b.places);
    return common_items(&counted, &a, a.hit * places / longer);
}
