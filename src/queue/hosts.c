/*
 * hosts.c - the hosts of a polite queue: set, and shown.
 *
 * Names are not kept but for hosts with settings. That of another host is read
 * from the record of one of its items. So a list is made first of the hosts'
 * figures, each with the position of such a record, and names are read one by
 * one while it is shown.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include <string.h>

#include "base/bits.h"
#include "base/growth.h"
#include "items/moment.h"
#include "queue/delayed/away.h"
#include "queue/delayed/settle.h"
#include "queue/polite.h"

/* ---- settings ---- */

/* Of a URL the host is a part. */
static bool is_url(const void *host, size_t host_len)
{
    size_t start = 0, site_len = host_len;
    (void)seenset_url_site(host, host_len, SEENSET_URL_SITE_HOST, &start,
                           &site_len);
    return site_len != host_len;
}

static bool is_name_valid(const void *host, size_t host_len)
{
    return (host != NULL || host_len == 0) &&
           host_len <= SEENSET_QUEUE_MAX_ITEM_BYTES && !is_url(host, host_len);
}

static bool are_settings_valid(const seenset_queue_host_settings *settings)
{
    const uint32_t known = SEENSET_QUEUE_HOST_DELAY | SEENSET_QUEUE_HOST_BLOCK |
                           SEENSET_QUEUE_HOST_BUDGET;
    uint32_t flags = settings->flags;
    if (flags == 0 || (flags & ~known) != 0 || settings->reserved32 != 0 ||
        !SS_GROWTH_IS_UNUSED(settings))
        return false;
    return ((flags & SEENSET_QUEUE_HOST_DELAY) == 0 ||
            (settings->delay_seconds >= 0 &&
             settings->delay_seconds <=
                 SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS)) &&
           ((flags & SEENSET_QUEUE_HOST_BLOCK) == 0 ||
            (settings->block_seconds >= 0 && settings->block_seconds <= 1e9)) &&
           ((flags & SEENSET_QUEUE_HOST_BUDGET) == 0 || settings->budget > 0);
}

/* What is the queue's own value is none of the host. */
static ss_host_setting setting_of(const seenset_queue *queue,
                                  const seenset_queue_host_settings *from,
                                  uint64_t now_ns)
{
    const ss_frontier_rules *rules = &queue->frontier->rules;
    uint64_t delay_ms = SS_FRONTIER_USUAL;
    if ((from->flags & SEENSET_QUEUE_HOST_DELAY) != 0)
        delay_ms = ss_rules_ms(from->delay_seconds);
    if (delay_ms == rules->delay_ms)
        delay_ms = SS_FRONTIER_USUAL;
    ss_host_setting setting = {
        .delay_ms = delay_ms,
        .budget = from->budget == rules->budget ? 0 : from->budget,
        .until_ns = now_ns};
    if ((from->flags & SEENSET_QUEUE_HOST_DELAY) != 0)
        setting.sets |= SS_SETS_DELAY;
    if ((from->flags & SEENSET_QUEUE_HOST_BUDGET) != 0)
        setting.sets |= SS_SETS_BUDGET;
    if ((from->flags & SEENSET_QUEUE_HOST_BLOCK) != 0) {
        setting.sets |= SS_SETS_BLOCK;
        setting.until_ns += (uint64_t)(from->block_seconds * 1e9);
    }
    return setting;
}

static void append_setting(seenset_queue *queue, const ss_host_setting *setting)
{
    const ss_moment now = ss_moment_now(queue->folder.io->clock);
    uint8_t *payload = ss_log_end_payload(&queue->log);
    memcpy(payload, now.boot_id, SS_CLOCK_BOOT_BYTES);
    ss_bits_store(payload + 16, 8, now.steady_ns);
    ss_bits_store(payload + 24, 8, now.wall_seconds);
    ss_bits_store(payload + SS_HOST_AT_SETS, 8, setting->sets);
    ss_bits_store(payload + SS_HOST_AT_DELAY, 8, setting->delay_ms);
    ss_bits_store(payload + 48, 8, setting->budget);
    ss_bits_store(payload + 56, 8, setting->until_ns);
    if (setting->name_len > 0)
        memcpy(payload + SS_HOST_PREFIX_BYTES, setting->name,
               setting->name_len);
    ss_append_record(queue, SS_RECORD_HOST,
                     SS_HOST_PREFIX_BYTES + setting->name_len);
}

/* Under `each` it holds once it is durable. */
static int set_locked(seenset_queue *queue, ss_host_setting *setting)
{
    int error =
        ss_append_reserve(queue, SS_RECORD_HEADER_BYTES + SS_HOST_PREFIX_BYTES +
                                     setting->name_len);
    if (error == SEENSET_OK)
        error = ss_polite_prepare(queue, setting);
    if (error != SEENSET_OK)
        return error;
    append_setting(queue, setting);
    if (ss_queue_is_each(queue))
        error = ss_append_wait(queue, queue->log.tail);
    if (error == SEENSET_OK)
        ss_polite_set(queue, setting, ss_queue_now(queue));
    else
        ss_polite_cancel(queue, setting);
    return error;
}

int seenset_queue_set_host(seenset_queue *queue, const void *host,
                           size_t host_len,
                           const seenset_queue_host_settings *settings)
{
    if (queue == NULL || settings == NULL || !is_name_valid(host, host_len) ||
        !are_settings_valid(settings))
        return SEENSET_EINVAL;
    if (queue->frontier == NULL)
        return SEENSET_EUNSUPPORTED;
    pthread_mutex_lock(&queue->mutex);
    uint64_t now_ns = ss_queue_now(queue);
    (void)ss_settle_due(queue, now_ns); /* as what held until now asks */
    ss_host_setting setting = setting_of(queue, settings, now_ns);
    setting.name = host;
    setting.name_len = host_len;
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK)
        error = set_locked(queue, &setting);
    ss_checkpoint_if_due(queue);
    pthread_mutex_unlock(&queue->mutex);
    return error;
}

/* ---- figures ---- */

static double seconds_of(uint64_t ms)
{
    return (double)ms / 1e3;
}

/* All but the name. */
static seenset_queue_host figures_of(const ss_frontier *frontier,
                                     uint32_t number, uint64_t now_ns)
{
    const ss_host_row *row = ss_turns_host(&frontier->turns, number);
    uint64_t ready_ns = row->ready_ms * SS_MS_NS;
    return (seenset_queue_host){
        .pending_items = ss_frontier_items(frontier, number) - row->leased,
        .leased_items = row->leased,
        .taken_items = ss_frontier_taken(frontier, number),
        .budget = ss_frontier_budget(frontier, number),
        .delay_seconds = seconds_of(ss_frontier_delay_ms(frontier, number)),
        .seconds_to_ready =
            ready_ns > now_ns ? (double)(ready_ns - now_ns) / 1e9 : 0,
        .has_settings = ss_frontier_own(frontier, number) != NULL};
}

int seenset_queue_get_host(seenset_queue *queue, const void *host,
                           size_t host_len, seenset_queue_host *out,
                           size_t out_bytes)
{
    if (queue == NULL || out == NULL || out_bytes == 0 ||
        !is_name_valid(host, host_len))
        return SEENSET_EINVAL;
    if (queue->frontier == NULL)
        return SEENSET_EUNSUPPORTED;
    const ss_frontier *frontier = queue->frontier;
    seenset_queue_host figures = {.budget = frontier->rules.budget,
                                  .delay_seconds =
                                      seconds_of(frontier->rules.delay_ms)};
    pthread_mutex_lock(&queue->mutex);
    uint64_t now_ns = ss_queue_now(queue);
    (void)ss_settle_due(queue, now_ns);
    uint32_t number =
        ss_frontier_find(frontier, ss_frontier_hash_name(host, host_len));
    if (number != SS_HOSTS_NONE)
        figures = figures_of(frontier, number, now_ns);
    pthread_mutex_unlock(&queue->mutex);
    figures.name = host;
    figures.name_len = host_len;
    (void)ss_growth_hand_out(out, out_bytes, &figures, sizeof figures);
    return number != SS_HOSTS_NONE;
}

/* ---- the list ---- */

/* A host that is shown. */
typedef struct shown {
    uint64_t hash, pending;
    uint64_t item; /* one of its items; or SS_LINK_END */
} shown;

typedef struct host_list {
    seenset_queue *queue;
    shown *hosts;
    size_t room, count;
    uint64_t *items; /* by number of host, one of its items */
    size_t items_room;
    size_t missing; /* hosts with items, of which none is known yet */
} host_list;

static bool is_before(const shown *a, const shown *b)
{
    return a->pending != b->pending ? a->pending > b->pending
                                    : a->hash < b->hash;
}

/* A heap whose first is the last of all in order. */
static void sink(shown *hosts, size_t at, size_t count)
{
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < count && is_before(&hosts[child], &hosts[child + 1]))
            child++;
        if (child >= count || !is_before(&hosts[at], &hosts[child]))
            return;
        shown lower = hosts[at];
        hosts[at] = hosts[child];
        hosts[child] = lower;
        at = child;
    }
}

static void sort_hosts(shown *hosts, size_t count)
{
    for (size_t i = count / 2; i > 0; i--)
        sink(hosts, i - 1, count);
    for (size_t end = count; end > 1; end--) {
        shown last = hosts[0];
        hosts[0] = hosts[end - 1];
        hosts[end - 1] = last;
        sink(hosts, 0, end - 1);
    }
}

/* Of each host an item: any that was handed out, or the first of a chain. */
static void find_items(host_list *list)
{
    const ss_items *items = &list->queue->items;
    for (size_t i = 0; i < list->items_room; i++)
        list->items[i] = SS_LINK_END;
    for (unsigned i = 0; i < SS_LANES; i++) {
        const ss_leases *leases = &items->lanes[i].leases;
        for (const ss_leased_item *entry = ss_leases_oldest(leases);
             entry != NULL; entry = ss_leases_newer(leases, entry)) {
            list->items[entry->host] = entry->item;
        }
    }
}

/* Does a host have items, and none is known yet? */
static bool has_no_item(const host_list *list, uint32_t number)
{
    ss_front front;
    const ss_frontier *frontier = list->queue->frontier;
    return ss_turns_host(&frontier->turns, number)->place != SS_HOST_UNUSED &&
           list->items[number] == SS_LINK_END &&
           ss_frontier_items(frontier, number) > 0 &&
           !ss_frontier_best(frontier, number, &front);
}

static int find_host(void *context, const ss_delay *delay)
{
    uint32_t host;
    host_list *list = context;
    int error = ss_away_host(list->queue, delay->item, &host);
    if (error != SEENSET_OK)
        return error;
    list->missing -= has_no_item(list, host);
    list->items[host] = delay->item;
    return list->missing == 0;
}

/* Of those whose items are all in files: files are read until each such host
 * has one. Returns 0 or an error of ss_run_read or of scratch. */
static int find_away(host_list *list)
{
    int result = 0;
    ss_items *items = &list->queue->items;
    for (uint32_t i = 0; i < list->items_room; i++)
        list->missing += has_no_item(list, i);
    for (unsigned i = 0; i < SS_LANES && result == 0 && list->missing > 0; i++)
        result = ss_delays_each(&items->lanes[i].delays, &items->run_files,
                                find_host, list);
    return result < 0 ? result : SEENSET_OK;
}

static void add_host(host_list *list, uint32_t number)
{
    const ss_frontier *frontier = list->queue->frontier;
    const ss_host_row *row = ss_turns_host(&frontier->turns, number);
    if (row->place == SS_HOST_UNUSED)
        return;
    ss_front front = {.item = list->items[number]};
    (void)ss_frontier_best(frontier, number, &front);
    if (front.item == SS_LINK_END && ss_frontier_own(frontier, number) == NULL)
        return;
    list->hosts[list->count++] =
        (shown){row->hash, ss_frontier_items(frontier, number) - row->leased,
                front.item};
}

static int make_list(host_list *list)
{
    const ss_memory *memory = &list->queue->memory;
    const ss_host_table *all = &list->queue->frontier->turns.all;
    int error = ss_settle_due(list->queue, ss_queue_now(list->queue));
    if (error != SEENSET_OK)
        return error;
    list->room = list->items_room = all->used;
    list->hosts = ss_memory_alloc(memory, list->room + 1, sizeof *list->hosts);
    list->items =
        ss_memory_alloc(memory, list->items_room + 1, sizeof *list->items);
    if (list->hosts == NULL || list->items == NULL)
        return SEENSET_ENOMEM;
    find_items(list);
    error = find_away(list);
    if (error != SEENSET_OK)
        return error;
    for (uint32_t i = 0; i < all->used; i++)
        add_host(list, i);
    sort_hosts(list->hosts, list->count);
    return SEENSET_OK;
}

static void free_list(host_list *list)
{
    const ss_memory *memory = &list->queue->memory;
    ss_memory_free(memory, list->hosts, list->room + 1, sizeof *list->hosts);
    ss_memory_free(memory, list->items, list->items_room + 1,
                   sizeof *list->items);
}

/* The name of a host that has no settings. 1, 0 (its item is gone) or an
 * error. */
static int read_name(seenset_queue *queue, const shown *host,
                     seenset_queue_item *to)
{
    ss_record record;
    size_t start, len;
    uint64_t at;
    int result = ss_polite_position(queue, host->item, &at);
    if (result == 1)
        result = ss_pop_read(queue, at, host->item, &record);
    if (result != 1)
        return result;
    const ss_push push = ss_push_of(&record);
    ss_frontier_site(queue->frontier, push.url, push.url_len, &start, &len);
    int error = ss_item_fill_bytes(to, &queue->memory, push.url + start, len);
    return error == SEENSET_OK ? 1 : error;
}

/* One host, mutex held: 1, 0 (it is not there any more) or an error. */
static int show_locked(seenset_queue *queue, const shown *host,
                       seenset_queue_item *name, seenset_queue_host *figures)
{
    ss_frontier *frontier = queue->frontier;
    uint32_t number = ss_frontier_find(frontier, host->hash);
    int result = ss_queue_check(queue);
    if (result != SEENSET_OK || number == SS_HOSTS_NONE)
        return result;
    ss_host_own *own = ss_frontier_own(frontier, number);
    if (own != NULL)
        result = ss_item_fill_bytes(name, &queue->memory, ss_host_own_name(own),
                                    own->name_len);
    if (own != NULL && result == SEENSET_OK)
        result = 1;
    else if (own == NULL)
        result = read_name(queue, host, name);
    if (result != 1)
        return result;
    *figures = figures_of(frontier, number, ss_queue_now(queue));
    figures->name = name->url;
    figures->name_len = name->url_len;
    return 1;
}

static int show_all(host_list *list, size_t most,
                    seenset_queue_host_function *visit, void *context)
{
    seenset_queue *queue = list->queue;
    seenset_queue_item name = {0};
    seenset_queue_host figures;
    int result = 0;
    if (most == 0 || most > list->count)
        most = list->count;
    for (size_t i = 0; i < most && result == 0; i++) {
        pthread_mutex_lock(&queue->mutex);
        result = show_locked(queue, &list->hosts[i], &name, &figures);
        pthread_mutex_unlock(&queue->mutex);
        if (result == 1)
            result = visit(context, &figures);
    }
    seenset_queue_item_free(&name);
    return result;
}

int seenset_queue_list_hosts(seenset_queue *queue, size_t most,
                             seenset_queue_host_function *visit, void *context)
{
    if (queue == NULL || visit == NULL)
        return SEENSET_EINVAL;
    if (queue->frontier == NULL)
        return SEENSET_EUNSUPPORTED;
    host_list list = {.queue = queue};
    pthread_mutex_lock(&queue->mutex);
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK)
        error = make_list(&list);
    pthread_mutex_unlock(&queue->mutex);
    if (error == SEENSET_OK)
        error = show_all(&list, most, visit, context);
    free_list(&list);
    return error;
}
