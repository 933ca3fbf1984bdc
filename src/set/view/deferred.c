/* deferred.c - hashes listed by the blocks they touch; the idea is in
 * deferred.h */
#include "set/view/deferred.h"

#include <string.h>

#include "hash/block_sum.h"
#include "table/classic/counter.h"
#include "table/layout.h"

enum {
    FIRST_ROOM = 256, /* hashes */
    WIDER = 4,        /* times */
    BLOCK_BITS = SS_BLOCK_BYTES * 8
};

static bool can_cross(const ss_table *table)
{
    return table->layout->count != NULL && ss_counter_can_cross(table);
}

uint32_t ss_deferred_places(const ss_table *table)
{
    uint64_t bits[SEENSET_MAX_HASH_COUNT];
    uint32_t count = table->layout->list_bits(table, 0, bits);
    return can_cross(table) ? 2 * count : count;
}

void ss_deferred_list_blocks(const ss_table *table, uint64_t hash,
                             uint64_t blocks[SS_DEFERRED_MOST_BLOCKS])
{
    uint64_t bits[SEENSET_MAX_HASH_COUNT];
    uint32_t count = table->layout->list_bits(table, hash, bits);
    bool is_crossing = can_cross(table);
    for (uint32_t i = 0; i < count; i++) {
        blocks[i] = bits[i] / BLOCK_BITS;
        if (is_crossing)
            blocks[count + i] = (bits[i] + table->cell_bits - 1) / BLOCK_BITS;
    }
}

/* ---- memory ---- */

/* As many chains as entries, or up to twice as many. */
static uint32_t head_count(uint32_t entry_count)
{
    uint32_t heads = 1;
    while (heads < entry_count)
        heads *= 2;
    return heads;
}

static void free_lists(const ss_deferred *late)
{
    const ss_memory *memory = &late->memory;
    uint32_t room = late->room_count;
    ss_memory_free(memory, late->hashes, room, sizeof *late->hashes);
    ss_memory_free(memory, late->added, ss_bits_word_count(room),
                   sizeof *late->added);
    ss_memory_free(memory, late->next, (uint64_t)room * late->entries,
                   sizeof *late->next);
    ss_memory_free(memory, late->heads, (uint64_t)late->head_mask + 1,
                   sizeof *late->heads);
}

/* Lists of that room. False: no memory, and there are none. */
static bool make_lists(ss_deferred *late, uint32_t room)
{
    const ss_memory *memory = &late->memory;
    late->room_count = room;
    late->head_mask = head_count(room * late->entries) - 1;
    late->hashes = ss_memory_alloc(memory, room, sizeof *late->hashes);
    late->added =
        ss_memory_alloc(memory, ss_bits_word_count(room), sizeof *late->added);
    late->next = ss_memory_alloc(memory, (uint64_t)room * late->entries,
                                 sizeof *late->next);
    late->heads = ss_memory_alloc(memory, (uint64_t)late->head_mask + 1,
                                  sizeof *late->heads);
    if (late->hashes != NULL && late->added != NULL && late->next != NULL &&
        late->heads != NULL)
        return true;
    free_lists(late);
    return false;
}

ss_deferred *ss_deferred_new(const ss_memory *memory, const ss_table *table,
                             uint64_t block_count)
{
    ss_deferred *late = ss_memory_alloc(memory, 1, sizeof *late);
    if (late == NULL)
        return NULL;
    late->memory = *memory;
    late->seed = ss_seeded_draw(late);
    late->places = ss_deferred_places(table);
    late->entries = late->places + 1;
    late->block_count = block_count;
    uint64_t words = ss_bits_word_count(block_count);
    late->tried = ss_memory_alloc(memory, words, sizeof *late->tried);
    late->bad = ss_memory_alloc(memory, words, sizeof *late->bad);
    if (late->tried != NULL && late->bad != NULL &&
        make_lists(late, FIRST_ROOM))
        return late;
    ss_memory_free(memory, late->tried, words, sizeof *late->tried);
    ss_memory_free(memory, late->bad, words, sizeof *late->bad);
    ss_memory_free(memory, late, 1, sizeof *late);
    return NULL;
}

void ss_deferred_free(ss_deferred *late)
{
    if (late == NULL)
        return;
    const ss_memory memory = late->memory;
    uint64_t words = ss_bits_word_count(late->block_count);
    free_lists(late);
    ss_memory_free(&memory, late->tried, words, sizeof *late->tried);
    ss_memory_free(&memory, late->bad, words, sizeof *late->bad);
    ss_memory_free(&memory, late, 1, sizeof *late);
}

uint64_t ss_deferred_memory_bytes(const ss_deferred *late)
{
    if (late == NULL)
        return 0;
    uint64_t room = late->room_count;
    return sizeof *late + room * sizeof *late->hashes +
           ss_bits_word_count(room) * sizeof *late->added +
           room * late->entries * sizeof *late->next +
           ((uint64_t)late->head_mask + 1) * sizeof *late->heads +
           2 * ss_bits_word_count(late->block_count) * sizeof *late->tried;
}

/* ---- the list ---- */

static void put_into_chain(ss_deferred *late, uint32_t entry, uint64_t of)
{
    uint32_t *head = &late->heads[of & late->head_mask];
    late->next[entry] = *head;
    *head = entry + 1;
}

static void chain(ss_deferred *late, uint32_t number, const uint64_t *blocks)
{
    uint32_t entry = number * late->entries;
    for (uint32_t i = 0; i < late->places; i++)
        put_into_chain(late, entry++, blocks[i]);
    put_into_chain(late, entry,
                   ss_seeded_mix(late->hashes[number], late->seed));
}

static void chain_all(ss_deferred *late, const ss_table *table)
{
    uint64_t blocks[SS_DEFERRED_MOST_BLOCKS];
    for (uint32_t i = 0; i < late->count; i++) {
        ss_deferred_list_blocks(table, late->hashes[i], blocks);
        chain(late, i, blocks);
    }
}

static bool make_room(ss_deferred *late, const ss_table *table)
{
    ss_deferred wider = *late;
    uint64_t most = SS_DEFERRED_MOST_ENTRIES / late->entries;
    uint64_t room = WIDER * (uint64_t)late->room_count;
    if (late->count < late->room_count)
        return true;
    if (room > most)
        room = most;
    if (room <= late->room_count || !make_lists(&wider, (uint32_t)room))
        return false;
    memcpy(wider.hashes, late->hashes, late->count * sizeof *late->hashes);
    memcpy(wider.added, late->added,
           (size_t)ss_bits_word_count(late->count) * sizeof *late->added);
    chain_all(&wider, table);
    free_lists(late);
    *late = wider;
    return true;
}

bool ss_deferred_has(const ss_deferred *late, uint64_t hash)
{
    uint32_t entry = ss_deferred_first_of(late, hash);
    while (entry != 0 && late->hashes[ss_deferred_number(late, entry)] != hash)
        entry = ss_deferred_next(late, entry);
    return entry != 0;
}

bool ss_deferred_put(ss_deferred *late, const ss_table *table,
                     const uint64_t *blocks, uint64_t hash)
{
    if (!make_room(late, table))
        return false;
    uint32_t number = late->count++;
    late->hashes[number] = hash;
    late->left++;
    chain(late, number, blocks);
    return true;
}
