/*
 * workload.c - the keys, the same for everyone: 8-byte numbers and URLs.
 *
 * Key i is a function of i, a bijection of 64 bits (SplitMix64), so keys of
 * different i differ. A URL carries its number in hexadecimal. Windows are at
 * most 4 Mi keys, more than any cache holds lines; what else a large table
 * holds is never asked for and is made as it is added.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "hash/xxh3.h"

static const size_t most_keys = (size_t)4 << 20;

void *take(size_t count, size_t size_bytes)
{
    void *block = calloc(count, size_bytes);
    require(block != NULL, "out of memory");
    return block;
}

uint64_t workload_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t workload_rest(uint64_t i)
{
    return workload_mix(i + (UINT64_C(1) << 50));
}

/* 55 or 56 bytes; the number is near the end, as in most real URLs. */
static void write_url(char *to, uint64_t number, size_t url_bytes)
{
    static const char model[] =
        "https://www.example.org/articles/0123456789abcdef/page.htm";
    static const char digits[] = "0123456789abcdef";
    memcpy(to, model, 33);
    for (int i = 0; i < 16; i++)
        to[33 + i] = digits[number >> (60 - 4 * i) & 15];
    memcpy(to + 49, "/a.html", url_bytes - 49);
    to[url_bytes] = '\0';
}

static void window_make(window *out, uint64_t first, size_t count,
                        size_t url_bytes)
{
    *out = (window){.count = count, .url_bytes = url_bytes};
    out->numbers = take(count, sizeof *out->numbers);
    out->urls = take(count, url_bytes + 1);
    out->number_keys = take(count, sizeof *out->number_keys);
    out->url_keys = take(count, sizeof *out->url_keys);
    out->number_hashes = take(count, sizeof *out->number_hashes);
    out->url_hashes = take(count, sizeof *out->url_hashes);
    for (size_t i = 0; i < count; i++) {
        char *url = out->urls + i * (url_bytes + 1);
        out->numbers[i] = workload_mix(first + i);
        write_url(url, out->numbers[i], url_bytes);
        out->number_keys[i] = (seenset_key){&out->numbers[i], 8};
        out->url_keys[i] = (seenset_key){url, url_bytes};
        out->number_hashes[i] = ss_hash_key(&out->numbers[i], 8);
        out->url_hashes[i] = ss_hash_key(url, url_bytes);
    }
}

static void window_free(window *keys)
{
    free(keys->numbers);
    free(keys->urls);
    free(keys->number_keys);
    free(keys->url_keys);
    free(keys->number_hashes);
    free(keys->url_hashes);
}

void workload_make(workload *out, uint64_t items, size_t url_bytes)
{
    size_t count = items / 4 < most_keys ? (size_t)items / 4 : most_keys;
    *out = (workload){.items = items,
                      .rest_count = items - 3 * (uint64_t)count,
                      .url_name = url_bytes == 55 ? "url55" : "url56"};
    window_make(&out->hits, 0, count, url_bytes);
    window_make(&out->news, UINT64_C(1) << 40, count, url_bytes);
    window_make(&out->misses, UINT64_C(2) << 40, count, url_bytes);
    out->answers = take(count, 1);
    out->scratch = take(count, sizeof *out->scratch);
}

size_t workload_few(const workload *load)
{
    size_t most = (size_t)1 << 20;
    return load->news.count < most ? load->news.count : most;
}

void workload_free(workload *load)
{
    window_free(&load->hits);
    window_free(&load->news);
    window_free(&load->misses);
    free(load->answers);
    free(load->scratch);
}
