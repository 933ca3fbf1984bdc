/*
 * queue_power.c - the power goes at any moment.
 *
 * A crawl at random runs on a disk in memory. After each operation that
 * changes the disk, 64 images are made of what a power cut could leave there,
 * and each is opened and held to what the crawl had been promised by then.
 *
 *     test_queue_power [images [kinds]]      20,000 by default, most of them of
 *                                            the first kind of queue; or
 *                                            so many of each kind whose name
 *                                            begins with `kinds`
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_model.h"
#include "queue_outage.h"
#include "support.h"

enum {
    IMAGES_A_CHANGE = 64,
    STEPS_A_RUN = 120,
    PUT_OFF = 24,
    SCATTERED = 80 /* items, of which a few are left */
};

/* If leases and delays go on, they are over by then. */
static const char *judge_crawl(void *context, disk *image)
{
    disk_pass_ns(image, 2 * MODEL_MOST_DELAY * UINT64_C(1000000000));
    return model_check(context, disk_io(image), DISK_FOLDER);
}

/* How many crawls have moved items in their logs, and how many end with files
 * of delayed items. */
static int runs_with_moves, runs_with_delays;

/* A queue whose log has items to be moved. */
static seenset_queue *begin_scattered(model *of, disk *on)
{
    seenset_queue *queue = NULL;
    of->url_count = 2 * SCATTERED;
    assert_int_equal(
        ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &of->options), 0);
    model_scatter(of, queue, SCATTERED);
    assert_false(model_has_moved(on));
    return queue;
}

/* One crawl; stops when there were images enough. One of a polite queue in two
 * begins with a log that has few items left, so that they are moved. */
static void crawl(outage *of, uint64_t seed, const model_kind *kind,
                  seenset_queue_durability durability,
                  const disk_faults *faults)
{
    bool is_scattered = kind->politeness != NULL && seed % 2 == 1;
    model crawled;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    model_init(&crawled, seed, durability);
    model_set_kind(&crawled, kind);
    crawled.options.flags |= seed / 2 % 2 == 1 ? SEENSET_QUEUE_KEEP_LEASES : 0;
    of->seed = seed * 1000003;
    of->judge = judge_crawl;
    of->context = &crawled;
    if (is_scattered)
        queue = begin_scattered(&crawled, on);
    outage_begin(of, on);
    *disk_faults_of(on) = *faults;
    if (queue == NULL)
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &crawled.options),
            0);
    if (seed % 2 == 0)
        model_put_off(&crawled, queue, PUT_OFF);
    for (int i = 0; i < STEPS_A_RUN && !outage_is_over(of); i++) {
        model_step(&crawled, disk_io(on), DISK_FOLDER, &queue);
        assert_int_equal(crawled.error, 0);
    }
    outage_end(on);
    runs_with_moves += model_has_moved(on);
    runs_with_delays += disk_count(on, SS_FOLDER_DELAYED) > 0;
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

static long image_goal(void **state)
{
    return *(const long *)*state;
}

static void survive(long images, const model_kind *kind,
                    seenset_queue_durability durability)
{
    const disk_faults none = {0};
    bool is_first = kind == model_kinds;
    outage of = {.images_a_change = is_first ? IMAGES_A_CHANGE : 4,
                 .most_images = images};
    uint64_t seed = 1;
    runs_with_moves = runs_with_delays = 0;
    for (; !outage_is_over(&of) && of.broken == 0; seed++)
        crawl(&of, seed, kind, durability, &none);
    printf("%s: %ld images, seeds 1..%llu, %d with moved items, %d with files "
           "of delayed ones\n",
           kind->name, of.images, (unsigned long long)seed - 1, runs_with_moves,
           runs_with_delays);
    assert_int_equal(runs_with_moves > 0, kind->politeness != NULL);
    if (seed > 2) /* every second run has delays; with few images one is all */
        assert_true(runs_with_delays > 0);
    if (of.broken > 0)
        fail_msg("seed %llu: %s", (unsigned long long)seed - 1, of.wrong);
}

static void queue_keeps_what_it_answered(void **state)
{
    survive(image_goal(state) * 4 / 5, model_kinds,
            SEENSET_QUEUE_DURABILITY_EACH);
}

static void queue_keeps_what_was_synced(void **state)
{
    survive(image_goal(state) / 5, model_kinds, SEENSET_QUEUE_DURABILITY_NONE);
}

/* The others with fewer images, and fewer after each change. */
static void queue_of_every_kind_keeps_its_word(void **state)
{
    for (size_t i = 1; i < model_kind_count; i++) {
        survive(image_goal(state) / 20, &model_kinds[i],
                SEENSET_QUEUE_DURABILITY_EACH);
        survive(image_goal(state) / 20, &model_kinds[i],
                SEENSET_QUEUE_DURABILITY_NONE);
    }
}

typedef struct goal {
    long images;
    const char *kinds; /* how their names begin */
} goal;

/* Half of the images under each durability. */
static void queues_of_some_kinds_keep_their_word(void **state)
{
    const goal *to = *state;
    bool is_any = false;
    for (size_t i = 0; i < model_kind_count; i++) {
        const model_kind *kind = &model_kinds[i];
        if (strncmp(kind->name, to->kinds, strlen(to->kinds)) != 0)
            continue;
        is_any = true;
        survive(to->images / 2, kind, SEENSET_QUEUE_DURABILITY_EACH);
        survive(to->images / 2, kind, SEENSET_QUEUE_DURABILITY_NONE);
    }
    assert_true(is_any);
}

/* How many images break a promise when the disk lies like this. */
static long broken_images(const model_kind *kind, const disk_faults *faults)
{
    outage of = {.images_a_change = IMAGES_A_CHANGE, .most_images = 3000};
    for (uint64_t seed = 1; !outage_is_over(&of); seed++)
        crawl(&of, seed, kind, SEENSET_QUEUE_DURABILITY_EACH, faults);
    return of.broken;
}

/* The planted faults: one sync skipped; a set that runs ahead of the log. */
static void a_skipped_sync_is_caught(void **state)
{
    (void)state;
    const disk_faults one = {.lie_at = 8};
    assert_true(broken_images(model_kinds, &one) > 0);
}

static void a_set_ahead_of_the_log_is_caught(void **state)
{
    (void)state;
    const disk_faults log = {.log_lies = true};
    assert_true(broken_images(model_kinds, &log) > 0);
}

/* Is the queue there, and its only URL known? */
static const char *judge_url(void *context, disk *image)
{
    seenset_queue *queue = NULL;
    (void)context;
    if (ss_queue_open(disk_io(image), &queue, DISK_FOLDER, NULL) != SEENSET_OK)
        return "the queue does not open";
    bool is_lost = seenset_queue_push(queue, "a", 1, NULL, 0) != 0;
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return is_lost ? "the URL was lost" : NULL;
}

/* In how many images of the disk is the queue, or its only URL, gone? */
static long count_losses(disk *on)
{
    outage of = {.images_a_change = 200, .judge = judge_url};
    outage_cut(&of, on);
    return of.broken;
}

/* What a killed process wrote is read by the next one, though no sync covered
 * it: before anything rests on it, it is synced. The lie plants the loss. */
static void opening_makes_durable_what_it_found(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_options options = {0};
    seenset_queue *queue = model_open(on, options);
    disk_faults_of(on)->log_lies = true;
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_faults_of(on)->log_lies = false;
    assert_true(count_losses(on) > 0);
    queue = model_open(on, options);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(count_losses(on), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* A segment that a crash left without a header is removed for good before the
 * one it would have followed grows past its name. */
static void unborn_segments_are_gone_for_good(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_options options = {0};
    seenset_queue *queue = model_open(on, options);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);

    size_t *size_bytes;
    char name[SS_FOLDER_NAME_BYTES], path[TEST_PATH_BYTES];
    assert_non_null(disk_file(on, disk_name(on, "log-", 0), &size_bytes));
    ss_folder_name(name, SS_FOLDER_LOG, *size_bytes);
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, name);
    int fd = ss_io_open(disk_io(on), path, O_RDWR | O_CREAT, 0666);
    assert_true(fd >= 0);
    ss_io_close_quietly(disk_io(on), fd);
    assert_true(ss_io_sync_folder(disk_io(on), DISK_FOLDER));

    queue = model_open(on, options);
    assert_null(disk_name(on, name, 0));
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0), 1);
    assert_int_equal(count_losses(on), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

enum {
    DRAINED_ITEMS = 400 /* some 15 segments, and more bytes than the set has */
};

/* Is every URL seen, and none handed out again? */
static const char *judge_drained(void *context, disk *image)
{
    seenset_queue *queue = NULL;
    const char *wrong = NULL;
    (void)context;
    if (ss_queue_open(disk_io(image), &queue, DISK_FOLDER, NULL) != SEENSET_OK)
        return "the queue does not open";
    if (model_push(queue, 0, DRAINED_ITEMS) != 0)
        wrong = "a URL was lost";
    else if (model_drain(queue, NULL) != 0)
        wrong = "an item that was acked came again";
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return wrong;
}

static void ack_all(seenset_queue *queue)
{
    uint64_t leases[DRAINED_ITEMS];
    seenset_queue_item item = {0};
    size_t count = 0;
    for (; seenset_queue_pop(queue, &item) == 1; count++)
        leases[count] = item.lease;
    seenset_queue_item_free(&item);
    assert_int_equal(count, DRAINED_ITEMS);
    assert_int_equal(seenset_queue_ack_many(queue, leases, count), 0);
}

/* In how many images of a drained queue that is being closed is anything lost?
 */
static long lost_in_closing(const disk_faults *faults)
{
    outage of = {.images_a_change = IMAGES_A_CHANGE,
                 .most_images = 1000000,
                 .judge = judge_drained};
    disk *on = disk_new();
    const seenset_options set = {.capacity_items = 1000, .fp_rate = 1e-9};
    seenset_queue_options small = {.segment_bytes = 4096, .set = &set};
    seenset_queue *queue = model_open(on, small);
    assert_int_equal(model_push(queue, 0, DRAINED_ITEMS), DRAINED_ITEMS);
    ack_all(queue);
    outage_begin(&of, on);
    *disk_faults_of(on) = *faults;
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    outage_end(on);
    assert_null(disk_name(on, "log-", 1)); /* one of 32 bytes is left */
    disk_free(on);
    return of.broken;
}

/* The log goes, and what it said stays. Planted: the new segment only seems to
 * be on the disk. */
static void a_drained_log_goes_for_good_reason(void **state)
{
    (void)state;
    const disk_faults none = {0}, log = {.log_lies = true};
    assert_int_equal(lost_in_closing(&none), 0);
    assert_true(lost_in_closing(&log) > 0);
}

int main(int argc, char **argv)
{
    long images = 20000;
    if (argc > 1)
        images = atol(argv[1]);
    goal of_some = {images, argc > 2 ? argv[2] : ""};
    const struct CMUnitTest some[] = {cmocka_unit_test_prestate(
        queues_of_some_kinds_keep_their_word, &of_some)};
    if (argc > 2)
        return cmocka_run_group_tests(some, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(queue_keeps_what_it_answered, &images),
        cmocka_unit_test_prestate(queue_keeps_what_was_synced, &images),
        cmocka_unit_test_prestate(queue_of_every_kind_keeps_its_word, &images),
        cmocka_unit_test(a_skipped_sync_is_caught),
        cmocka_unit_test(a_set_ahead_of_the_log_is_caught),
        cmocka_unit_test(opening_makes_durable_what_it_found),
        cmocka_unit_test(unborn_segments_are_gone_for_good),
        cmocka_unit_test(a_drained_log_goes_for_good_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
