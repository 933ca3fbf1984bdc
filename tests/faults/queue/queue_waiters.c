/*
 * queue_waiters.c - several threads wait for one sync, and it fails.
 *
 * The sync is held back until every thread has appended its push, so that they
 * all wait for the same one. When it fails, or the write before it does, each
 * of them must be told; whatever was answered before must be there afterwards.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "queue/handle.h"
#include "support.h"

enum {
    THREADS = 8,
    OLD_URLS = 20
};

/* The system's file operations, with a gate before the sync of the log. */
typedef struct gate {
    ss_io io;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_shut;     /* syncs wait here */
    int waiting;      /* are there */
    int failing_sync; /* the one that fails, from now on; 0: none */
    bool fails_write;
    bool lies; /* the planted fault: the failure is not told */
} gate;

static int gate_datasync(void *context, int fd)
{
    gate *of = context;
    pthread_mutex_lock(&of->mutex);
    of->waiting++;
    pthread_cond_broadcast(&of->changed);
    while (of->is_shut)
        pthread_cond_wait(&of->changed, &of->mutex);
    of->waiting--;
    bool fails = of->failing_sync == 1;
    of->failing_sync -= of->failing_sync > 0;
    pthread_mutex_unlock(&of->mutex);
    if (!fails)
        return ss_io_system.datasync(NULL, fd);
    errno = EIO;
    return of->lies ? 0 : -1;
}

static ssize_t gate_pwrite(void *context, int fd, const void *bytes,
                           size_t size, uint64_t offset)
{
    gate *of = context;
    pthread_mutex_lock(&of->mutex);
    bool fails = of->fails_write;
    pthread_mutex_unlock(&of->mutex);
    errno = ENOSPC;
    return fails ? -1 : ss_io_system.pwrite(NULL, fd, bytes, size, offset);
}

static void gate_init(gate *of)
{
    *of = (gate){.io = ss_io_system};
    pthread_mutex_init(&of->mutex, NULL);
    pthread_cond_init(&of->changed, NULL);
    of->io.datasync = gate_datasync;
    of->io.pwrite = gate_pwrite;
    of->io.context = of;
}

/* ---- threads that push ---- */

typedef struct pusher {
    pthread_t thread;
    seenset_queue *queue;
    int number, answer;
} pusher;

static int push_number(seenset_queue *queue, int number)
{
    char url[32];
    int length = snprintf(url, sizeof url, "http://a.example/%d", number);
    return seenset_queue_push(queue, url, (size_t)length, NULL, 0);
}

static void *push_one(void *argument)
{
    pusher *of = argument;
    of->answer = push_number(of->queue, of->number);
    return NULL;
}

static uint64_t pushed_items(seenset_queue *queue)
{
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    return stats.pushed_items;
}

static void start(pusher *of, seenset_queue *queue, int number)
{
    *of = (pusher){.queue = queue, .number = number, .answer = 99};
    assert_int_equal(pthread_create(&of->thread, NULL, push_one, of), 0);
}

/*
 * One thread is in its sync; all others append their records meanwhile and
 * wait for the next, which serves them all. Then syncs or the write fail.
 */
static void push_together(gate *of, seenset_queue *queue,
                          pusher pushers[THREADS], int failing_sync,
                          bool fails_write)
{
    of->is_shut = true;
    start(&pushers[0], queue, OLD_URLS);
    pthread_mutex_lock(&of->mutex);
    while (of->waiting == 0)
        pthread_cond_wait(&of->changed, &of->mutex);
    pthread_mutex_unlock(&of->mutex);
    for (int i = 1; i < THREADS; i++)
        start(&pushers[i], queue, OLD_URLS + i);
    while (pushed_items(queue) < OLD_URLS + THREADS)
        sched_yield();
    pthread_mutex_lock(&of->mutex);
    of->failing_sync = failing_sync;
    of->fails_write = fails_write;
    of->is_shut = false;
    pthread_cond_broadcast(&of->changed);
    pthread_mutex_unlock(&of->mutex);
    for (int i = 0; i < THREADS; i++)
        pthread_join(pushers[i].thread, NULL);
}

static seenset_queue *open_with_old(gate *of, const char *folder)
{
    seenset_queue *queue = NULL;
    assert_int_equal(ss_queue_open(&of->io, &queue, folder, NULL), SEENSET_OK);
    for (int i = 0; i < OLD_URLS; i++)
        assert_int_equal(push_number(queue, i), 1);
    return queue;
}

/* Opened again: what was answered comes out, once; the answers' count. */
static int check_folder(const char *folder, const pusher pushers[THREADS])
{
    seenset_queue *queue = NULL;
    seenset_queue_item item = {0};
    bool is_out[OLD_URLS + THREADS] = {false};
    int count = 0;
    assert_int_equal(seenset_queue_open(&queue, folder, NULL), SEENSET_OK);
    while (seenset_queue_pop(queue, &item) == 1) {
        int number = 0;
        assert_int_equal(sscanf(item.url, "http://a.example/%d", &number), 1);
        assert_false(is_out[number]);
        is_out[number] = true;
    }
    for (int i = 0; i < OLD_URLS + THREADS; i++) {
        bool is_answered = i < OLD_URLS || pushers[i - OLD_URLS].answer == 1;
        assert_true(is_out[i] || !is_answered);
        count += is_answered;
    }
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return count;
}

/* A queue of OLD_URLS behind a gate, and eight who push. */
typedef struct scene {
    gate of;
    test_folder folder;
    pusher pushers[THREADS];
    seenset_queue *queue;
} scene;

static void enter(scene *at)
{
    gate_init(&at->of);
    test_folder_make(&at->folder);
    at->queue = open_with_old(&at->of, at->folder.path);
}

/* Closes the queue, which answers `closed`; so many URLs are to be there. */
static void leave(scene *at, int closed, int url_count)
{
    assert_int_equal(seenset_queue_close(at->queue), closed);
    assert_int_equal(check_folder(at->folder.path, at->pushers), url_count);
    test_folder_remove(&at->folder);
}

/* How many, from `first` on, were told of the failure. */
static int count_told(const scene *at, int first)
{
    int count = 0;
    for (int i = first; i < THREADS; i++)
        count += at->pushers[i].answer == SEENSET_EIO;
    return count;
}

static void each_waiter_hears_of_a_failed_sync(void **state)
{
    (void)state;
    scene at;
    enter(&at);
    push_together(&at.of, at.queue, at.pushers, 1, false);
    /* also those after the sync that failed: nothing counts any more */
    assert_int_equal(count_told(&at, 0), THREADS);
    assert_int_equal(push_number(at.queue, 0), SEENSET_EPOISONED);
    leave(&at, SEENSET_EPOISONED, OLD_URLS);
}

static void each_waiter_of_one_sync_hears_of_it(void **state)
{
    (void)state;
    scene at;
    enter(&at);
    push_together(&at.of, at.queue, at.pushers, 2, false);
    assert_int_equal(at.pushers[0].answer, 1); /* its own sync was good */
    assert_int_equal(count_told(&at, 1), THREADS - 1);
    leave(&at, SEENSET_EPOISONED, OLD_URLS + 1);
}

static void each_waiter_hears_of_a_failed_write(void **state)
{
    (void)state;
    scene at;
    enter(&at);
    push_together(&at.of, at.queue, at.pushers, 0, true);
    assert_int_equal(at.pushers[0].answer, 1); /* its sync was under way */
    assert_int_equal(count_told(&at, 1), THREADS - 1);
    at.of.fails_write = false; /* there is space again, and no trace of them */
    assert_int_equal(push_number(at.queue, OLD_URLS + 1), 1);
    at.pushers[1].answer = 1;
    leave(&at, SEENSET_OK, OLD_URLS + 2);
}

/* Planted: a sync that fails in silence, and everybody is told "new". */
static void a_silent_failure_is_seen(void **state)
{
    (void)state;
    scene at;
    enter(&at);
    at.of.lies = true;
    push_together(&at.of, at.queue, at.pushers, 1, false);
    assert_int_equal(count_told(&at, 0),
                     0); /* which the first would not take */
    leave(&at, SEENSET_OK, OLD_URLS + THREADS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_waiter_hears_of_a_failed_sync),
        cmocka_unit_test(each_waiter_of_one_sync_hears_of_it),
        cmocka_unit_test(each_waiter_hears_of_a_failed_write),
        cmocka_unit_test(a_silent_failure_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
