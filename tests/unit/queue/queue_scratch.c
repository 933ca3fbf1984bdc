/*
 * queue_scratch.c - a polite queue whose links are not all in memory.
 *
 * One with two pages in memory hands out what it hands out with all of them,
 * whichever operation of its scratch file fails on the way. One with so many
 * items that their links do not fit is opened, looked at and closed.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "support.h"

enum {
    ITEMS = 1500,
    HOSTS = 7,
    MANY_HOSTS = 40000,
    MANY = (SS_SCRATCH_FRAMES + 600) * 256 /* more than 64 MiB of links */
};

/* The system's files; operations on the scratch file count, and one fails. */
typedef struct scratch_io {
    ss_io io;
    int fd; /* of the scratch file, or -1 */
    long calls, fail_at;
} scratch_io;

static bool fails(scratch_io *at)
{
    errno = ENOSPC;
    return ++at->calls == at->fail_at;
}

static int open_file(void *context, const char *path, int flags, mode_t mode)
{
    scratch_io *at = context;
    bool is_scratch = strstr(path, SS_FOLDER_SCRATCH) != NULL;
    if (is_scratch && fails(at))
        return -1;
    int fd = ss_io_system.open(ss_io_system.context, path, flags, mode);
    if (is_scratch)
        at->fd = fd;
    return fd;
}

static ssize_t write_file(void *context, int fd, const void *bytes, size_t size,
                          uint64_t offset)
{
    scratch_io *at = context;
    if (fd == at->fd && fails(at))
        return -1;
    return ss_io_system.pwrite(ss_io_system.context, fd, bytes, size, offset);
}

static ssize_t read_file(void *context, int fd, void *bytes, size_t size,
                         uint64_t offset)
{
    scratch_io *at = context;
    if (fd == at->fd && fails(at))
        return -1;
    return ss_io_system.pread(ss_io_system.context, fd, bytes, size, offset);
}

static void init_io(scratch_io *at, long fail_at)
{
    *at = (scratch_io){.io = ss_io_system, .fd = -1, .fail_at = fail_at};
    at->io.open = open_file;
    at->io.pwrite = write_file;
    at->io.pread = read_file;
    at->io.context = at;
}

static seenset_queue *open_queue(const ss_io *io, const char *path, int items,
                                 seenset_queue_durability durability)
{
    seenset_queue *queue;
    const seenset_queue_politeness politeness = {.host_leases = 3};
    const seenset_options set = {.capacity_items = (uint64_t)items};
    const seenset_queue_options options = {
        .set = &set, .durability = durability, .politeness = &politeness};
    assert_int_equal(ss_queue_open(io, &queue, path, &options), SEENSET_OK);
    return queue;
}

/* ---- two pages in memory ---- */

/* What a crawl saw: the numbers of the items in the order of their hand-out. */
typedef struct seen {
    uint64_t numbers[2 * ITEMS];
    int count, failures;
    long calls;
} seen;

/* One by one, or as many. */
static void push_one(seenset_queue *queue, int number, seen *out)
{
    char url[64];
    bool is_one = number % 2 == 1;
    uint8_t answer = SEENSET_ANSWER_NEW;
    int error, length = snprintf(url, sizeof url, "http://h%d.example/%d",
                                 number * number % HOSTS, number);
    const seenset_queue_entry entry = {.url = url, .url_len = (size_t)length};
    while ((error =
                is_one ? seenset_queue_push(queue, url, (size_t)length, NULL, 0)
                       : seenset_queue_push_many(queue, &entry, 1, NULL,
                                                 &answer)) == SEENSET_EIO)
        out->failures++;
    assert_int_equal(error, is_one ? SEENSET_ANSWER_NEW : SEENSET_OK);
    assert_int_equal(answer, SEENSET_ANSWER_NEW);
}

/* Every seventh item that is handed out is given back. */
static bool pop_one(seenset_queue *queue, seen *out)
{
    seenset_queue_item item = {0};
    int error;
    while ((error = seenset_queue_pop(queue, &item)) == SEENSET_EIO)
        out->failures++;
    assert_in_range(error, 0, 1);
    if (error == 1) {
        out->numbers[out->count++] = item.number;
        error = out->count % 7 == 0 && item.deliveries == 1
                    ? seenset_queue_nack(queue, item.lease, NULL)
                    : seenset_queue_ack(queue, item.lease);
        assert_int_equal(error, SEENSET_OK);
        error = 1;
    }
    seenset_queue_item_free(&item);
    return error == 1;
}

/* Does something to the links of a queue that has items. */
typedef void harm(ss_frontier *frontier);

static void crawl(uint32_t frames, long fail_at, harm *planted, bool is_each,
                  seen *out)
{
    scratch_io io;
    test_folder folder;
    init_io(&io, fail_at);
    test_folder_make(&folder);
    seenset_queue *queue = open_queue(&io.io, folder.path, ITEMS,
                                      is_each ? SEENSET_QUEUE_DURABILITY_EACH
                                              : SEENSET_QUEUE_DURABILITY_NONE);
    queue->frontier->links.scratch.most_frames = frames;
    *out = (seen){0};
    for (int i = 0; i < ITEMS; i++) {
        push_one(queue, i, out);
        if (i % 5 == 4)
            (void)pop_one(queue, out);
    }
    if (planted != NULL)
        planted(queue->frontier);
    while (pop_one(queue, out)) {
    }
    out->calls = io.calls;
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_folder_remove(&folder);
}

static bool is_same(const seen *a, const seen *b)
{
    return a->count == b->count &&
           memcmp(a->numbers, b->numbers,
                  (size_t)a->count * sizeof *a->numbers) == 0;
}

static void two_pages_are_enough(void **state)
{
    static seen all, two;
    (void)state;
    crawl(SS_SCRATCH_FRAMES, 0, NULL, false, &all);
    crawl(SS_SCRATCH_LEAST, 0, NULL, false, &two);
    assert_int_equal(all.calls, 0);
    assert_true(all.count > ITEMS + ITEMS / 10);
    printf("  %ld operations on the file\n", two.calls);
    assert_true(two.calls > 300);
    assert_true(is_same(&all, &two));
}

/* A call that meets the failure changes nothing: the same again succeeds. */
static void failures_change_nothing(void **state)
{
    static seen whole, failed;
    (void)state;
    for (int is_each = 0; is_each < 2; is_each++) {
        crawl(SS_SCRATCH_LEAST, 0, NULL, is_each == 1, &whole);
        long step = whole.calls / (24 / TEST_STEP + 1);
        for (long i = 1; i <= whole.calls; i += i < 6 ? 1 : step) {
            crawl(SS_SCRATCH_LEAST, i, NULL, is_each == 1, &failed);
            assert_int_equal(failed.failures, 1);
            assert_true(is_same(&whole, &failed));
        }
    }
}

/* An item is left out of its chain. */
static void leave_out(ss_frontier *frontier)
{
    ss_link link;
    ss_host_load *load = ss_frontier_load(frontier, 0);
    ss_ends ends = ss_load_chain(load, 0);
    assert_int_equal(ss_links_read(&frontier->links, ends.first, &link), 0);
    ends.first = link.next;
    ss_load_set_chain(load, 0, ends);
}

static void the_order_is_compared(void **state)
{
    static seen whole, harmed;
    (void)state;
    crawl(SS_SCRATCH_LEAST, 0, NULL, false, &whole);
    crawl(SS_SCRATCH_LEAST, 0, leave_out, false, &harmed);
    assert_false(is_same(&whole, &harmed));
}

/* ---- a group that is rolled back ---- */

typedef struct log_io {
    ss_io io;
    bool is_full; /* no write succeeds */
} log_io;

static ssize_t write_unless_full(void *context, int fd, const void *bytes,
                                 size_t size, uint64_t offset)
{
    log_io *at = context;
    errno = ENOSPC;
    if (at->is_full)
        return -1;
    return ss_io_system.pwrite(ss_io_system.context, fd, bytes, size, offset);
}

enum {
    MOST_GROUP = 9000,
    URL_ROOM = 32
};

/* URLs that no other call pushes. */
static int push_group(seenset_queue *queue, int first, int count)
{
    static char urls[MOST_GROUP][URL_ROOM];
    static seenset_queue_entry entries[MOST_GROUP];
    static uint8_t answers[MOST_GROUP];
    for (int i = 0; i < count; i++) {
        int length =
            snprintf(urls[i], URL_ROOM, "http://%d/%d", i % HOSTS, first + i);
        entries[i] =
            (seenset_queue_entry){.url = urls[i], .url_len = (size_t)length};
    }
    return seenset_queue_push_many(queue, entries, (size_t)count, NULL,
                                   answers);
}

static int pop_all(seenset_queue *queue)
{
    seenset_queue_item item = {0};
    int count = 0;
    while (seenset_queue_pop(queue, &item) == 1) {
        assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_OK);
        count++;
    }
    seenset_queue_item_free(&item);
    return count;
}

/* Items are in blocks of 4096: those of a group may be in two or three, of
 * which the oldest are gone first. */
static void a_group_may_be_pushed_again(void **state)
{
    static const int befores[] = {0, 4090}, groups[] = {5000, MOST_GROUP};
    (void)state;
    for (int i = 0; i < 4; i++) {
        int before = befores[i / 2], count = groups[i % 2];
        test_folder folder;
        test_folder_make(&folder);
        log_io on = {.io = ss_io_system};
        on.io.pwrite = write_unless_full;
        on.io.context = &on;
        seenset_queue *queue = open_queue(&on.io, folder.path, 40000,
                                          SEENSET_QUEUE_DURABILITY_EACH);
        assert_int_equal(push_group(queue, 0, before), SEENSET_OK);
        assert_int_equal(pop_all(queue), before);
        on.is_full = true;
        assert_int_equal(push_group(queue, before, count), SEENSET_EIO);
        on.is_full = false;
        assert_int_equal(push_group(queue, before, count), SEENSET_OK);
        assert_int_equal(pop_all(queue), count);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        queue = open_queue(&on.io, folder.path, 40000,
                           SEENSET_QUEUE_DURABILITY_EACH);
        assert_int_equal(pop_all(queue), 0);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        test_folder_remove(&folder);
    }
}

/* ---- many items ---- */

static void push_many(seenset_queue *queue)
{
    char url[32];
    for (int i = 0; i < MANY; i++) {
        int length = snprintf(url, sizeof url, "http://%d/%d", i % MANY_HOSTS,
                              i / MANY_HOSTS);
        assert_int_equal(
            seenset_queue_push_again(queue, url, (size_t)length, NULL, 0), 1);
    }
}

/* What links take in memory, and that there is a file for the others. */
static void check_memory(const seenset_queue *queue)
{
    const ss_scratch *scratch = &queue->frontier->links.scratch;
    assert_int_equal(scratch->frames_in_use, SS_SCRATCH_FRAMES);
    assert_true(scratch->writes >= 600);
    assert_true(ss_links_bytes(&queue->frontier->links) < (UINT64_C(66) << 20));
    assert_true(ss_pending_bytes(&queue->frontier->pending) <
                (UINT64_C(1) << 20));
}

static void links_need_a_bounded_memory(void **state)
{
    scratch_io io;
    test_folder folder;
    seenset_queue_stats stats;
    seenset_queue_item item = {0};
    (void)state;
    test_leave_to_real_machines();
    init_io(&io, 0);
    test_folder_make(&folder);
    seenset_queue *queue =
        open_queue(&io.io, folder.path, 1000, SEENSET_QUEUE_DURABILITY_NONE);
    push_many(queue);
    check_memory(queue);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue =
        open_queue(&io.io, folder.path, 1000, SEENSET_QUEUE_DURABILITY_NONE);
    check_memory(queue);
    int files = test_folder_count(&folder);
    assert_int_equal(
        seenset_queue_look(folder.path, NULL, &stats, sizeof stats, NULL, 0),
        SEENSET_OK);
    assert_int_equal(stats.pending_items, MANY);
    assert_int_equal(test_folder_count(&folder), files);
    for (int i = 0; i < 2 * MANY_HOSTS; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        assert_int_equal(item.number / MANY_HOSTS, i / MANY_HOSTS);
        assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_OK);
    }
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_pages_are_enough),
        cmocka_unit_test(failures_change_nothing),
        cmocka_unit_test(the_order_is_compared),
        cmocka_unit_test(a_group_may_be_pushed_again),
        cmocka_unit_test(links_need_a_bounded_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
