/*
 * queue_during_sync.c - calls that come while a sync is under way.
 *
 * The disk's sync makes the other call itself, in the same thread: the queue
 * lets go of its mutex there. So there is no luck in who comes when. (A call
 * that would wait for that very sync would wait for ever; these need not.)
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    BIG_BYTES = 1000000 /* two of them do not fit the block */
};

static const uint8_t big[BIG_BYTES];

typedef struct scene scene;

/* A disk whose next sync does something first. */
struct scene {
    ss_io io;
    disk *on;
    seenset_queue *queue;
    void (*act)(scene *of); /* once */
    bool fails_write, fails_sync;
    int answer;
    pthread_t thread;
};

static int sync_later(scene *of, int fd)
{
    void (*act)(scene *) = of->act;
    of->act = NULL;
    if (act != NULL)
        act(of);
    if (!of->fails_sync)
        return disk_io(of->on)->sync(of->on, fd);
    errno = EIO;
    return -1;
}

static int scene_datasync(void *context, int fd)
{
    return sync_later(context, fd);
}

static ssize_t scene_pwrite(void *context, int fd, const void *bytes,
                            size_t size, uint64_t offset)
{
    scene *of = context;
    errno = ENOSPC;
    return of->fails_write
               ? -1
               : disk_io(of->on)->pwrite(of->on, fd, bytes, size, offset);
}

/* The other operations are the disk's, and know only that. */
static int scene_open(void *context, const char *path, int flags, mode_t mode)
{
    scene *of = context;
    return disk_io(of->on)->open(of->on, path, flags, mode);
}

static int scene_close(void *context, int fd)
{
    scene *of = context;
    return disk_io(of->on)->close(of->on, fd);
}

static ssize_t scene_write(void *context, int fd, const void *bytes,
                           size_t size)
{
    scene *of = context;
    return disk_io(of->on)->write(of->on, fd, bytes, size);
}

static ssize_t scene_pread(void *context, int fd, void *bytes, size_t size,
                           uint64_t offset)
{
    scene *of = context;
    return disk_io(of->on)->pread(of->on, fd, bytes, size, offset);
}

static int scene_rename(void *context, const char *from, const char *to)
{
    scene *of = context;
    return disk_io(of->on)->rename(of->on, from, to);
}

static int scene_unlink(void *context, const char *path)
{
    scene *of = context;
    return disk_io(of->on)->unlink(of->on, path);
}

static int scene_truncate(void *context, int fd, uint64_t size)
{
    scene *of = context;
    return disk_io(of->on)->truncate(of->on, fd, size);
}

/* Opens on the disk itself, then puts the scene before it. */
static void enter(scene *of, const seenset_options *set)
{
    seenset_queue_options options = {.set = set};
    memset(of, 0, sizeof *of);
    of->on = disk_new();
    assert_int_equal(
        ss_queue_open(disk_io(of->on), &of->queue, DISK_FOLDER, &options), 0);
    of->io = (ss_io){.open = scene_open,
                     .close = scene_close,
                     .write = scene_write,
                     .sync = scene_datasync,
                     .datasync = scene_datasync,
                     .pread = scene_pread,
                     .pwrite = scene_pwrite,
                     .rename = scene_rename,
                     .unlink = scene_unlink,
                     .truncate = scene_truncate,
                     .clock = disk_io(of->on)->clock,
                     .context = of};
    of->queue->folder.io = &of->io;
}

static void leave(scene *of, int closed)
{
    assert_int_equal(seenset_queue_close(of->queue), closed);
    disk_free(of->on);
}

static int push(scene *of, const char *url)
{
    return seenset_queue_push(of->queue, url, strlen(url), NULL, 0);
}

/* ---- a write that fails ---- */

static void push_two_big(scene *of)
{
    const seenset_queue_entry pushes[] = {
        {.url = "big 1", .url_len = 5, .data = big, .data_len = BIG_BYTES},
        {.url = "big 2", .url_len = 5, .data = big, .data_len = BIG_BYTES}};
    of->fails_write = true;
    of->answer = seenset_queue_push_many(of->queue, pushes, 2, NULL, NULL);
    of->fails_write = false;
}

/* What was written before it is synced, and its caller is told so. */
static void a_failed_write_spares_what_is_being_synced(void **state)
{
    scene of;
    seenset_queue_item item = {0};
    (void)state;
    enter(&of, &(seenset_options){.capacity_items = 100});
    of.act = push_two_big;
    assert_int_equal(push(&of, "a"), 1);
    assert_int_equal(of.answer, SEENSET_EIO);
    assert_int_equal(push(&of, "big 1"), 1);
    assert_int_equal(seenset_queue_pop(of.queue, &item), 1);
    assert_string_equal(item.url, "a");
    assert_int_equal(seenset_queue_pop(of.queue, &item), 1);
    assert_string_equal(item.url, "big 1");
    seenset_queue_item_free(&item);
    leave(&of, SEENSET_OK);
}

/* ---- a set with one place ---- */

static void push_other(scene *of)
{
    of->answer = push(of, "other");
}

/* A URL that is being synced takes its place already. */
static void what_is_being_synced_counts(void **state)
{
    (void)state;
    for (unsigned before = 0; before < 4; before++) {
        scene of;
        enter(&of, &(seenset_options){.capacity_items = before + 1,
                                      .on_full = SEENSET_ON_FULL_REFUSE});
        for (unsigned i = 0; i < before; i++)
            assert_int_equal(push(&of, (const char *[]){"1", "2", "3"}[i]), 1);
        of.act = push_other;
        assert_int_equal(push(&of, "last"), 1);
        assert_int_equal(of.answer, SEENSET_EFULL);
        leave(&of, SEENSET_OK);
    }
}

/* ---- a checkpoint behind one that fails ---- */

static void *make_checkpoint(void *argument)
{
    scene *of = argument;
    of->answer = seenset_queue_checkpoint(of->queue);
    return NULL;
}

/* The other thread comes to wait for this checkpoint, or comes too late: its
 * answer is the same. */
static void start_another(scene *of)
{
    const struct timespec moment = {.tv_nsec = 30000000};
    of->fails_sync = true;
    assert_int_equal(pthread_create(&of->thread, NULL, make_checkpoint, of), 0);
    nanosleep(&moment, NULL);
}

static void checkpoints_behind_a_failed_one_fail(void **state)
{
    scene of;
    (void)state;
    enter(&of, &(seenset_options){.capacity_items = 100});
    assert_int_equal(push(&of, "a"), 1);
    of.act = start_another;
    assert_int_equal(seenset_queue_checkpoint(of.queue), SEENSET_EIO);
    assert_int_equal(pthread_join(of.thread, NULL), 0);
    assert_int_equal(of.answer, SEENSET_EPOISONED);
    leave(&of, SEENSET_EPOISONED);
}

/* Planted: a sync that does nothing else lets the last push in. */
static void a_sync_without_another_call_is_no_obstacle(void **state)
{
    scene of;
    (void)state;
    enter(&of, &(seenset_options){.capacity_items = 2,
                                  .on_full = SEENSET_ON_FULL_REFUSE});
    assert_int_equal(push(&of, "last"), 1);
    assert_int_equal(push(&of, "other"), 1);
    assert_int_equal(push(&of, "more"), SEENSET_EFULL);
    leave(&of, SEENSET_OK);
}

/* How many of two items come out after a kill, the first being acked up to
 * `late` bytes behind what is durable while a checkpoint is made. */
static int count_after_checkpoint(uint64_t late)
{
    seenset_queue_item item = {0};
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, 2), 2);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    ss_leased_item *entry = ss_items_find(&queue->items, item.lease);
    ss_items_set(&queue->items, entry, SS_LEASE_ACKING, UINT64_MAX);
    entry->ack_end = queue->log.durable + late;
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    disk *killed = disk_copy(on);
    ss_items_set(&queue->items, entry, SS_LEASE_HELD, UINT64_MAX);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
    int count = model_count(killed);
    seenset_queue_item_free(&item);
    disk_free(killed);
    return count;
}

/* Whoever leads a group's sync may write a state before those who wait for it
 * wake up. Their items are acked then, and stay so. */
static void acks_are_done_once_they_are_durable(void **state)
{
    (void)state;
    assert_int_equal(count_after_checkpoint(0), 1);
    assert_int_equal(count_after_checkpoint(1), 2);
}

/* ---- many in one call ---- */

enum {
    MANY = 2000, /* four chunks */
    PART = 700   /* two chunks, and the rest is two as well */
};

typedef struct many {
    char text[MANY][40];
    seenset_queue_entry pushes[MANY];
} many;

static many *make_many(void)
{
    many *made = calloc(1, sizeof *made);
    assert_non_null(made);
    for (int i = 0; i < MANY; i++) {
        int length = snprintf(made->text[i], sizeof made->text[i],
                              "http://a.example/%d", i);
        made->pushes[i] = (seenset_queue_entry){
            .url = made->text[i], .url_len = (size_t)length, .data = ""};
    }
    return made;
}

/* How often the log is synced for a call of so many. */
static long count_syncs(seenset_queue_normalise normalise, size_t count)
{
    disk *on = disk_new();
    many *all = make_many();
    seenset_queue *queue = model_open(
        on, (seenset_queue_options){
                .set = &(const seenset_options){.capacity_items = 2 * MANY},
                .normalise = normalise});
    long before = disk_datasyncs(on);
    assert_int_equal(
        seenset_queue_push_many(queue, all->pushes, count, NULL, NULL),
        SEENSET_OK);
    long syncs = disk_datasyncs(on) - before;
    disk *cut = disk_platters(on);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(model_count(cut), count);
    disk_free(cut);
    disk_free(on);
    free(all);
    return syncs;
}

static void push_many_waits_once(void **state)
{
    (void)state;
    for (seenset_queue_normalise how = SEENSET_QUEUE_NORMALISE_OFF;
         how <= SEENSET_QUEUE_NORMALISE_URL; how++) {
        if (how == SEENSET_QUEUE_NORMALISE_URL && !test_has_urls())
            continue;
        static const size_t counts[] = {1, 512, 513, MANY};
        for (size_t i = 0; i < TEST_COUNT(counts); i++)
            assert_int_equal(count_syncs(how, counts[i]), 1);
        assert_int_equal(count_syncs(how, 0), 0);
    }
}

/* The queue's memory, which does something first at one of its calls. */
typedef struct intruder {
    test_memory memory;
    seenset_allocator allocator;
    seenset_queue *queue;
    disk *on;
    int calls_left; /* until it syncs, and the disk is full; 0: never */
    int answer;
} intruder;

static void *intrude(void *context, size_t size_bytes, size_t align_bytes)
{
    intruder *of = context;
    if (of->calls_left > 0 && --of->calls_left == 0) {
        *disk_faults_of(of->on) = (disk_faults){
            .fail_at = disk_operations(of->on) + 1, .error = ENOSPC};
        of->answer = seenset_queue_sync(of->queue);
        *disk_faults_of(of->on) = (disk_faults){0};
    }
    const seenset_allocator *real = &of->memory.allocator;
    return real->allocate(real->context, size_bytes, align_bytes);
}

static void give_back(void *context, void *block, size_t size_bytes)
{
    intruder *of = context;
    const seenset_allocator *real = &of->memory.allocator;
    real->release(real->context, block, size_bytes);
}

/* Another's sync fails between two groups of a call: what it took back is not
 * answered "new". Memory for a group is asked for without the mutex. */
static void push_many_knows_what_was_taken_back(void **state)
{
    (void)state;
    if (!test_has_urls())
        skip();
    intruder of = {.on = disk_new()};
    many *all = make_many();
    test_memory_init(&of.memory);
    of.allocator = (seenset_allocator){intrude, give_back, &of};
    of.queue = model_open(
        of.on, (seenset_queue_options){
                   .set = &(const seenset_options){.capacity_items = 2 * MANY,
                                                   .allocator = &of.allocator},
                   .normalise = SEENSET_QUEUE_NORMALISE_URL});
    /* makes room for both groups in flight: the third call's own groups are
     * then all that asks for memory, twice each */
    for (int at = 0; at < 2 * PART; at += PART)
        assert_int_equal(seenset_queue_push_many(of.queue, all->pushes + at,
                                                 PART, NULL, NULL),
                         0);
    size_t rest = MANY - 2 * PART;
    of.calls_left = 3;
    assert_int_equal(seenset_queue_push_many(of.queue, all->pushes + 2 * PART,
                                             rest, NULL, NULL),
                     SEENSET_EIO);
    assert_int_equal(of.answer, SEENSET_EIO);
    assert_int_equal(seenset_queue_push_many(of.queue, all->pushes + 2 * PART,
                                             rest, NULL, NULL),
                     0);
    assert_int_equal(model_drain(of.queue, NULL), MANY);
    assert_int_equal(seenset_queue_close(of.queue), SEENSET_OK);
    disk_free(of.on);
    free(all);
}

/* Under `interval` nobody has to ask. Half a minute is for slow machines; a
 * queue that syncs is done in a moment. */
static void intervals_end_without_a_call(void **state)
{
    test_folder folder;
    seenset_queue *queue = NULL;
    seenset_queue_stats stats;
    seenset_queue_options options = {.durability =
                                         SEENSET_QUEUE_DURABILITY_INTERVAL,
                                     .interval_seconds = 0.001};
    const struct timespec moment = {.tv_nsec = 1000000};
    (void)state;
    test_folder_make(&folder);
    assert_int_equal(seenset_queue_open(&queue, folder.path, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    for (int i = 0; i < 30000; i++) {
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         SEENSET_OK);
        if (stats.unsynced_bytes == 0)
            break;
        nanosleep(&moment, NULL);
    }
    assert_true(stats.unsynced_bytes == 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acks_are_done_once_they_are_durable),
        cmocka_unit_test(push_many_waits_once),
        cmocka_unit_test(push_many_knows_what_was_taken_back),
        cmocka_unit_test(a_failed_write_spares_what_is_being_synced),
        cmocka_unit_test(what_is_being_synced_counts),
        cmocka_unit_test(checkpoints_behind_a_failed_one_fail),
        cmocka_unit_test(a_sync_without_another_call_is_no_obstacle),
        cmocka_unit_test(intervals_end_without_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
