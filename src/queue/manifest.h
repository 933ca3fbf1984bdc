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
 */
#ifndef SS_QUEUE_MANIFEST_H
#define SS_QUEUE_MANIFEST_H

#include <stdbool.h>

#include "queue/directory.h"
#include "seenset/queue.h"

enum {
    SS_MANIFEST_BYTES = 88
};

typedef struct ss_manifest {
    uint32_t log_id;
    seenset_queue_normalise normalise;
    uint64_t segment_bytes;
    seenset_options set; /* as it was asked for, allocator NULL */
} ss_manifest;

void ss_manifest_encode(const ss_manifest *manifest,
                        uint8_t bytes[SS_MANIFEST_BYTES]);

/* 0, SEENSET_EFORMAT, SEENSET_EVERSION, SEENSET_EHASH, SEENSET_EDAMAGED */
int ss_manifest_decode(ss_manifest *out, const uint8_t *bytes,
                       size_t size_bytes);

/*
 * Reads the manifest of a queue. Returns 0, the error of ss_manifest_decode,
 * SEENSET_EDAMAGED for a set that cannot be made, SEENSET_EIO or
 * SEENSET_ENOMEM. *report, unless NULL, gets the reason.
 */
int ss_manifest_read(ss_manifest *out, const ss_directory *directory,
                     const ss_memory *memory, seenset_queue_report *report);

/*
 * The manifest of a new queue with these options, defaults filled in but for
 * the log id. Returns 0, SEENSET_EINVAL, SEENSET_EUNSUPPORTED for what a
 * manifest cannot hold (a secret, a scheme), or the error of seenset_new for
 * such a set.
 */
int ss_manifest_from_options(ss_manifest *out,
                             const seenset_queue_options *options);

/* Whatever the options name must be as in the manifest: 0, else
 * SEENSET_EMISMATCH. */
int ss_manifest_compare(const ss_manifest *manifest,
                        const seenset_queue_options *options);

#endif
