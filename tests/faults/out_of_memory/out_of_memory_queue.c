/* out_of_memory_queue.c - the calls on queues; see out_of_memory.h */
#define _POSIX_C_SOURCE 200809L
#include "out_of_memory_scenes.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the calls, from the last place a failure left them ---- */

static int call_push(oom_scene *scene)
{
    return oom_push_to(scene->crawl, OLD_URLS + scene->crawl->call_urls);
}

static int call_push_many(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    static char texts[BATCH_URLS][TEXT_BYTES];
    static seenset_queue_entry pushes[BATCH_URLS];
    int count = crawl->call_urls < OLD_URLS ? crawl->call_urls : BATCH_URLS;
    for (int i = 0; i < count; i++) {
        size_t len = oom_url_text(crawl, OLD_URLS + i, texts[i]);
        pushes[i] = (seenset_queue_entry){.url = texts[i], .url_len = len};
    }
    int error = seenset_queue_push_many(crawl->queue, pushes, (size_t)count,
                                        NULL, NULL);
    for (int i = 0; i < count && error == SEENSET_OK; i++)
        crawl->is_pushed[OLD_URLS + i] = true;
    return error;
}

/* Of any priorities: each needs a reader when it is popped. */
static int call_push_priorities(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    int error = SEENSET_OK;
    while (error == SEENSET_OK &&
           crawl->next_url < OLD_URLS + crawl->call_urls) {
        char text[TEXT_BYTES];
        size_t len = oom_url_text(crawl, crawl->next_url, text);
        const seenset_queue_entry push = {.url = text, .url_len = len};
        const seenset_queue_push_options options = {
            .priority = (uint32_t)crawl->next_url % 10};
        error = seenset_queue_push_many(crawl->queue, &push, 1, &options, NULL);
        crawl->is_pushed[crawl->next_url] |= error == SEENSET_OK;
        crawl->next_url += error == SEENSET_OK;
    }
    return error;
}

static int call_push_again(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    int end = OLD_URLS + crawl->call_urls;
    while (crawl->next_url < end) {
        char text[TEXT_BYTES];
        size_t len = oom_url_text(crawl, crawl->next_url, text);
        int answer = seenset_queue_push_again(crawl->queue, text, len, NULL, 0);
        if (answer < 0)
            return answer;
        crawl->is_pushed[crawl->next_url++] = true;
    }
    return SEENSET_OK;
}

/* URLs that were not pushed before, so that what comes out stays the same; and
 * one that is in the set. */
static int call_forget(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    char text[TEXT_BYTES];
    size_t len = oom_url_text(crawl, URLS + 1, text);
    const seenset_queue_entry push = {.url = text, .url_len = len};
    const seenset_queue_push_options seen_only = {.flags =
                                                      SEENSET_QUEUE_SEEN_ONLY};
    int error =
        seenset_queue_push_many(crawl->queue, &push, 1, &seen_only, NULL);
    if (error != SEENSET_OK)
        return error;
    int answer = seenset_queue_forget(crawl->queue, text, len);
    return answer < 0 ? answer : SEENSET_OK;
}

static int call_peek(oom_scene *scene)
{
    seenset_queue_item item = {0};
    int result = seenset_queue_peek(scene->crawl->queue, &item);
    seenset_queue_item_free(&item);
    return result < 0 ? result : SEENSET_OK;
}

static int call_get_leased(oom_scene *scene)
{
    seenset_queue_item item = {0};
    int result = seenset_queue_get_leased(scene->crawl->queue,
                                          scene->crawl->leases[0], &item);
    seenset_queue_item_free(&item);
    return result;
}

static int look_at_item(void *context, const seenset_queue_listed *item)
{
    (void)context;
    return item->url_len > 0 ? 0 : 1;
}

static int call_list(oom_scene *scene)
{
    return seenset_queue_list(scene->crawl->queue, look_at_item, NULL);
}

static int call_pop(oom_scene *scene)
{
    return oom_pop_all(scene->crawl);
}

/* One call. If it ends early, an item after the first met the end of memory. */
static int call_pop_many(oom_scene *scene)
{
    static char memory[SEENSET_QUEUE_POP_BYTES];
    static seenset_queue_item items[URLS];
    seenset_queue_stats stats;
    oom_crawl *crawl = scene->crawl;
    int error = seenset_queue_get_stats(crawl->queue, &stats, sizeof stats);
    int64_t popped = seenset_queue_pop_many(crawl->queue, items, URLS, memory,
                                            sizeof memory, NULL);
    for (int64_t i = 0; i < popped; i++)
        oom_take(crawl, &items[i]);
    if (error != SEENSET_OK || popped < 0)
        return error != SEENSET_OK ? error : (int)popped;
    return (uint64_t)popped == stats.pending_items ? SEENSET_OK
                                                   : SEENSET_ENOMEM;
}

static int call_ack(oom_scene *scene)
{
    return oom_queue_ack(scene);
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

static int call_nack_untried(oom_scene *scene)
{
    const seenset_queue_nack_options untried = {.flags = SEENSET_QUEUE_UNTRIED};
    return seenset_queue_nack(scene->crawl->queue, scene->crawl->leases[0],
                              &untried);
}

static int call_nack_visited(oom_scene *scene)
{
    const seenset_queue_nack_options visited = {.flags = SEENSET_QUEUE_VISITED};
    return seenset_queue_nack(scene->crawl->queue, scene->crawl->leases[0],
                              &visited);
}

static int call_nack(oom_scene *scene)
{
    return seenset_queue_nack(scene->crawl->queue, scene->crawl->leases[0],
                              NULL);
}

static int call_extend(oom_scene *scene)
{
    return seenset_queue_extend(scene->crawl->queue, scene->crawl->leases[1],
                                100);
}

/* Of a host that is new each time, and of that of all URLs, without effect on
 * what comes out. */
static int call_set_host(oom_scene *scene)
{
    char name[TEXT_BYTES];
    const seenset_queue_host_settings settings = {
        .flags = SEENSET_QUEUE_HOST_BUDGET | SEENSET_QUEUE_HOST_DELAY,
        .delay_seconds = 1,
        .budget = 1000};
    const seenset_queue_host_settings budget = {
        .flags = SEENSET_QUEUE_HOST_BUDGET, .budget = 100000};
    int error = SEENSET_OK;
    for (int i = 0; i < 20 && error == SEENSET_OK; i++) {
        int length = snprintf(name, sizeof name, "h%d.example", i);
        error = seenset_queue_set_host(scene->crawl->queue, name,
                                       (size_t)length, &settings);
    }
    return error != SEENSET_OK
               ? error
               : seenset_queue_set_host(scene->crawl->queue, "a.example", 9,
                                        &budget);
}

static int call_get_host(oom_scene *scene)
{
    seenset_queue_host host;
    int result = seenset_queue_get_host(scene->crawl->queue, "a.example", 9,
                                        &host, sizeof host);
    return result < 0 ? result : SEENSET_OK;
}

static int look_at_host(void *context, const seenset_queue_host *host)
{
    (void)context;
    return host->name_len > 0 ? 0 : 1;
}

static int call_list_hosts(oom_scene *scene)
{
    return seenset_queue_list_hosts(scene->crawl->queue, 0, look_at_host, NULL);
}

/* With hosts that are set, items of each priority, some of them out. */
static void enter_hosts(oom_scene *scene)
{
    oom_enter_polite(scene);
    assert_int_equal(call_push_priorities(scene), SEENSET_OK);
    assert_int_equal(call_set_host(scene), SEENSET_OK);
}

static void enter_hosts_popped(oom_scene *scene)
{
    enter_hosts(scene);
    assert_int_equal(oom_pop_all(scene->crawl), SEENSET_OK);
}

static void enter_hosts_closed(oom_scene *scene)
{
    enter_hosts_popped(scene);
    assert_int_equal(seenset_queue_checkpoint(scene->crawl->queue), SEENSET_OK);
    assert_int_equal(call_set_host(scene), SEENSET_OK);
    assert_int_equal(oom_queue_close(scene), SEENSET_OK);
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
    return oom_queue_open(scene);
}

static int call_close(oom_scene *scene)
{
    return oom_queue_close(scene);
}

static int call_verify(oom_scene *scene)
{
    return seenset_queue_verify(scene->folder.path, &scene->crawl->options);
}

static int call_look(oom_scene *scene)
{
    seenset_queue_stats stats;
    seenset_stats set;
    return seenset_queue_look(scene->folder.path, &scene->crawl->options,
                              &stats, sizeof stats, &set, sizeof set);
}

static int call_look_list(oom_scene *scene)
{
    return seenset_queue_look_list(scene->folder.path, &scene->crawl->options,
                                   look_at_item, NULL);
}

static int call_repair(oom_scene *scene)
{
    return seenset_queue_repair(scene->folder.path, &scene->crawl->options);
}

static test_folder remade(const oom_scene *scene)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    size_t size = strlen(test_path(path, &scene->folder, "remade")) + 1;
    assert_true(size <= sizeof folder.path);
    memcpy(folder.path, path, size);
    return folder;
}

/* What a failed call leaves must not be in the way of the next. */
static int call_remake(oom_scene *scene)
{
    const test_folder made = remade(scene);
    const seenset_queue_remake_options options = {
        .from = &scene->crawl->options, .to = &scene->crawl->options};
    return seenset_queue_remake(scene->folder.path, made.path, &options, NULL,
                                0);
}

static void leave_remade(oom_scene *scene)
{
    test_folder made = remade(scene);
    if (access(made.path, F_OK) == 0)
        test_folder_remove(&made);
    oom_leave_queue(scene);
}

/* With items of each priority. */
static void enter_priorities(oom_scene *scene)
{
    oom_enter_queue(scene);
    assert_int_equal(call_push_priorities(scene), SEENSET_OK);
}

static void enter_priorities_closed(oom_scene *scene)
{
    enter_priorities(scene);
    assert_int_equal(oom_pop_all(scene->crawl), SEENSET_OK);
    assert_int_equal(call_forget(scene), SEENSET_OK);
    assert_int_equal(seenset_queue_checkpoint(scene->crawl->queue), SEENSET_OK);
    assert_int_equal(call_forget(scene), SEENSET_OK);
    assert_int_equal(call_close(scene), SEENSET_OK);
}

static void remove_newest_state(const oom_scene *scene)
{
    char newest[TEST_PATH_BYTES] = "", path[TEST_PATH_BYTES];
    const struct dirent *entry;
    DIR *folder = opendir(scene->folder.path);
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, "state-", 6) == 0 &&
            strcmp(entry->d_name, newest) > 0)
            (void)snprintf(newest, sizeof newest, "%s", entry->d_name);
    }
    closedir(folder);
    assert_int_equal(unlink(test_path(path, &scene->folder, newest)), 0);
}

/* The URLs that were forgotten are in the log alone. */
static void enter_forgotten(oom_scene *scene)
{
    oom_enter_queue(scene);
    assert_int_equal(seenset_queue_checkpoint(scene->crawl->queue), SEENSET_OK);
    assert_int_equal(call_forget(scene), SEENSET_OK);
    assert_int_equal(call_close(scene), SEENSET_OK);
    remove_newest_state(scene);
}

/* ---- the table ---- */

/* What a set has no memory for when the disk has it is added later, and a
 * checkpoint that was not asked for is made later: a call that lacks memory
 * once need not fail. */
enum {
    LATER = OOM_CHANGES_SOME | OOM_CAN_DO_WITHOUT
};

#define ROW_AS(function, way, flags, prepare)                                  \
    .name = "seenset_queue_" #function, .needs = (flags), .enter = (prepare),  \
    .call = call_##way, .leave = oom_leave_queue
#define ROW(function, flags, prepare) ROW_AS(function, function, flags, prepare)

/* The same of a queue in memory. */
#define MEMORY_ROW(function, flags, prepare)                                   \
    .name = "seenset_queue_" #function, .needs = (flags), .enter = (prepare),  \
    .call = call_##function, .leave = oom_leave_memory

const oom_row oom_queue_rows[] = {
    {MEMORY_ROW(push, LATER, oom_enter_memory)},
    {MEMORY_ROW(push_many, LATER, oom_enter_memory)},
    {MEMORY_ROW(pop, OOM_CHANGES_SOME, oom_enter_memory)},
    {MEMORY_ROW(checkpoint, OOM_ALLOCATES_NOT, oom_enter_memory_popped)},
    {MEMORY_ROW(sync, OOM_ALLOCATES_NOT, oom_enter_memory_popped)},
    {ROW(open, 0, oom_enter_exact_closed)},
    {ROW(push, LATER, oom_enter_exact)},
    {ROW(push, LATER, oom_enter_exact_later)},
    {ROW(push_many, LATER, oom_enter_exact)},
    {ROW(push_many, LATER, oom_enter_exact_later)},
    {ROW(look, 0, oom_enter_exact_closed)},
    {ROW(verify, 0, oom_enter_exact_closed)},
    {ROW(verify, 0, enter_priorities_closed)},
    {ROW(repair, 0, oom_enter_exact_closed)},
    {ROW(open, 0, oom_enter_folder)},
    {ROW(open, 0, oom_enter_closed)},
    {ROW(open, 0, oom_enter_keeping)},
    {ROW(open, 0, oom_enter_interval)},
    {ROW(close, OOM_CHANGES_SOME, oom_enter_queue)},
    {ROW(close, OOM_CHANGES_SOME, oom_enter_popped)},
    {ROW(push, LATER, oom_enter_queue)},
    {ROW(push, LATER, oom_enter_later)},
    {ROW(push, LATER, oom_enter_urls)},
    {ROW(push_many, LATER, oom_enter_queue)},
    {ROW(push_many, LATER, oom_enter_later)},
    {ROW(push_many, LATER, oom_enter_urls)},
    {ROW_AS(push_many, push_priorities, LATER, oom_enter_queue)},
    {ROW_AS(push_many, push_priorities, LATER, oom_enter_later)},
    {ROW(push_again, LATER, oom_enter_queue)},
    {ROW(push_again, LATER, oom_enter_urls)},
    {ROW(forget, LATER, oom_enter_queue)},
    {ROW(forget, LATER, oom_enter_urls)},
    {ROW(pop, OOM_CHANGES_SOME, enter_priorities)},
    {ROW(open, 0, enter_priorities_closed)},
    {ROW(open, 0, enter_forgotten)},
    {ROW(checkpoint, 0, enter_priorities)},
    {ROW(peek, OOM_CHANGES_SOME, enter_priorities)},
    {ROW(get_leased, 0, oom_enter_popped)},
    {ROW(list, 0, enter_priorities)},
    {ROW(look_list, 0, enter_priorities_closed)},
    {.name = "seenset_queue_remake",
     .needs = OOM_CAN_DO_WITHOUT, /* files of delayed items */
     .enter = enter_priorities_closed,
     .call = call_remake,
     .leave = leave_remade},
    {.name = "seenset_queue_remake",
     .needs = OOM_CAN_DO_WITHOUT, /* files of delayed items */
     .enter = oom_enter_exact_closed,
     .call = call_remake,
     .leave = leave_remade},
    {ROW(push, LATER, oom_enter_polite)},
    {ROW(push, LATER, oom_enter_polite_later)},
    {ROW(push_many, LATER, oom_enter_polite)},
    {ROW(push_many, LATER, oom_enter_polite_later)},
    {ROW_AS(push_many, push_priorities, LATER, oom_enter_polite)},
    {ROW(pop, OOM_CHANGES_SOME, enter_hosts)},
    {ROW(set_host, LATER, oom_enter_polite)},
    {ROW(set_host, LATER, enter_hosts)},
    {ROW(get_host, OOM_ALLOCATES_NOT, enter_hosts_popped)},
    {ROW(list_hosts, 0, enter_hosts_popped)},
    {ROW(checkpoint, 0, enter_hosts_popped)},
    {ROW(open, 0, enter_hosts_closed)},
    {ROW(look, 0, enter_hosts_closed)},
    {ROW(verify, 0, enter_hosts_closed)},
    {ROW(repair, 0, enter_hosts_closed)},
    {.name = "seenset_queue_remake",
     .enter = enter_hosts_closed,
     .call = call_remake,
     .leave = leave_remade},
    {ROW(pop, OOM_CHANGES_SOME, oom_enter_queue)},
    {ROW(pop_many, OOM_CHANGES_SOME, oom_enter_queue)},
    {ROW(pop_many, OOM_CHANGES_SOME, enter_priorities)},
    {ROW(pop, OOM_CHANGES_SOME, oom_enter_later)},
    {ROW(pop, OOM_CHANGES_SOME | OOM_NO_ALLOCATOR, oom_enter_nacked)},
    {ROW(pop, OOM_CHANGES_SOME, oom_enter_delayed)},
    {ROW(peek, OOM_CHANGES_SOME, oom_enter_delayed)},
    {ROW(list, 0, oom_enter_delayed)},
    {ROW(checkpoint, 0, oom_enter_delayed)},
    {ROW(open, 0, oom_enter_delayed_closed)},
    {ROW(look, 0, oom_enter_delayed_closed)},
    {ROW(verify, 0, oom_enter_delayed_closed)},
    {.name = "seenset_queue_remake",
     .needs = OOM_CAN_DO_WITHOUT,
     .enter = oom_enter_delayed_closed,
     .call = call_remake,
     .leave = leave_remade},
    {ROW(pop, OOM_CHANGES_SOME, oom_enter_polite_delayed)},
    {ROW(peek, OOM_CHANGES_SOME, oom_enter_polite_delayed)},
    {ROW(list, 0, oom_enter_polite_delayed)},
    {ROW(checkpoint, OOM_CHANGES_SOME, oom_enter_polite_delayed)},
    {ROW(open, 0, oom_enter_polite_delayed_closed)},
    {ROW(look, 0, oom_enter_polite_delayed_closed)},
    {ROW(verify, 0, oom_enter_polite_delayed_closed)},
    {.name = "seenset_queue_remake",
     .needs = OOM_CAN_DO_WITHOUT,
     .enter = oom_enter_polite_delayed_closed,
     .call = call_remake,
     .leave = leave_remade},
    {ROW(ack, LATER, oom_enter_popped)},
    {ROW(ack_many, LATER, oom_enter_popped)},
    {ROW(nack, OOM_ALLOCATES_NOT, oom_enter_popped)},
    {ROW_AS(nack, nack_untried, OOM_ALLOCATES_NOT, oom_enter_popped)},
    {ROW_AS(nack, nack_visited, OOM_ALLOCATES_NOT, oom_enter_popped)},
    {ROW(extend, OOM_ALLOCATES_NOT, oom_enter_popped)},
    {ROW(sync, OOM_ALLOCATES_NOT, oom_enter_later)},
    {ROW(get_stats, OOM_ALLOCATES_NOT, oom_enter_popped)},
    {ROW(get_set_stats, OOM_ALLOCATES_NOT, oom_enter_popped)},
    {ROW(get_set_estimate, OOM_ALLOCATES_NOT, oom_enter_popped)},
    {ROW(get_set_info, OOM_ALLOCATES_NOT, oom_enter_popped)},
    {ROW(checkpoint, 0, oom_enter_popped), .digest = oom_digest_stats},
    {ROW(save_leases, 0, oom_enter_popped), .digest = oom_digest_stats},
    {ROW(look, 0, oom_enter_closed)},
    {ROW(verify, 0, oom_enter_closed)},
    {ROW(repair, 0, oom_enter_closed)},
    {.name = "seenset_queue_item_free",
     .needs = OOM_ALLOCATES_NOT,
     .enter = oom_enter_popped,
     .call = call_item_free,
     .leave = oom_leave_queue}};
const size_t oom_queue_row_count = TEST_COUNT(oom_queue_rows);
