/* directory.c - two levels of entries; the idea is in directory.h */
#include "expand/directory.h"

#include <string.h>

enum {
    CHUNK_BITS = 8 /* log2 of the most entries of a chunk */
};

static uint32_t bits_of(const ss_chunk *chunk)
{
    return 64 - chunk->shift;
}

static ss_entry *take_entries(ss_directory *directory, uint32_t bits)
{
    uint64_t count = UINT64_C(1) << bits;
    ss_entry *entries =
        ss_memory_alloc(directory->memory, count, sizeof *entries);
    if (entries != NULL)
        directory->chunk_bytes += count * sizeof *entries;
    return entries;
}

static void give_entries(ss_directory *directory, const ss_chunk *chunk)
{
    uint64_t count = UINT64_C(1) << bits_of(chunk);
    ss_memory_free(directory->memory, chunk->entries, count,
                   sizeof *chunk->entries);
    directory->chunk_bytes -= count * sizeof *chunk->entries;
}

bool ss_directory_init(ss_directory *directory, const ss_memory *memory,
                       const ss_entry *entry)
{
    *directory = (ss_directory){.memory = memory};
    ss_entry *entries = take_entries(directory, 1);
    directory->top = ss_memory_alloc(memory, 1, sizeof *directory->top);
    if (entries == NULL || directory->top == NULL) {
        ss_memory_free(memory, entries, 2, sizeof *entries);
        ss_memory_free(memory, directory->top, 1, sizeof *directory->top);
        directory->top = NULL;
        return false;
    }
    entries[0] = entries[1] = *entry;
    directory->top[0] = (ss_chunk){entries, 0, 63};
    return true;
}

static uint64_t top_count(const ss_directory *directory)
{
    return UINT64_C(1) << directory->top_bits;
}

void ss_directory_end(ss_directory *directory)
{
    if (directory->top == NULL)
        return;
    const ss_entry *last = NULL;
    for (uint64_t i = 0; i < top_count(directory); i++) {
        ss_chunk chunk = directory->top[i];
        if (chunk.entries != last)
            give_entries(directory, &chunk);
        last = chunk.entries;
    }
    ss_memory_free(directory->memory, directory->top, top_count(directory),
                   sizeof *directory->top);
    directory->top = NULL;
}

static bool double_top(ss_directory *directory)
{
    uint64_t count = top_count(directory);
    ss_chunk *top = ss_memory_alloc(directory->memory, 2 * count, sizeof *top);
    if (top == NULL)
        return false;
    for (uint64_t i = 0; i < 2 * count; i++)
        top[i] = directory->top[i / 2];
    ss_memory_free(directory->memory, directory->top, count, sizeof *top);
    directory->top = top;
    directory->top_bits++;
    return true;
}

/* Entries first, ..., first + count - 1 of a chunk, each of them twice. */
static void copy_twice(ss_entry *to, const ss_chunk *from, uint64_t first,
                       uint64_t count)
{
    for (uint64_t i = 0; i < 2 * count; i++)
        to[i] = from->entries[first + i / 2];
}

/* The places of the top that lead to the chunk of a hash: the first one. */
static uint64_t first_place(const ss_directory *directory, uint64_t hash,
                            const ss_chunk *chunk)
{
    uint64_t place = hash >> 1 >> (63 - directory->top_bits);
    uint64_t places = UINT64_C(1) << (directory->top_bits - chunk->skip);
    return place & ~(places - 1);
}

static void set_places(ss_directory *directory, uint64_t first, uint64_t count,
                       ss_chunk chunk)
{
    for (uint64_t i = first; i < first + count; i++)
        directory->top[i] = chunk;
}

static bool double_chunk(ss_directory *directory, uint64_t hash)
{
    ss_chunk old = *ss_directory_chunk(directory, hash);
    uint32_t bits = bits_of(&old);
    ss_entry *entries = take_entries(directory, bits + 1);
    if (entries == NULL)
        return false;
    copy_twice(entries, &old, 0, UINT64_C(1) << bits);
    set_places(directory, first_place(directory, hash, &old),
               UINT64_C(1) << (directory->top_bits - old.skip),
               (ss_chunk){entries, old.skip, old.shift - 1});
    give_entries(directory, &old);
    return true;
}

static bool part_chunk(ss_directory *directory, uint64_t hash)
{
    ss_chunk old = *ss_directory_chunk(directory, hash);
    if (old.skip == directory->top_bits && !double_top(directory))
        return false;
    uint64_t half = UINT64_C(1) << (bits_of(&old) - 1);
    ss_entry *first = take_entries(directory, bits_of(&old));
    ss_entry *second = take_entries(directory, bits_of(&old));
    if (first == NULL || second == NULL) {
        ss_chunk taken = {first != NULL ? first : second, 0, old.shift};
        if (taken.entries != NULL)
            give_entries(directory, &taken);
        return false;
    }
    copy_twice(first, &old, 0, half);
    copy_twice(second, &old, half, half);
    uint64_t place = first_place(directory, hash, &old);
    uint64_t places = UINT64_C(1) << (directory->top_bits - old.skip - 1);
    set_places(directory, place, places,
               (ss_chunk){first, old.skip + 1, old.shift});
    set_places(directory, place + places, places,
               (ss_chunk){second, old.skip + 1, old.shift});
    give_entries(directory, &old);
    return true;
}

bool ss_directory_ensure(ss_directory *directory, uint64_t hash, uint32_t depth)
{
    for (;;) {
        const ss_chunk *chunk = ss_directory_chunk(directory, hash);
        uint32_t bits = bits_of(chunk);
        if (chunk->skip + bits >= depth)
            return true;
        bool is_done = bits < CHUNK_BITS ? double_chunk(directory, hash)
                                         : part_chunk(directory, hash);
        if (!is_done)
            return false;
    }
}

void ss_directory_publish(ss_directory *directory, uint64_t hash,
                          uint32_t depth, const ss_entry *entry)
{
    uint64_t range = depth == 0 ? 0 : UINT64_MAX >> depth; /* less 1 */
    range = depth == 0 ? UINT64_MAX : range;
    uint64_t at = hash & ~range, last = at | range;
    for (;;) {
        const ss_chunk *chunk = ss_directory_chunk(directory, at);
        chunk->entries[at << chunk->skip >> chunk->shift] = *entry;
        uint64_t step = UINT64_C(1) << (64 - chunk->skip - bits_of(chunk));
        if (last - at < step)
            return;
        at += step;
    }
}

uint64_t ss_directory_bytes(const ss_directory *directory)
{
    return directory->chunk_bytes +
           top_count(directory) * sizeof *directory->top;
}
