/* valkey_bloom.c - see valkey_bloom.h */
#include "key/foreign/valkey_bloom.h"

#include <string.h>

enum {
    VERSION = 1,
    FILTER_VERSION = 1,
    FILTER_HEAD_BYTES = 1 + 8 + 4 + SR_VALKEY_SEED_BYTES
};

/* ---- reading what BF.LOAD takes ---- */

/* What is left of the bytes. A read past their end gives zeros, and sets
 * is_short. */
typedef struct reading {
    const uint8_t *at;
    size_t left;
    bool is_short;
} reading;

static const uint8_t *read_bytes(reading *from, uint64_t len)
{
    static const uint8_t zeros[SR_VALKEY_SEED_BYTES];
    if (from->is_short || len > from->left) {
        from->is_short = true;
        return zeros;
    }
    const uint8_t *found = from->at;
    from->at += len;
    from->left -= (size_t)len;
    return found;
}

static uint64_t read_number(reading *from, size_t bytes)
{
    const uint8_t *at = read_bytes(from, bytes);
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)at[i] << (8 * i);
    return number;
}

static double read_double(reading *from)
{
    uint64_t word = read_number(from, 8);
    double number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static bool is_part(double number)
{
    return number > 0 && number < 1;
}

static uint32_t options_of(uint32_t expansion)
{
    uint32_t options = SR_CHAIN_64_BITS | SR_CHAIN_VALKEY;
    return expansion == 0 ? options | SR_CHAIN_FIXED : options;
}

/* Up to the filters; their count is returned, 0 if it cannot be. */
static uint32_t read_head(reading *from, sr_chain *chain)
{
    chain->growth = (uint32_t)read_number(from, 4);
    chain->rate = read_double(from);
    chain->tightening = read_double(from);
    uint64_t is_seed_random = read_number(from, 1);
    uint64_t count = read_number(from, 8);
    chain->options = options_of(chain->growth);
    if (from->is_short || !is_part(chain->rate) ||
        !is_part(chain->tightening) || is_seed_random > 1 ||
        count > SR_CHAIN_MAX_LINKS)
        return 0;
    return (uint32_t)count;
}

/* All of a filter but its bits, which *bits is set to. */
static int read_filter(reading *from, sr_chain *chain, sr_link *link,
                       const uint8_t **bits)
{
    uint64_t len = read_number(from, 8);
    uint64_t version = read_number(from, 1);
    *link = (sr_link){.bytes = read_number(from, 8)};
    link->hashes = (uint32_t)read_number(from, 4);
    const uint8_t *seed = read_bytes(from, SR_VALKEY_SEED_BYTES);
    if (from->is_short || version != FILTER_VERSION ||
        len < FILTER_HEAD_BYTES || link->bytes != len - FILTER_HEAD_BYTES)
        return SEENSET_ECORRUPT;
    *bits = read_bytes(from, link->bytes);
    link->bits = link->bytes * 8;
    link->size = read_number(from, 8);
    link->entries = read_number(from, 8);
    link->error = sr_valkey_rate(chain->rate, chain->tightening, chain->count);
    link->bits_per_entry = (double)link->bits / (double)link->entries;
    if (chain->count == 0)
        memcpy(chain->seed, seed, sizeof chain->seed);
    bool is_sound = !from->is_short && link->entries <= SR_VALKEY_MAX_ITEMS &&
                    link->size <= link->entries &&
                    memcmp(chain->seed, seed, sizeof chain->seed) == 0;
    return is_sound ? 0 : SEENSET_ECORRUPT;
}

static int read_filters(reading *from, sr_chain *chain, uint32_t count)
{
    int error = 0;
    while (error == 0 && chain->count < count) {
        sr_link link;
        const uint8_t *bits = NULL;
        error = read_filter(from, chain, &link, &bits);
        if (error == 0)
            error = sr_chain_append(chain, &link, bits);
    }
    return error == 0 && from->left != 0 ? SEENSET_ECORRUPT : error;
}

int sr_valkey_open(sr_chain **out, const uint8_t *bytes, size_t len)
{
    reading from = {.at = bytes, .left = len};
    sr_chain head = {0};
    uint64_t version = read_number(&from, 1);
    if (!from.is_short && version != VERSION)
        return SEENSET_EUNSUPPORTED;
    uint32_t count = read_head(&from, &head);
    if (count == 0)
        return SEENSET_ECORRUPT;
    sr_chain *chain = sr_chain_new(&head, count);
    if (chain == NULL)
        return SEENSET_ENOMEM;
    int error = read_filters(&from, chain, count);
    if (error != 0) {
        sr_chain_free(chain);
        return error;
    }
    *out = chain;
    return 0;
}

/* ---- a new filter ---- */

uint64_t sr_valkey_scaled(const sr_valkey_filter *filter, uint64_t until_items,
                          uint64_t *bytes)
{
    uint64_t items = 0, next = filter->capacity;
    *bytes = 0;
    for (uint32_t i = 0; i < SR_CHAIN_MAX_LINKS && items < until_items; i++) {
        sr_valkey_size size;
        if (sr_valkey_plan(filter->rate, filter->tightening, i, next, &size) !=
            0)
            break;
        items += next;
        *bytes += size.bytes;
        if (filter->expansion == 0 ||
            __builtin_mul_overflow(next, filter->expansion, &next))
            break;
    }
    return items;
}

int sr_valkey_new(sr_chain **out, const sr_valkey_filter *filter)
{
    sr_link first;
    sr_chain head = {.growth = filter->expansion,
                     .options = options_of(filter->expansion),
                     .rate = filter->rate,
                     .tightening = filter->tightening};
    memcpy(head.seed, filter->seed, sizeof head.seed);
    int error = sr_chain_plan_valkey(&head, filter->capacity, &first);
    if (error != 0)
        return error;
    sr_chain *chain = sr_chain_new(&head, 1);
    if (chain == NULL)
        return SEENSET_ENOMEM;
    error = sr_chain_append(chain, &first, NULL);
    if (error != 0) {
        sr_chain_free(chain);
        return error;
    }
    *out = chain;
    return 0;
}

sr_valkey_filter sr_valkey_filter_of(const sr_chain *chain)
{
    sr_valkey_filter filter = {.rate = chain->rate,
                               .tightening = chain->tightening,
                               .capacity = chain->links[0].entries,
                               .expansion = chain->growth};
    memcpy(filter.seed, chain->seed, sizeof filter.seed);
    return filter;
}
