/* hosts.c - see hosts.h */
#include "frontier/turns/hosts.h"

#include <string.h>

#include "seenset/error.h"

enum {
    BUCKET_HOSTS = 2
};

#define MOST_ROOM (UINT32_C(1) << 28) /* ss_host_row.heap_at */
#define SPREAD UINT64_C(0x9E3779B97F4A7C15)

void ss_hosts_init(ss_host_table *all, const seenset_allocator *memory)
{
    *all = (ss_host_table){.memory = memory, .first_unused = SS_HOSTS_NONE};
    ss_cells_init(&all->buckets, sizeof(uint32_t));
}

void ss_hosts_free(ss_host_table *all)
{
    ss_cells_free(&all->rows, all->memory);
    ss_cells_free(&all->buckets, all->memory);
    ss_hosts_init(all, all->memory);
}

/* ---- buckets ---- */

static uint32_t *bucket_at(const ss_host_table *all, uint32_t bucket)
{
    return ss_cells_at(&all->buckets, bucket);
}

/* By the lowest bits of a hash, and one bit less if there is no such bucket
 * yet. Hashes may be alike in some of their bits. */
static uint32_t bucket_of(const ss_host_table *all, uint64_t hash)
{
    uint32_t bits = (uint32_t)((hash * SPREAD) >> 32);
    uint32_t bucket = bits & (2 * all->half + 1);
    return bucket < all->bucket_count ? bucket : bits & all->half;
}

static void put(ss_host_table *all, uint32_t bucket, uint32_t number)
{
    uint32_t *first = bucket_at(all, bucket);
    ss_hosts_row(all, number)->next = *first;
    *first = number;
}

static void move_list(ss_host_table *all, uint32_t from)
{
    uint32_t number = *bucket_at(all, from);
    *bucket_at(all, from) = SS_HOSTS_NONE;
    while (number != SS_HOSTS_NONE) {
        const ss_host_row *row = ss_hosts_row(all, number);
        uint32_t next = row->next;
        put(all, bucket_of(all, row->hash), number);
        number = next;
    }
}

/* One more bucket gets what belongs there from the one that had it. */
static void split(ss_host_table *all)
{
    uint32_t made = all->bucket_count++;
    *bucket_at(all, made) = SS_HOSTS_NONE;
    if (made == 0)
        return;
    if ((made & (made - 1)) == 0)
        all->half = made - 1;
    move_list(all, made & all->half);
}

uint32_t ss_hosts_find(const ss_host_table *all, uint64_t hash)
{
    if (all->bucket_count == 0)
        return SS_HOSTS_NONE;
    uint32_t number = *bucket_at(all, bucket_of(all, hash));
    while (number != SS_HOSTS_NONE) {
        const ss_host_row *row = ss_hosts_row(all, number);
        if (row->hash == hash)
            return number;
        number = row->next;
    }
    return SS_HOSTS_NONE;
}

/* ---- hosts that come and go ---- */

bool ss_hosts_have_room(const ss_host_table *all)
{
    return all->count < all->room;
}

int ss_hosts_grow(ss_host_table *all)
{
    uint32_t room = all->room + SS_PIECE_CELLS;
    if (all->rows.cell_bytes == 0)
        ss_cells_init(&all->rows, sizeof(ss_host_row) + all->load_bytes);
    bool has_room =
        room < MOST_ROOM &&
        ss_cells_reserve(&all->buckets, all->memory, room / BUCKET_HOSTS + 1) &&
        ss_cells_reserve(&all->rows, all->memory, room);
    if (!has_room)
        return SEENSET_ENOMEM;
    all->room = room;
    return 0;
}

uint32_t ss_hosts_add(ss_host_table *all, uint64_t hash)
{
    uint32_t number = all->first_unused;
    if (number == SS_HOSTS_NONE)
        number = all->used++;
    else
        all->first_unused = ss_hosts_row(all, number)->next;
    if (all->count++ / BUCKET_HOSTS >= all->bucket_count)
        split(all);
    ss_host_row *row = ss_hosts_row(all, number);
    memset(row, 0, all->rows.cell_bytes);
    row->hash = hash;
    put(all, bucket_of(all, hash), number);
    return number;
}

static void leave_bucket(ss_host_table *all, uint32_t number)
{
    const ss_host_row *row = ss_hosts_row(all, number);
    uint32_t *first = bucket_at(all, bucket_of(all, row->hash));
    if (*first == number) {
        *first = row->next;
        return;
    }
    ss_host_row *before = ss_hosts_row(all, *first);
    while (before->next != number)
        before = ss_hosts_row(all, before->next);
    before->next = row->next;
}

void ss_hosts_remove(ss_host_table *all, uint32_t number)
{
    leave_bucket(all, number);
    *ss_hosts_row(all, number) =
        (ss_host_row){.place = SS_HOST_UNUSED, .next = all->first_unused};
    all->first_unused = number;
    all->count--;
}

uint64_t ss_hosts_bytes(const ss_host_table *all)
{
    return ss_cells_bytes(&all->rows) + ss_cells_bytes(&all->buckets);
}
