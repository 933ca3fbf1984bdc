/*
 * queue_honest_calls.c - the calls that a script of queue_honest.h is made of.
 * Each adds to the run's digest what it handed out; what the script remembers,
 * such as leases, changes only if it did what it should.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue_honest.h"

#include <errno.h>
#include <string.h>

#include "base/crc32c.h"
#include "queue_model.h"

enum {
    URL_BYTES = 32
};

#define NO_LEASE UINT64_C(0xFFFFFF00)

static const uint8_t data[HONEST_BIG_BYTES] = "what the caller wants to know";

/* ---- digests ---- */

static void put(honest_run *run, uint64_t value)
{
    run->digest = test_mix(run->digest ^ test_mix(value));
}

static void put_bytes(honest_run *run, const void *bytes, size_t size_bytes)
{
    put(run, size_bytes);
    put(run, ss_crc32c(bytes, size_bytes));
}

static void put_report(honest_run *run)
{
    const seenset_queue_report *report = &run->report;
    put_bytes(run, report->file, strlen(report->file));
    put_bytes(run, report->reason, strlen(report->reason));
    const uint64_t numbers[] = {
        report->offset,        report->segment_count, report->record_count,
        report->item_count,    report->log_bytes,     report->damage_count,
        report->damaged_bytes, report->lost_items,    report->torn_bytes};
    put_bytes(run, numbers, sizeof numbers);
}

/* The numbers that follow from what was answered. */
int honest_stats(honest_run *run, int count)
{
    seenset_queue_stats stats;
    (void)count;
    seenset_stats set;
    int error = seenset_queue_get_stats(run->queue, &stats, sizeof stats);
    if (error == SEENSET_OK)
        error = seenset_queue_get_set_stats(run->queue, &set, sizeof set);
    if (error != SEENSET_OK)
        return error;
    const uint64_t numbers[] = {stats.pending_items, stats.leased_items,
                                stats.pushed_items,  stats.acked_items,
                                stats.not_url_items, stats.torn_bytes,
                                set.set_bits,        set.added_items};
    put_bytes(run, numbers, sizeof numbers);
    return SEENSET_OK;
}

/* ---- the queue as a whole ---- */

int honest_open(honest_run *run, int keep_leases)
{
    seenset_queue_options options = run->options;
    seenset_options set = {0};
    if (options.set != NULL)
        set = *options.set;
    set.allocator = &run->memory.allocator;
    assert_null(run->queue);
    options.flags |= keep_leases ? SEENSET_QUEUE_KEEP_LEASES : 0;
    options.report = &run->report;
    options.set = &set;
    int error =
        ss_queue_open(disk_io(run->on), &run->queue, DISK_FOLDER, &options);
    if (error == SEENSET_OK && keep_leases == 0)
        run->lease_count = 0;
    if (error == SEENSET_EDAMAGED)
        put_report(run);
    if (error != SEENSET_OK)
        return error;
    error = honest_stats(run, 0);
    if (error != SEENSET_OK) { /* it is opened again */
        ss_queue_free(run->queue);
        run->queue = NULL;
    }
    return error;
}

int honest_close(honest_run *run, int count)
{
    (void)count;
    int error = seenset_queue_close(run->queue);
    run->queue = NULL;
    return error;
}

int honest_sync(honest_run *run, int count)
{
    (void)count;
    return seenset_queue_sync(run->queue);
}

/* How many snapshots of the log's end are on the platters. */
static int count_snapshots(const honest_run *run)
{
    char state[SS_FOLDER_NAME_BYTES], set[SS_FOLDER_NAME_BYTES];
    disk *safe = disk_platters(run->on);
    ss_folder_name(state, SS_FOLDER_STATE, run->queue->log.tail);
    ss_folder_name(set, SS_FOLDER_SET, run->queue->log.tail);
    int count =
        (disk_name(safe, state, 0) != NULL) + (disk_name(safe, set, 0) != NULL);
    disk_free(safe);
    return count;
}

int honest_checkpoint(honest_run *run, int count)
{
    (void)count;
    int error = seenset_queue_checkpoint(run->queue);
    return error == SEENSET_OK && count_snapshots(run) != 2 ? HONEST_LIE
                                                            : error;
}

/* It may read, and nothing else. */
int honest_verify(honest_run *run, int count)
{
    (void)count;
    disk *before = disk_copy(run->on);
    int error =
        ss_queue_verify(disk_io(run->on), DISK_FOLDER,
                        &(const seenset_queue_options){.report = &run->report});
    int saved_errno = errno;
    put_report(run);
    if (run->is_meddling)
        disk_flip(run->on, SS_FOLDER_MANIFEST, 3);
    bool is_same = disk_is_same(before, run->on);
    disk_free(before);
    errno = saved_errno;
    return is_same ? error : HONEST_LIE;
}

int honest_repair(honest_run *run, int count)
{
    (void)count;
    int error =
        ss_queue_repair(disk_io(run->on), DISK_FOLDER,
                        &(const seenset_queue_options){.report = &run->report});
    put_report(run);
    return error;
}

int honest_pass(honest_run *run, int seconds)
{
    disk_pass_ns(run->on, (uint64_t)seconds * UINT64_C(1000000000));
    return SEENSET_OK;
}

/* ---- hosts ---- */

/* One without URLs: what it has is blocked, and would not come out. */
static const char host[] = "B.example";

int honest_block(honest_run *run, int seconds)
{
    const seenset_queue_host_settings settings = {
        .flags = SEENSET_QUEUE_HOST_BLOCK | SEENSET_QUEUE_HOST_BUDGET,
        .block_seconds = seconds,
        .budget = 1000 + (uint64_t)seconds};
    return seenset_queue_set_host(run->queue, host, strlen(host), &settings);
}

static int show_host(void *context, const seenset_queue_host *shown)
{
    honest_run *run = context;
    put_bytes(run, shown->name, shown->name_len);
    put(run, shown->pending_items);
    put(run, shown->leased_items);
    put(run, shown->budget);
    put(run, shown->taken_items);
    return 0;
}

int honest_hosts(honest_run *run, int count)
{
    return seenset_queue_list_hosts(run->queue, (size_t)count, show_host, run);
}

/* ---- pushing ---- */

static seenset_queue_entry push_of(char text[URL_BYTES], int number,
                                   size_t data_bytes)
{
    model_url(number, text);
    return (seenset_queue_entry){.url = text,
                                 .url_len = strlen(text),
                                 .data = data,
                                 .data_len = data_bytes};
}

static int push_number(honest_run *run, int number, size_t data_bytes)
{
    char text[URL_BYTES];
    seenset_queue_entry push = push_of(text, number, data_bytes);
    return seenset_queue_push(run->queue, push.url, push.url_len, push.data,
                              push.data_len);
}

int honest_push(honest_run *run, int data_bytes)
{
    assert_in_range(run->next_url, 0, HONEST_URLS - 1);
    int answer = push_number(run, run->next_url, (size_t)data_bytes);
    if (answer == 1)
        run->is_pushed[run->next_url++] = true;
    return answer;
}

int honest_push_again(honest_run *run, int number)
{
    return push_number(run, number < run->next_url ? number : 0, 0);
}

int honest_push_urgent(honest_run *run, int priority)
{
    char text[URL_BYTES];
    uint8_t answer = 0;
    assert_in_range(run->next_url, 0, HONEST_URLS - 1);
    const seenset_queue_entry push = push_of(text, run->next_url, 40);
    const seenset_queue_push_options options = {.priority = (uint32_t)priority};
    int error =
        seenset_queue_push_many(run->queue, &push, 1, &options, &answer);
    if (error == SEENSET_OK && answer == 1)
        run->is_pushed[run->next_url++] = true;
    return error == SEENSET_OK ? answer : error;
}

/* It is an item once more. */
static int note_visit(honest_run *run, int number, int answer)
{
    if (answer == 1) {
        run->is_pushed[number] = true;
        run->is_acked[number] = false;
    }
    return answer;
}

int honest_revisit(honest_run *run, int number)
{
    char text[URL_BYTES];
    const seenset_queue_entry push = push_of(text, number, 50);
    assert_true(run->is_acked[number]);
    return note_visit(run, number,
                      seenset_queue_push_again(run->queue, push.url,
                                               push.url_len, push.data,
                                               push.data_len));
}

int honest_push_forgotten(honest_run *run, int number)
{
    return note_visit(run, number, push_number(run, number, 60));
}

int honest_forget(honest_run *run, int number)
{
    char text[URL_BYTES];
    const seenset_queue_entry push = push_of(text, number, 0);
    assert_true(run->is_acked[number]);
    int answer = seenset_queue_forget(run->queue, push.url, push.url_len);
    if (answer == 1)
        run->is_pushed[number] = false;
    return answer;
}

/* Every third is an old one, the others are new; of no_url, each is no URL. */
static int push_several(honest_run *run, int count, int no_url)
{
    char texts[HONEST_URLS][URL_BYTES];
    seenset_queue_entry pushes[HONEST_URLS];
    uint8_t is_new[HONEST_URLS];
    int next = run->next_url;
    assert_in_range(next + count, 0, HONEST_URLS);
    for (int i = 0; i < count; i++) {
        pushes[i] = push_of(texts[i], i % 3 == 2 ? next / 2 : next++, 30);
        if (no_url > 0 && i % no_url == 0)
            pushes[i].url_len = 4;
    }
    int error = seenset_queue_push_many(run->queue, pushes, (size_t)count, NULL,
                                        is_new);
    if (error != SEENSET_OK && error != SEENSET_EFULL && error != SEENSET_EURL)
        return error;
    put_bytes(run, is_new, (size_t)count);
    for (int i = 0; i < count; i++)
        if (is_new[i] == 1 && pushes[i].url_len > 4)
            run->is_pushed[model_number(pushes[i].url, pushes[i].url_len)] =
                true;
    run->next_url = next;
    return error;
}

int honest_push_many(honest_run *run, int count)
{
    return push_several(run, count, 0);
}

int honest_push_lines(honest_run *run, int count)
{
    return push_several(run, count, 5);
}

/* ---- items ---- */

int honest_pop(honest_run *run, int count)
{
    (void)count;
    seenset_queue_item *item = &run->item;
    int result = seenset_queue_pop(run->queue, item);
    if (result != 1)
        return result;
    put_bytes(run, item->url, item->url_len);
    put_bytes(run, item->data, item->data_len);
    put(run, item->number);
    put(run, item->lease);
    put(run, item->deliveries);
    put(run, item->priority);
    assert_in_range(run->lease_count, 0, HONEST_URLS - 1);
    run->leased_urls[run->lease_count] = model_number(item->url, item->url_len);
    run->leases[run->lease_count++] = item->lease;
    return result;
}

static void drop_lease(honest_run *run, int index)
{
    size_t left = (size_t)(--run->lease_count - index);
    memmove(run->leases + index, run->leases + index + 1,
            left * sizeof *run->leases);
    memmove(run->leased_urls + index, run->leased_urls + index + 1,
            left * sizeof *run->leased_urls);
}

/* A lease ended, unless the item is out under a later one. */
static void end_lease(honest_run *run, int index)
{
    int url = run->leased_urls[index];
    bool is_over = false;
    for (int i = index + 1; i < run->lease_count; i++)
        is_over |= run->leased_urls[i] == url;
    if (url >= 0 && !is_over)
        run->is_acked[url] = true;
    drop_lease(run, index);
}

int honest_ack(honest_run *run, int which)
{
    if (run->lease_count == 0)
        return SEENSET_ELEASE;
    which %= run->lease_count;
    int error = seenset_queue_ack(run->queue, run->leases[which]);
    if (error == SEENSET_OK)
        end_lease(run, which);
    else if (error == SEENSET_ELEASE)
        drop_lease(run, which);
    return error;
}

int honest_ack_many(honest_run *run, int count)
{
    uint64_t leases[HONEST_URLS];
    size_t lease_count = 0;
    for (int i = 0; i < count && i < run->lease_count; i += 2)
        leases[lease_count++] = run->leases[i];
    leases[lease_count] = NO_LEASE;
    int error = seenset_queue_ack_many(run->queue, leases, lease_count + 1);
    for (size_t i = 0; i < lease_count; i++)
        if (error == SEENSET_OK || error == SEENSET_ELEASE)
            end_lease(run, (int)i);
    return error;
}

static int nack_as(honest_run *run, int delay_seconds, uint32_t flags)
{
    if (run->lease_count == 0)
        return SEENSET_ELEASE;
    int error =
        seenset_queue_nack(run->queue, run->leases[0],
                           &(const seenset_queue_nack_options){
                               .delay_seconds = delay_seconds, .flags = flags});
    if (error == SEENSET_OK || error == SEENSET_ELEASE)
        drop_lease(run, 0);
    return error;
}

int honest_nack(honest_run *run, int delay_seconds)
{
    return nack_as(run, delay_seconds, 0);
}

int honest_ack_again(honest_run *run, int delay_seconds)
{
    return nack_as(run, delay_seconds, SEENSET_QUEUE_VISITED);
}

int honest_extend(honest_run *run, int seconds)
{
    if (run->lease_count == 0)
        return SEENSET_ELEASE;
    return seenset_queue_extend(run->queue, run->leases[0], seconds);
}
