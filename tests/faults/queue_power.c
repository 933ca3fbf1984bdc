/*
 * queue_power.c - the power goes at any moment.
 *
 * A crawl at random runs on a disk in memory. After each operation that
 * changes the disk, 64 images are made of what a power cut could leave there,
 * and each is opened and held to what the crawl had been promised by then.
 *
 *     test_queue_power [images]      20,000 by default
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    IMAGES_A_CHANGE = 64,
    STEPS_A_RUN = 120
};

typedef struct outage {
    model crawl;

    long images, most_images, broken;
    const char *first_wrong;
    uint64_t seed;
} outage;

static void cut_power(void *context, disk *changed)
{
    outage *of = context;
    for (int i = 0; i < IMAGES_A_CHANGE && of->images < of->most_images; i++) {
        disk *image = disk_image(changed, of->seed + (uint64_t)of->images++);
        const char *wrong =
            model_check(&of->crawl, disk_io(image), DISK_FOLDER);
        if (wrong != NULL && of->broken++ == 0) {
            of->first_wrong = wrong;
        }
        disk_free(image);
    }
}

/* One crawl; stops when there were images enough. */
static void crawl(outage *of, uint64_t seed,
                  seenset_queue_durability durability,
                  const disk_faults *faults)
{
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    of->seed = seed * 1000003;
    model_init(&of->crawl, seed, durability);
    disk_watch(on, cut_power, of);
    *disk_faults_of(on) = *faults;
    assert_int_equal(
        ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &of->crawl.options), 0);
    for (int i = 0; i < STEPS_A_RUN && of->images < of->most_images; i++) {
        model_step(&of->crawl, disk_io(on), DISK_FOLDER, &queue);
        assert_int_equal(of->crawl.error, 0);
    }
    disk_watch(on, NULL, NULL);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

static long image_goal(void **state)
{
    return *(const long *)*state;
}

static void survive(long images, seenset_queue_durability durability)
{
    const disk_faults none = {0};
    outage of = {.most_images = images};
    uint64_t seed = 1;
    for (; of.images < of.most_images && of.broken == 0; seed++)
        crawl(&of, seed, durability, &none);
    printf("%ld images, seeds 1..%llu\n", of.images,
           (unsigned long long)seed - 1);
    if (of.broken > 0)
        fail_msg("seed %llu: %s", (unsigned long long)seed - 1, of.first_wrong);
}

static void queue_keeps_what_it_answered(void **state)
{
    survive(image_goal(state) * 4 / 5, SEENSET_QUEUE_DURABILITY_EACH);
}

static void queue_keeps_what_was_synced(void **state)
{
    survive(image_goal(state) / 5, SEENSET_QUEUE_DURABILITY_NONE);
}

/* How many images break a promise when the disk lies like this. */
static long broken_images(const disk_faults *faults)
{
    outage of = {.most_images = 3000};
    for (uint64_t seed = 1; of.images < of.most_images; seed++)
        crawl(&of, seed, SEENSET_QUEUE_DURABILITY_EACH, faults);
    return of.broken;
}

/* The planted faults: one sync skipped; a set that runs ahead of the log. */
static void a_skipped_sync_is_caught(void **state)
{
    (void)state;
    const disk_faults one = {.lie_at = 8};
    assert_true(broken_images(&one) > 0);
}

static void a_set_ahead_of_the_log_is_caught(void **state)
{
    (void)state;
    const disk_faults log = {.log_lies = true};
    assert_true(broken_images(&log) > 0);
}

/* In how many images of the disk is the queue, or its only URL, gone? */
static int count_losses(disk *on)
{
    int losses = 0;
    for (uint64_t i = 0; i < 200; i++) {
        seenset_queue *queue;
        seenset_queue_options options = {0};
        disk *image = disk_image(on, i);
        int error =
            ss_queue_open(disk_io(image), &queue, DISK_FOLDER, &options);
        if (error == SEENSET_OK) {
            losses += seenset_queue_push(queue, "a", 1, NULL, 0) != 0;
            assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        } else {
            losses++;
        }
        disk_free(image);
    }
    return losses;
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
    ss_directory_name(name, SS_FOLDER_LOG, *size_bytes);
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

int main(int argc, char **argv)
{
    long images = 20000;
    if (argc > 1)
        images = atol(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(queue_keeps_what_it_answered, &images),
        cmocka_unit_test_prestate(queue_keeps_what_was_synced, &images),
        cmocka_unit_test(a_skipped_sync_is_caught),
        cmocka_unit_test(a_set_ahead_of_the_log_is_caught),
        cmocka_unit_test(opening_makes_durable_what_it_found),
        cmocka_unit_test(unborn_segments_are_gone_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
