/* leases.c - an array by number, and a heap over it by time */
#include "items/leases.h"

#include "base/array.h"
#include "base/order.h"

enum {
    BLOCK_SLOTS = 256
};

/* ---- the array by number ---- */

static ss_leased_item *at(const ss_leases *leases, uint32_t slot)
{
    return &leases->blocks[slot / BLOCK_SLOTS][slot % BLOCK_SLOTS];
}

static bool is_removed(const ss_leases *leases, uint32_t slot)
{
    return at(leases, slot)->state == SS_LEASE_REMOVED;
}

/* Where a number is, if those from low to last are evenly spread. */
static uint32_t guess_slot(const ss_leases *leases, uint32_t low, uint32_t last,
                           uint64_t item)
{
    uint64_t least = at(leases, low)->item;
    double range = (double)(at(leases, last)->item - least);
    double part = (double)(item - least) * (double)(last - low);
    return range > 0.0 ? low + (uint32_t)(part / range + 0.5) : low;
}

/* Every second step halves what is left, however the numbers are spread. */
ss_leased_item *ss_leases_by_item(const ss_leases *leases, uint64_t item)
{
    uint32_t low = leases->first, end = leases->end;
    if (leases->is_unordered) {
        uint32_t slot = ss_places_find(&leases->places, item);
        return slot == UINT32_MAX ? NULL : at(leases, slot);
    }
    for (bool is_guess = true; low < end; is_guess = !is_guess) {
        uint32_t last = end - 1;
        if (item < at(leases, low)->item || item > at(leases, last)->item)
            return NULL;
        uint32_t slot = is_guess ? guess_slot(leases, low, last, item)
                                 : low + (end - low) / 2;
        ss_leased_item *entry = at(leases, slot);
        if (entry->item == item)
            return entry->state == SS_LEASE_REMOVED ? NULL : entry;
        if (entry->item < item)
            low = slot + 1;
        else
            end = slot;
    }
    return NULL;
}

/* Moves those that are not removed to the start. */
static void gather(ss_leases *leases)
{
    uint32_t count = 0;
    for (uint32_t slot = leases->first; slot < leases->end; slot++) {
        const ss_leased_item *entry = at(leases, slot);
        if (entry->state == SS_LEASE_REMOVED)
            continue;
        leases->heap[entry->heap_index] = count;
        if (leases->is_unordered)
            ss_places_put(&leases->places, entry->item, count);
        *at(leases, count++) = *entry;
    }
    leases->first = 0;
    leases->end = count;
}

static void free_blocks(ss_leases *leases, const ss_memory *memory,
                        uint32_t kept)
{
    while (leases->block_count > kept)
        ss_memory_free(memory, leases->blocks[--leases->block_count],
                       BLOCK_SLOTS, sizeof **leases->blocks);
}

static bool add_block(ss_leases *leases, const ss_memory *memory)
{
    void *blocks = leases->blocks;
    if (!ss_array_reserve(memory, &blocks, &leases->block_room,
                          (size_t)leases->block_count + 1,
                          sizeof *leases->blocks))
        return false;
    leases->blocks = blocks;
    ss_leased_item *block =
        ss_memory_alloc(memory, BLOCK_SLOTS, sizeof **leases->blocks);
    if (block != NULL)
        leases->blocks[leases->block_count++] = block;
    return block != NULL;
}

/* Room for one more at the end: where a quarter was removed, without more
 * memory, and without what is too much by then. */
static bool reserve_slot(ss_leases *leases, const ss_memory *memory)
{
    uint64_t room = (uint64_t)leases->block_count * BLOCK_SLOTS;
    bool is_last = leases->end == UINT32_MAX; /* so that some were removed */
    if (leases->end < room && !is_last)
        return true;
    if (leases->count >= room - room / 4 && !is_last)
        return add_block(leases, memory);
    gather(leases);
    free_blocks(leases, memory, 2 * (leases->count / BLOCK_SLOTS + 1));
    return true;
}

/* The ends are not removed. */
static void trim(ss_leases *leases)
{
    while (leases->first < leases->end && is_removed(leases, leases->first))
        leases->first++;
    while (leases->first < leases->end && is_removed(leases, leases->end - 1))
        leases->end--;
    if (leases->count == 0)
        leases->first = leases->end = 0;
}

/* ---- the heap by time ---- */

static uint64_t due_at(const ss_leases *leases, size_t index)
{
    return at(leases, leases->heap[index])->due_ns;
}

static void heap_place(ss_leases *leases, size_t index, uint32_t slot)
{
    leases->heap[index] = slot;
    at(leases, slot)->heap_index = (uint32_t)index;
}

/* Of two that are due at once, the older item: after an open, all whose lease
 * has ended are. */
static bool is_before(const ss_leases *leases, uint32_t slot, uint32_t other)
{
    const ss_leased_item *a = at(leases, slot), *b = at(leases, other);
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->item < b->item;
}

static void heap_up(ss_leases *leases, size_t index)
{
    uint32_t slot = leases->heap[index];
    while (index > 0 &&
           is_before(leases, slot, leases->heap[(index - 1) / 2])) {
        heap_place(leases, index, leases->heap[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    heap_place(leases, index, slot);
}

static void heap_down(ss_leases *leases, size_t index, size_t count)
{
    uint32_t slot = leases->heap[index];
    for (size_t child; (child = 2 * index + 1) < count; index = child) {
        if (child + 1 < count &&
            is_before(leases, leases->heap[child + 1], leases->heap[child]))
            child++;
        if (!is_before(leases, leases->heap[child], slot))
            break;
        heap_place(leases, index, leases->heap[child]);
    }
    heap_place(leases, index, slot);
}

static void heap_restore(ss_leases *leases, size_t index, size_t count)
{
    heap_up(leases, index);
    heap_down(leases, at(leases, leases->heap[index])->heap_index, count);
}

/* ---- the whole ---- */

void ss_leases_free(ss_leases *leases, const ss_memory *memory)
{
    free_blocks(leases, memory, 0);
    ss_memory_free(memory, leases->blocks, leases->block_room,
                   sizeof *leases->blocks);
    ss_memory_free(memory, leases->heap, leases->heap_room,
                   sizeof *leases->heap);
    ss_places_free(&leases->places, memory);
    *leases = (ss_leases){0};
}

static bool reserve(ss_leases *leases, const ss_memory *memory)
{
    void *heap = leases->heap;
    uint64_t wanted = (uint64_t)leases->count + 2;
    if (wanted >= UINT32_MAX ||
        !ss_array_reserve(memory, &heap, &leases->heap_room, (size_t)wanted,
                          sizeof *leases->heap))
        return false;
    leases->heap = heap;
    if (leases->is_unordered &&
        !ss_places_reserve(&leases->places, memory, (size_t)wanted))
        return false;
    return reserve_slot(leases, memory);
}

bool ss_leases_be_unordered(ss_leases *leases, const ss_memory *memory)
{
    if (leases->is_unordered)
        return true;
    if (!ss_places_reserve(&leases->places, memory, (size_t)leases->count + 1))
        return false;
    for (size_t i = 0; i < leases->count; i++)
        ss_places_put(&leases->places, at(leases, leases->heap[i])->item,
                      leases->heap[i]);
    leases->is_unordered = true;
    return true;
}

/* Counts an item by its state, or no longer. */
static void count_state(ss_leases *leases, const ss_leased_item *entry,
                        uint32_t change)
{
    if (entry->state == SS_LEASE_HELD)
        leases->held_count += change;
    else if (entry->state == SS_LEASE_WAITING)
        leases->waiting_count += change;
}

ss_leased_item *ss_leases_add(ss_leases *leases, const ss_memory *memory,
                              uint64_t item, uint64_t position)
{
    if (!reserve(leases, memory))
        return NULL;
    uint32_t slot = leases->end++;
    ss_leased_item *entry = at(leases, slot);
    *entry = (ss_leased_item){
        .item = item, .position = position, .due_ns = UINT64_MAX};
    heap_place(leases, leases->count, slot);
    if (leases->is_unordered)
        ss_places_put(&leases->places, item, slot);
    leases->count++;
    count_state(leases, entry, 1);
    return entry;
}

void ss_leases_set(ss_leases *leases, ss_leased_item *entry,
                   ss_lease_state state, uint64_t due_ns)
{
    count_state(leases, entry, UINT32_MAX);
    entry->state = (uint32_t)state & UINT32_C(7);
    count_state(leases, entry, 1);
    entry->due_ns = due_ns;
    heap_restore(leases, entry->heap_index, leases->count);
}

void ss_leases_remove(ss_leases *leases, ss_leased_item *entry)
{
    count_state(leases, entry, UINT32_MAX);
    size_t free_place = entry->heap_index, last = --leases->count;
    if (free_place != last) {
        heap_place(leases, free_place, leases->heap[last]);
        heap_restore(leases, free_place, last);
    }
    if (leases->is_unordered)
        ss_places_remove(&leases->places, entry->item);
    entry->state = SS_LEASE_REMOVED;
    trim(leases);
}

uint64_t ss_leases_id(const ss_leased_item *entry)
{
    return (uint64_t)(entry->turn / SS_SHORT_TURNS) << 48 | entry->item << 8 |
           entry->turn % SS_SHORT_TURNS;
}

ss_leased_item *ss_leases_find(const ss_leases *leases, uint64_t item,
                               uint64_t lease)
{
    ss_leased_item *entry = ss_leases_by_item(leases, item);
    if (entry == NULL ||
        (entry->state != SS_LEASE_HELD && entry->state != SS_LEASE_ENDED) ||
        ss_leases_id(entry) != lease)
        return NULL;
    return entry;
}

void ss_leases_begin_ack(ss_leases *leases, ss_leased_item *entry,
                         uint64_t ack_end)
{
    entry->lease_ns = entry->due_ns;
    entry->ack_end = ack_end;
    ss_leases_set(leases, entry, SS_LEASE_ACKING, UINT64_MAX);
}

void ss_leases_cancel_acks(ss_leases *leases, uint64_t from)
{
    for (ss_leased_item *entry = ss_leases_oldest(leases); entry != NULL;
         entry = ss_leases_newer(leases, entry))
        if (entry->state == SS_LEASE_ACKING && entry->ack_end > from)
            ss_leases_set(leases, entry, SS_LEASE_HELD, entry->lease_ns);
}

ss_leased_item *ss_leases_due(const ss_leases *leases, uint64_t now_ns)
{
    if (leases->count == 0 || due_at(leases, 0) > now_ns)
        return NULL;
    return at(leases, leases->heap[0]);
}

ss_leased_item *ss_leases_oldest(const ss_leases *leases)
{
    return leases->count == 0 ? NULL : at(leases, leases->first);
}

ss_leased_item *ss_leases_newer(const ss_leases *leases,
                                const ss_leased_item *entry)
{
    uint32_t slot = leases->heap[entry->heap_index] + 1;
    while (slot < leases->end && is_removed(leases, slot))
        slot++;
    return slot < leases->end ? at(leases, slot) : NULL;
}

/* The place in the heap that comes after all places below this one. */
static size_t heap_after(size_t index)
{
    while (index > 0 && index % 2 == 0)
        index = (index - 1) / 2;
    return index == 0 ? SIZE_MAX : index + 1;
}

/* Those that have ended are at the top of the heap, and the next one that ends
 * is right below them. */
ss_leases_figures ss_leases_count(const ss_leases *leases, uint64_t now_ns)
{
    ss_leases_figures figures = {.held = leases->held_count,
                                 .delayed = leases->waiting_count,
                                 .next_ns = UINT64_MAX};
    for (size_t i = 0; i != SIZE_MAX;) {
        bool is_in = i < leases->count;
        if (is_in && due_at(leases, i) <= now_ns) {
            const ss_leased_item *ended = at(leases, leases->heap[i]);
            figures.held -= ended->state == SS_LEASE_HELD;
            figures.delayed -= ended->state == SS_LEASE_WAITING;
            i = 2 * i + 1;
            continue;
        }
        if (is_in)
            figures.next_ns = ss_lower(figures.next_ns, due_at(leases, i));
        i = heap_after(i);
    }
    return figures;
}

uint64_t ss_leases_memory_bytes(const ss_leases *leases)
{
    return (uint64_t)leases->block_count * BLOCK_SLOTS *
               sizeof **leases->blocks +
           leases->block_room * sizeof *leases->blocks +
           leases->heap_room * sizeof *leases->heap +
           leases->places.room * sizeof *leases->places.at;
}
