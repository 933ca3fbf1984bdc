/* leases.c - one array of slots, with a table, a list and a heap over it */
#include "items/leases.h"

#include "base/array.h"
#include "base/order.h"
#include "hash/xxh3.h"

/* ---- the table by number: open addressing, at most half full ---- */

static size_t home_of(const ss_leases *leases, uint64_t item)
{
    return (size_t)ss_hash_range(ss_hash_step(ss_hash_step(item + 1)),
                                 leases->table_room);
}

static size_t next_place(const ss_leases *leases, size_t place)
{
    return place + 1 == leases->table_room ? 0 : place + 1;
}

static void table_put(ss_leases *leases, uint32_t slot)
{
    size_t place = home_of(leases, leases->slots[slot].item);
    while (leases->table[place] != 0)
        place = next_place(leases, place);
    leases->table[place] = slot;
}

static size_t table_find(const ss_leases *leases, uint64_t item)
{
    size_t place = home_of(leases, item);
    while (leases->table[place] != 0 &&
           leases->slots[leases->table[place]].item != item)
        place = next_place(leases, place);
    return place;
}

/* Empties a place, and inserts again the slots that follow it without a gap. */
static void table_remove(ss_leases *leases, size_t place)
{
    leases->table[place] = 0;
    for (;;) {
        place = next_place(leases, place);
        uint32_t slot = leases->table[place];
        if (slot == 0)
            return;
        leases->table[place] = 0;
        table_put(leases, slot);
    }
}

static bool table_reserve(ss_leases *leases, const ss_memory *memory)
{
    if (((size_t)leases->count + 1) * 2 <= leases->table_room)
        return true;
    size_t room = leases->table_room == 0 ? 64 : leases->table_room * 2;
    uint32_t *table = ss_memory_alloc(memory, room, sizeof *table);
    if (table == NULL)
        return false;
    ss_memory_free(memory, leases->table, leases->table_room, sizeof *table);
    leases->table = table;
    leases->table_room = room;
    for (uint32_t slot = leases->oldest; slot != 0;
         slot = leases->slots[slot].newer)
        table_put(leases, slot);
    return true;
}

/* ---- the heap by time ---- */

static uint64_t due_at(const ss_leases *leases, size_t index)
{
    return leases->slots[leases->heap[index]].due_ns;
}

static void heap_place(ss_leases *leases, size_t index, uint32_t slot)
{
    leases->heap[index] = slot;
    leases->slots[slot].heap_index = (uint32_t)index;
}

/* Of two that are due at once, the older item: after an open, all whose lease
 * has ended are. */
static bool is_before(const ss_leases *leases, uint32_t slot, uint32_t other)
{
    const ss_leased_item *a = &leases->slots[slot];
    const ss_leased_item *b = &leases->slots[other];
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
    heap_down(leases, leases->slots[leases->heap[index]].heap_index, count);
}

/* ---- the whole ---- */

void ss_leases_free(ss_leases *leases, const ss_memory *memory)
{
    ss_memory_free(memory, leases->slots, leases->slot_room,
                   sizeof *leases->slots);
    ss_memory_free(memory, leases->heap, leases->heap_room,
                   sizeof *leases->heap);
    ss_memory_free(memory, leases->table, leases->table_room,
                   sizeof *leases->table);
    *leases = (ss_leases){0};
}

static bool reserve(ss_leases *leases, const ss_memory *memory)
{
    void *slots = leases->slots, *heap = leases->heap;
    size_t wanted = (size_t)leases->count + 2;
    if (wanted >= UINT32_MAX || !table_reserve(leases, memory) ||
        !ss_array_reserve(memory, &heap, &leases->heap_room, wanted,
                          sizeof *leases->heap))
        return false;
    leases->heap = heap;
    wanted = (size_t)leases->slot_count + 2;
    if (leases->free_slot == 0 &&
        !ss_array_reserve(memory, &slots, &leases->slot_room, wanted,
                          sizeof *leases->slots))
        return false;
    leases->slots = slots;
    return true;
}

static uint32_t take_slot(ss_leases *leases)
{
    uint32_t slot = leases->free_slot;
    if (slot != 0)
        leases->free_slot = leases->slots[slot].newer;
    else
        slot = ++leases->slot_count;
    return slot;
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
    uint32_t slot = take_slot(leases);
    ss_leased_item *entry = &leases->slots[slot];
    *entry = (ss_leased_item){.item = item,
                              .position = position,
                              .due_ns = UINT64_MAX,
                              .older = leases->newest};
    if (leases->newest != 0)
        leases->slots[leases->newest].newer = slot;
    else
        leases->oldest = slot;
    leases->newest = slot;
    table_put(leases, slot);
    heap_place(leases, leases->count, slot);
    leases->count++;
    count_state(leases, entry, 1);
    return entry;
}

void ss_leases_set(ss_leases *leases, ss_leased_item *entry,
                   ss_lease_state state, uint64_t due_ns)
{
    count_state(leases, entry, UINT32_MAX);
    entry->state = (uint8_t)state;
    count_state(leases, entry, 1);
    entry->due_ns = due_ns;
    heap_restore(leases, entry->heap_index, leases->count);
}

static void list_remove(ss_leases *leases, const ss_leased_item *entry)
{
    if (entry->older != 0)
        leases->slots[entry->older].newer = entry->newer;
    else
        leases->oldest = entry->newer;
    if (entry->newer != 0)
        leases->slots[entry->newer].older = entry->older;
    else
        leases->newest = entry->older;
}

void ss_leases_remove(ss_leases *leases, ss_leased_item *entry)
{
    list_remove(leases, entry);
    count_state(leases, entry, UINT32_MAX);
    table_remove(leases, table_find(leases, entry->item));
    size_t free_place = entry->heap_index, last = --leases->count;
    if (free_place != last) {
        heap_place(leases, free_place, leases->heap[last]);
        heap_restore(leases, free_place, last);
    }
    entry->newer = leases->free_slot;
    leases->free_slot = (uint32_t)(entry - leases->slots);
}

uint64_t ss_leases_id(const ss_leased_item *entry)
{
    return (uint64_t)(entry->turn / SS_SHORT_TURNS) << 48 | entry->item << 8 |
           entry->turn % SS_SHORT_TURNS;
}

ss_leased_item *ss_leases_by_item(const ss_leases *leases, uint64_t item)
{
    if (leases->count == 0)
        return NULL;
    uint32_t slot = leases->table[table_find(leases, item)];
    return slot == 0 ? NULL : &leases->slots[slot];
}

ss_leased_item *ss_leases_find(const ss_leases *leases, uint64_t item,
                               uint64_t lease)
{
    ss_leased_item *entry = ss_leases_by_item(leases, item);
    if (entry == NULL || entry->state != SS_LEASE_HELD ||
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
    return &leases->slots[leases->heap[0]];
}

ss_leased_item *ss_leases_oldest(const ss_leases *leases)
{
    return leases->oldest == 0 ? NULL : &leases->slots[leases->oldest];
}

ss_leased_item *ss_leases_newer(const ss_leases *leases,
                                const ss_leased_item *entry)
{
    return entry->newer == 0 ? NULL : &leases->slots[entry->newer];
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
            const ss_leased_item *ended = &leases->slots[leases->heap[i]];
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
    return leases->slot_room * sizeof *leases->slots +
           leases->heap_room * sizeof *leases->heap +
           leases->table_room * sizeof *leases->table;
}
