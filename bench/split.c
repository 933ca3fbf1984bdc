/*
 * split.c - the limit of dedup: reading a file, finding its lines, and hashing
 * them, with nothing done about it.
 *
 * The file is read in blocks that stay in the cache, as wc does it, and the
 * unfinished line at the end of a block moves to the front of the next.
 * Newlines are found by memchr, one line at a time, or 32 bytes at a time, by
 * comparing a vector and taking its mask of bits apart (AVX2 where there is
 * one, SSE2 otherwise).
 */
#define _GNU_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "hash/xxh3.h"

enum {
    BLOCK_BYTES = 256 * 1024,
    PAD_BYTES = 64
};

/* What was found, so that no work can be left out. */
typedef struct found {
    uint64_t lines;
    uint64_t bytes;
    uint64_t hashes; /* the XOR of all */
} found;

/* Finds the lines in block[0..size); returns where the last one ended. */
typedef size_t split(const char *block, size_t size, found *out);

static size_t by_memchr(const char *block, size_t size, found *out)
{
    const char *line = block, *end = block + size, *stop;
    while ((stop = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        out->lines++;
        out->bytes += (uint64_t)(stop - line);
        line = stop + 1;
    }
    return (size_t)(line - block);
}

#if defined(__x86_64__)
/* Inlined with is_hashed constant. The block is padded with zeros. */
#define ALWAYS_INLINE_AVX2 __attribute__((always_inline, target("avx2"))) inline
static ALWAYS_INLINE_AVX2 size_t by_masks(const char *block, size_t size,
                                          found *out, bool is_hashed)
{
    const __m256i newline = _mm256_set1_epi8('\n');
    size_t line = 0;
    uint64_t lines = 0, bytes = 0, hashes = 0;
    for (size_t i = 0; i < size; i += 64) {
        const __m256i *at = (const __m256i *)(const void *)(block + i);
        uint32_t low = (uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(_mm256_loadu_si256(at), newline));
        uint32_t high = (uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(_mm256_loadu_si256(at + 1), newline));
        for (uint64_t mask = low | (uint64_t)high << 32; mask != 0;
             mask &= mask - 1) {
            size_t stop = i + (size_t)__builtin_ctzll(mask);
            lines++;
            bytes += stop - line;
            if (is_hashed)
                hashes ^= ss_hash_key(block + line, stop - line);
            line = stop + 1;
        }
    }
    out->lines += lines;
    out->bytes += bytes;
    out->hashes ^= hashes;
    return line;
}

__attribute__((target("avx2"))) static size_t
by_movemask(const char *block, size_t size, found *out)
{
    return by_masks(block, size, out, false);
}

__attribute__((target("avx2"))) static size_t
by_movemask_hashed(const char *block, size_t size, found *out)
{
    return by_masks(block, size, out, true);
}
#endif

static found split_file(const char *path, split *how)
{
    found out = {0};
    char *block = take(BLOCK_BYTES + PAD_BYTES, 1);
    int fd = open(path, O_RDONLY);
    require(fd >= 0, "cannot open the lines");
    size_t kept = 0;
    ssize_t got;
    while ((got = read(fd, block + kept, BLOCK_BYTES - kept)) > 0) {
        size_t size = kept + (size_t)got;
        memset(block + size, 0, PAD_BYTES);
        size_t done = how(block, size, &out);
        kept = size - done;
        memmove(block, block + done, kept);
    }
    close(fd);
    free(block);
    return out;
}

typedef struct way {
    const char *name;
    split *how;
} way;

static size_t ways(way out[SPLIT_WAYS])
{
    size_t count = 0;
    out[count++] = (way){"read + split by memchr", by_memchr};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        out[count++] = (way){"read + split by masks", by_movemask};
        out[count++] =
            (way){"read + split by masks + hash", by_movemask_hashed};
    }
#endif
    return count;
}

size_t split_round(const char *path, uint64_t lines, double *seconds)
{
    way all[SPLIT_WAYS];
    size_t count = ways(all);
    for (size_t i = 0; i < count; i++) {
        double start = now_seconds();
        found out = split_file(path, all[i].how);
        seconds[i] = now_seconds() - start;
        require(out.lines == lines, "a line was lost in splitting");
    }
    return count;
}

const char *split_name(size_t number)
{
    way all[SPLIT_WAYS];
    (void)ways(all);
    return all[number].name;
}
