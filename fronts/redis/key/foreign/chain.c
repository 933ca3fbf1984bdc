/* chain.c - asking and adding, by the rule of where it is from; see chain.h */
#include "key/foreign/chain.h"

#include <math.h>

#include "key/foreign/murmur64a.h"
#include "seenset/extra/bits.h"

typedef struct pair {
    uint64_t first, step;
} pair;

static pair hash(const sr_chain *chain, const seenset_key *key)
{
    pair hashed;
    if (sr_chain_is_valkey(chain)) {
        sr_valkey_hash(chain->seed, key, &hashed.first, &hashed.step);
        return hashed;
    }
    hashed.first = sr_murmur64a(key->data, key->len, 0xc6a4a7935bd1e995);
    hashed.step = sr_murmur64a(key->data, key->len, hashed.first);
    return hashed;
}

static uint64_t bit_of(const sr_chain *chain, const sr_link *link, pair hashed,
                       uint32_t i)
{
    uint64_t bit = sr_chain_is_valkey(chain)
                       ? sr_valkey_bit(hashed.first, hashed.step, i)
                       : hashed.first + i * hashed.step;
    return bit % link->bits;
}

static int link_has(const sr_chain *chain, const sr_link *link, pair hashed)
{
    for (uint32_t i = 0; i < link->hashes; i++) {
        uint64_t bit = bit_of(chain, link, hashed, i);
        if (seenset_bits_test(link->data, link->bytes, bit) != 1)
            return 0;
    }
    return 1;
}

static int chain_has(const sr_chain *chain, pair hashed)
{
    for (uint32_t i = chain->count; i-- > 0;) {
        if (link_has(chain, &chain->links[i], hashed))
            return 1;
    }
    return 0;
}

int sr_chain_has(const sr_chain *chain, const seenset_key *key)
{
    return chain_has(chain, hash(chain, key));
}

/* The next link: RedisBloom's sizes, -ln p / ln(2)^2 bits an entry, and the
 * bits rounded up to whole words. Its constants have 15 digits, and it refuses
 * a number of hashes that is not the one that follows from them. */
static int plan_link(const sr_chain *chain, sr_link *planned)
{
    const sr_link *last = &chain->links[chain->count - 1];
    const double ln2 = 0.693147180559945, ln2_squared = 0.480453013918201;
    *planned = (sr_link){.error = last->error * 0.5};
    if (__builtin_mul_overflow(last->entries, chain->growth, &planned->entries))
        return SEENSET_ETOOBIG;
    planned->bits_per_entry = -log(planned->error) / ln2_squared;
    double bits = (double)planned->entries * planned->bits_per_entry;
    if (!(bits >= 1 && bits < (double)SEENSET_MAX_SIZE_BITS))
        return SEENSET_ETOOBIG;
    planned->bytes = ((uint64_t)bits + 63) / 64 * 8;
    planned->bits = planned->bytes * 8;
    planned->hashes = (uint32_t)ceil(ln2 * planned->bits_per_entry);
    return 0;
}

int sr_chain_plan_valkey(const sr_chain *chain, uint64_t entries,
                         sr_link *planned)
{
    sr_valkey_size size;
    int error = sr_valkey_plan(chain->rate, chain->tightening, chain->count,
                               entries, &size);
    if (error != 0)
        return error;
    *planned = (sr_link){.error = size.rate,
                         .bytes = size.bytes,
                         .bits = 8 * size.bytes,
                         .hashes = size.hashes,
                         .entries = entries};
    planned->bits_per_entry = (double)planned->bits / (double)entries;
    return 0;
}

static int plan_next_valkey(const sr_chain *chain, sr_link *planned)
{
    uint64_t entries = chain->links[chain->count - 1].entries;
    if (__builtin_mul_overflow(entries, chain->growth, &entries))
        return SEENSET_ETOOBIG;
    return sr_chain_plan_valkey(chain, entries, planned);
}

static int grow(sr_chain *chain)
{
    sr_link planned;
    int error = sr_chain_is_valkey(chain) ? plan_next_valkey(chain, &planned)
                                          : plan_link(chain, &planned);
    return error != 0 ? error : sr_chain_append(chain, &planned, NULL);
}

int sr_chain_add(sr_chain *chain, const seenset_key *key)
{
    pair hashed = hash(chain, key);
    if (chain_has(chain, hashed))
        return 0;
    sr_link *last = &chain->links[chain->count - 1];
    if (last->size >= last->entries) {
        bool is_fixed =
            (chain->options & SR_CHAIN_FIXED) != 0 || chain->growth == 0;
        int error = is_fixed ? SEENSET_EFULL : grow(chain);
        if (error != 0)
            return error;
        last = &chain->links[chain->count - 1];
    }
    for (uint32_t i = 0; i < last->hashes; i++)
        seenset_bits_set(last->data, last->bytes,
                         bit_of(chain, last, hashed, i));
    last->size++;
    chain->size++;
    return 1;
}
