/* spill.c - delayed items to runs; bring.c has the way back */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/delayed/delayed.h"

#include "base/order.h"
#include "items/delayed/run_write.h"
#include "queue/delayed/away.h"
#include "queue/delayed/settle.h"

/* Nothing is written after a sync that failed. */
static bool may_spill(seenset_queue *queue)
{
    return !queue->is_in_memory && ss_queue_check(queue) == SEENSET_OK;
}

static bool has_too_many(const ss_lane *lane)
{
    return lane->leases.waiting_count > lane->spill_at;
}

/* In a polite queue what is due by now waits for its host, and is not delayed
 * any more. */
static bool has_too_many_delayed(seenset_queue *queue, const ss_lane *lane)
{
    if (has_too_many(lane) && queue->frontier != NULL)
        (void)ss_settle_due(queue, ss_queue_now(queue));
    return has_too_many(lane);
}

static int put_all(ss_run_writer *to, const ss_in_order *list)
{
    int error = SEENSET_OK;
    for (size_t i = 0; i < list->count && error == SEENSET_OK; i++) {
        const ss_leased_item *item = list->at[i];
        const ss_delay delay = {.item = item->item,
                                .position = item->position,
                                .due_ns = (int64_t)item->due_ns,
                                .deliveries = item->deliveries,
                                .turn = item->turn};
        error = ss_run_put(to, &delay);
    }
    return error;
}

static int write_run(ss_run_writer *to, ss_in_order *list)
{
    ss_in_order_by_due(list);
    int error = put_all(to, list);
    if (error == SEENSET_OK)
        error = ss_run_turn_to_items(to);
    ss_in_order_by_item(list);
    if (error == SEENSET_OK)
        error = put_all(to, list);
    if (error == SEENSET_OK)
        return ss_run_finish(to);
    ss_run_abort(to);
    return error;
}

/* A file of this number will be there: it is remembered before that. */
static int take_number(seenset_queue *queue, uint64_t *number)
{
    ss_delayed_files *files = &queue->delayed_files;
    if (!ss_positions_add(&files->there, &queue->memory, files->next_number))
        return SEENSET_ENOMEM;
    *number = files->next_number++;
    return SEENSET_OK;
}

/* The items are in the new run, and in leases no longer. */
static int move_to_run(seenset_queue *queue, ss_lane *lane,
                       const ss_in_order *list, const ss_run_name *name)
{
    ss_run run;
    int error = ss_run_open(&run, &queue->items.run_files, name);
    if (error != SEENSET_OK)
        return error;
    error = ss_away_put(queue, lane, list);
    if (error != SEENSET_OK) {
        ss_run_close(&run, &queue->items.run_files);
        return error;
    }
    ss_delays_add(&lane->delays, &run);
    lane->delays.items += list->count;
    for (size_t i = 0; i < list->count; i++)
        ss_leases_remove(&lane->leases,
                         ss_leases_by_item(&lane->leases, list->at[i]->item));
    return SEENSET_OK;
}

static int spill_list(seenset_queue *queue, ss_lane *lane, ss_in_order *list)
{
    uint64_t number;
    ss_run_writer to;
    int error = ss_create_runs(queue);
    if (error == SEENSET_OK &&
        (!ss_leases_be_unordered(&lane->leases, &queue->memory) ||
         !ss_delays_reserve(&lane->delays, &queue->memory)))
        error = SEENSET_ENOMEM;
    if (error == SEENSET_OK)
        error = take_number(queue, &number);
    if (error == SEENSET_OK)
        error = ss_run_begin(&to, &queue->items.run_files, number,
                             (unsigned)(lane - queue->items.lanes));
    if (error == SEENSET_OK)
        error = write_run(&to, list);
    return error == SEENSET_OK ? move_to_run(queue, lane, list, &to.name)
                               : error;
}

/* Small runs become one, if there are enough of them. */
static int merge(seenset_queue *queue, ss_lane *lane)
{
    uint64_t number;
    bool is_merged = true;
    int error = SEENSET_OK;
    while (error == SEENSET_OK && is_merged) {
        error = ss_delays_reserve(&lane->delays, &queue->memory)
                    ? take_number(queue, &number)
                    : SEENSET_ENOMEM;
        if (error == SEENSET_OK)
            error = ss_delays_merge(&lane->delays, &queue->items.run_files,
                                    queue->items.run_items, number, &is_merged);
    }
    return error;
}

static int spill_lane(seenset_queue *queue, ss_lane *lane)
{
    ss_in_order list;
    int error = ss_in_order_make_delayed(&list, &queue->memory, &lane->leases);
    if (error == SEENSET_OK)
        error = spill_list(queue, lane, &list);
    ss_in_order_free(&list, &queue->memory);
    return error == SEENSET_OK ? merge(queue, lane) : error;
}

/* After an error it is tried again when as many more are delayed. */
int ss_delayed_spill(seenset_queue *queue)
{
    for (unsigned i = 0; i < SS_LANES && may_spill(queue); i++) {
        ss_lane *lane = &queue->items.lanes[i];
        uint64_t most = queue->items.run_items;
        if (!has_too_many_delayed(queue, lane))
            continue;
        int error = spill_lane(queue, lane);
        lane->spill_at =
            error == SEENSET_OK ? most : lane->leases.waiting_count + most;
        queue->snapshots.failed_count += error != SEENSET_OK;
        if (error == SEENSET_EPOISONED)
            return ss_append_poison(queue);
    }
    return ss_queue_check(queue) == SEENSET_OK ? SEENSET_OK : SEENSET_EIO;
}

int ss_delayed_remade(seenset_queue *to, const ss_lane *lane)
{
    return to->manifest.has_runs && has_too_many(lane) ? ss_delayed_spill(to)
                                                       : SEENSET_OK;
}
