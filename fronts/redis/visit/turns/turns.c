/* turns.c - see turns.h */
#include "visit/turns/turns.h"

#include <string.h>

#include "seenset/error.h"

void turns_init(turns *it, const seenset_allocator *memory)
{
    *it = (turns){.most_leased = 1, .ready.is_by_turn = true};
    hosts_init(&it->all, memory);
}

/* ---- memory: the numbers of the three heaps are one block ---- */

static size_t heap_bytes(uint32_t room)
{
    return 3 * (size_t)room * sizeof(uint32_t);
}

static void free_heaps(turns *it, uint32_t *numbers, uint32_t room)
{
    const seenset_allocator *memory = it->all.memory;
    if (numbers != NULL)
        memory->release(memory->context, numbers, heap_bytes(room));
}

void turns_free(turns *it)
{
    free_heaps(it, it->waits.numbers, it->all.room);
    hosts_free(&it->all);
    turns_init(it, it->all.memory);
}

uint64_t turns_bytes(const turns *it)
{
    return hosts_bytes(&it->all) + heap_bytes(it->all.room);
}

static void move_heap(host_queue *queue, uint32_t *numbers)
{
    if (queue->count > 0)
        memcpy(numbers, queue->numbers, queue->count * sizeof *numbers);
    queue->numbers = numbers;
}

static int grow(turns *it)
{
    uint32_t before = it->all.room, room = hosts_next_room(&it->all);
    const seenset_allocator *memory = it->all.memory;
    uint32_t *numbers = memory->allocate(memory->context, heap_bytes(room), 8);
    if (numbers == NULL || hosts_grow(&it->all) != 0) {
        free_heaps(it, numbers, room);
        return SEENSET_ENOMEM;
    }
    uint32_t *old = it->waits.numbers;
    move_heap(&it->waits, numbers);
    move_heap(&it->ready, numbers + room);
    move_heap(&it->idle, numbers + 2 * (size_t)room);
    free_heaps(it, old, before);
    return 0;
}

/* ---- places ---- */

host_row *turns_host(const turns *it, uint32_t number)
{
    return &it->all.rows[number];
}

static host_queue *queue_of(turns *it, host_place place)
{
    switch (place) {
    case HOST_WAITS:
        return &it->waits;
    case HOST_READY:
        return &it->ready;
    case HOST_IDLE:
        return &it->idle;
    case HOST_NOWHERE:
    case HOST_UNUSED:
        break;
    }
    return NULL;
}

static void leave(turns *it, uint32_t number)
{
    host_row *row = turns_host(it, number);
    host_queue *queue = queue_of(it, (host_place)row->place);
    if (queue != NULL)
        host_queue_remove(queue, &it->all, it->clock, number);
    row->place = HOST_NOWHERE;
}

static void enter(turns *it, uint32_t number, host_place place)
{
    turns_host(it, number)->place = place;
    host_queue *queue = queue_of(it, place);
    if (queue != NULL)
        host_queue_add(queue, &it->all, it->clock, number);
}

uint32_t turns_lead(const turns *it, uint32_t number)
{
    uint32_t lead = turns_host(it, number)->turn - it->clock;
    return lead <= TURNS_MOST_STEP ? lead : 0;
}

void turns_set_lead(turns *it, uint32_t number, uint32_t lead)
{
    turns_host(it, number)->turn = it->clock + lead;
}

static host_place place_of(const turns *it, const host_row *row)
{
    if (row->has_items)
        return row->leased < it->most_leased ? HOST_WAITS : HOST_NOWHERE;
    return row->leased == 0 && !row->is_kept ? HOST_IDLE : HOST_NOWHERE;
}

/* After its row changed: where it waits, the next turns_first looks. */
static void place(turns *it, uint32_t number)
{
    leave(it, number);
    enter(it, number, place_of(it, turns_host(it, number)));
}

/* ---- hosts that come, change and go ---- */

int turns_add(turns *it, uint64_t hash, uint32_t *number)
{
    if (!hosts_have_room(&it->all) && grow(it) != 0)
        return SEENSET_ENOMEM;
    *number = hosts_add(&it->all, hash);
    turns_set_lead(it, *number, 0);
    enter(it, *number, HOST_IDLE);
    return 0;
}

void turns_remove(turns *it, uint32_t number)
{
    leave(it, number);
    hosts_remove(&it->all, number);
}

void turns_set_items(turns *it, uint32_t number, bool has_items)
{
    host_row *row = turns_host(it, number);
    if (row->has_items == has_items)
        return;
    row->has_items = has_items;
    place(it, number);
}

void turns_set_kept(turns *it, uint32_t number, bool is_kept)
{
    host_row *row = turns_host(it, number);
    if (row->is_kept == is_kept)
        return;
    row->is_kept = is_kept;
    place(it, number);
}

static uint64_t most(uint64_t ready_ms)
{
    return ready_ms < HOST_MOST_MS ? ready_ms : HOST_MOST_MS;
}

void turns_set_ready(turns *it, uint32_t number, uint64_t ready_ms)
{
    leave(it, number);
    host_row *row = turns_host(it, number);
    row->ready_ms = most(ready_ms) & HOST_MOST_MS;
    place(it, number);
}

/* ---- time ---- */

/* The first of a heap by time, if its time has come. */
static uint32_t first_due(const turns *it, const host_queue *queue,
                          uint64_t now_ms)
{
    if (queue->count == 0 ||
        turns_host(it, queue->numbers[0])->ready_ms > now_ms)
        return HOSTS_NONE;
    return queue->numbers[0];
}

uint64_t turns_forget_idle(turns *it, uint64_t now_ms, turns_forget *forget,
                           void *context)
{
    uint64_t forgotten = 0;
    uint32_t number;
    for (; (number = first_due(it, &it->idle, now_ms)) != HOSTS_NONE;
         forgotten++) {
        forget(context, turns_host(it, number));
        turns_remove(it, number);
    }
    return forgotten;
}

static void make_ready(turns *it, uint64_t now_ms)
{
    uint32_t number;
    while ((number = first_due(it, &it->waits, now_ms)) != HOSTS_NONE) {
        leave(it, number);
        turns_set_lead(it, number, turns_lead(it, number));
        enter(it, number, HOST_READY);
    }
}

/* A host that became ready by a clock that was set back since waits again. */
uint32_t turns_first(turns *it, uint64_t now_ms)
{
    make_ready(it, now_ms);
    while (it->ready.count > 0) {
        uint32_t number = it->ready.numbers[0];
        if (turns_host(it, number)->ready_ms <= now_ms)
            return number;
        place(it, number);
    }
    return HOSTS_NONE;
}

/* In parts of the usual delay, rounded up, so each hand-out is a step. */
static uint32_t step_of(const turns *it, uint64_t delay_ms)
{
    if (it->delay_ms == 0)
        return TURNS_A_DELAY;
    uint64_t parts =
        (delay_ms * TURNS_A_DELAY + it->delay_ms - 1) / it->delay_ms;
    return parts == 0                ? 1
           : parts < TURNS_MOST_STEP ? (uint32_t)parts
                                     : TURNS_MOST_STEP;
}

static void not_before(host_row *row, uint64_t ready_ms)
{
    if (row->ready_ms < most(ready_ms))
        row->ready_ms = most(ready_ms) & HOST_MOST_MS;
}

void turns_hand_out(turns *it, uint32_t number, uint64_t now_ms,
                    uint64_t delay_ms)
{
    uint32_t turn = it->clock + turns_lead(it, number);
    leave(it, number);
    host_row *row = turns_host(it, number);
    it->clock = turn;
    row->turn = turn + step_of(it, delay_ms);
    row->leased++;
    if (it->is_from_start)
        not_before(row, now_ms + delay_ms);
    place(it, number);
}

void turns_end(turns *it, uint32_t number, uint64_t end_ms, uint64_t delay_ms,
               bool is_tried)
{
    leave(it, number);
    host_row *row = turns_host(it, number);
    row->leased--;
    if (is_tried && !it->is_from_start)
        not_before(row, end_ms + delay_ms);
    place(it, number);
}

void turns_lease_again(turns *it, uint32_t number)
{
    turns_host(it, number)->leased++;
    place(it, number);
}

uint64_t turns_next_ms(const turns *it)
{
    if (it->ready.count > 0)
        return turns_host(it, it->ready.numbers[0])->ready_ms;
    return it->waits.count == 0
               ? UINT64_MAX
               : turns_host(it, it->waits.numbers[0])->ready_ms;
}
