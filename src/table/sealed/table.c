/*
 * table.c - the sealed layout: a binary fuse filter (fuse.h) as a table.
 * It is built once (build.h) and can only be asked (lookup.h).
 */
#include "table/sealed/table.h"

#include <math.h>

#include "base/kernels.h"
#include "table/classic/sample.h"
#include "table/table.h"

uint32_t ss_sealed_list_bits(const ss_table *table, uint64_t hash,
                             uint64_t bits[SEENSET_MAX_HASH_COUNT])
{
    const ss_fuse_shape *shape = &table->fuse;
    uint64_t places[SS_FUSE_MAX_ARITY];
    (void)ss_fuse_places(ss_fuse_mix(hash, shape->seed), shape->arity,
                         shape->segment_length, ss_fuse_first_slots(shape),
                         places);
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->arity; i++) {
        uint64_t first = places[i] * shape->fingerprint_bits;
        uint64_t last = first + shape->fingerprint_bits - 1;
        bits[count++] = first;
        if (last / SS_LINE_BITS != first / SS_LINE_BITS)
            bits[count++] = last;
    }
    return count;
}

/* The bits of the fingerprints; a fresh key has one of 2^bits by chance. */
ss_sample ss_sealed_sample(const ss_table *table, const ss_part *part)
{
    ss_sample seen = ss_classic_sample(table, part);
    seen.rate = ldexp(1.0, -(int)table->fuse.fingerprint_bits);
    seen.rate_error = 0.0;
    return seen;
}

const ss_layout_traits ss_sealed_traits = {.id = SEENSET_LAYOUT_SEALED,
                                           .name = "sealed",
                                           .first_file_version = 2,
                                           .is_built_once = true,
                                           .min_hash_count = 3,
                                           .max_hash_count = SS_FUSE_MAX_ARITY,
                                           .hash_count_step = 1,
                                           .unit_bits = ss_table_one_bit,
                                           .max_size_bits =
                                               SEENSET_MAX_SIZE_BITS};

/* The kernels this processor can run, the fastest first. */
static const ss_layout *runnable_kernel(size_t index)
{
    const ss_layout *kernels[2] = {0};
    size_t count = 0;
#if SS_HAS_X86_KERNELS
    if (__builtin_cpu_supports("bmi2"))
        kernels[count++] = &ss_sealed_bmi2;
#endif
    kernels[count++] = &ss_sealed_portable;
    return index < count ? kernels[index] : NULL;
}

const ss_layout *ss_sealed_best(void)
{
    return runnable_kernel(0);
}

const ss_layout *ss_sealed_kernel(size_t index)
{
    return runnable_kernel(index);
}
