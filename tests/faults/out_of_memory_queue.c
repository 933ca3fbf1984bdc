/*
 * out_of_memory_queue.c - the calls on queues; see out_of_memory.h
 *
 * What a queue is after a failure shows in what it hands out: each row ends
 * by opening the folder once more, with memory. Every URL whose push was
 * answered and whose ack was not must come, once, and be known as seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out_of_memory.h"
#include "seenset/queue.h"

enum {
    URLS = 700,       /* of the world */
    OLD_URLS = 60,    /* pushed before the call; the set has 64 places */
    SOME_URLS = 8,    /* pushed by the call where each allocates often */
    BATCH_URLS = 600, /* of push_many, over a chunk of it */
    TEXT_BYTES = 40
};

typedef struct oom_crawl {
    seenset_options set;
    seenset_queue_options options;
    seenset_queue *queue;
    seenset_queue_item item;
    uint64_t leases[URLS];
    int leased[URLS];
    int lease_count;
    bool is_pushed[URLS], is_acked[URLS], is_ack_tried[URLS];
    int next_url;
    int call_urls; /* to be pushed by the call */
} oom_crawl;

/* As it is pushed; a queue that normalises stores the other form. */
static size_t url_text(const oom_crawl *crawl, int number,
                       char text[TEXT_BYTES])
{
    bool is_raw = crawl->options.normalise == SEENSET_QUEUE_NORMALISE_URL;
    return (size_t)snprintf(text, TEXT_BYTES, "%s/%d",
                            is_raw ? "HTTP://b\xC3\xBC"
                                     "cher.example/."
                                   : "http://a.example",
                            number);
}

static int url_number(const seenset_queue_item *item)
{
    const char *slash = strrchr(item->url, '/');
    return slash == NULL ? -1 : atoi(slash + 1);
}

/* ---- the calls, from the last place a failure left them ---- */

static int push_next(oom_crawl *crawl)
{
    char text[TEXT_BYTES];
    size_t len = url_text(crawl, crawl->next_url, text);
    int answer = seenset_queue_push(crawl->queue, text, len, text, len);
    if (answer < 0)
        return answer;
    crawl->is_pushed[crawl->next_url++] = true;
    return SEENSET_OK;
}

static int push_to(oom_crawl *crawl, int end)
{
    int error = SEENSET_OK;
    while (error == SEENSET_OK && crawl->next_url < end)
        error = push_next(crawl);
    return error;
}

static int pop_all(oom_crawl *crawl)
{
    int result;
    while ((result = seenset_queue_pop(crawl->queue, &crawl->item)) == 1) {
        crawl->leases[crawl->lease_count] = crawl->item.lease;
        crawl->leased[crawl->lease_count++] = url_number(&crawl->item);
    }
    return result;
}

static int call_push(oom_scene *scene)
{
    return push_to(scene->crawl, OLD_URLS + scene->crawl->call_urls);
}

static int call_push_many(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    static char texts[BATCH_URLS][TEXT_BYTES];
    static seenset_queue_entry pushes[BATCH_URLS];
    int count = crawl->call_urls < OLD_URLS ? crawl->call_urls : BATCH_URLS;
    for (int i = 0; i < count; i++) {
        size_t len = url_text(crawl, OLD_URLS + i, texts[i]);
        pushes[i] = (seenset_queue_entry){texts[i], len, NULL, 0};
    }
    int error =
        seenset_queue_push_many(crawl->queue, pushes, (size_t)count, NULL);
    for (int i = 0; i < count && error == SEENSET_OK; i++)
        crawl->is_pushed[OLD_URLS + i] = true;
    return error;
}

static int call_pop(oom_scene *scene)
{
    return pop_all(scene->crawl);
}

static int call_ack(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    while (crawl->lease_count > 0) {
        int url = crawl->leased[crawl->lease_count - 1];
        int error = seenset_queue_ack(crawl->queue,
                                      crawl->leases[crawl->lease_count - 1]);
        if (error != SEENSET_OK)
            return error;
        crawl->is_acked[url] = crawl->is_ack_tried[url] = true;
        crawl->lease_count--;
    }
    return SEENSET_OK;
}

/* A second time, leases may have ended the first time. */
static int call_ack_many(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    for (int i = 0; i < crawl->lease_count; i++)
        crawl->is_ack_tried[crawl->leased[i]] = true;
    int error = seenset_queue_ack_many(crawl->queue, crawl->leases,
                                       (size_t)crawl->lease_count);
    bool is_done = error == SEENSET_OK || error == SEENSET_ELEASE;
    for (int i = 0; i < crawl->lease_count && is_done; i++)
        crawl->is_acked[crawl->leased[i]] = true;
    return is_done ? SEENSET_OK : error;
}

static int call_nack(oom_scene *scene)
{
    return seenset_queue_nack(scene->crawl->queue, scene->crawl->leases[0], 0);
}

static int call_extend(oom_scene *scene)
{
    return seenset_queue_extend(scene->crawl->queue, scene->crawl->leases[1],
                                100);
}

static int call_sync(oom_scene *scene)
{
    return seenset_queue_sync(scene->crawl->queue);
}

static int call_checkpoint(oom_scene *scene)
{
    return seenset_queue_checkpoint(scene->crawl->queue);
}

static int call_get_stats(oom_scene *scene)
{
    seenset_queue_stats stats;
    return seenset_queue_get_stats(scene->crawl->queue, &stats, sizeof stats);
}

static int call_get_set_stats(oom_scene *scene)
{
    seenset_stats stats;
    return seenset_queue_get_set_stats(scene->crawl->queue, &stats,
                                       sizeof stats);
}

static int call_get_set_estimate(oom_scene *scene)
{
    seenset_estimate estimate;
    return seenset_queue_get_set_estimate(scene->crawl->queue, &estimate,
                                          sizeof estimate);
}

static int call_get_set_info(oom_scene *scene)
{
    seenset_info info;
    return seenset_queue_get_set_info(scene->crawl->queue, &info, sizeof info);
}

static int call_save_leases(oom_scene *scene)
{
    return seenset_queue_save_leases(scene->crawl->queue);
}

static int call_item_free(oom_scene *scene)
{
    seenset_queue_item_free(&scene->crawl->item);
    return SEENSET_OK;
}

static int call_open(oom_scene *scene)
{
    return seenset_queue_open(&scene->crawl->queue, scene->folder.path,
                              &scene->crawl->options);
}

static int call_close(oom_scene *scene)
{
    int error = seenset_queue_close(scene->crawl->queue);
    scene->crawl->queue = NULL;
    return error;
}

static int call_verify(oom_scene *scene)
{
    return seenset_queue_verify(scene->folder.path, NULL);
}

static int call_look(oom_scene *scene)
{
    seenset_queue_stats stats;
    seenset_stats set;
    return seenset_queue_look(scene->folder.path, &stats, sizeof stats, &set,
                              sizeof set, NULL);
}

static int call_repair(oom_scene *scene)
{
    return seenset_queue_repair(scene->folder.path, NULL);
}

static int call_verify_with(oom_scene *scene)
{
    return seenset_queue_verify_with(scene->folder.path,
                                     &scene->crawl->options);
}

static int call_look_with(oom_scene *scene)
{
    seenset_queue_stats stats;
    seenset_stats set;
    return seenset_queue_look_with(scene->folder.path, &scene->crawl->options,
                                   &stats, sizeof stats, &set, sizeof set);
}

static int call_repair_with(oom_scene *scene)
{
    return seenset_queue_repair_with(scene->folder.path,
                                     &scene->crawl->options);
}

/* ---- scenes ---- */

static void enter_folder(oom_scene *scene)
{
    scene->crawl = calloc(1, sizeof *scene->crawl);
    assert_non_null(scene->crawl);
    scene->crawl->set = (seenset_options){.capacity_items = 64,
                                          .on_full = SEENSET_ON_FULL_GROW,
                                          .fp_rate = 1e-9,
                                          .allocator = scene->allocator};
    scene->crawl->options =
        (seenset_queue_options){.set = &scene->crawl->set,
                                .durability = SEENSET_QUEUE_DURABILITY_EACH,
                                .segment_bytes = 4096};
    scene->crawl->call_urls = 2 * OLD_URLS;
}

static void open_new(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    assert_int_equal(call_open(scene), SEENSET_OK);
    assert_int_equal(push_to(crawl, OLD_URLS), SEENSET_OK);
}

static void enter_queue(oom_scene *scene)
{
    enter_folder(scene);
    open_new(scene);
}

static void enter_later(oom_scene *scene)
{
    enter_folder(scene);
    scene->crawl->options.durability = SEENSET_QUEUE_DURABILITY_NONE;
    open_new(scene);
}

static void enter_urls(oom_scene *scene)
{
    enter_folder(scene);
    scene->crawl->options.normalise = SEENSET_QUEUE_NORMALISE_URL;
    scene->crawl->call_urls = SOME_URLS;
    open_new(scene);
}

/* The URLs themselves. */
static void enter_exact(oom_scene *scene)
{
    enter_folder(scene);
    scene->crawl->options.exact = 1;
    open_new(scene);
}

static void enter_exact_later(oom_scene *scene)
{
    enter_folder(scene);
    scene->crawl->options.exact = 1;
    scene->crawl->options.durability = SEENSET_QUEUE_DURABILITY_NONE;
    open_new(scene);
}

/* All is popped, nothing acked. */
static void enter_popped(oom_scene *scene)
{
    enter_queue(scene);
    assert_int_equal(push_to(scene->crawl, URLS - 2), SEENSET_OK);
    assert_int_equal(pop_all(scene->crawl), SEENSET_OK);
}

/* All waits to be handed out again, to whoever brings an item without memory.
 */
static void enter_nacked(oom_scene *scene)
{
    enter_popped(scene);
    oom_crawl *crawl = scene->crawl;
    while (crawl->lease_count > 0)
        assert_int_equal(seenset_queue_nack(crawl->queue,
                                            crawl->leases[--crawl->lease_count],
                                            0),
                         SEENSET_OK);
    seenset_queue_item_free(&crawl->item);
}

/* Two snapshots, log behind them, acks, and leases. */
static void enter_closed(oom_scene *scene)
{
    enter_popped(scene);
    oom_crawl *crawl = scene->crawl;
    crawl->lease_count = 100;
    assert_int_equal(call_ack(scene), SEENSET_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seenset_queue_checkpoint(crawl->queue), SEENSET_OK);
        assert_int_equal(push_next(crawl), SEENSET_OK);
    }
    assert_int_equal(call_close(scene), SEENSET_OK);
}

/* The set of it is read from its file. */
static void enter_exact_closed(oom_scene *scene)
{
    enter_exact(scene);
    assert_int_equal(seenset_queue_checkpoint(scene->crawl->queue), SEENSET_OK);
    assert_int_equal(call_close(scene), SEENSET_OK);
}

/* In memory: the folder stays empty. */
static void enter_memory(oom_scene *scene)
{
    enter_folder(scene);
    oom_crawl *crawl = scene->crawl;
    assert_int_equal(seenset_queue_open(&crawl->queue, NULL, &crawl->options),
                     SEENSET_OK);
    assert_int_equal(push_to(crawl, OLD_URLS), SEENSET_OK);
}

static void enter_memory_popped(oom_scene *scene)
{
    enter_memory(scene);
    assert_int_equal(push_to(scene->crawl, OLD_URLS * 4), SEENSET_OK);
    assert_int_equal(pop_all(scene->crawl), 0);
}

static void enter_keeping(oom_scene *scene)
{
    enter_closed(scene);
    scene->crawl->options.keep_leases = 1;
}

/* With a thread of its own, which is no allocation but may fail as well. */
static void enter_interval(oom_scene *scene)
{
    enter_folder(scene);
    scene->crawl->options.durability = SEENSET_QUEUE_DURABILITY_INTERVAL;
    scene->crawl->options.interval_seconds = 100;
}

/* ---- what is left ---- */

/* Of an open queue, what no failed call may change. */
static uint64_t digest_stats(oom_scene *scene)
{
    seenset_queue *queue = scene->crawl->queue;
    seenset_queue_stats stats;
    seenset_stats set;
    if (seenset_queue_get_stats(queue, &stats, sizeof stats) != SEENSET_OK ||
        seenset_queue_get_set_stats(queue, &set, sizeof set) != SEENSET_OK)
        return 0;
    return test_mix(stats.pending_items) ^ test_mix(stats.leased_items) * 3 ^
           test_mix(stats.pushed_items) * 5 ^ test_mix(stats.acked_items) * 7 ^
           test_mix(set.set_bits) * 11 ^ test_mix(stats.log_bytes) * 13;
}

static void drain(oom_crawl *crawl, bool is_out[URLS])
{
    int result;
    while ((result = seenset_queue_pop(crawl->queue, &crawl->item)) == 1) {
        int number = url_number(&crawl->item);
        assert_true(number >= 0 && number < URLS);
        assert_false(is_out[number] || crawl->is_acked[number]);
        is_out[number] = true;
    }
    assert_int_equal(result, 0);
}

static void check_urls(oom_crawl *crawl, const bool is_out[URLS])
{
    for (int i = 0; i < URLS; i++) {
        char text[TEXT_BYTES];
        size_t len = url_text(crawl, i, text);
        if (crawl->is_pushed[i] && !crawl->is_ack_tried[i])
            assert_true(is_out[i]);
        if (crawl->is_pushed[i] || is_out[i])
            assert_int_equal(
                seenset_queue_push(crawl->queue, text, len, NULL, 0), 0);
    }
}

/* In the open queue, every URL that was pushed is known. */
static void check_seen(oom_crawl *crawl)
{
    for (int i = 0; i < URLS; i++) {
        char text[TEXT_BYTES];
        size_t len = url_text(crawl, i, text);
        if (crawl->is_pushed[i])
            assert_int_equal(
                seenset_queue_push(crawl->queue, text, len, NULL, 0), 0);
    }
}

static void leave_queue(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    bool is_out[URLS] = {false};
    if (crawl->queue != NULL)
        check_seen(crawl);
    assert_int_equal(call_close(scene), SEENSET_OK);
    crawl->options.keep_leases = 0;
    assert_int_equal(call_open(scene), SEENSET_OK);
    drain(crawl, is_out);
    check_urls(crawl, is_out);
    assert_int_equal(call_close(scene), SEENSET_OK);
    seenset_queue_item_free(&crawl->item);
    free(crawl);
}

/* All that was answered is in memory, and goes with it. */
static void leave_memory(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    bool is_out[URLS] = {false};
    check_seen(crawl);
    while (crawl->lease_count > 0)
        assert_int_equal(seenset_queue_nack(crawl->queue,
                                            crawl->leases[--crawl->lease_count],
                                            0),
                         SEENSET_OK);
    drain(crawl, is_out);
    for (int i = 0; i < URLS; i++)
        assert_int_equal(is_out[i], crawl->is_pushed[i] && !crawl->is_acked[i]);
    assert_int_equal(call_close(scene), SEENSET_OK);
    seenset_queue_item_free(&crawl->item);
    free(crawl);
}

/* ---- the table ---- */

/* What a set has no memory for when the disk has it is added later, and a
 * checkpoint that was not asked for is made later: a call that lacks memory
 * once need not fail. */
enum {
    LATER = OOM_CHANGES_SOME | OOM_CAN_DO_WITHOUT
};

#define ROW(function, flags, prepare)                                          \
    .name = "seenset_queue_" #function, .needs = (flags), .enter = (prepare),  \
    .call = call_##function, .leave = leave_queue

/* The same of a queue in memory. */
#define MEMORY_ROW(function, flags, prepare)                                   \
    .name = "seenset_queue_" #function, .needs = (flags), .enter = (prepare),  \
    .call = call_##function, .leave = leave_memory

const oom_row oom_queue_rows[] = {
    {MEMORY_ROW(push, LATER, enter_memory)},
    {MEMORY_ROW(push_many, LATER, enter_memory)},
    {MEMORY_ROW(pop, OOM_CHANGES_SOME, enter_memory)},
    {MEMORY_ROW(checkpoint, OOM_ALLOCATES_NOT, enter_memory_popped)},
    {MEMORY_ROW(sync, OOM_ALLOCATES_NOT, enter_memory_popped)},
    {ROW(open, 0, enter_exact_closed)},
    {ROW(push, LATER, enter_exact)},
    {ROW(push, LATER, enter_exact_later)},
    {ROW(push_many, LATER, enter_exact)},
    {ROW(push_many, LATER, enter_exact_later)},
    {ROW(look_with, 0, enter_exact_closed)},
    {ROW(verify_with, 0, enter_exact_closed)},
    {ROW(repair_with, 0, enter_exact_closed)},
    {ROW(open, 0, enter_folder)},
    {ROW(open, 0, enter_closed)},
    {ROW(open, 0, enter_keeping)},
    {ROW(open, 0, enter_interval)},
    {ROW(close, OOM_CHANGES_SOME, enter_queue)},
    {ROW(close, OOM_CHANGES_SOME, enter_popped)},
    {ROW(push, LATER, enter_queue)},
    {ROW(push, LATER, enter_later)},
    {ROW(push, LATER, enter_urls)},
    {ROW(push_many, LATER, enter_queue)},
    {ROW(push_many, LATER, enter_later)},
    {ROW(push_many, LATER, enter_urls)},
    {ROW(pop, OOM_CHANGES_SOME, enter_queue)},
    {ROW(pop, OOM_CHANGES_SOME, enter_later)},
    {ROW(pop, OOM_CHANGES_SOME | OOM_NO_ALLOCATOR, enter_nacked)},
    {ROW(ack, LATER, enter_popped)},
    {ROW(ack_many, LATER, enter_popped)},
    {ROW(nack, OOM_ALLOCATES_NOT, enter_popped)},
    {ROW(extend, OOM_ALLOCATES_NOT, enter_popped)},
    {ROW(sync, OOM_ALLOCATES_NOT, enter_later)},
    {ROW(get_stats, OOM_ALLOCATES_NOT, enter_popped)},
    {ROW(get_set_stats, OOM_ALLOCATES_NOT, enter_popped)},
    {ROW(get_set_estimate, OOM_ALLOCATES_NOT, enter_popped)},
    {ROW(get_set_info, OOM_ALLOCATES_NOT, enter_popped)},
    {ROW(checkpoint, 0, enter_popped), .digest = digest_stats},
    {ROW(save_leases, 0, enter_popped), .digest = digest_stats},
    {ROW(look, OOM_NO_ALLOCATOR, enter_closed)},
    {ROW(verify, OOM_NO_ALLOCATOR, enter_closed)},
    {ROW(repair, OOM_NO_ALLOCATOR, enter_closed)},
    {.name = "seenset_queue_item_free",
     .needs = OOM_ALLOCATES_NOT,
     .enter = enter_popped,
     .call = call_item_free,
     .leave = leave_queue}};
const size_t oom_queue_row_count = TEST_COUNT(oom_queue_rows);
