/*
 * growing.h - what tests of a table that grows in place ask of any of them.
 */
#ifndef TEST_GROWING_H
#define TEST_GROWING_H

#include "expand/expand.h"
#include "support.h"

static inline ss_expand *make(ss_expand_options options)
{
    ss_expand *expand = NULL;
    assert_int_equal(ss_expand_new(&expand, &options), SEENSET_OK);
    return expand;
}

static inline void check_whole(const ss_expand *expand)
{
    const char *fault = ss_expand_verify(expand);
    if (fault != NULL)
        fail_msg("%s", fault);
}

/* Hash i of a stream, those of which share so many upper bits. */
static inline uint64_t hash_of(uint64_t i, uint32_t shared_bits)
{
    return shared_bits == 0 ? test_mix(i) : test_mix(i) >> shared_bits;
}

static inline void check_has(const ss_expand *expand, uint64_t count,
                             uint32_t shared)
{
    enum {
        BATCH = 1000
    };
    for (uint64_t i = 0; i < count; i += BATCH) {
        uint64_t hashes[BATCH];
        uint8_t is_seen[BATCH];
        size_t here = count - i < BATCH ? (size_t)(count - i) : BATCH;
        for (size_t j = 0; j < here; j++)
            hashes[j] = hash_of(i + j, shared);
        assert_int_equal(ss_expand_has_many(expand, hashes, here, is_seen),
                         here);
        for (size_t j = 0; j < here; j++) {
            assert_int_equal(is_seen[j], 1);
            assert_int_equal(ss_expand_has(expand, hashes[j]), 1);
        }
    }
}

/* Two tables with the same history have the same lines. */
static inline void check_same_lines(const ss_expand *one,
                                    const ss_expand *other)
{
    uint64_t hash = 0, step = UINT64_C(1) << 58;
    do {
        const ss_entry *a = ss_directory_find(&one->directory, hash);
        const ss_entry *b = ss_directory_find(&other->directory, hash);
        assert_int_equal(ss_entry_pages(a), ss_entry_pages(b));
        for (uint32_t i = 0; i < ss_entry_pages(a); i++)
            assert_memory_equal(ss_entry_page(a, i), ss_entry_page(b, i),
                                (size_t)64 << one->pool.line_shift);
        hash += step;
    } while (hash != 0);
}

#endif
