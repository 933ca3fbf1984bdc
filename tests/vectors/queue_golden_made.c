/* queue_golden_made.c - golden queues, made and read; the idea is in
 * queue_golden.h */
#define _XOPEN_SOURCE 700
#include "queue_golden.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    WALL_SECONDS = 1700000000,
    PAUSE_SECONDS = 2000,         /* two thirds of a window */
    DELAYED_SEGMENT_BYTES = 16384 /* four delayed items in memory */
};

const uint8_t golden_secret[SEENSET_SECRET_BYTES] = "of sixteen bytes";

#define SMALL .capacity_items = 100, .fp_rate = 0.01

static const uint32_t factors[] = {31, 131, 1313};
static const seenset_scheme_arguments utf16 = {
    .seeds = factors, .seed_count = 3, .unit_bits = 16};
static const seenset_scheme_arguments seeded = {.seed = 0x5eed};

/* Each has a MANIFEST of version 2, but for the last eight: 4, 5, 3, 6, 6, 7,
 * 7, 8. */
const golden_queue golden_queues[] = {
    {"queue-keyed", {SMALL, .secret = golden_secret}, 0, GOLDEN_PLAIN},
    {"queue-window",
     {SMALL, .on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 3000},
     0,
     GOLDEN_PLAIN},
    {"queue-sliding-keyed",
     {SMALL, .on_full = SEENSET_ON_FULL_ROTATE, .flags = SEENSET_FLAG_SLIDING,
      .window_seconds = 3000, .secret = golden_secret},
     0,
     GOLDEN_PLAIN},
    {"queue-scheme",
     {SMALL, .scheme = SEENSET_SCHEME_MURMUR3_128},
     0,
     GOLDEN_PLAIN},
    {"queue-counters",
     {SMALL, .layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 3},
     0,
     GOLDEN_PLAIN},
    {"queue-exact", {.on_full = SEENSET_ON_FULL_DEFAULT}, 1, GOLDEN_PLAIN},
    {"queue-untried", {SMALL}, 0, GOLDEN_UNTRIED},
    {"queue-turns", {SMALL}, 0, GOLDEN_TURNS},
    {"queue-priorities", {SMALL}, 0, GOLDEN_VISITS},
    {"queue-arguments",
     {.scheme = SEENSET_SCHEME_POLYNOMIAL,
      .scheme_arguments = &utf16,
      .size_bits = 1024,
      .hash_count = 3},
     0,
     GOLDEN_PLAIN},
    {"queue-seed",
     {SMALL, .on_full = SEENSET_ON_FULL_DEGRADE, .scheme_arguments = &seeded},
     0,
     GOLDEN_VISITS},
    {"queue-polite", {SMALL}, 0, GOLDEN_HOSTS},
    {"queue-moved", {SMALL}, 0, GOLDEN_MOVED},
    {"queue-delayed", {SMALL}, 0, GOLDEN_DELAYED},
};
const size_t golden_queue_count = TEST_COUNT(golden_queues);

const golden_queue *golden_named(const char *name)
{
    const golden_queue *of = golden_queues;
    while (strcmp(of->name, name) != 0)
        of++;
    return of;
}

/* ---- making ---- */

/* All URLs are of one host, so that items come as in the others. */
static const seenset_queue_politeness at_once = {.host_leases = 65535,
                                                 .budget = 1000};

/* As it was made, or with no more than has to be given. */
seenset_queue *golden_open(const golden_queue *of, disk *on, bool is_made)
{
    seenset_queue *queue = NULL;
    const seenset_options given = {.secret = of->set.secret};
    const seenset_queue_options options = {
        .set = is_made ? &of->set : &given,
        .flags = !is_made    ? SEENSET_QUEUE_MUST_EXIST
                 : of->exact ? SEENSET_QUEUE_EXACT
                             : 0,
        .lease_seconds = 1e6,
        .segment_bytes =
            is_made && of->past == GOLDEN_DELAYED ? DELAYED_SEGMENT_BYTES : 0,
        .politeness = is_made && of->past >= GOLDEN_HOSTS ? &at_once : NULL};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    return queue;
}

int golden_push(seenset_queue *queue, int number)
{
    char url[32], data[32];
    model_url(number, url);
    int length = snprintf(data, sizeof data, "depth %d", number % 7);
    return seenset_queue_push(queue, url, strlen(url), data, (size_t)length);
}

static void push_from(seenset_queue *queue, int first, int end)
{
    for (int i = first; i < end; i++)
        assert_in_range(golden_push(queue, i), 0, 1);
}

static void push_with(seenset_queue *queue, int number,
                      seenset_queue_push_options options)
{
    char url[32], data[32];
    model_url(number, url);
    int length = snprintf(data, sizeof data, "depth %d", number % 7);
    const seenset_queue_entry entry = {.url = url,
                                       .url_len = strlen(url),
                                       .data = data,
                                       .data_len = (size_t)length};
    assert_int_equal(seenset_queue_push_many(queue, &entry, 1, &options, NULL),
                     SEENSET_OK);
}

/* A URL of each priority; of others one is pushed again, one is only seen, and
 * some are forgotten, one of which is pushed. */
static void push_visits(seenset_queue *queue, int first)
{
    char url[32];
    for (int i = 0; i < SEENSET_QUEUE_PRIORITIES; i++)
        push_with(queue, first + i,
                  (seenset_queue_push_options){.priority = (uint32_t)i});
    push_with(queue, 1,
              (seenset_queue_push_options){.priority = 5,
                                           .flags = SEENSET_QUEUE_AGAIN});
    push_with(queue, first + 20,
              (seenset_queue_push_options){.flags = SEENSET_QUEUE_SEEN_ONLY});
    for (int i = 2; i < 6; i++) {
        model_url(first - i, url);
        assert_in_range(seenset_queue_forget(queue, url, strlen(url)), 0, 1);
    }
    assert_int_equal(golden_push(queue, first - 2), 1);
}

/* Of so many items each third is not acked. */
static void pop_and_ack(seenset_queue *queue, int count)
{
    seenset_queue_item item = {0};
    for (int i = 0; i < count; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        if (i % 3 != 0)
            assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_OK);
    }
    seenset_queue_item_free(&item);
}

/* The next item is handed out once more than it is given back. */
static void pop_often(seenset_queue *queue, golden_past past)
{
    const seenset_queue_nack_options options = {
        .flags = past == GOLDEN_UNTRIED ? SEENSET_QUEUE_UNTRIED : 0};
    seenset_queue_item item = {0};
    int times = past == GOLDEN_UNTRIED ? GOLDEN_FEW : GOLDEN_MANY;
    for (int i = 0; i <= times; i++) {
        if (i > 0)
            assert_int_equal(seenset_queue_nack(queue, item.lease, &options),
                             SEENSET_OK);
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(item.number, GOLDEN_ITEM);
    }
    seenset_queue_item_free(&item);
}

/* The next items are given back for longer than all of it takes; two of them
 * for less. */
static void put_off(seenset_queue *queue, int count)
{
    seenset_queue_item item = {0};
    for (int i = 0; i < count; i++) {
        const seenset_queue_nack_options how = {
            .delay_seconds = i < 2 ? 10.5 + i : 100000 - 1000 * (i % 4)};
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(seenset_queue_nack(queue, item.lease, &how),
                         SEENSET_OK);
    }
    seenset_queue_item_free(&item);
}

/* That host gets a budget of its own, and another one all that there is. */
static void set_hosts(seenset_queue *queue, uint64_t budget)
{
    static const seenset_queue_host_settings all = {
        .flags = SEENSET_QUEUE_HOST_DELAY | SEENSET_QUEUE_HOST_BLOCK |
                 SEENSET_QUEUE_HOST_BUDGET,
        .delay_seconds = 2.5,
        .block_seconds = 1e6,
        .budget = 7};
    const seenset_queue_host_settings some = {
        .flags = SEENSET_QUEUE_HOST_BUDGET, .budget = budget};
    assert_int_equal(seenset_queue_set_host(queue, "a.example", 9, &some),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_set_host(queue, "b.example", 9, &all),
                     SEENSET_OK);
}

/* Items that are leased, that wait, and one that was moved before. */
static void move_some(seenset_queue *queue)
{
    static const uint64_t items[] = {0, 3, 29, 50, 77, 3};
    for (size_t i = 0; i < TEST_COUNT(items); i++)
        model_move(queue, items[i]);
}

static void pass_time(disk *on)
{
    disk_pass_ns(on, PAUSE_SECONDS * UINT64_C(1000000000));
}

/* Some URLs twice, some after a time; a snapshot in the middle and one at the
 * end. */
disk *golden_make(const golden_queue *of)
{
    disk *on = disk_new();
    disk_set_wall(on, WALL_SECONDS);
    seenset_queue *queue = golden_open(of, on, true);
    push_from(queue, 0, 60);
    pop_and_ack(queue, 20);
    if (of->past >= GOLDEN_HOSTS)
        set_hosts(queue, 2000);
    pass_time(on);
    push_from(queue, 30, 90);
    if (of->past == GOLDEN_VISITS)
        push_visits(queue, 90);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    pass_time(on);
    push_from(queue, 45, 120);
    pop_and_ack(queue, 10);
    if (of->past == GOLDEN_UNTRIED || of->past == GOLDEN_TURNS)
        pop_often(queue, of->past);
    if (of->past >= GOLDEN_HOSTS)
        set_hosts(queue, 5000);
    if (of->past == GOLDEN_MOVED)
        move_some(queue);
    if (of->past == GOLDEN_DELAYED)
        put_off(queue, 11);
    pass_time(on);
    push_from(queue, 110, 130);
    if (of->past == GOLDEN_VISITS)
        push_visits(queue, 130);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return on;
}

/* ---- files ---- */

void golden_store(const golden_queue *of, const char *folder)
{
    char path[TEST_PATH_BYTES];
    const char *name;
    disk *on = golden_make(of);
    snprintf(path, sizeof path, "%s/%s", folder, of->name);
    (void)mkdir(path, 0777);
    for (int i = 0; (name = disk_name(on, "", i)) != NULL; i++) {
        size_t *size_bytes;
        const uint8_t *bytes = disk_file(on, name, &size_bytes);
        snprintf(path, sizeof path, "%s/%s/%s", folder, of->name, name);
        if (*size_bytes > 0) /* LOCK has none */
            test_write_file(path, bytes, *size_bytes);
    }
    disk_free(on);
}

/* At the moment when it was closed. */
disk *golden_load(const golden_queue *of)
{
    char path[TEST_PATH_BYTES];
    disk *on = disk_new();
    disk_set_wall(on, WALL_SECONDS + 3 * PAUSE_SECONDS);
    disk_set_boot(on, 1, 1 + 3 * PAUSE_SECONDS * UINT64_C(1000000000));
    disk_put(on, "LOCK", 0, "", 0);
    snprintf(path, sizeof path, "%s/%s", SEENSET_TEST_GOLDEN, of->name);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *file; (file = readdir(folder)) != NULL;) {
        size_t size_bytes;
        if (file->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", SEENSET_TEST_GOLDEN, of->name,
                 file->d_name);
        uint8_t *bytes = test_read_file(path, &size_bytes);
        disk_put(on, file->d_name, 0, bytes, size_bytes);
        free(bytes);
    }
    assert_int_equal(closedir(folder), 0);
    assert_int_equal(disk_count(on, "") - disk_count(on, "delayed-"), 7);
    assert_int_equal(disk_count(on, "delayed-"),
                     of->past == GOLDEN_DELAYED ? 2 : 0);
    return on;
}
