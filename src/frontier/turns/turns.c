/* turns.c - see turns.h */
#include "frontier/turns/turns.h"

#include "seenset/error.h"

void ss_turns_init(ss_turns *it, const seenset_allocator *memory)
{
    *it = (ss_turns){.most_leased = 1, .ready.is_by_turn = true};
    ss_hosts_init(&it->all, memory);
}

/* ---- memory ---- */

void ss_turns_free(ss_turns *it)
{
    const seenset_allocator *memory = it->all.memory;
    ss_host_queue_free(&it->waits, memory);
    ss_host_queue_free(&it->ready, memory);
    ss_host_queue_free(&it->idle, memory);
    ss_host_order_free(&it->order, memory);
    ss_hosts_free(&it->all);
    ss_turns_init(it, memory);
}

uint64_t ss_turns_bytes(const ss_turns *it)
{
    return ss_hosts_bytes(&it->all) + ss_host_order_bytes(&it->order) +
           ss_host_queue_bytes(&it->waits) + ss_host_queue_bytes(&it->ready) +
           ss_host_queue_bytes(&it->idle);
}

/* The rows come last: there are as many hosts as there is room for in them. */
static int grow(ss_turns *it)
{
    const seenset_allocator *memory = it->all.memory;
    uint32_t room = it->all.room + SS_PIECE_CELLS;
    bool has_room = ss_host_queue_reserve(&it->waits, memory, room) &&
                    ss_host_queue_reserve(&it->ready, memory, room) &&
                    ss_host_queue_reserve(&it->idle, memory, room) &&
                    ss_host_order_reserve(&it->order, memory, room);
    return has_room ? ss_hosts_grow(&it->all) : SEENSET_ENOMEM;
}

/* ---- places ---- */

static ss_host_queue *queue_of(ss_turns *it, ss_host_place place)
{
    switch (place) {
    case SS_HOST_WAITS:
        return &it->waits;
    case SS_HOST_READY:
        return &it->ready;
    case SS_HOST_IDLE:
        return &it->idle;
    case SS_HOST_NOWHERE:
    case SS_HOST_UNUSED:
        break;
    }
    return NULL;
}

static void leave(ss_turns *it, uint32_t number)
{
    ss_host_row *row = ss_turns_host(it, number);
    ss_host_queue *queue = queue_of(it, (ss_host_place)row->place);
    if (queue != NULL)
        ss_host_queue_remove(queue, &it->all, &it->order, number);
    row->place = SS_HOST_NOWHERE;
}

static void enter(ss_turns *it, uint32_t number, ss_host_place place)
{
    ss_turns_host(it, number)->place = place;
    ss_host_queue *queue = queue_of(it, place);
    if (queue != NULL)
        ss_host_queue_add(queue, &it->all, &it->order, number);
}

static uint32_t clock_of(const ss_turns *it, uint32_t number)
{
    return it->order.clocks[ss_turns_host(it, number)->rank];
}

uint32_t ss_turns_lead(const ss_turns *it, uint32_t number)
{
    uint32_t lead = ss_turns_host(it, number)->turn - clock_of(it, number);
    return lead <= SS_TURNS_MOST_STEP ? lead : 0;
}

static void set_lead(ss_turns *it, uint32_t number, uint32_t lead)
{
    ss_turns_host(it, number)->turn = clock_of(it, number) + lead;
}

static ss_host_place place_of(const ss_turns *it, const ss_host_row *row)
{
    if (row->has_items)
        return row->leased < it->most_leased ? SS_HOST_WAITS : SS_HOST_NOWHERE;
    return row->leased == 0 && !row->is_kept ? SS_HOST_IDLE : SS_HOST_NOWHERE;
}

/* It was in no heap. No turn of those that are ready is before the clock. */
static void enter_ready(ss_turns *it, uint32_t number)
{
    set_lead(it, number, ss_turns_lead(it, number));
    enter(it, number, SS_HOST_READY);
}

/* After its row changed. A host that never had to wait is ready; where others
 * wait, the next ss_turns_first looks. */
static void place(ss_turns *it, uint32_t number)
{
    leave(it, number);
    const ss_host_row *row = ss_turns_host(it, number);
    ss_host_place wanted = place_of(it, row);
    if (wanted == SS_HOST_WAITS && row->ready_ms == 0)
        enter_ready(it, number);
    else
        enter(it, number, wanted);
}

/* The same if nothing changed by which heaps are in order. One that is ready
 * may stay so. */
static void place_again(ss_turns *it, uint32_t number)
{
    const ss_host_row *row = ss_turns_host(it, number);
    ss_host_place wanted = place_of(it, row);
    bool is_there = row->place == wanted ||
                    (row->place == SS_HOST_READY && wanted == SS_HOST_WAITS);
    if (!is_there)
        place(it, number);
}

void ss_turns_set_lead(ss_turns *it, uint32_t number, uint32_t lead)
{
    leave(it, number);
    set_lead(it, number, lead);
    place(it, number);
}

/* ---- hosts that come, change and go ---- */

int ss_turns_add(ss_turns *it, uint64_t hash, uint32_t *number)
{
    if (!ss_hosts_have_room(&it->all) && grow(it) != 0)
        return SEENSET_ENOMEM;
    *number = ss_hosts_add(&it->all, hash);
    set_lead(it, *number, 0);
    enter(it, *number, SS_HOST_IDLE);
    return 0;
}

void ss_turns_remove(ss_turns *it, uint32_t number)
{
    leave(it, number);
    ss_hosts_remove(&it->all, number);
}

void ss_turns_set_items(ss_turns *it, uint32_t number, bool has_items)
{
    ss_host_row *row = ss_turns_host(it, number);
    if (row->has_items == has_items)
        return;
    row->has_items = has_items;
    place_again(it, number);
}

void ss_turns_set_kept(ss_turns *it, uint32_t number, bool is_kept)
{
    ss_host_row *row = ss_turns_host(it, number);
    if (row->is_kept == is_kept)
        return;
    row->is_kept = is_kept;
    place_again(it, number);
}

void ss_turns_set_rank(ss_turns *it, uint32_t number, unsigned rank)
{
    ss_host_row *row = ss_turns_host(it, number);
    if (row->rank == rank)
        return;
    uint32_t lead = ss_turns_lead(it, number);
    leave(it, number);
    row->rank = rank & 15;
    set_lead(it, number, lead);
    place(it, number);
}

static uint64_t most(uint64_t ready_ms)
{
    return ready_ms < SS_HOST_MOST_MS ? ready_ms : SS_HOST_MOST_MS;
}

void ss_turns_set_ready(ss_turns *it, uint32_t number, uint64_t ready_ms)
{
    leave(it, number);
    ss_host_row *row = ss_turns_host(it, number);
    row->ready_ms = most(ready_ms) & SS_HOST_MOST_MS;
    place(it, number);
}

/* ---- time ---- */

/* The first of a heap by time, if its time has come. */
static uint32_t first_due(const ss_turns *it, const ss_host_queue *queue,
                          uint64_t now_ms)
{
    if (queue->count == 0 ||
        ss_turns_host(it, ss_host_queue_at(queue, 0))->ready_ms > now_ms)
        return SS_HOSTS_NONE;
    return ss_host_queue_at(queue, 0);
}

uint64_t ss_turns_forget_idle(ss_turns *it, uint64_t now_ms,
                              ss_turns_forget *forget, void *context)
{
    uint64_t forgotten = 0;
    uint32_t number;
    for (; (number = first_due(it, &it->idle, now_ms)) != SS_HOSTS_NONE;
         forgotten++) {
        forget(context, ss_turns_host(it, number));
        ss_turns_remove(it, number);
    }
    return forgotten;
}

static void make_ready(ss_turns *it, uint64_t now_ms)
{
    uint32_t number;
    while ((number = first_due(it, &it->waits, now_ms)) != SS_HOSTS_NONE) {
        leave(it, number);
        enter_ready(it, number);
    }
}

/* A host that became ready by a clock that was set back since waits again. */
uint32_t ss_turns_first(ss_turns *it, uint64_t now_ms)
{
    make_ready(it, now_ms);
    while (it->ready.count > 0) {
        uint32_t number = ss_host_queue_at(&it->ready, 0);
        if (ss_turns_host(it, number)->ready_ms <= now_ms)
            return number;
        place(it, number);
    }
    return SS_HOSTS_NONE;
}

/* In parts of the usual delay, rounded up, so each hand-out is a step. */
static uint32_t step_of(const ss_turns *it, uint64_t delay_ms)
{
    if (it->delay_ms == 0)
        return SS_TURNS_A_DELAY;
    uint64_t parts =
        (delay_ms * SS_TURNS_A_DELAY + it->delay_ms - 1) / it->delay_ms;
    return parts == 0                   ? 1
           : parts < SS_TURNS_MOST_STEP ? (uint32_t)parts
                                        : SS_TURNS_MOST_STEP;
}

static void not_before(ss_host_row *row, uint64_t ready_ms)
{
    if (row->ready_ms < most(ready_ms))
        row->ready_ms = most(ready_ms) & SS_HOST_MOST_MS;
}

void ss_turns_hand_out(ss_turns *it, uint32_t number, uint64_t now_ms,
                       uint64_t delay_ms)
{
    uint32_t turn = clock_of(it, number) + ss_turns_lead(it, number);
    leave(it, number);
    ss_host_row *row = ss_turns_host(it, number);
    it->order.clocks[row->rank] = turn;
    row->turn = turn + step_of(it, delay_ms);
    row->leased++;
    if (it->is_from_start)
        not_before(row, now_ms + delay_ms);
    bool stays_ready =
        place_of(it, row) == SS_HOST_WAITS && row->ready_ms <= now_ms;
    enter(it, number, stays_ready ? SS_HOST_READY : place_of(it, row));
}

void ss_turns_end(ss_turns *it, uint32_t number, uint64_t end_ms,
                  uint64_t delay_ms, bool is_tried)
{
    ss_host_row *row = ss_turns_host(it, number);
    uint64_t before_ms = row->ready_ms;
    row->leased--;
    if (is_tried && !it->is_from_start && delay_ms > 0)
        not_before(row, end_ms + delay_ms);
    if (row->ready_ms == before_ms)
        place_again(it, number);
    else
        place(it, number);
}

void ss_turns_lease_again(ss_turns *it, uint32_t number)
{
    ss_turns_host(it, number)->leased++;
    place(it, number);
}

uint64_t ss_turns_next_ms(const ss_turns *it)
{
    if (it->ready.count > 0)
        return ss_turns_host(it, ss_host_queue_at(&it->ready, 0))->ready_ms;
    return it->waits.count == 0
               ? UINT64_MAX
               : ss_turns_host(it, ss_host_queue_at(&it->waits, 0))->ready_ms;
}
