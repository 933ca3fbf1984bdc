/*
 * fuse_support.h - what the tests of the sealed layout's engine share: the
 * kinds of tables, the hashes, and the memory.
 */
#ifndef TEST_FUSE_SUPPORT_H
#define TEST_FUSE_SUPPORT_H

#include <stdlib.h>

#include "table/sealed/build.h"
#include "table/sealed/table.h"
#include "support.h"

static const unsigned arities[] = {3, 4};
static const unsigned widths[] = {7, 16, 32, 8, 4, 13, 31};
#define WIDTHS TEST_COUNT(widths)

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

static inline ss_table fuse_table(const ss_fuse_shape *shape,
                                  const uint64_t *words)
{
    return (ss_table){.words = (uint64_t *)(uintptr_t)words, .fuse = *shape};
}

/* What all kernels answer. */
static inline bool fuse_has(const ss_fuse_shape *shape, const uint64_t *words,
                            uint64_t hash)
{
    const ss_table table = fuse_table(shape, words);
    int seen = ss_sealed_kernel(0)->has(&table, hash);
    for (size_t i = 1; ss_sealed_kernel(i) != NULL; i++)
        assert_int_equal(ss_sealed_kernel(i)->has(&table, hash), seen);
    return seen;
}

static inline size_t fuse_has_many(const ss_fuse_shape *shape,
                                   const uint64_t *words, const ss_batch *batch,
                                   uint8_t *is_seen)
{
    const ss_table table = fuse_table(shape, words);
    uint8_t *others = malloc(batch->count + 1);
    assert_non_null(others);
    size_t seen = ss_sealed_kernel(0)->has_many(&table, batch, is_seen);
    for (size_t i = 1; ss_sealed_kernel(i) != NULL; i++) {
        assert_int_equal(ss_sealed_kernel(i)->has_many(&table, batch, others),
                         seen);
        assert_memory_equal(others, is_seen, batch->count);
    }
    free(others);
    return seen;
}

/* By the fastest kernel: how many of hashes number first, first + 1, ... are
 * found. */
static inline uint64_t count_found(const ss_fuse *fuse, uint64_t first,
                                   uint64_t count)
{
    const ss_table table = fuse_table(&fuse->shape, fuse->words);
    uint64_t found = 0;
    for (uint64_t i = first; i < first + count; i++)
        found += (uint64_t)ss_sealed_best()->has(&table, test_mix(i));
    return found;
}

#endif
