/* out_of_memory_scenes.c - see out_of_memory_scenes.h */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "out_of_memory_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As it is pushed; a queue that normalises stores the other form. */
size_t oom_url_text(const oom_crawl *crawl, int number, char text[TEXT_BYTES])
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

/* ---- what calls and scenes share ---- */

static int push_next(oom_crawl *crawl)
{
    char text[TEXT_BYTES];
    size_t len = oom_url_text(crawl, crawl->next_url, text);
    int answer = seenset_queue_push(crawl->queue, text, len, text, len);
    if (answer < 0)
        return answer;
    crawl->is_pushed[crawl->next_url++] = true;
    return SEENSET_OK;
}

int oom_push_to(oom_crawl *crawl, int end)
{
    int error = SEENSET_OK;
    while (error == SEENSET_OK && crawl->next_url < end)
        error = push_next(crawl);
    return error;
}

void oom_take(oom_crawl *crawl, const seenset_queue_item *item)
{
    crawl->leases[crawl->lease_count] = item->lease;
    crawl->leased[crawl->lease_count++] = url_number(item);
}

int oom_pop_all(oom_crawl *crawl)
{
    int result;
    while ((result = seenset_queue_pop(crawl->queue, &crawl->item)) == 1)
        oom_take(crawl, &crawl->item);
    return result;
}

int oom_queue_ack(oom_scene *scene)
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

int oom_queue_open(oom_scene *scene)
{
    return seenset_queue_open(&scene->crawl->queue, scene->folder.path,
                              &scene->crawl->options);
}

int oom_queue_close(oom_scene *scene)
{
    int error = seenset_queue_close(scene->crawl->queue);
    scene->crawl->queue = NULL;
    return error;
}

/* ---- scenes ---- */

void oom_enter_folder(oom_scene *scene)
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
    assert_int_equal(oom_queue_open(scene), SEENSET_OK);
    assert_int_equal(oom_push_to(crawl, OLD_URLS), SEENSET_OK);
}

void oom_enter_queue(oom_scene *scene)
{
    oom_enter_folder(scene);
    open_new(scene);
}

void oom_enter_later(oom_scene *scene)
{
    oom_enter_folder(scene);
    scene->crawl->options.durability = SEENSET_QUEUE_DURABILITY_NONE;
    open_new(scene);
}

void oom_enter_urls(oom_scene *scene)
{
    oom_enter_folder(scene);
    scene->crawl->options.normalise = SEENSET_QUEUE_NORMALISE_URL;
    scene->crawl->call_urls = SOME_URLS;
    open_new(scene);
}

/* All URLs are of one host, and nothing waits for it. */
static const seenset_queue_politeness at_once = {
    .host_leases = SEENSET_QUEUE_MAX_HOST_LEASES};

void oom_enter_polite(oom_scene *scene)
{
    oom_enter_folder(scene);
    scene->crawl->options.politeness = &at_once;
    open_new(scene);
}

void oom_enter_polite_later(oom_scene *scene)
{
    oom_enter_folder(scene);
    scene->crawl->options.politeness = &at_once;
    scene->crawl->options.durability = SEENSET_QUEUE_DURABILITY_NONE;
    open_new(scene);
}

/* The URLs themselves. */
void oom_enter_exact(oom_scene *scene)
{
    oom_enter_folder(scene);
    scene->crawl->options.flags = SEENSET_QUEUE_EXACT;
    open_new(scene);
}

void oom_enter_exact_later(oom_scene *scene)
{
    oom_enter_folder(scene);
    scene->crawl->options.flags = SEENSET_QUEUE_EXACT;
    scene->crawl->options.durability = SEENSET_QUEUE_DURABILITY_NONE;
    open_new(scene);
}

/* All is popped, nothing acked. */
void oom_enter_popped(oom_scene *scene)
{
    oom_enter_queue(scene);
    assert_int_equal(oom_push_to(scene->crawl, URLS - 2), SEENSET_OK);
    assert_int_equal(oom_pop_all(scene->crawl), SEENSET_OK);
}

static void enter_given_back(oom_scene *scene, uint64_t segment_bytes,
                             const seenset_queue_politeness *politeness,
                             double delay_seconds)
{
    const seenset_queue_nack_options how = {.delay_seconds = delay_seconds};
    oom_enter_folder(scene);
    oom_crawl *crawl = scene->crawl;
    crawl->options.segment_bytes = segment_bytes;
    crawl->options.politeness = politeness;
    open_new(scene);
    assert_int_equal(oom_push_to(crawl, URLS - 2), SEENSET_OK);
    assert_int_equal(oom_pop_all(crawl), SEENSET_OK);
    while (crawl->lease_count > 0)
        assert_int_equal(seenset_queue_nack(crawl->queue,
                                            crawl->leases[--crawl->lease_count],
                                            &how),
                         SEENSET_OK);
    seenset_queue_item_free(&crawl->item);
}

/* All waits to be handed out again, to whoever brings an item without memory.
 */
void oom_enter_nacked(oom_scene *scene)
{
    enter_given_back(scene, 4 << 20, NULL, 0);
}

/* The same, but all are in files of delayed items. */
void oom_enter_delayed(oom_scene *scene)
{
    enter_given_back(scene, 4096, NULL, 0);
}

/* The same of a polite queue, where what is due is not delayed any more: those
 * in files are due by then, unless this takes as long. */
void oom_enter_polite_delayed(oom_scene *scene)
{
    const struct timespec until_due = {.tv_nsec = 60000000};
    enter_given_back(scene, 4096, &at_once, 0.05);
    (void)nanosleep(&until_due, NULL);
}

void oom_enter_polite_delayed_closed(oom_scene *scene)
{
    enter_given_back(scene, 4096, &at_once, 1000);
    assert_int_equal(oom_queue_close(scene), SEENSET_OK);
}

void oom_enter_delayed_closed(oom_scene *scene)
{
    oom_enter_delayed(scene);
    assert_int_equal(oom_queue_close(scene), SEENSET_OK);
}

/* Two snapshots, log behind them, acks, and leases. */
void oom_enter_closed(oom_scene *scene)
{
    oom_enter_popped(scene);
    oom_crawl *crawl = scene->crawl;
    crawl->lease_count = 100;
    assert_int_equal(oom_queue_ack(scene), SEENSET_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seenset_queue_checkpoint(crawl->queue), SEENSET_OK);
        assert_int_equal(push_next(crawl), SEENSET_OK);
    }
    assert_int_equal(oom_queue_close(scene), SEENSET_OK);
}

/* The set of it is read from its file. */
void oom_enter_exact_closed(oom_scene *scene)
{
    oom_enter_exact(scene);
    assert_int_equal(seenset_queue_checkpoint(scene->crawl->queue), SEENSET_OK);
    assert_int_equal(oom_queue_close(scene), SEENSET_OK);
}

/* In memory: the folder stays empty. */
void oom_enter_memory(oom_scene *scene)
{
    oom_enter_folder(scene);
    oom_crawl *crawl = scene->crawl;
    assert_int_equal(seenset_queue_open(&crawl->queue, NULL, &crawl->options),
                     SEENSET_OK);
    assert_int_equal(oom_push_to(crawl, OLD_URLS), SEENSET_OK);
}

void oom_enter_memory_popped(oom_scene *scene)
{
    oom_enter_memory(scene);
    assert_int_equal(oom_push_to(scene->crawl, OLD_URLS * 4), SEENSET_OK);
    assert_int_equal(oom_pop_all(scene->crawl), 0);
}

void oom_enter_keeping(oom_scene *scene)
{
    oom_enter_closed(scene);
    scene->crawl->options.flags |= SEENSET_QUEUE_KEEP_LEASES;
}

/* With a thread of its own, which is no allocation but may fail as well. */
void oom_enter_interval(oom_scene *scene)
{
    oom_enter_folder(scene);
    scene->crawl->options.durability = SEENSET_QUEUE_DURABILITY_INTERVAL;
    scene->crawl->options.interval_seconds = 100;
}

/* ---- what is left ---- */

/* Of an open queue, what no failed call may change. */
uint64_t oom_digest_stats(oom_scene *scene)
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
        size_t len = oom_url_text(crawl, i, text);
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
        size_t len = oom_url_text(crawl, i, text);
        if (crawl->is_pushed[i])
            assert_int_equal(
                seenset_queue_push(crawl->queue, text, len, NULL, 0), 0);
    }
}

void oom_leave_queue(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    bool is_out[URLS] = {false};
    if (crawl->queue != NULL)
        check_seen(crawl);
    assert_int_equal(oom_queue_close(scene), SEENSET_OK);
    crawl->options.flags &= ~SEENSET_QUEUE_KEEP_LEASES;
    assert_int_equal(oom_queue_open(scene), SEENSET_OK);
    drain(crawl, is_out);
    check_urls(crawl, is_out);
    assert_int_equal(oom_queue_close(scene), SEENSET_OK);
    seenset_queue_item_free(&crawl->item);
    free(crawl);
}

/* All that was answered is in memory, and goes with it. */
void oom_leave_memory(oom_scene *scene)
{
    oom_crawl *crawl = scene->crawl;
    bool is_out[URLS] = {false};
    check_seen(crawl);
    while (crawl->lease_count > 0)
        assert_int_equal(seenset_queue_nack(crawl->queue,
                                            crawl->leases[--crawl->lease_count],
                                            NULL),
                         SEENSET_OK);
    drain(crawl, is_out);
    for (int i = 0; i < URLS; i++)
        assert_int_equal(is_out[i], crawl->is_pushed[i] && !crawl->is_acked[i]);
    assert_int_equal(oom_queue_close(scene), SEENSET_OK);
    seenset_queue_item_free(&crawl->item);
    free(crawl);
}
