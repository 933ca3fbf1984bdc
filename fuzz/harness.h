/*
 * harness.h - what the fuzzers share: bytes read as numbers, memory with a
 * limit, and rules that must hold.
 *
 * A fuzzer is one function, LLVMFuzzerTestOneInput, in a file of its own. It
 * takes any bytes and returns 0; a rule that does not hold is named on
 * standard error and ends the program. libFuzzer and AFL++ call it with bytes
 * they think of, replay.c with those of fuzz/corpus/. Each fuzzer is also
 * built with FUZZ_PLANTED defined: then something is wrong on purpose, and the
 * replay must find it.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io.h"
#include "seenset/seenset.h"

#ifdef FUZZ_PLANTED
#define FUZZ_IS_PLANTED true
#else
#define FUZZ_IS_PLANTED false
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

/* Unless is_so, prints "fuzz: broken: " and the rule, and aborts. */
void fuzz_must(bool is_so, const char *rule);

/* Bytes not yet read. Behind the end there are zeros. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

/* The next size_bytes bytes, 1 to 8, as a little-endian number. */
uint64_t fuzz_number(fuzz_bytes *from, unsigned size_bytes);

/* The next byte, below limit (1 to 256). */
unsigned fuzz_below(fuzz_bytes *from, unsigned limit);

/* The next size_bytes bytes, or what is left; stores how many in *given. */
const uint8_t *fuzz_take(fuzz_bytes *from, size_t size_bytes, size_t *given);

/* Memory for sets, but no block over 8 MiB: a forged header may ask for any
 * amount, and is refused. */
seenset_allocator fuzz_allocator(void);

/* A file of these bytes. */
void fuzz_put_file(const ss_io *io, const char *path, const void *bytes,
                   size_t size_bytes);

/* What seenset_save would write, from malloc. */
uint8_t *fuzz_bytes_of(const seenset *set, size_t *size_bytes);

/*
 * Makes the checksums of a set file right, and the check value of its hash,
 * so that only its fields can be wrong. Any bytes will do; nothing outside of
 * them is changed.
 */
void fuzz_repair_set(uint8_t *bytes, size_t size_bytes);

/* What a file needs and does not hold: a secret if it is
 * keyed, a function if the caller has one. Memory is the limited one. */
typedef struct fuzz_opening {
    seenset_allocator allocator;
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_open_options options;
} fuzz_opening;

void fuzz_opening_for(fuzz_opening *opening, const uint8_t *bytes,
                      size_t size_bytes, uint32_t flags);

#endif
