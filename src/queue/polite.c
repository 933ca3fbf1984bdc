/* polite.c - see polite.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/polite.h"

_Static_assert(SS_FRONTIER_MOST_DELAY_MS == SS_HOST_MOST_DELAY_MS,
               "a record keeps what the frontier takes");

static int open_scratch(void *context)
{
    const seenset_queue *queue = context;
    return ss_folder_scratch(&queue->folder);
}

/* One that is only looked at may be in a folder that cannot be written to. */
int ss_polite_start(seenset_queue *queue)
{
    const ss_scratch_file file = {.io = queue->folder.io,
                                  .open = open_scratch,
                                  .context = queue,
                                  .is_optional = queue->lock_fd < 0};
    if (!queue->manifest.is_polite)
        return SEENSET_OK;
    queue->frontier = ss_frontier_new(&queue->memory, &queue->manifest.rules,
                                      queue->is_in_memory ? NULL : &file);
    if (queue->frontier == NULL)
        return SEENSET_ENOMEM;
    ss_items_make_polite(&queue->items);
    return SEENSET_OK;
}

int ss_polite_watch_segments(seenset_queue *queue)
{
    const ss_positions *segments = &queue->log.segments;
    for (size_t i = 0; i < segments->count && queue->frontier != NULL; i++) {
        ss_live *live = &queue->frontier->live;
        if (!ss_live_reserve(live, &queue->memory))
            return SEENSET_ENOMEM;
        ss_live_begin(live, segments->at[i]);
    }
    return SEENSET_OK;
}

int ss_polite_reserve(seenset_queue *queue, const void *url, size_t url_len,
                      bool is_moved)
{
    uint32_t number;
    ss_frontier *frontier = queue->frontier;
    uint64_t hash = ss_frontier_hash(frontier, url, url_len);
    int error = ss_frontier_need(frontier, hash, &number);
    if (error == SEENSET_OK && !is_moved &&
        ss_frontier_is_spent(frontier, number))
        return SEENSET_EBUDGET;
    return error == SEENSET_OK
               ? ss_frontier_reserve(frontier, number, queue->log.next_item)
               : error;
}

int ss_polite_reserve_lease(seenset_queue *queue)
{
    uint64_t count = 1;
    if (queue->frontier == NULL)
        return SEENSET_OK;
    for (unsigned i = 0; i < SS_LANES; i++)
        count += queue->items.lanes[i].leases.count;
    return ss_frontier_reserve_again(queue->frontier, count);
}

/* ---- leases that end by the clock ---- */

void ss_polite_end(seenset_queue *queue, ss_leased_item *entry, uint64_t at_ns,
                   bool is_tried)
{
    ss_frontier *frontier = queue->frontier;
    uint32_t host = entry->host;
    uint64_t delay_ms = ss_frontier_delay_ms(frontier, host);
    uint64_t end_ms = ss_polite_from_ms(at_ns, delay_ms);
    if (entry->is_out)
        ss_turns_end(&frontier->turns, host, end_ms, delay_ms, is_tried);
    else if (is_tried && !frontier->rules.is_from_start)
        ss_frontier_not_before(frontier, host, end_ms + delay_ms);
    entry->is_out = false;
}

ss_leased_item *ss_polite_leased(const seenset_queue *queue, uint64_t item)
{
    ss_leased_item *entry = NULL;
    for (unsigned i = 0; i < SS_LANES && entry == NULL; i++)
        entry = ss_leases_by_item(&queue->items.lanes[i].leases, item);
    return entry;
}

int ss_polite_position(const seenset_queue *queue, uint64_t item,
                       uint64_t *position)
{
    ss_link link;
    ss_frontier *frontier = queue->frontier;
    if (!ss_pending_has(&frontier->pending, item))
        return 0;
    const ss_leased_item *entry = ss_polite_leased(queue, item);
    if (entry != NULL) {
        *position = entry->position;
        return 1;
    }
    int error = ss_links_read(&frontier->links, item, &link);
    if (error != SEENSET_OK)
        return error;
    *position = link.at;
    return 1;
}

uint64_t ss_polite_next_ns(const seenset_queue *queue)
{
    uint64_t next_ms = ss_turns_next_ms(&queue->frontier->turns);
    return next_ms > UINT64_MAX / SS_MS_NS ? UINT64_MAX : next_ms * SS_MS_NS;
}

/* ---- hand-outs ---- */

/* Is the record in the log's block still, after a write that failed, or on its
 * way to the disk? */
static bool is_appended(const seenset_queue *queue)
{
    return queue->mark.end > 0 &&
           queue->mark.rollbacks == queue->durability.rollbacks &&
           queue->mark.states == queue->counters.states;
}

static int append_mark(seenset_queue *queue)
{
    int error = ss_append_reserve(queue, SS_RECORD_HEADER_BYTES);
    if (error != SEENSET_OK)
        return error;
    (void)ss_log_end_payload(&queue->log);
    ss_append_record(queue, SS_RECORD_HANDED, 0);
    queue->mark = (ss_hand_out_mark){.end = queue->log.tail,
                                     .rollbacks = queue->durability.rollbacks,
                                     .states = queue->counters.states};
    return SEENSET_OK;
}

int ss_polite_mark(seenset_queue *queue)
{
    if (queue->mark.is_durable || queue->is_in_memory)
        return SEENSET_OK;
    int error = is_appended(queue) ? SEENSET_OK : append_mark(queue);
    if (error != SEENSET_OK)
        return error;
    const ss_hand_out_mark mark = queue->mark;
    error = ss_append_wait(queue, mark.end);
    if (error == SEENSET_OK)
        error = ss_append_check(queue, mark.rollbacks);
    if (error == SEENSET_OK)
        queue->mark.is_durable = queue->counters.states == mark.states;
    return error;
}

void ss_polite_hand_out(seenset_queue *queue, ss_leased_item *entry,
                        const ss_link *link, uint64_t now_ns)
{
    ss_frontier *frontier = queue->frontier;
    uint32_t host = entry->host;
    uint64_t delay_ms = ss_frontier_delay_ms(frontier, host);
    ss_turns_hand_out(&frontier->turns, host,
                      ss_polite_from_ms(now_ns, delay_ms), delay_ms);
    if (link == NULL)
        ss_again_remove(queue, entry);
    else
        ss_frontier_take(frontier, host, entry->lane, link);
    entry->is_out = true;
}

/* ---- items that come back ---- */

void ss_polite_recall(seenset_queue *queue, ss_leased_item *entry,
                      uint64_t now_ns)
{
    if (entry->state != SS_LEASE_ENDED)
        return;
    ss_again_remove(queue, entry);
    ss_items_set(&queue->items, entry, SS_LEASE_HELD, now_ns);
}

bool ss_polite_extend(seenset_queue *queue, ss_leased_item *entry,
                      uint64_t now_ns)
{
    ss_turns *turns = &queue->frontier->turns;
    if (entry->is_out)
        return true;
    uint32_t host = entry->host;
    if (ss_turns_host(turns, host)->leased >= turns->most_leased)
        return false;
    ss_polite_recall(queue, entry, now_ns);
    ss_turns_lease_again(turns, host);
    entry->is_out = true;
    return true;
}

void ss_polite_ack(seenset_queue *queue, ss_leased_item *entry, uint64_t now_ns)
{
    const ss_leases *leases = &ss_items_lane_of(&queue->items, entry)->leases;
    const ss_span record = {entry->position, ss_leases_bytes(leases, entry)};
    ss_polite_end(queue, entry, now_ns, true);
    ss_frontier_done(queue->frontier, entry->host, entry->item, record);
}

/* ---- settings ---- */

/* What a host has now, but for what the setting changes. */
static void change(const ss_host_own *before, const ss_host_setting *setting,
                   ss_host_own *own)
{
    if (before != NULL) {
        own->delay_ms = before->delay_ms;
        own->budget = before->budget;
    }
    if ((setting->sets & SS_SETS_DELAY) != 0)
        own->delay_ms = setting->delay_ms;
    if ((setting->sets & SS_SETS_BUDGET) != 0)
        own->budget = setting->budget;
}

/* Nobody knows what its delay was before it was blocked, so one begins. */
static void unblock(ss_frontier *frontier, uint32_t host, uint64_t now_ns)
{
    uint64_t delay_ms = ss_frontier_delay_ms(frontier, host);
    uint64_t ready_ms = ss_polite_from_ms(now_ns, delay_ms) + delay_ms;
    if (ss_turns_host(&frontier->turns, host)->ready_ms > ready_ms)
        ss_turns_set_ready(&frontier->turns, host, ready_ms);
}

int ss_polite_prepare(seenset_queue *queue, ss_host_setting *setting)
{
    ss_frontier *frontier = queue->frontier;
    uint64_t hash = ss_frontier_hash_name(setting->name, setting->name_len);
    if (ss_frontier_need(frontier, hash, &setting->host) != SEENSET_OK)
        return SEENSET_ENOMEM;
    setting->own =
        ss_frontier_make_own(frontier, setting->name, setting->name_len);
    if (setting->own == NULL)
        return SEENSET_ENOMEM;
    if (ss_frontier_need_rest(frontier, setting->host) != SEENSET_OK) {
        ss_frontier_free_own(frontier, setting->own);
        return SEENSET_ENOMEM;
    }
    ss_frontier_pin(frontier, setting->host);
    return SEENSET_OK;
}

void ss_polite_cancel(seenset_queue *queue, const ss_host_setting *setting)
{
    ss_frontier_free_own(queue->frontier, setting->own);
    ss_frontier_unpin(queue->frontier, setting->host);
}

void ss_polite_set(seenset_queue *queue, const ss_host_setting *setting,
                   uint64_t now_ns)
{
    ss_frontier *frontier = queue->frontier;
    uint32_t host = setting->host;
    change(ss_frontier_own(frontier, host), setting, setting->own);
    ss_frontier_set_own(frontier, host, setting->own);
    ss_frontier_unpin(frontier, host);
    if ((setting->sets & SS_SETS_BLOCK) == 0)
        return;
    if (setting->until_ns > now_ns)
        ss_frontier_not_before(frontier, host,
                               ss_polite_ms_up(setting->until_ns));
    else
        unblock(frontier, host, now_ns);
}
