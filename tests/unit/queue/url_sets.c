/*
 * url_sets.c - whatever a queue remembers its URLs in, it is made again from
 * the log, bit by bit, and it keeps what was promised.
 *
 * A crawl at random is run on each kind of set (model_kinds) while time passes
 * or does not.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "queue_disk.h"
#include "queue_model.h"

enum {
    STEPS = 400,
    SEEDS = TEST_STEP > 1 ? 1 : 3
};

#define HOUR_NS UINT64_C(3600000000000)

/* ---- a crawl that is killed ---- */

/* Kills the crawl now and then: a copy of its disk is held to what was
 * promised. */
static void check_kills(const model_kind *kind, uint64_t seed,
                        seenset_queue_durability durability)
{
    model crawl;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    model_init(&crawl, seed, durability);
    model_set_kind(&crawl, kind);
    assert_int_equal(
        ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &crawl.options), 0);
    for (int i = 0; i < STEPS; i++) {
        model_step(&crawl, disk_io(on), DISK_FOLDER, &queue);
        assert_int_equal(crawl.error, 0);
        if (i % 40 != 39)
            continue;
        disk *killed = disk_copy(on);
        const char *wrong = model_check(&crawl, disk_io(killed), DISK_FOLDER);
        if (wrong != NULL)
            fail_msg("%s, seed %d: %s", kind->name, (int)seed, wrong);
        assert_int_equal(
            ss_queue_verify(disk_io(killed), DISK_FOLDER, &crawl.options),
            SEENSET_OK);
        disk_free(killed);
    }
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

static void queue_keeps_its_promises_with_every_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < model_kind_count; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            check_kills(&model_kinds[i], seed, SEENSET_QUEUE_DURABILITY_EACH);
            check_kills(&model_kinds[i], seed, SEENSET_QUEUE_DURABILITY_NONE);
        }
    }
}

/* ---- the set, from the log ---- */

static bool has_same_set(const disk *a, const disk *b)
{
    size_t *a_bytes, *b_bytes;
    const char *name = disk_name(a, "set-", 0);
    assert_non_null(name);
    const uint8_t *left = disk_file((disk *)a, name, &a_bytes);
    const uint8_t *right = disk_file((disk *)b, name, &b_bytes);
    return left != NULL && right != NULL && *a_bytes == *b_bytes &&
           memcmp(left, right, *a_bytes) == 0;
}

/* One URL, or several at once. */
static void push_some(seenset_queue *queue, test_random *random)
{
    enum {
        MOST = 4
    };
    char urls[MOST][32];
    seenset_queue_entry entries[MOST] = {{0}};
    uint8_t answers[MOST];
    size_t count = 1 + (size_t)test_random_below(random, MOST);
    for (size_t i = 0; i < count; i++) {
        model_url((int)test_random_below(random, 150), urls[i]);
        entries[i].url = urls[i];
        entries[i].url_len = strlen(urls[i]);
    }
    if (count == 1)
        assert_in_range(
            seenset_queue_push(queue, urls[0], entries[0].url_len, NULL, 0), 0,
            1);
    else
        assert_int_equal(
            seenset_queue_push_many(queue, entries, count, NULL, answers), 0);
}

/* Random pushes, hours apart. No set is written. */
static seenset_queue *
crawl_for_days(disk *on, const seenset_queue_options *options, uint64_t seed)
{
    seenset_queue *queue = NULL;
    test_random random = {seed};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, options),
                     0);
    for (int i = 0; i < STEPS; i++) {
        push_some(queue, &random);
        if (test_random_below(&random, 3) == 0)
            disk_pass_ns(on, test_random_below(&random, 2 * HOUR_NS));
    }
    assert_int_equal(seenset_queue_sync(queue), 0);
    return queue;
}

/* Opens a killed queue days later, and has its set written. */
static void write_set_later(disk *killed, const seenset_queue_options *options)
{
    seenset_queue *queue = NULL;
    disk_pass_ns(killed, 100 * HOUR_NS);
    assert_int_equal(
        ss_queue_open(disk_io(killed), &queue, DISK_FOLDER, options), 0);
    assert_int_equal(seenset_queue_checkpoint(queue), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
}

/* Changes the time in the last push of a log; false if it has none. */
static bool change_a_time(disk *on)
{
    size_t *size_bytes;
    uint8_t *log = disk_file(on, disk_name(on, "log-", 0), &size_bytes);
    uint8_t *last = NULL;
    for (size_t at = SS_SEGMENT_HEADER_BYTES; at < *size_bytes;
         at += SS_RECORD_HEADER_BYTES + ss_bits_load(log + at + 4, 3))
        if (log[at + 7] == SS_RECORD_TIMED_PUSH)
            last = log + at;
    if (last == NULL)
        return false;
    uint8_t *seconds = last + SS_RECORD_HEADER_BYTES;
    ss_bits_store(seconds, 8, ss_bits_load(seconds, 8) + 200 * 3600);
    size_t covered = SS_RECORD_HEADER_BYTES - 4 + ss_bits_load(last + 4, 3);
    ss_bits_store(last, 4, ss_crc32c(last + 4, covered));
    return true;
}

/* Of a set of this kind. */
static void check_the_log(const model_kind *kind, uint64_t seed,
                          seenset_queue_durability durability)
{
    seenset_queue_options options = {.set = &kind->set,
                                     .flags =
                                         kind->exact ? SEENSET_QUEUE_EXACT : 0,
                                     .durability = durability};
    disk *on = disk_new();
    seenset_queue *queue = crawl_for_days(on, &options, seed);
    disk *killed = disk_copy(on), *changed = disk_copy(on);
    assert_int_equal(seenset_queue_checkpoint(queue), 0);
    write_set_later(killed, &options);
    if (!has_same_set(on, killed))
        fail_msg("%s: another set", kind->name);
    /* planted: of another time, it is another set */
    if (change_a_time(changed)) {
        write_set_later(changed, &options);
        assert_false(has_same_set(on, changed));
    }
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(changed);
    disk_free(killed);
    disk_free(on);
}

static void the_log_makes_the_set_bit_by_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < model_kind_count; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            check_the_log(&model_kinds[i], seed, SEENSET_QUEUE_DURABILITY_EACH);
            check_the_log(&model_kinds[i], seed, SEENSET_QUEUE_DURABILITY_NONE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_keeps_its_promises_with_every_set),
        cmocka_unit_test(the_log_makes_the_set_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
