/*
 * pipeline.c - batches stay in order on any number of threads, each goes
 * through every stage once, and it stops where it is told to.
 *
 * The stages here deal in numbers: batch n carries n as its first_number.
 */
#define _GNU_SOURCE /* pipe, usleep */
#include "support.h"

#include <unistd.h>

#include "stream/pipeline.h"

static const unsigned thread_counts[] = {1, 2, 3, 4, 16};

typedef struct script {
    uint64_t batch_count;    /* that read gives */
    uint64_t filter_stop_at; /* the last, by the filter; 0: none */
    uint64_t write_stop_at;
    int wait_fd; /* read waits here after batch_count; -1: it ends */
    /* Each stage has counts and flags of its own: they run at once. */
    uint64_t read, filtered, written;
    uint64_t misfiltered, miswritten; /* out of order, or not ready */
} script;

static int read_number(void *context, batch *into)
{
    script *play = context;
    char unused;
    if (play->read == play->batch_count) {
        if (play->wait_fd >= 0)
            (void)!read(play->wait_fd, &unused, 1);
        return 0;
    }
    batch_clear(into);
    into->first_number = ++play->read;
    into->count = 0;
    return 1;
}

/* Some take longer, so that threads overtake each other. */
static void hash_number(batch *some)
{
    if (some->first_number % 7 == 3)
        usleep(200);
    some->count++;
}

static int filter_number(void *context, batch *some)
{
    script *play = context;
    play->filtered++;
    play->misfiltered +=
        some->first_number != play->filtered || some->count != 1;
    some->count = 2;
    return some->first_number == play->filter_stop_at;
}

static int write_number(void *context, const batch *some)
{
    script *play = context;
    play->written++;
    play->miswritten += some->first_number != play->written || some->count != 2;
    return some->first_number == play->write_stop_at;
}

static script run_script(script play, unsigned thread_count)
{
    const pipeline_stages stages = {&play, read_number, hash_number,
                                    filter_number, write_number};
    assert_int_equal(pipeline_run(&stages, thread_count), 0);
    return play;
}

static void pipeline_keeps_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(thread_counts); i++)
        for (uint64_t count = 0; count < 300; count = 2 * count + 1) {
            script play = {.batch_count = count, .wait_fd = -1};
            play = run_script(play, thread_counts[i]);
            assert_int_equal(play.misfiltered + play.miswritten, 0);
            assert_int_equal(play.filtered, count);
            assert_int_equal(play.written, count);
        }
}

static void pipeline_stops_after_the_filter_says_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(thread_counts); i++) {
        script play = {.batch_count = 100, .filter_stop_at = 40, .wait_fd = -1};
        play = run_script(play, thread_counts[i]);
        assert_int_equal(play.misfiltered + play.miswritten, 0);
        assert_int_equal(play.filtered, 40);
        assert_int_equal(play.written, 40);
    }
}

static void pipeline_stops_after_a_write_says_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(thread_counts); i++) {
        script play = {.batch_count = 100, .write_stop_at = 40, .wait_fd = -1};
        play = run_script(play, thread_counts[i]);
        assert_int_equal(play.misfiltered + play.miswritten, 0);
        assert_int_equal(play.written, 40);
        assert_true(play.filtered < 40 + 2 * thread_counts[i]);
    }
}

/* It would never end, were the wait for more input not broken off. */
static void pipeline_does_not_wait_for_unwanted_input(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    for (size_t i = 1; i < TEST_COUNT(thread_counts); i++) {
        script play = {
            .batch_count = 5, .filter_stop_at = 5, .wait_fd = ends[0]};
        play = run_script(play, thread_counts[i]);
        assert_int_equal(play.written, 5);
    }
    close(ends[0]);
    close(ends[1]);
}

/* The check of the order can fail: here a filter counts a batch twice. */
static int filter_twice(void *context, batch *some)
{
    script *play = context;
    play->filtered += some->first_number == 3;
    return filter_number(context, some);
}

static void pipeline_check_can_fail(void **state)
{
    (void)state;
    script play = {.batch_count = 10, .wait_fd = -1};
    const pipeline_stages stages = {&play, read_number, hash_number,
                                    filter_twice, write_number};
    assert_int_equal(pipeline_run(&stages, 2), 0);
    assert_true(play.misfiltered > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipeline_keeps_order),
        cmocka_unit_test(pipeline_stops_after_the_filter_says_so),
        cmocka_unit_test(pipeline_stops_after_a_write_says_so),
        cmocka_unit_test(pipeline_does_not_wait_for_unwanted_input),
        cmocka_unit_test(pipeline_check_can_fail),
    };
    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
