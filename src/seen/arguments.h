/*
 * arguments.h - what the scheme of a queue's set is given, with a place of its
 * own for the seeds.
 *
 * A caller's seenset_scheme_arguments point to seeds that are the caller's. A
 * queue needs them for longer: in its manifest, and whenever it makes or loads
 * its set. So it keeps them here, as the scheme's reader spells them: its own
 * seeds are none, and bytes are no unit. Equal places have equal arguments.
 */
#ifndef SS_SEEN_ARGUMENTS_H
#define SS_SEEN_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "hash/index_scheme.h"

/* All 0: none. */
typedef struct ss_arguments {
    uint64_t seed;
    uint32_t unit_bits; /* 16, or 0 */
    uint32_t seed_count;
    uint32_t seeds[SS_SCHEME_MAX_INDICES];
} ss_arguments;

/* Copies arguments that were read. The caller's function is not among them. */
void ss_arguments_keep(ss_arguments *out, const ss_scheme_arguments *read);

/* The same as ss_key_hash_make takes them, and as seenset_new does. Both borrow
 * the seeds. */
ss_scheme_arguments ss_arguments_read(const ss_arguments *kept);
seenset_scheme_arguments ss_arguments_lend(const ss_arguments *kept);

bool ss_arguments_are_given(const ss_arguments *kept);

/* Does a caller ask for any? NULL is allowed. */
bool ss_arguments_are_asked(const seenset_scheme_arguments *given);

bool ss_arguments_are_same(const ss_arguments *a, const ss_arguments *b);

#endif
