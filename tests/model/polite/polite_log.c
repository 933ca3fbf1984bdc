/*
 * polite_log.c - the log of a polite queue stays short beside slow hosts.
 *
 * Some hosts are blocked or slow, and one of them has many URLs; the others are
 * quick. URLs are pushed, handed out, given back and acked at random, and the
 * queue is opened again and killed now and then. After some calls each, files
 * are compared with what was done:
 *
 *   - the log takes at most twice the bytes of the items that are not acked,
 *     and some segments;
 *   - each of these items is listed once, with its own bytes, and no other is;
 *   - in the end each is handed out once more.
 *
 * What an item takes is counted here by the format's description: a header of
 * 20 bytes, a length of 4, the URL and its data, 1 for a priority, and 8 for
 * the time in a queue with a window by age.
 *
 * It is so for each kind of set, also for one that forgets URLs meanwhile.
 *
 *     test_polite_log [rounds]         1 by default
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    SEGMENT = 4096,
    SPARE_SEGMENTS = 6, /* what snapshots and the last ones need */
    MOST_ITEMS = 20000,
    MOST_DATA = 160,
    HOSTS = 20,
    MOST_LEASES = 64,
    STEPS = 4000,
    EACH = 50 /* steps from one look at the files to the next */
};

typedef struct pushed {
    unsigned data_len;
    unsigned priority;
    bool is_acked;
    int shown; /* how often it was listed, or handed out in the end */
} pushed;

static const seenset_options grows = {.capacity_items = MOST_ITEMS,
                                      .fp_rate = 1e-9};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen bytes ok";

static const seenset_options keyed = {
    .capacity_items = MOST_ITEMS, .fp_rate = 1e-9, .secret = secret};

/* Each forgets most of what is pushed while a queue is run. */
static const seenset_options by_number = {
    .capacity_items = 200, .fp_rate = 1e-9, .on_full = SEENSET_ON_FULL_ROTATE};
static const seenset_options slides = {.capacity_items = 500,
                                       .fp_rate = 1e-9,
                                       .on_full = SEENSET_ON_FULL_ROTATE,
                                       .window_seconds = 60,
                                       .flags = SEENSET_FLAG_SLIDING};

/* What a run is like. */
typedef struct law_way {
    const char *name;
    seenset_queue_durability durability;
    bool has_lanes;
    int push_until; /* the step from which nothing is pushed */
    uint64_t segment_bytes;
    const seenset_options *set;
} law_way;

typedef struct law {
    const law_way *way;
    test_random random;
    disk *on;
    seenset_queue *queue;
    pushed *items;
    int count; /* pushed */
    uint64_t leases[MOST_LEASES];
    int leased[MOST_LEASES];
    int lease_count;
    uint64_t longest; /* of the log, in segments above twice what is live */
} law;

static uint64_t below(law *of, uint64_t limit)
{
    return test_random_below(&of->random, limit);
}

/* Host 0 has a third of all, and is slow; hosts 1 and 2 are blocked. */
static int host_of(int number)
{
    uint64_t mixed = test_mix((uint64_t)number);
    return mixed % 3 == 0 ? 0 : (int)(mixed / 3 % HOSTS);
}

static size_t url_of(int number, char url[64])
{
    return (size_t)snprintf(url, 64, "http://h%d.example/%d", host_of(number),
                            number);
}

static int number_of(const void *url, size_t url_len)
{
    char text[64];
    const char *slash = memchr((const char *)url + 7, '/', url_len - 7);
    int number = atoi(slash + 1);
    assert_int_equal(url_of(number, text), url_len);
    assert_memory_equal(text, url, url_len);
    return number;
}

static void fill(int number, uint8_t *data, size_t data_len)
{
    for (size_t i = 0; i < data_len; i++)
        data[i] = (uint8_t)(test_mix((uint64_t)number) >> i % 8);
}

static seenset_queue_options options_of(const law *of)
{
    static const seenset_queue_politeness rules = {.host_leases = 1000,
                                                   .delay_seconds = 0};
    return (seenset_queue_options){.set = of->way->set,
                                   .politeness = &rules,
                                   .durability = of->way->durability,
                                   .segment_bytes = of->way->segment_bytes,
                                   .snapshot_bytes = 2 * SEGMENT,
                                   .lease_seconds = 1e6,
                                   .flags = SEENSET_QUEUE_KEEP_LEASES};
}

static void open_queue(law *of)
{
    const seenset_queue_options options = options_of(of);
    assert_int_equal(
        ss_queue_open(disk_io(of->on), &of->queue, DISK_FOLDER, &options), 0);
}

/* ---- what is compared ---- */

/* Bytes of all that is not acked. */
static uint64_t live_bytes(const law *of)
{
    uint64_t bytes = 0;
    char url[64];
    uint64_t fixed = 24 + (of->way->set->window_seconds > 0 ? 8 : 0);
    for (int i = 0; i < of->count; i++)
        if (!of->items[i].is_acked)
            bytes += fixed + url_of(i, url) + of->items[i].data_len +
                     (of->items[i].priority > 0);
    return bytes;
}

static uint64_t log_bytes(const law *of)
{
    uint64_t bytes = 0;
    size_t *size_bytes;
    const char *name;
    for (int i = 0; (name = disk_name(of->on, "log-", i)) != NULL; i++) {
        assert_non_null(disk_file(of->on, name, &size_bytes));
        bytes += *size_bytes;
    }
    return bytes;
}

/* How many segments the log has above twice what is live. */
static uint64_t segments_above(const law *of)
{
    uint64_t log = log_bytes(of), live = 2 * live_bytes(of);
    return log > live ? (log - live) / SEGMENT : 0;
}

static int show(void *context, const seenset_queue_listed *item)
{
    law *of = context;
    uint8_t data[MOST_DATA];
    int number = number_of(item->url, item->url_len);
    assert_in_range(number, 0, of->count - 1);
    pushed *known = &of->items[number];
    assert_int_equal(item->number, number);
    assert_int_equal(item->priority, known->priority);
    assert_int_equal(item->data_len, known->data_len);
    fill(number, data, known->data_len);
    assert_memory_equal(item->data, data, known->data_len);
    known->shown++;
    return 0;
}

/* Each item that is not acked was shown once; how many were not. */
static int count_wrong(law *of)
{
    int wrong = 0;
    for (int i = 0; i < of->count; i++) {
        wrong += of->items[i].shown != !of->items[i].is_acked;
        of->items[i].shown = 0;
    }
    return wrong;
}

/* Nothing is wrong with the files. */
static void verify(law *of)
{
    seenset_queue_report report;
    const seenset_queue_options options = {.report = &report,
                                           .set = of->way->set};
    if (ss_queue_verify(disk_io(of->on), DISK_FOLDER, &options) != 0)
        fail_msg("%s at %llu: %s", report.file,
                 (unsigned long long)report.offset, report.reason);
}

static void look(law *of)
{
    uint64_t above = segments_above(of);
    of->longest = above > of->longest ? above : of->longest;
    assert_int_equal(seenset_queue_list(of->queue, show, of), 0);
    assert_int_equal(count_wrong(of), 0);
    verify(of);
}

/* ---- what is done ---- */

static void push(law *of)
{
    char url[64];
    uint8_t data[MOST_DATA], answer = 0;
    int number = of->count;
    pushed *item = &of->items[number];
    if (number == MOST_ITEMS)
        return;
    *item = (pushed){.data_len = (unsigned)below(of, MOST_DATA),
                     .priority =
                         of->way->has_lanes ? (unsigned)below(of, 3) * 4 : 0};
    fill(number, data, item->data_len);
    const seenset_queue_entry entry = {.url = url,
                                       .url_len = url_of(number, url),
                                       .data = data,
                                       .data_len = item->data_len,
                                       .priority = item->priority};
    assert_int_equal(
        seenset_queue_push_many(of->queue, &entry, 1, NULL, &answer), 0);
    assert_int_equal(answer, SEENSET_ANSWER_NEW);
    of->count++;
}

/* Pushed some time ago, it is seen; a sliding window gets a record of that. */
static void push_again(law *of)
{
    char url[64];
    int number = of->count - 80;
    if (number >= 0 && (of->way->set->flags & SEENSET_FLAG_SLIDING) != 0)
        assert_int_equal(
            seenset_queue_push(of->queue, url, url_of(number, url), NULL, 0),
            0);
}

static void drop_lease(law *of, int index)
{
    of->lease_count--;
    of->leases[index] = of->leases[of->lease_count];
    of->leased[index] = of->leased[of->lease_count];
}

static void pop(law *of)
{
    seenset_queue_item item = {0};
    if (of->lease_count == MOST_LEASES)
        return;
    int result = seenset_queue_pop(of->queue, &item);
    assert_in_range(result, 0, 1);
    if (result == 1) {
        int number = number_of(item.url, item.url_len);
        assert_false(of->items[number].is_acked);
        of->leases[of->lease_count] = item.lease;
        of->leased[of->lease_count++] = number;
    }
    seenset_queue_item_free(&item);
}

static void ack(law *of)
{
    if (of->lease_count == 0)
        return;
    int index = (int)below(of, (uint64_t)of->lease_count);
    assert_int_equal(seenset_queue_ack(of->queue, of->leases[index]), 0);
    of->items[of->leased[index]].is_acked = true;
    drop_lease(of, index);
}

static void nack(law *of)
{
    if (of->lease_count == 0)
        return;
    int index = (int)below(of, (uint64_t)of->lease_count);
    const seenset_queue_nack_options later = {.delay_seconds =
                                                  below(of, 4) == 0 ? 1e6 : 0};
    assert_int_equal(seenset_queue_nack(of->queue, of->leases[index], &later),
                     0);
    drop_lease(of, index);
}

/* Closed, or killed when all that was answered is on the disk. */
static void open_again(law *of)
{
    if (below(of, 2) == 0) {
        assert_int_equal(seenset_queue_close(of->queue), 0);
    } else {
        assert_int_equal(seenset_queue_save_leases(of->queue), 0);
        disk *killed = disk_copy(of->on);
        assert_int_equal(seenset_queue_close(of->queue), 0);
        disk_free(of->on);
        of->on = killed;
    }
    verify(of);
    open_queue(of);
}

static void step(law *of, int number)
{
    uint64_t chance = below(of, 100);
    if (chance < 20 && number < of->way->push_until)
        push_again(of);
    if (chance < 40 && number < of->way->push_until)
        push(of);
    else if (chance < 65)
        pop(of);
    else if (chance < 92)
        ack(of);
    else if (chance < 98)
        nack(of);
    else if (chance == 98 && below(of, 4) == 0)
        open_again(of);
}

static void set_hosts(law *of)
{
    const seenset_queue_host_settings slow = {.flags = SEENSET_QUEUE_HOST_DELAY,
                                              .delay_seconds = 20};
    const seenset_queue_host_settings blocked = {
        .flags = SEENSET_QUEUE_HOST_BLOCK, .block_seconds = 1e6};
    assert_int_equal(seenset_queue_set_host(of->queue, "h0.example", 10, &slow),
                     0);
    assert_int_equal(
        seenset_queue_set_host(of->queue, "h1.example", 10, &blocked), 0);
    assert_int_equal(
        seenset_queue_set_host(of->queue, "h2.example", 10, &blocked), 0);
}

/* All that is left comes once. */
static void drain(law *of)
{
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_close(of->queue), 0);
    for (;;) {
        disk_pass_ns(of->on, UINT64_C(100000) * 1000000000);
        open_queue(of);
        int popped = 0;
        while (seenset_queue_pop(of->queue, &item) == 1) {
            of->items[number_of(item.url, item.url_len)].shown++;
            popped++;
            assert_int_equal(seenset_queue_ack(of->queue, item.lease), 0);
        }
        seenset_queue_stats stats;
        assert_int_equal(
            seenset_queue_get_stats(of->queue, &stats, sizeof stats), 0);
        assert_int_equal(seenset_queue_close(of->queue), 0);
        if (stats.pending_items + stats.leased_items == 0)
            break;
    }
    seenset_queue_item_free(&item);
    assert_int_equal(count_wrong(of), 0);
    open_queue(of);
}

static law run(const law_way *way, uint64_t seed)
{
    law of = {.way = way, .random = {seed}, .on = disk_new()};
    of.items = calloc(MOST_ITEMS, sizeof *of.items);
    assert_non_null(of.items);
    open_queue(&of);
    set_hosts(&of);
    for (int i = 0; i < STEPS; i++) {
        step(&of, i);
        disk_pass_ns(of.on, 100000000);
        if (i % EACH == 0)
            look(&of);
    }
    return of;
}

static void end(law *of)
{
    assert_int_equal(seenset_queue_close(of->queue), 0);
    disk_free(of->on);
    free(of->items);
}

static const law_way ways[] = {
    {"each", SEENSET_QUEUE_DURABILITY_EACH, false, STEPS, SEGMENT, &grows},
    {"each, then no more", SEENSET_QUEUE_DURABILITY_EACH, false, STEPS / 2,
     SEGMENT, &grows},
    {"none", SEENSET_QUEUE_DURABILITY_NONE, false, STEPS, SEGMENT, &grows},
    {"each, priorities", SEENSET_QUEUE_DURABILITY_EACH, true, STEPS, SEGMENT,
     &grows},
    {"none, priorities, then no more", SEENSET_QUEUE_DURABILITY_NONE, true,
     STEPS / 2, SEGMENT, &grows},
    {"keyed", SEENSET_QUEUE_DURABILITY_EACH, false, STEPS, SEGMENT, &keyed},
    {"window by number", SEENSET_QUEUE_DURABILITY_EACH, true, STEPS, SEGMENT,
     &by_number},
    {"sliding window, then no more", SEENSET_QUEUE_DURABILITY_NONE, false,
     STEPS / 2, SEGMENT, &slides},
};

static void the_log_is_twice_what_is_live(void **state)
{
    const int rounds = *(const int *)*state;
    for (size_t i = 0; i < TEST_COUNT(ways); i++)
        for (int round = 0; round < rounds; round++) {
            law of = run(&ways[i], 10 * i + 100 * (size_t)round + 1);
            printf("%s: %d items, %d bytes live, at most %d segments above\n",
                   ways[i].name, of.count, (int)live_bytes(&of),
                   (int)of.longest);
            assert_true(model_has_moved(of.on));
            assert_in_range(of.longest, 0, SPARE_SEGMENTS);
            drain(&of);
            end(&of);
        }
}

/* The planted fault: in segments of this size nothing is moved. */
static void a_log_that_stays_is_caught(void **state)
{
    static const law_way stays = {
        "stays", SEENSET_QUEUE_DURABILITY_EACH, false, STEPS, UINT64_C(1) << 30,
        &grows};
    (void)state;
    law of = run(&stays, 1);
    assert_false(model_has_moved(of.on));
    assert_true(of.longest > SPARE_SEGMENTS);
    end(&of);
}

static const law_way big_log = {
    "big", SEENSET_QUEUE_DURABILITY_NONE, false, 0, UINT64_C(1) << 20, &grows};

/* Many items are acked by one call; the others are of a blocked host. What is
 * moved before that call returns is not as much as it acked. */
static void one_call_moves_a_part(void **state)
{
    enum {
        MANY = 120000,
        MOST_BYTES = 3 << 20
    };
    (void)state;
    law of = {.way = &big_log, .on = disk_new()};
    seenset_queue_item item = {0};
    uint64_t *leases = calloc(MANY, sizeof *leases);
    static const uint8_t data[MOST_DATA];
    size_t count = 0;
    char url[64];
    assert_non_null(leases);
    open_queue(&of);
    set_hosts(&of);
    for (int i = 0; i < MANY; i++) {
        int url_len = snprintf(url, sizeof url, "http://h%d.example/%d",
                               i % 3 == 0 ? 1 : 100 + i % 200, i);
        assert_in_range(seenset_queue_push(of.queue, url, (size_t)url_len, data,
                                           sizeof data),
                        0, 1);
    }
    while (seenset_queue_pop(of.queue, &item) == 1)
        leases[count++] = item.lease;
    assert_int_equal(count, MANY - MANY / 3);
    uint64_t tail = of.queue->log.tail;
    assert_int_equal(seenset_queue_ack_many(of.queue, leases, count), 0);
    assert_true(of.queue->manifest.has_moved);
    assert_true(of.queue->log.tail - tail < MOST_BYTES);
    seenset_queue_item_free(&item);
    free(leases);
    end(&of);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(the_log_is_twice_what_is_live, &rounds),
        cmocka_unit_test(a_log_that_stays_is_caught),
        cmocka_unit_test(one_call_moves_a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
