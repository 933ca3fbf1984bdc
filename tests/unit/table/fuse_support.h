/*
 * fuse_support.h - what the tests of the sealed layout's engine share: its
 * hashes, and its memory.
 */
#ifndef TEST_FUSE_SUPPORT_H
#define TEST_FUSE_SUPPORT_H

#include <stdlib.h>

#include "table/sealed/build.h"
#include "support.h"

static inline ss_memory own_memory(void)
{
    ss_memory memory;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    return memory;
}

/* Hashes number 0, 1, ... of the stream. */
static inline uint64_t *make_hashes(uint64_t count)
{
    uint64_t *hashes = malloc((size_t)count * sizeof *hashes + 8);
    assert_non_null(hashes);
    for (uint64_t i = 0; i < count; i++)
        hashes[i] = test_mix(i);
    return hashes;
}

static inline void drop(const ss_fuse *fuse)
{
    ss_memory memory = own_memory();
    ss_memory_free(&memory, fuse->words, ss_fuse_word_count(&fuse->shape), 8);
}

/* How many of hashes number first, first + 1, ... are found. */
static inline uint64_t count_found(const ss_fuse *fuse, uint64_t first,
                                   uint64_t count)
{
    uint64_t found = 0;
    for (uint64_t i = first; i < first + count; i++)
        found += ss_fuse_has(&fuse->shape, fuse->words, test_mix(i));
    return found;
}

#endif
