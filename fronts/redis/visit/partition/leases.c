/* leases.c - see leases.h */
#include "visit/partition/leases.h"

#include <string.h>

#include "seenset/error.h"
#include "server/api.h"
#include "visit/partition/heap.h"

uint64_t sr_leases_bytes(const sr_leases *leases)
{
    return leases->item_bytes +
           leases->room * (sizeof *leases->rows + sizeof *leases->heap);
}

/* Rows without holes. */
static void compact(sr_leases *leases)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < leases->row_count; i++) {
        if (leases->rows[i].lease != NULL)
            leases->rows[kept++] = leases->rows[i];
    }
    leases->row_count = kept;
}

/* Rows and a heap of another size, which is enough for all. */
static int resize(sr_leases *leases, uint64_t room)
{
    sr_lease_row *rows = sr_redis.try_alloc((size_t)room * sizeof *rows);
    sr_lease **heap = sr_redis.try_alloc((size_t)room * sizeof *heap);
    if (rows == NULL || heap == NULL) {
        if (rows != NULL)
            sr_redis.free(rows);
        if (heap != NULL)
            sr_redis.free(heap);
        return SEENSET_ENOMEM;
    }
    if (leases->room > 0) {
        memcpy(rows, leases->rows, leases->row_count * sizeof *rows);
        memcpy(heap, leases->heap, leases->heap_count * sizeof *heap);
        sr_redis.free(leases->rows);
        sr_redis.free(leases->heap);
    }
    leases->rows = rows;
    leases->heap = heap;
    leases->room = room;
    return 0;
}

/* Half of the rows may be holes before they are closed, so that closing them
 * costs each number a constant. */
int sr_leases_reserve(sr_leases *leases, uint64_t more)
{
    if (more <= leases->room - leases->row_count)
        return 0;
    if (leases->row_count - leases->count > leases->row_count / 2) {
        compact(leases);
        if (more <= leases->room - leases->row_count)
            return 0;
    }
    uint64_t needed;
    if (__builtin_add_overflow(leases->row_count, more, &needed) ||
        needed > SIZE_MAX / (4 * sizeof *leases->rows))
        return SEENSET_ENOMEM;
    return resize(leases, needed + leases->count / 2 + 8);
}

static void add_row(sr_leases *leases, sr_lease *lease)
{
    leases->rows[leases->row_count++] =
        (sr_lease_row){.number = lease->number, .lease = lease};
}

void sr_leases_put(sr_leases *leases, sr_lease *lease)
{
    add_row(leases, lease);
    leases->count++;
    if (lease->place == SR_LEASE_TIMED)
        sr_heap_add(leases->heap, leases->heap_count++, lease);
    leases->out_count += lease->is_out;
    leases->item_bytes += sr_lease_bytes(lease);
}

void sr_leases_add(sr_leases *leases, sr_lease *lease, uint64_t due_ms)
{
    lease->number = leases->next_number++;
    lease->due_ms = due_ms;
    lease->times = 1;
    lease->is_out = true;
    sr_leases_put(leases, lease);
}

/* The row of a number, a hole as well; row_count: there is none. */
static uint64_t find_row(const sr_leases *leases, uint64_t number)
{
    uint64_t first = 0, end = leases->row_count;
    while (first < end) {
        uint64_t middle = first + (end - first) / 2;
        if (leases->rows[middle].number < number)
            first = middle + 1;
        else
            end = middle;
    }
    bool is_found =
        first < leases->row_count && leases->rows[first].number == number;
    return is_found ? first : leases->row_count;
}

sr_lease *sr_leases_find(const sr_leases *leases, uint64_t number)
{
    uint64_t row = find_row(leases, number);
    return row == leases->row_count ? NULL : leases->rows[row].lease;
}

sr_lease *sr_leases_due(const sr_leases *leases, uint64_t now_ms)
{
    return leases->heap_count > 0 && leases->heap[0]->due_ms <= now_ms
               ? leases->heap[0]
               : NULL;
}

void sr_leases_moved(sr_leases *leases, sr_lease *lease)
{
    leases->rows[find_row(leases, lease->number)].lease = lease;
}

static void make_hole(sr_leases *leases, const sr_lease *lease)
{
    leases->rows[find_row(leases, lease->number)].lease = NULL;
    while (leases->row_count > 0 &&
           leases->rows[leases->row_count - 1].lease == NULL)
        leases->row_count--;
}

void sr_leases_renew(sr_leases *leases, sr_lease *lease, uint64_t due_ms,
                     bool is_out)
{
    make_hole(leases, lease);
    lease->number = leases->next_number++;
    add_row(leases, lease);
    sr_leases_set_out(leases, lease, is_out);
    lease->times += is_out && lease->times < UINT32_MAX;
    sr_leases_move(leases, lease, due_ms);
}

void sr_leases_move(sr_leases *leases, sr_lease *lease, uint64_t due_ms)
{
    lease->due_ms = due_ms;
    if (lease->place == SR_LEASE_TIMED) {
        sr_heap_moved(leases->heap, leases->heap_count, lease);
        return;
    }
    lease->place = SR_LEASE_TIMED;
    sr_heap_add(leases->heap, leases->heap_count++, lease);
}

void sr_leases_leave(sr_leases *leases, sr_lease *lease, sr_lease_place place)
{
    if (lease->place == SR_LEASE_TIMED)
        sr_heap_remove(leases->heap, leases->heap_count--, lease);
    lease->place = (uint8_t)place;
}

void sr_leases_set_out(sr_leases *leases, sr_lease *lease, bool is_out)
{
    leases->out_count += (uint64_t)is_out - (uint64_t)lease->is_out;
    lease->is_out = is_out;
}

void sr_leases_remove(sr_leases *leases, sr_lease *lease)
{
    make_hole(leases, lease);
    sr_leases_leave(leases, lease, (sr_lease_place)lease->place);
    leases->count--;
    leases->out_count -= lease->is_out;
    leases->item_bytes -= sr_lease_bytes(lease);
    sr_redis.free(lease);
    if (leases->room > 1024 && leases->count < leases->room / 8) {
        compact(leases);
        resize(leases, leases->room / 4); /* or else it stays */
    }
}

void sr_leases_free(sr_leases *leases)
{
    for (uint64_t i = 0; i < leases->row_count; i++) {
        if (leases->rows[i].lease != NULL)
            sr_redis.free(leases->rows[i].lease);
    }
    if (leases->rows != NULL)
        sr_redis.free(leases->rows);
    if (leases->heap != NULL)
        sr_redis.free(leases->heap);
    *leases = (sr_leases){0};
}
