/* ops.c - see ops.h */
#include "bf/ops.h"

bool bf_is_filter(const sr_target *target)
{
    return target->state == SR_SET || target->state == SR_CHAIN;
}

int bf_add_key(sr_value *value, const seenset_key *key)
{
    return value->chain != NULL ? sr_chain_add(value->chain, key)
                                : seenset_add(value->set, key->data, key->len);
}

int bf_has_key(const sr_value *value, const seenset_key *key)
{
    return value->chain != NULL ? sr_chain_has(value->chain, key)
                                : seenset_has(value->set, key->data, key->len);
}

int bf_add_keys(sr_value *value, const seenset_key *keys, size_t count,
                uint8_t *answers)
{
    if (value->chain == NULL)
        return seenset_add_many(value->set, keys, count, answers);
    int error = 0;
    for (size_t i = 0; i < count; i++) {
        int answer = sr_chain_add(value->chain, &keys[i]);
        error = answer < 0 ? answer : error;
        answers[i] = answer < 0 ? SEENSET_ANSWER_REFUSED : (uint8_t)answer;
    }
    return error;
}

int bf_has_keys(const sr_value *value, const seenset_key *keys, size_t count,
                uint8_t *answers)
{
    if (value->chain == NULL)
        return seenset_has_many(value->set, keys, count, answers);
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)sr_chain_has(value->chain, &keys[i]);
    return 0;
}

static seenset_info info_of(const sr_value *value)
{
    seenset_info info = {0};
    seenset_get_info(value->set, &info, sizeof info);
    return info;
}

uint32_t bf_table_count(const sr_value *value)
{
    return value->chain != NULL ? value->chain->count
                                : info_of(value).table_count;
}

bf_table bf_get_table(const sr_value *value, uint32_t i)
{
    if (value->chain != NULL) {
        const sr_link *link = &value->chain->links[i];
        return (bf_table){.bytes = link->bytes,
                          .bits = link->bits,
                          .capacity = link->entries,
                          .items = link->size,
                          .hashes = link->hashes,
                          .rate = link->error};
    }
    seenset_table_info table = {0};
    seenset_get_table_info(value->set, i, &table, sizeof table);
    return (bf_table){.bytes = table.memory_bytes,
                      .bits = table.size_bits,
                      .capacity = table.capacity_items,
                      .items = table.added_items,
                      .hashes = table.hash_count,
                      .rate = table.fp_rate};
}

uint64_t bf_items(const sr_value *value)
{
    return value->chain != NULL ? value->chain->size
                                : info_of(value).added_items;
}

uint64_t bf_expansion(const sr_value *value)
{
    const sr_chain *chain = value->chain;
    if (chain == NULL)
        return value->expansion;
    return (chain->options & SR_CHAIN_FIXED) != 0 ? 0 : chain->growth;
}
