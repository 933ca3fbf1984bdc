/*
 * blocked.h - the geometry that all kernels of the blocked layout share.
 *
 * A kernel is one way to test and set a key's eight bits in a line: word by
 * word, with AVX2, with AVX-512, with NEON, or with atomic operations. Each is
 * a file blocked_<kernel>.c that defines line_add and line_has and includes
 * loops.h, which makes a row of functions of them. All give the same
 * bits and the same answers; blocked.c chooses one for the processor at hand.
 */
#ifndef SS_TABLE_BLOCKED_BLOCKED_H
#define SS_TABLE_BLOCKED_BLOCKED_H

#include "hash/xxh3.h"
#include "table/table.h"

/* Word w of a line gets bit (x >> (16 + 6 w)) mod 64. */
enum {
    SS_FIELD_SHIFT = 16,
    SS_FIELD_BITS = 6
};

static inline uint64_t ss_blocked_mask(uint64_t x, unsigned word)
{
    return UINT64_C(1) << (x >> (SS_FIELD_SHIFT + SS_FIELD_BITS * word) & 63);
}

/* The lines a key takes: one in each region. */
static inline uint32_t ss_blocked_line_count(const ss_table *table)
{
    return table->hash_count / SS_LINE_WORDS;
}

/* The lines of one region, and what bits show: the same for each kernel. */
uint64_t ss_blocked_range(uint64_t size_bits, uint32_t hash_count);
ss_sample ss_blocked_sample(const ss_table *table, const ss_part *part);
double ss_blocked_events(const ss_table *table, ss_lines lines, double *places);

/* The first bit of each line of a hash. */
uint32_t ss_blocked_list_bits(const ss_table *table, uint64_t hash,
                              uint64_t bits[SEENSET_MAX_HASH_COUNT]);

extern const ss_layout_traits ss_blocked_traits;
extern const ss_layout ss_blocked_portable;
extern const ss_layout ss_blocked_shared;
extern const ss_layout ss_blocked_avx2;
extern const ss_layout ss_blocked_avx512;
extern const ss_layout ss_blocked_neon;
extern const ss_layout ss_blocked_wasm;

/* The kernel of that name if it was built and this processor can run it, or
 * NULL: "portable", "avx2", "avx512", "neon", "wasm". */
const ss_layout *ss_blocked_kernel(const char *name);

/* The fastest kernel here. */
const ss_layout *ss_blocked_best(void);

#endif
