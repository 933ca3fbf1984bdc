/*
 * queue_kinds.h - the kinds of queue that the contract is run on.
 *
 * A kind is a row of options. Each test of tests/api/queue/ gets an open
 * queue of one kind, in a folder of its own, and runs once for each row; what
 * it expects of a kind follows from the row's options. So a new kind of queue
 * is a new row.
 *
 *     struct CMUnitTest tests[] = {QUEUE_TEST(queue_does_this)};
 *     return queue_run_kinds(tests, TEST_COUNT(tests));
 *
 * The URLs of the tests are numbered. They are their own normal forms, and
 * each row's set has room for QUEUE_ROOM of them.
 */
#ifndef QUEUE_KINDS_H
#define QUEUE_KINDS_H

#include "seenset/queue.h"
#include "support.h"

enum {
    QUEUE_ROOM = 1000, /* new URLs that are neither refused nor forgotten */
    QUEUE_URL_BYTES = 32
};

typedef struct queue_kind {
    const char *name;
    seenset_queue_options options;
    bool is_in_memory; /* it has no folder, and ends when it is closed */
} queue_kind;

/* A folder with a queue of a kind: what *state of a test is. */
typedef struct queue_place {
    const queue_kind *kind;
    seenset_queue_options options; /* the kind's, with leases that do not end,
                                      so that no test depends on its speed */
    test_folder folder;
    seenset_queue *queue; /* open, unless the test has closed it */
} queue_place;

/* Opens and closes the queue of a test. */
int queue_place_enter(void **state);
int queue_place_leave(void **state);

#define QUEUE_TEST(name)                                                       \
    cmocka_unit_test_setup_teardown(name, queue_place_enter, queue_place_leave)

/* Runs the tests once for each kind; what main returns. Under the thread
 * sanitizer only the kinds whose queues have a thread of their own: where there
 * is one thread, there is no race. */
int queue_run_kinds(struct CMUnitTest *tests, size_t test_count);

/* The same for tests that start threads: always each kind. */
int queue_run_kinds_in_threads(struct CMUnitTest *tests, size_t test_count);

/* The same for tests of what is in the folder: not of kinds in memory. */
int queue_run_kept_kinds(struct CMUnitTest *tests, size_t test_count);

/* What the row gives, or what follows from giving nothing. */
bool queue_kind_normalises(const queue_kind *kind);
bool queue_kind_is_polite(const queue_kind *kind);
seenset_on_full queue_kind_on_full(const queue_kind *kind);
seenset_queue_durability queue_kind_durability(const queue_kind *kind);

/* ---- the queue of a place ---- */

/* Opens it with the options of the place; the queue must be closed. */
void queue_place_open(queue_place *at);

/* The same with others, which began as a copy of those. */
void queue_place_open_with(queue_place *at,
                           const seenset_queue_options *options);
void queue_place_close(queue_place *at);

/* Closes it, and opens it again. */
void queue_place_reopen(queue_place *at);

/* What no queue has on its disk, its secret and its index function, for the
 * options of an open; or NULL. It is kept in *given. */
const seenset_options *queue_place_given(const queue_place *at,
                                         seenset_options *given);

/* The folder is looked at, verified, repaired: with options if the kind needs
 * to be given something, else without. set may be NULL, report as well. */
int queue_place_look(const queue_place *at, seenset_queue_stats *out,
                     seenset_stats *set, seenset_queue_report *report);
int queue_place_look_at_once(const queue_place *at, seenset_queue_stats *out,
                             seenset_stats *set);
int queue_place_verify(const queue_place *at, seenset_queue_report *report);
int queue_place_repair(const queue_place *at, seenset_queue_report *report);

/* ---- calls on a queue ---- */

/* The URL of a number, and back: -1 if it is none. */
void queue_url(int number, char text[QUEUE_URL_BYTES]);
int queue_url_number(const seenset_queue_item *item);

/* Pushes one URL; what the queue answered. */
int queue_push(seenset_queue *queue, int number);

/* Pushes URLs first to end - 1 at once, each of which has to be new. */
void queue_push_new(seenset_queue *queue, int first, int end);

/* Pops an item that must be this one; its lease. */
uint64_t queue_pop(seenset_queue *queue, int number);

/* There is nothing to hand out now. */
void queue_assert_empty(seenset_queue *queue);

/* Pops and acks until nothing comes, and asserts that what comes is URLs first
 * to end - 1, each once, in order. */
void queue_assert_left(seenset_queue *queue, int first, int end);

seenset_queue_stats queue_stats_of(seenset_queue *queue);

#endif
