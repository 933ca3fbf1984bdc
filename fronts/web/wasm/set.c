/* set.c - a set made, given keys one by one, and put together with others */
#include "wasm/web.h"

int WEB_CALL(web_new)(seenset **out)
{
    return seenset_new(out, web_options());
}

int WEB_CALL(web_copy)(seenset **out, const seenset *set)
{
    return seenset_copy(out, set);
}

int WEB_CALL(web_from_bits)(seenset **out, const void *bytes,
                            uint32_t size_bytes)
{
    return seenset_from_bits(out, web_options(), bytes, size_bytes);
}

/* Works in the array of hashes itself. */
int WEB_CALL(web_seal_hashes)(seenset **out, uint64_t *hashes,
                              uint32_t hash_count)
{
    return seenset_build_sealed_hashes(out, web_options(), hashes, hash_count,
                                       NULL, NULL);
}

int WEB_CALL(web_seal)(seenset **out, const seenset_key *keys,
                       uint32_t key_count)
{
    return seenset_build_sealed(out, web_options(), keys, key_count, NULL,
                                NULL);
}

int WEB_CALL(web_clear)(seenset *set)
{
    return seenset_clear(set);
}

int WEB_CALL(web_expect)(seenset *set, double items)
{
    return seenset_expect(set, (uint64_t)items);
}

/* ---- keys ---- */

int WEB_CALL(web_add)(seenset *set, const void *key, uint32_t key_len)
{
    return seenset_add(set, key, key_len);
}

int WEB_CALL(web_has)(const seenset *set, const void *key, uint32_t key_len)
{
    return seenset_has(set, key, key_len);
}

int WEB_CALL(web_remove)(seenset *set, const void *key, uint32_t key_len)
{
    return seenset_remove(set, key, key_len);
}

int WEB_CALL(web_count)(const seenset *set, const void *key, uint32_t key_len)
{
    uint64_t count = 0;
    int error = seenset_count(set, key, key_len, &count);
    web_numbers[0] = (double)count;
    return error;
}

/* Stores the lower and the upper half. */
void WEB_CALL(web_hash)(const void *key, uint32_t key_len)
{
    uint64_t hash = seenset_hash(key, key_len);
    web_numbers[0] = (uint32_t)hash;
    web_numbers[1] = (double)(hash >> 32);
}

uint32_t WEB_CALL(web_shard)(const void *key, uint32_t key_len, uint32_t shards)
{
    return seenset_shard(seenset_hash(key, key_len), shards);
}

int WEB_CALL(web_make_secret)(uint8_t *secret)
{
    return seenset_make_secret(secret);
}

/* ---- two sets ---- */

int WEB_CALL(web_merge)(seenset *into, const seenset *from)
{
    return seenset_merge(into, from);
}

int WEB_CALL(web_intersect)(seenset *into, const seenset *from)
{
    return seenset_intersect(into, from);
}

int WEB_CALL(web_is_superset)(const seenset *set, const seenset *other)
{
    bool contains = false;
    int error = seenset_is_superset(set, other, &contains);
    return error != SEENSET_OK ? error : contains;
}

const char *WEB_CALL(web_overlap_names)(void)
{
    return FIGURES_OVERLAP(WEB_NAME);
}

int WEB_CALL(web_overlap)(const seenset *a, const seenset *b)
{
    seenset_overlap from = {0};
    int error = seenset_get_overlap(a, b, &from, sizeof from);
    double *next = web_numbers;
    FIGURES_OVERLAP(WEB_STORE)
    return error;
}
