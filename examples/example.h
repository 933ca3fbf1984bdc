/*
 * example.h - what the examples share: stopping at an error, and listing the
 * positions of a filter that are not zero.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seenset/extra/raw.h>
#include <seenset/seenset.h>

/* Errors are negative; anything else is an answer and is passed on. */
static inline int check(int answer)
{
    if (answer < 0) {
        fprintf(stderr, "seenset: %s\n", seenset_strerror(answer));
        exit(EXIT_FAILURE);
    }
    return answer;
}

/* Strings as keys: their bytes, without the zero at the end. */
static inline int add(seenset *set, const char *key)
{
    return check(seenset_add(set, key, strlen(key)));
}

static inline int has(const seenset *set, const char *key)
{
    return seenset_has(set, key, strlen(key));
}

static inline seenset_stats stats_of(const seenset *set)
{
    seenset_stats stats;
    check(seenset_get_stats(set, &stats, sizeof stats));
    return stats;
}

/* The positions that are set, in order; of counters, those that are not 0. */
static inline void print_positions(const seenset *set)
{
    uint64_t size = stats_of(set).size_bits;
    uint8_t bits[4096];
    for (uint64_t first = 0; first < size; first += sizeof bits) {
        uint64_t count = size - first;
        if (count > sizeof bits)
            count = sizeof bits;
        check(seenset_get_bits(set, 0, first, count, bits));
        for (uint64_t i = 0; i < count; i++) {
            if (bits[i] != 0)
                printf(" %" PRIu64, first + i);
        }
    }
    putchar('\n');
}

#endif
