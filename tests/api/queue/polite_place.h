/*
 * polite_place.h - a folder for a polite queue, and short names for its calls,
 * for tests of polite queues. polite_...: what the call of the same name does.
 */
#ifndef POLITE_PLACE_H
#define POLITE_PLACE_H

#include "seenset/queue.h"
#include "support.h"

enum {
    LONG_SECONDS = 100000 /* longer than any test */
};

typedef struct polite_place {
    test_folder folder, other;
    seenset_queue_report report;
} polite_place;

int polite_enter(void **state);
int polite_leave(void **state);

#define POLITE_TEST(name)                                                      \
    cmocka_unit_test_setup_teardown(name, polite_enter, polite_leave)

int polite_open_at(seenset_queue **out, const char *path,
                   const seenset_queue_politeness *rules,
                   seenset_queue_report *report);

/* In the folder of the place. */
seenset_queue *polite_open(polite_place *at,
                           const seenset_queue_politeness *rules);

int polite_push(seenset_queue *queue, const char *url);

/* Pops a URL; its lease. NULL: nothing may come. */
uint64_t polite_pop(seenset_queue *queue, const char *url);

int polite_set_host(seenset_queue *queue, const char *host,
                    seenset_queue_host_settings settings);

/* The host must be known, or not. */
seenset_queue_host polite_host_of(seenset_queue *queue, const char *host,
                                  int known);

seenset_queue_stats polite_stats_of(seenset_queue *queue);

#endif
