/*
 * index_scheme.h - which bits of the classic layout a key stands for.
 *
 * An index scheme is a function from the bytes of a key to k indices below m.
 * The library's own is the chain of xxh3.h. The others are those of the
 * systems this library can stand in for: with the right scheme it sets the
 * same bits as they do, so their filters can be read, written and checked.
 *
 *     id  name             from                     m            k
 *      1  chain            XXH3-64 and its steps    any          any
 *      2  murmur2a+fnv1a   two 32-bit hashes        to 2^32      2
 *      3  murmur3-128      h1 + i h2                any          any
 *      4  polynomial       k seeds, 32 bits         2^0 .. 2^32  to 7
 *      5  md5-divmod       digits of an MD5 digest  any          any
 *      6  enhanced-double  a + i b + (i^3 - i) / 6  any          any
 *      7  caller           a function of the caller's own
 *
 * where any is 1 to 2^53 bits and 1 to 255 indices. Every scheme reads a key
 * as unsigned bytes, in an order that is written down, so a key has the same
 * indices on every machine and with any compiler's idea of char.
 *
 * An id is kept in files and never means anything else.
 *
 * Anyone who can choose keys can choose ones that collide, in each of them.
 */
#ifndef SS_HASH_INDEX_SCHEME_H
#define SS_HASH_INDEX_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash/xxh3.h" /* SS_SCHEME_CHAIN = 1 */

enum {
    SS_SCHEME_MURMUR2A_FNV1A = 2,
    SS_SCHEME_MURMUR3_128 = 3,
    SS_SCHEME_POLYNOMIAL = 4,
    SS_SCHEME_MD5_DIVMOD = 5,
    SS_SCHEME_ENHANCED_DOUBLE = 6,
    SS_SCHEME_CALLER = 7
};

typedef struct ss_scheme {
    uint32_t id;
    const char *name;
    /* Can it make hash_count indices below size_bits? */
    bool (*accepts)(uint64_t size_bits, uint32_t hash_count);
    /* Stores hash_count indices, each below size_bits, for a shape that was
     * accepted. key may be NULL when key_len is 0. context is NULL but for
     * the scheme "caller". Two indices of a key may be equal. */
    void (*indices)(const void *context, const void *key, size_t key_len,
                    uint64_t size_bits, uint32_t hash_count, uint64_t *indices);
} ss_scheme;

/*
 * The context of the scheme "caller": the function with a context of its own.
 * What it stores past the table's end is taken modulo size_bits, so that no
 * function can make a table reach outside its memory.
 */
typedef struct ss_scheme_caller {
    void (*function)(void *context, const void *key, size_t key_len,
                     uint64_t size_bits, uint32_t hash_count,
                     uint64_t *indices);
    void *context;
} ss_scheme_caller;

/* NULL for an id or a name that no scheme has. */
const ss_scheme *ss_scheme_find(uint32_t id);
const ss_scheme *ss_scheme_named(const char *name);

/* What "any" accepts: from 1 to these. */
#define SS_SCHEME_MAX_SIZE_BITS (UINT64_C(1) << 53)
#define SS_SCHEME_MAX_INDICES 255u

bool ss_scheme_accepts_any(uint64_t size_bits, uint32_t hash_count);

/* The rows that have files of their own. */
extern const ss_scheme ss_scheme_murmur2a_fnv1a;
extern const ss_scheme ss_scheme_murmur3_128;
extern const ss_scheme ss_scheme_polynomial;
extern const ss_scheme ss_scheme_md5_divmod;

#endif
