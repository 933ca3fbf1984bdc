/* hosts.c - see hosts.h */
#include "frontier/turns/hosts.h"

#include <string.h>

#include "seenset/error.h"

enum {
    FIRST_ROOM = 16,
    SLOTS_A_HOST = 2
};

#define MOST_ROOM (UINT32_C(1) << 30)

void ss_hosts_init(ss_host_table *all, const seenset_allocator *memory)
{
    *all = (ss_host_table){.memory = memory, .first_unused = SS_HOSTS_NONE};
}

static void release(const ss_host_table *all, void *memory, size_t size_bytes)
{
    if (memory != NULL)
        all->memory->release(all->memory->context, memory, size_bytes);
}

static size_t row_bytes(uint32_t room)
{
    return (size_t)room * sizeof(ss_host_row);
}

static size_t slot_bytes(uint32_t room)
{
    return (size_t)room * SLOTS_A_HOST * sizeof(uint32_t);
}

void ss_hosts_free(ss_host_table *all)
{
    release(all, all->rows, row_bytes(all->room));
    release(all, all->slots, slot_bytes(all->room));
    ss_hosts_init(all, all->memory);
}

/* Rooms are powers of two, and hashes are spread well. */
static uint32_t mask(const ss_host_table *all)
{
    return all->room * SLOTS_A_HOST - 1;
}

/* The slot of a hash, or the empty one where it would be. */
static uint32_t find_slot(const ss_host_table *all, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & mask(all);
    while (all->slots[at] != 0 && all->rows[all->slots[at] - 1].hash != hash)
        at = (at + 1) & mask(all);
    return at;
}

uint32_t ss_hosts_find(const ss_host_table *all, uint64_t hash)
{
    return all->room == 0 ? SS_HOSTS_NONE
                          : all->slots[find_slot(all, hash)] - 1;
}

bool ss_hosts_have_room(const ss_host_table *all)
{
    return all->count < all->room;
}

uint32_t ss_hosts_next_room(const ss_host_table *all)
{
    return all->room == 0 ? FIRST_ROOM : 2 * all->room;
}

int ss_hosts_grow(ss_host_table *all)
{
    uint32_t room = ss_hosts_next_room(all);
    const seenset_allocator *memory = all->memory;
    if (room > MOST_ROOM)
        return SEENSET_ENOMEM;
    ss_host_row *rows = memory->allocate(memory->context, row_bytes(room), 8);
    uint32_t *slots = memory->allocate(memory->context, slot_bytes(room), 8);
    if (rows == NULL || slots == NULL) {
        release(all, rows, row_bytes(room));
        release(all, slots, slot_bytes(room));
        return SEENSET_ENOMEM;
    }
    if (all->used > 0)
        memcpy(rows, all->rows, row_bytes(all->used));
    memset(slots, 0, slot_bytes(room));
    release(all, all->rows, row_bytes(all->room));
    release(all, all->slots, slot_bytes(all->room));
    all->rows = rows;
    all->slots = slots;
    all->room = room;
    for (uint32_t i = 0; i < all->used; i++) {
        if (rows[i].place != SS_HOST_UNUSED)
            slots[find_slot(all, rows[i].hash)] = i + 1;
    }
    return 0;
}

uint32_t ss_hosts_add(ss_host_table *all, uint64_t hash)
{
    uint32_t number = all->first_unused;
    if (number == SS_HOSTS_NONE)
        number = all->used++;
    else
        all->first_unused = all->rows[number].heap_at;
    all->slots[find_slot(all, hash)] = number + 1;
    all->rows[number] = (ss_host_row){.hash = hash};
    all->count++;
    return number;
}

/* Whether what is at slot `at`, and belongs at `home`, may be at `hole`. */
static bool may_move(uint32_t home, uint32_t hole, uint32_t at, uint32_t mask)
{
    return ((at - home) & mask) >= ((at - hole) & mask);
}

void ss_hosts_remove(ss_host_table *all, uint32_t number)
{
    uint32_t hole = find_slot(all, all->rows[number].hash);
    for (uint32_t at = (hole + 1) & mask(all); all->slots[at] != 0;
         at = (at + 1) & mask(all)) {
        uint32_t home =
            (uint32_t)all->rows[all->slots[at] - 1].hash & mask(all);
        if (!may_move(home, hole, at, mask(all)))
            continue;
        all->slots[hole] = all->slots[at];
        hole = at;
    }
    all->slots[hole] = 0;
    all->rows[number] =
        (ss_host_row){.place = SS_HOST_UNUSED, .heap_at = all->first_unused};
    all->first_unused = number;
    all->count--;
}

uint64_t ss_hosts_bytes(const ss_host_table *all)
{
    return row_bytes(all->room) + slot_bytes(all->room);
}
