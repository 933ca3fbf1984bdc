/* sort.c - numbers in order, in place; the idea is in sort.h */
#include "base/sort.h"

enum {
    NUMBER_BITS = 64,
    MOST_DIGIT_BITS = 8,
    MOST_BUCKETS = 1 << MOST_DIGIT_BITS,
    FEW = 24 /* numbers that are put in order one by one */
};

static void sort_few(uint64_t *numbers, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        uint64_t number = numbers[i];
        uint64_t place = i;
        for (; place > 0 && numbers[place - 1] > number; place--)
            numbers[place] = numbers[place - 1];
        numbers[place] = number;
    }
}

/* The bits to tell buckets by, of `bits` that are left: some two numbers a
 * bucket. */
static unsigned digit_bits_for(uint64_t count, unsigned bits)
{
    unsigned digit_bits = 1;
    while (digit_bits < MOST_DIGIT_BITS && digit_bits < bits &&
           count >> (digit_bits + 1) > 0)
        digit_bits++;
    return digit_bits;
}

/* Bucket b is numbers ends[b - 1], ..., ends[b] - 1. */
static void spread(uint64_t *numbers, uint64_t count, unsigned shift,
                   unsigned bucket_count, uint64_t ends[MOST_BUCKETS])
{
    uint64_t heads[MOST_BUCKETS];
    const uint64_t mask = bucket_count - 1;
    for (unsigned b = 0; b < bucket_count; b++)
        ends[b] = 0;
    for (uint64_t i = 0; i < count; i++)
        ends[numbers[i] >> shift & mask]++;
    for (unsigned b = 0; b < bucket_count; b++) {
        heads[b] = b == 0 ? 0 : ends[b - 1];
        ends[b] += heads[b];
    }
    for (unsigned b = 0; b < bucket_count; b++) {
        while (heads[b] < ends[b]) {
            uint64_t number = numbers[heads[b]];
            uint64_t bucket = number >> shift & mask;
            if (bucket == b) {
                heads[b]++;
                continue;
            }
            numbers[heads[b]] = numbers[heads[bucket]];
            numbers[heads[bucket]++] = number;
        }
    }
}

/* All bits from `bits` up are equal; those below `rest` do not matter. At most
 * eight levels deep. */
static void sort_by(uint64_t *numbers, uint64_t count, unsigned bits,
                    unsigned rest)
{
    if (bits <= rest)
        return;
    if (count <= FEW) {
        sort_few(numbers, count);
        return;
    }
    uint64_t ends[MOST_BUCKETS];
    unsigned digit_bits = digit_bits_for(count, bits - rest);
    unsigned shift = bits - digit_bits;
    spread(numbers, count, shift, 1u << digit_bits, ends);
    for (unsigned b = 0; b < 1u << digit_bits; b++) {
        uint64_t first = b == 0 ? 0 : ends[b - 1];
        sort_by(numbers + first, ends[b] - first, shift, rest);
    }
}

void ss_sort_numbers(uint64_t *numbers, uint64_t count)
{
    sort_by(numbers, count, NUMBER_BITS, 0);
}

void ss_sort_roughly(uint64_t *numbers, uint64_t count, unsigned bits)
{
    sort_by(numbers, count, NUMBER_BITS, NUMBER_BITS - bits);
}

uint64_t ss_sort_drop_equal(uint64_t *numbers, uint64_t count)
{
    uint64_t kept = count > 0;
    for (uint64_t i = 1; i < count; i++) {
        if (numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    }
    return kept;
}
