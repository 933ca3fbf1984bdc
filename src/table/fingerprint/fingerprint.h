/*
 * fingerprint.h - the geometry of the fingerprint layout: a quotient filter in
 * cache lines, of a size that is fixed when it is made.
 *
 *     table:    segment 0 | segment 1 | ...        segments, all alike
 *     segment:  home home ... home | spill spill   lines of 64 bytes
 *     line:     slots of W bits, and where each of its 8 units ends
 *
 * A hash names a segment, a home line in it and one of eight units there, each
 * by a part of its bits; the next W - 1 bits are its fingerprint. A slot has
 * the fingerprint of one add. The lines are those of the table that grows in
 * place (lines/line.h has their bytes): a unit's slots follow those of the
 * unit before it, and go on in the next line where one is full. A segment's
 * last lines are nobody's home and take what flows over, so that no key ever
 * moves out of its segment.
 *
 * W is the table's hash_count, 8 to 49, and 512 bits are a line. With n keys
 * in U units the rate is n / (U 2^(W - 1)): a fresh key needs a slot of its own
 * unit with its fingerprint (Bender et al. 2012).
 *
 * An add of a key that is seen stores a copy, so that it can be taken out as
 * often. A slot whose fingerprint was cut is a prefix, covers all fingerprints
 * that begin so, and stays for ever, as a full counter does. Slots are cut in
 * two cases: fifteen equal ones become one that is a bit shorter; and where a
 * key finds no place, the two slots nearby that have most in common become one
 * of what they have in common. So an add never fails, a key is never
 * forgotten, and what that does to the rate is read from the slots.
 */
#ifndef SS_TABLE_FINGERPRINT_FINGERPRINT_H
#define SS_TABLE_FINGERPRINT_FINGERPRINT_H

#include "table/fingerprint/unit.h"

ss_fingerprint_shape ss_fingerprint_shape_of(uint64_t size_bits,
                                             uint32_t width);

/* Slots that a table is to have at most: beyond them runs of full lines grow
 * long, and slots are cut. */
double ss_fingerprint_room(uint64_t size_bits, uint32_t width);

/* What a kernel's row has in common with the others. */
uint64_t ss_fingerprint_range(uint64_t size_bits, uint32_t hash_count);
uint32_t ss_fingerprint_list_bits(const ss_table *table, uint64_t hash,
                                  uint64_t bits[SEENSET_MAX_HASH_COUNT]);
uint64_t ss_fingerprint_count_cut(const ss_table *table);
void ss_fingerprint_merge(ss_table *into, const ss_table *from);
bool ss_fingerprint_can_take(const ss_table *into, const ss_table *from);
ss_sample ss_fingerprint_sample(const ss_table *table, const ss_part *part);
double ss_fingerprint_events(const ss_table *table, ss_lines lines,
                             double *places);
bool ss_fingerprint_are_sound(const ss_table *table, const uint64_t *words,
                              uint64_t line, uint64_t line_count,
                              uint32_t *carry);

extern const ss_layout_traits ss_fingerprint_traits;
extern const ss_layout ss_fingerprint_portable;
extern const ss_layout ss_fingerprint_avx2;
extern const ss_layout ss_fingerprint_vbmi;

/* The kernel of that name if it was built and this processor can run it, or
 * NULL: "portable", "avx2", "vbmi". */
const ss_layout *ss_fingerprint_kernel(const char *name);

/* The fastest kernel here. */
const ss_layout *ss_fingerprint_best(void);

#endif
