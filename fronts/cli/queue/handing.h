/*
 * handing.h - items on their way from a queue to standard output.
 *
 * The text of a turn is bounded, and each writing of the leases has all that
 * are held: many turns would cost the square of their number. So for more items
 * leases are taken in bulk, for twice as many items each time as long as that
 * takes a small part of a lease. They are written, and then the items are read
 * again and printed. Nothing is kept of an item that was printed.
 */
#ifndef QUEUE_HANDING_H
#define QUEUE_HANDING_H

#include <signal.h>
#include <stdbool.h>

#include "queue/access/access.h"
#include "queue/access/session.h"
#include "queue/lease_runs.h"
#include "queue/text/item.h"

typedef struct handing_request {
    queue_access access;
    uint64_t count;
    item_form form;
    bool acks, waits;
} handing_request;

/* The items of the text, and the leases of others. */
typedef struct handing {
    const handing_request *from;
    queue_session session;
    char *memory; /* of items that were popped just now */
    item_text text;
    uint64_t *leases; /* of the items in the text */
    size_t *ends;     /* where they end in it */
    size_t text_count, room;
    lease_runs bulk;   /* taken, and yet to be read again */
    lease_place place; /* in bulk: the next */
    lease_runs done;   /* with --ack: all that was printed */
    uint64_t count;    /* of items that were printed */
    uint64_t at_once;  /* how many are taken in bulk; 0: a text full */
    double until;      /* of --wait, by clock_steady_seconds */
    double due;        /* when the next lease or delay ends, likewise */
    sigset_t mask;     /* the signals of before */
} handing;

/* Pops for one turn. Returns 1, 0 (there is nothing more now) or an error. */
int handing_gather(handing *now);

/* Without --ack: writes the leases down. A bulk is read again from the open
 * queue, else it is closed. Returns 0, or COMMAND_ERROR after a message. */
int handing_save(handing *now);

/* Has the turn any item? */
bool handing_has_items(const handing *now);

/* Gives back the items of the turn but the first ones of the text, and with
 * --ack those that were printed before. If that fails, they are handed out
 * again when their leases end. */
void handing_give_back(handing *now, size_t printed);

/* Prints a turn that began at `since`, and gives back what cannot be printed,
 * with --ack all. Returns 0, or COMMAND_ERROR after a message. */
int handing_print(handing *now, double since);

/* Complains of standard output by errno. Returns COMMAND_ERROR. */
int handing_complain_output(void);

/* From now on signals that end the process wait until release. */
void handing_hold_signals(handing *now);
bool handing_is_signal_held(const handing *now);
/* Ends the process if one came. */
void handing_release_signals(const handing *now);

void handing_free(handing *now);

#endif
