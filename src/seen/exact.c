/* exact.c - the table of URLs; exact_file.c has its file */
#include "seen/exact.h"

#include <string.h>

#include "base/bits.h"

enum {
    CHUNK_BYTES = 64 << 10,
    LEAST_SLOTS = 64
};

void ss_exact_init(ss_exact *exact, const ss_memory *memory)
{
    *exact = (ss_exact){.memory = memory};
}

static size_t memory_of(size_t room)
{
    return sizeof(ss_exact_chunk) + room;
}

void ss_exact_free(ss_exact *exact)
{
    for (ss_exact_chunk *chunk = exact->first, *next; chunk != NULL;
         chunk = next) {
        next = chunk->next;
        ss_memory_free(exact->memory, chunk, memory_of(chunk->room), 1);
    }
    ss_memory_free(exact->memory, exact->slots, exact->slot_count,
                   sizeof *exact->slots);
    ss_exact_init(exact, exact->memory);
}

uint64_t ss_exact_memory_bytes(const ss_exact *exact)
{
    return exact->slot_count * sizeof *exact->slots + exact->chunk_bytes;
}

/* ---- slots ---- */

static bool is_url(const ss_exact_slot *slot, const ss_pushed *url)
{
    return slot->hash == url->hash &&
           ss_bits_load(slot->url, SS_EXACT_LENGTH_BYTES) == url->url_len &&
           (url->url_len == 0 || memcmp(slot->url + SS_EXACT_LENGTH_BYTES,
                                        url->url, url->url_len) == 0);
}

/* Where a URL is, or the empty slot where it would be. */
static ss_exact_slot *find(const ss_exact *exact, const ss_pushed *url)
{
    size_t place = (size_t)ss_hash_range(url->hash, exact->slot_count);
    while (exact->slots[place].url != NULL &&
           !is_url(&exact->slots[place], url))
        place = place + 1 == exact->slot_count ? 0 : place + 1;
    return &exact->slots[place];
}

bool ss_exact_has(const ss_exact *exact, const ss_pushed *url)
{
    return exact->count > 0 && find(exact, url)->url != NULL;
}

/* Moves a slot to a table in which all URLs differ. */
static void move(ss_exact_slot *slots, size_t slot_count,
                 const ss_exact_slot *from)
{
    size_t place = (size_t)ss_hash_range(from->hash, slot_count);
    while (slots[place].url != NULL)
        place = place + 1 == slot_count ? 0 : place + 1;
    slots[place] = *from;
}

static bool reserve_slot(ss_exact *exact)
{
    if ((exact->count + 1) * 3 <= (uint64_t)exact->slot_count * 2)
        return true;
    size_t wanted =
        exact->slot_count == 0 ? LEAST_SLOTS : exact->slot_count * 2;
    ss_exact_slot *slots =
        ss_memory_alloc(exact->memory, wanted, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < exact->slot_count; i++) {
        if (exact->slots[i].url != NULL)
            move(slots, wanted, &exact->slots[i]);
    }
    ss_memory_free(exact->memory, exact->slots, exact->slot_count,
                   sizeof *slots);
    exact->slots = slots;
    exact->slot_count = wanted;
    return true;
}

/* ---- chunks ---- */

ss_exact_chunk *ss_exact_add_chunk(ss_exact *exact, size_t room)
{
    ss_exact_chunk *chunk = ss_memory_alloc(exact->memory, memory_of(room), 1);
    if (chunk == NULL)
        return NULL;
    chunk->room = room;
    if (exact->last != NULL)
        exact->last->next = chunk;
    else
        exact->first = chunk;
    exact->last = chunk;
    exact->chunk_count++;
    exact->chunk_bytes += memory_of(room);
    return chunk;
}

static bool reserve_bytes(ss_exact *exact, size_t wanted)
{
    const ss_exact_chunk *last = exact->last;
    if (last != NULL && last->room - last->used >= wanted)
        return true;
    return ss_exact_add_chunk(
               exact, wanted > CHUNK_BYTES ? wanted : CHUNK_BYTES) != NULL;
}

int ss_exact_take(ss_exact *exact, const ss_pushed *url, const uint8_t *stored)
{
    if (!reserve_slot(exact))
        return SEENSET_ENOMEM;
    ss_exact_slot *slot = find(exact, url);
    if (slot->url != NULL)
        return 0;
    *slot = (ss_exact_slot){url->hash, stored};
    exact->count++;
    return 1;
}

int ss_exact_add(ss_exact *exact, const ss_pushed *url)
{
    size_t wanted = SS_EXACT_LENGTH_BYTES + url->url_len;
    if (ss_exact_has(exact, url))
        return 0;
    if (!reserve_slot(exact) || !reserve_bytes(exact, wanted))
        return SEENSET_ENOMEM;
    uint8_t *stored = ss_exact_bytes(exact->last) + exact->last->used;
    ss_bits_store(stored, SS_EXACT_LENGTH_BYTES, url->url_len);
    if (url->url_len > 0)
        memcpy(stored + SS_EXACT_LENGTH_BYTES, url->url, url->url_len);
    exact->last->used += wanted;
    return ss_exact_take(exact, url, stored);
}

int ss_exact_visit(const ss_exact *exact, ss_exact_visitor *visit,
                   void *context)
{
    int result = 0;
    for (const ss_exact_chunk *chunk = exact->first; chunk != NULL;
         chunk = chunk->next) {
        const uint8_t *bytes = ss_exact_bytes(chunk);
        for (size_t at = 0; at < chunk->used && result == 0;) {
            size_t url_len =
                (size_t)ss_bits_load(bytes + at, SS_EXACT_LENGTH_BYTES);
            at += SS_EXACT_LENGTH_BYTES;
            result = visit(context, bytes + at, url_len);
            at += url_len;
        }
    }
    return result;
}
