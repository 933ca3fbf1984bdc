/*
 * expand.h - a set of 64-bit hashes that grows in place, at one rate of memory.
 *
 * A quotient filter in lines (line.h), cut into segments (entry.h) under a
 * directory (directory.h), in pages of one size (pool.h). A full segment grows
 * by a page; at 16 pages it parts into two of 9, and each slot gives up a bit.
 * So load is always near full, one add moves at most the slots of one segment,
 * and a key's slot gets shorter as the table ages: the rate goes up by the same
 * small amount each time the table doubles. With W bits a slot, L keys a unit
 * when segments are full, and N_g keys at the end of generation g, after n keys
 *
 *     p(n) = L 2^-(W - 1) (g / 2 + n / N_g),   N_(g-1) < n <= N_g
 *
 * (a generation's own keys cover L 2^-(W - 1) of the hashes at its end, and
 * each older one half of that: those that it had at its own end). W may change
 * as a table grows: widths.
 *
 * What a slot covers is never given up while its key is in: a key that was
 * once answered "seen" is answered so for ever. A slot out of bits is kept in
 * both halves and covers its unit (Aleph filter, Dayan et al. 2024).
 *
 * One thread at a time may change a table. Any number may ask at once while
 * nobody changes it: what takes a const ss_expand writes nothing.
 */
#ifndef SS_EXPAND_EXPAND_H
#define SS_EXPAND_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expand/state.h"

/* SEENSET_EINVAL: a width, load or kernel that there is not; SEENSET_ENOMEM */
int ss_expand_new(ss_expand **expand, const ss_expand_options *options);
void ss_expand_free(ss_expand *expand);

/* A table of its own with the same slots, in memory of another allocator, or
 * of the library's own: NULL. SEENSET_EINVAL: an allocator lacks a function;
 * SEENSET_ENOMEM. Neither touches `*copy`. Cost: all pages once. */
int ss_expand_copy(ss_expand **copy, const ss_expand *from,
                   const seenset_allocator *allocator);

/* Makes it what it was when it was new, and gives its memory back.
 * SEENSET_ENOMEM: nothing changed. */
int ss_expand_clear(ss_expand *expand);

/* 1 new, 0 seen, SEENSET_ENOMEM: nothing changed that an answer shows. */
int ss_expand_add(ss_expand *expand, uint64_t hash);
int ss_expand_has(const ss_expand *expand, uint64_t hash);

/* Answers in order. add_many returns SEENSET_ENOMEM after `*done` hashes. Of
 * 256 hashes or more it may make huge pages of 2 MiB that are full, once each:
 * that is 0.4 ms, or a few in some virtual machines, for what a million keys
 * gain 10 ns each from. Single adds never do. */
int ss_expand_add_many(ss_expand *expand, const uint64_t *hashes, size_t count,
                       uint8_t *is_new, size_t *done);
size_t ss_expand_has_many(const ss_expand *expand, const uint64_t *hashes,
                          size_t count, uint8_t *is_seen);

/*
 * The part of all hashes that are answered "seen": the sum of 2^-(bits of its
 * unit and prefix) over the slots. Exact, since no two slots cover one hash.
 * Only in a file may be a table that an older version merged, in which slots
 * cover others: there it is too high.
 */
double ss_expand_rate(const ss_expand *expand);

/* Keys that it has room for before its segments grow. Cost: a look at each
 * segment's record. */
uint64_t ss_expand_room(const ss_expand *expand);

/* Bits of slots that are used. Cost: a look at each segment's entry. */
uint64_t ss_expand_used_bits(const ss_expand *expand);

/* All memory of the table, in bytes; of a view, with the image. */
uint64_t ss_expand_bytes(const ss_expand *expand);

/* A slot: the first `bits` bits of hashes, at the upper end of `prefix`. */
typedef struct ss_prefix {
    uint64_t prefix;
    uint32_t bits;
} ss_prefix;

/* Calls `visit` for each slot, in order of prefix, shorter ones first, until
 * it returns false; returns whether it never did. */
bool ss_expand_visit(const ss_expand *expand,
                     bool (*visit)(void *context, ss_prefix prefix),
                     void *context);

/* Given the slots of one part of all hashes. */
typedef void ss_expand_part(void *context, uint64_t slots);

/* Calls `part` for each of 2^bits equal parts of all hashes, in order. bits: at
 * most those that name a unit where segments are largest, that is least_depth
 * and unit_bits. Cost: a look at each segment's record; of segments larger than
 * a part, at each line. */
void ss_expand_spread(const ss_expand *expand, uint32_t bits,
                      ss_expand_part *part, void *context);

/* The bits that name the segment of most hashes. */
uint32_t ss_expand_least_depth(const ss_expand *expand);

/* Adds all prefixes of `from`: what is stored then is the same in any order of
 * merges. SEENSET_ENOMEM: some may have been added. */
int ss_expand_merge(ss_expand *expand, const ss_expand *from);

/* Holds every invariant against every line; NULL: all hold, else which not. */
const char *ss_expand_verify(const ss_expand *expand);

#endif
