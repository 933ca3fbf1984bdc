/*
 * polite_judge.h - what a polite queue promises, by one who only sees calls.
 *
 * The judge hears of each call on the queue and of its answer, and knows the
 * real time. Of each host it keeps what is promised in the header: the time
 * before which it must not be asked, and the time from which it must be, if
 * anybody asks. The two differ by the rounding to milliseconds, and after a
 * crash or a reboot by what nobody can know then. It knows each item, too.
 *
 *   never too early     two of a host are a delay apart, blocks hold
 *   never too many      of a host at a time
 *   never idle          nothing is handed out only if no host may be asked
 *   never starved       a host that may be asked gets its share
 *   the best first      by priority; of a host and priority the oldest
 *   nothing lost        all that was pushed comes, until it is acked
 *
 * Nothing here looks into the queue.
 */
#ifndef POLITE_JUDGE_H
#define POLITE_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/queue.h"
#include "support.h"

enum {
    POLITE_HOSTS = 12,
    POLITE_ITEMS = 4000,
    POLITE_URL_BYTES = 40
};

typedef enum polite_state {
    POLITE_NONE,   /* not pushed */
    POLITE_WAITS,  /* until its due time */
    POLITE_LEASED, /* until its due time, when it waits */
    POLITE_DONE
} polite_state;

typedef struct polite_item {
    polite_state state;
    int host;
    unsigned priority;
    uint64_t lease, due_ns, may_ns; /* it is due; and then at the latest */
    bool is_again; /* it was handed out, and the queue knows that */
    bool may_be_again, was_out; /* a crash may bring that back */
    bool is_end_told;           /* of a lease that ended by itself */
    bool is_unsure; /* its lease may be valid, after another process */
} polite_item;

typedef struct polite_host {
    uint64_t delay_ns, budget, taken;
    uint64_t must_ns;                 /* not before, for delays */
    uint64_t block_ns;                /* not before, for a block */
    uint64_t may_ns;                  /* from then on it must be asked */
    uint64_t step;                    /* of its turn, when it was asked last */
    uint64_t passed_by[POLITE_HOSTS]; /* steps of others while it might */
} polite_host;

typedef struct polite_judge {
    seenset_queue_politeness rules;
    uint64_t now_ns; /* real */
    polite_host hosts[POLITE_HOSTS];
    polite_item items[POLITE_ITEMS];
    int item_count; /* pushed */
    long handed_out, idle, over_budget;
    bool counts_turns;              /* all items have one priority */
    bool has_crashed, keeps_leases; /* while it hears of what is left */
    const char *wrong; /* the first promise that was broken, or NULL */
} polite_judge;

void polite_judge_init(polite_judge *it, const seenset_queue_politeness *rules);

/* The URL of an item, and back; -1: none. */
void polite_url(const polite_judge *it, int item, char text[POLITE_URL_BYTES]);
int polite_item_of(const polite_judge *it, const void *url, size_t url_len);

void polite_pass(polite_judge *it, uint64_t ns);

/* The same while the queue is closed. */
void polite_sleep(polite_judge *it, uint64_t ns);

/* The next item, whose host and priority are set, was pushed; what that gave.
 */
void polite_pushed(polite_judge *it, int host, unsigned priority, int answer);

/* pop gave this item, or none. */
void polite_popped(polite_judge *it, const seenset_queue_item *item,
                   uint64_t lease_ns);
void polite_popped_none(polite_judge *it);

/* An item that was handed out is done; or comes again after a delay. */
void polite_acked(polite_judge *it, int item);
void polite_nacked(polite_judge *it, int item, uint64_t delay_ns,
                   bool is_tried);
void polite_extended(polite_judge *it, int item, uint64_t ns);

void polite_set(polite_judge *it, int host,
                const seenset_queue_host_settings *settings);

/* The queue was opened again. Leases that it does not list have ended; after a
 * crash nobody knows when a host was asked. A reboot costs up to a second. */
void polite_reopened(polite_judge *it, seenset_queue *queue, bool keeps_leases,
                     bool has_crashed, bool is_other_boot);

#endif
