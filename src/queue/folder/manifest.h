/*
 * manifest.h - what is decided once, when a queue is made.
 *
 *     MANIFEST, 88 bytes, little-endian
 *      0  magic "SEENQUE\1"          40  false-positive rate, IEEE 754 (8)
 *      8  log id (4)                 48  size in bits (8)
 *     12  hash: 1 is XXH3-64 (4)     56  bits a key sets (4)
 *     16  normalisation (4)          60  zero (4)
 *     20  layout (4)                 64  bytes of a segment (8)
 *     24  policy when full (4)       72  zero (12)
 *     28  zero (4)                   84  crc32c of bytes 0..83 (4)
 *     32  capacity in items (8)
 *
 * A set that this has no fields for makes it version 2, of 128 bytes:
 *
 *      0  magic "SEENQUE\2"          72  seconds of a window (8)
 *     12  hash: 0 the scheme's or    80  generations of a window (4)
 *         none, 1, 2 SipHash (4)     84  bits of a counter (4)
 *     28  1 a filter, 2 exact (4)    88  scheme (4)
 *     60  8: a sliding window (4)    92  zero (4)
 *    104  zero (20)                  96  what the hash makes of "seenset" (8)
 *                                   124  crc32c of bytes 0..123 (4)
 *
 * A set whose scheme is given arguments makes it version 6, of 128 bytes and 4
 * for each seed:
 *
 *      0  magic "SEENQUE\6"         112  bits of a unit: 16, or 0 for bytes (4)
 *     12  hash: 0 the scheme's, 3   116  number of seeds (4)
 *         XXH3-64 with a seed (4)   120  zero (4)
 *     92  2 to 5: what the log and  124  seeds (4 each)
 *         the states may have (4)   end  crc32c of all before (4)
 *    104  seed (8)
 *
 * Version 3 is the same 128 bytes with a 3 for the 2: the log may have records
 * that older libraries do not know (record.h). Such a queue was made with
 * version 1 or 2, and its manifest was written again before the first of those.
 * Version 4 is version 3 with a 4: the states may have items that were given
 * back untried (state.h). Version 5 has a 5: the states are of version 4, since
 * an item was handed out more often than their older versions can tell.
 *
 * In version 6 the number at 92 is the one that the version would be, and is
 * written again in the same way.
 *
 * A polite queue has version 7 from the start. It is version 6, with or without
 * arguments; 5 at 92; and the rules (rules.h) between the seeds and the crc32c.
 * It is written again with 6 at 92 before the first item is moved (record.h),
 * and with 7, which means that too, before the first run is written: then the
 * states are of version 8.
 *
 * Version 8 is version 6, with or without arguments, and 7 at 92: the states
 * are of version 7, and name runs of delayed items (items/delayed/run.h). It
 * takes the place of versions 1 to 6 before the first run is written.
 *
 * The secret itself is nowhere. The value at 96 tells a right one from a wrong
 * one, as in the files of sets.
 */
#ifndef SS_QUEUE_FOLDER_MANIFEST_H
#define SS_QUEUE_FOLDER_MANIFEST_H

#include <stdbool.h>

#include "log/folder.h"
#include "queue/folder/rules.h"
#include "seen/arguments.h"
#include "seenset/queue.h"

enum {
    SS_MANIFEST_AT_HASH = 12,
    SS_MANIFEST_AT_CHECK = 96,
    SS_MANIFEST_BYTES = 88,
    SS_MANIFEST_2_BYTES = 128,
    SS_MANIFEST_MAX_BYTES =
        SS_MANIFEST_2_BYTES + 4 * SS_SCHEME_MAX_INDICES + SS_RULES_BYTES
};

typedef struct ss_manifest {
    uint32_t log_id;
    seenset_queue_normalise normalise;
    uint64_t segment_bytes;
    seenset_options set; /* as it was asked for, allocator and arguments NULL;
                            while a queue is opened, with the secret and the
                            function */
    ss_arguments arguments; /* of the set's scheme */
    bool is_exact;
    bool is_extended; /* version 3 or later */
    bool has_untried; /* version 4 or 5 */
    bool has_turns;   /* version 5 */
    bool is_polite;   /* version 7; then it is all of the above, and has: */
    ss_frontier_rules rules;
    bool has_moved;      /* version 7 with 6 or 7 for its log */
    bool has_runs;       /* version 8, or 7 with 7; and it is extended, with
                            both */
    uint32_t hash;       /* of the URLs: an id of key_hash.h */
    uint64_t hash_check; /* 0: of an exact set */
} ss_manifest;

/* No scheme, and the one that is called "chain", are the same. */
static inline uint64_t ss_manifest_scheme(const seenset_options *set)
{
    return set->scheme == SEENSET_SCHEME_DEFAULT ? SEENSET_SCHEME_CHAIN
                                                 : (uint64_t)set->scheme;
}

/* ---- manifest_bytes.c ---- */

/* Is it in a version that has a check value of the hash? */
bool ss_manifest_has_check(const ss_manifest *manifest);

/* Is what it says about the log possible? ss_set_specify checks the set. */
bool ss_manifest_is_valid(const ss_manifest *manifest);

/* Writes it, as version 1 if that can hold it, or as 3 to 8. Returns how many
 * bytes it took, SS_MANIFEST_MAX_BYTES at most. */
size_t ss_manifest_encode(const ss_manifest *manifest, uint8_t *bytes);

/* 0, SEENSET_EFORMAT, SEENSET_EVERSION, SEENSET_EHASH, SEENSET_EDAMAGED */
int ss_manifest_decode(ss_manifest *out, const uint8_t *bytes,
                       size_t size_bytes);

/* ---- manifest.c ---- */

/*
 * Reads the manifest of a queue, and takes the secret and the index function
 * from `given`, which may be NULL. Returns 0, the error of ss_manifest_decode,
 * SEENSET_EDAMAGED for a set that cannot be made, SEENSET_ESECRET or
 * SEENSET_EHASH if what was given is not the queue's, SEENSET_EIO or
 * SEENSET_ENOMEM. *report, unless NULL, gets the reason.
 */
int ss_manifest_read(ss_manifest *out, const ss_folder *folder,
                     const ss_memory *memory, const seenset_options *given,
                     seenset_queue_report *report);

/*
 * The manifest of a new queue with these options, defaults filled in but for
 * the log id. Returns 0, SEENSET_EINVAL, SEENSET_EUNSUPPORTED for a set that
 * no queue can have, or the error of seenset_new for such a set.
 */
int ss_manifest_from_options(ss_manifest *out,
                             const seenset_queue_options *options);

/* compare.c: whatever the options name must be as in the manifest. 0, else
 * SEENSET_EMISMATCH, and options->report, unless NULL, has the first that
 * differs: "fp_rate: 1e-06, not 0.01". */
int ss_manifest_compare(const ss_manifest *manifest,
                        const seenset_queue_options *options);

#endif
