/*
 * index_md5.c - indices that are the digits, to base m, of an MD5 digest.
 *
 *     x = 0, text = key
 *     k times: while x < m: append '.' to text, x = MD5(text)
 *              index = x mod m, x = x / m
 *
 * x is the digest as a number of 128 bits, most significant byte first. It
 * starts below every m, so the first digest already has a '.' in it. The last
 * digit that a digest gives is skewed: low indices can be twice as likely
 * there as high ones.
 *
 * The key is digested once: the state after it, and after each '.', is kept
 * and a copy of it finished. MD5 is broken against forgers, and this
 * scheme with it.
 */
#include "base/wide.h"
#include "hash/index_scheme.h"
#include "hash/md5.h"

static uint64_t read_half(const uint8_t *bytes)
{
    uint64_t half = 0;
    for (int i = 0; i < 8; i++)
        half = half << 8 | bytes[i];
    return half;
}

/* Appends a '.' to the text and digests it whole. */
static ss_wide next_digest(ss_md5 *text)
{
    uint8_t digest[SS_MD5_DIGEST_BYTES];
    ss_md5_add(text, ".", 1);
    ss_md5 copy = *text;
    ss_md5_end(&copy, digest);
    return (ss_wide){.high = read_half(digest), .low = read_half(digest + 8)};
}

static void md5_indices(const ss_scheme_arguments *arguments, const void *key,
                        size_t key_len, uint64_t size_bits, uint32_t hash_count,
                        uint64_t *indices)
{
    ss_md5 text;
    ss_wide x = {0, 0};
    (void)arguments;
    ss_md5_start(&text);
    ss_md5_add(&text, key, key_len);
    for (uint32_t i = 0; i < hash_count; i++) {
        while (x.high == 0 && x.low < size_bits)
            x = next_digest(&text);
        indices[i] = ss_wide_divide(&x, size_bits);
    }
}

const ss_scheme ss_scheme_md5_divmod = {.id = SS_SCHEME_MD5_DIVMOD,
                                        .name = "md5-divmod",
                                        .first_file_version = 2,
                                        .min_hash_count = 1,
                                        .max_hash_count = SS_SCHEME_MAX_INDICES,
                                        .max_size_bits =
                                            SS_SCHEME_MAX_SIZE_BITS,
                                        .indices = md5_indices};
