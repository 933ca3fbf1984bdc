/*
 * queue_model.h - a crawl at random, what it was promised, and whether a
 * queue that comes back keeps those promises.
 *
 * The promises, for each URL of a small world:
 *   - pushed, and so answered: it is handed out again, until it is acked;
 *   - acked, and so answered: it is never handed out again;
 *   - never is it handed out twice, nor called seen without a record of it.
 *
 * A model with lanes gives each URL a priority, and items must come by that.
 * Some more URLs are visited again: pushed although they were seen, or
 * forgotten and pushed. What is handed out of such a one is counted:
 *   - at least as often as its pushes were answered, less the acks that were
 *     tried; at most as often as they were tried, less the acks answered.
 *   - forgotten, and so answered: the next push is new.
 * And some are only put into the set (seen_only):
 *   - so answered: a push finds them seen; never is one handed out.
 */
#ifndef QUEUE_MODEL_H
#define QUEUE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "support.h"

enum {
    MODEL_URLS = 2048, /* at most */
    MODEL_LEASES = 32,
    MODEL_AGAIN = 8, /* URLs that are visited again, after those of the world */
    MODEL_MARKED = 8, /* URLs that are only marked as seen, after those */
    MODEL_MOST_DELAY = 1000, /* in seconds, of what it gives back */
    MODEL_PAST_ITEMS = 150,
    MODEL_PAST_POPPED = 60
};

typedef struct model {
    test_random random;
    int url_count; /* of the world; 64 unless changed */
    seenset_queue_options options;
    bool is_each;   /* answers are promises; else sync makes them so */
    bool has_lanes; /* it has priorities, and visits URLs again */
    /* by URL: what was answered, and what of it is promised by now */
    bool is_pushed[MODEL_URLS], is_push_safe[MODEL_URLS];
    bool is_ack_tried[MODEL_URLS];
    bool is_acked[MODEL_URLS], is_ack_safe[MODEL_URLS];
    /* of those visited again, how often */
    int again_tried[MODEL_AGAIN], again[MODEL_AGAIN], again_safe[MODEL_AGAIN];
    int done_tried[MODEL_AGAIN], done[MODEL_AGAIN], done_safe[MODEL_AGAIN];
    bool is_forgotten[MODEL_AGAIN], is_forgotten_safe[MODEL_AGAIN];
    bool is_mark_tried[MODEL_MARKED];
    bool is_marked[MODEL_MARKED], is_marked_safe[MODEL_MARKED];
    uint64_t leases[MODEL_LEASES];
    int leased_urls[MODEL_LEASES];
    int lease_count;
    bool is_refuted; /* a push of a forgotten URL was not new, or one of a URL
                        that was marked */
    int error;       /* the last a call returned, or 0 */
    long steps;
} model;

/*
 * What a queue of the model may remember its URLs in. Each row forgets none of
 * them, as long as no time passes. The first is what model_init gives.
 */
typedef struct model_kind {
    const char *name;
    seenset_options set;
    int exact;
    const seenset_queue_politeness *politeness; /* or NULL */
} model_kind;

extern const model_kind model_kinds[];
extern const size_t model_kind_count;

/* The next kind from *place on whose name begins so, over and over; *place is
 * after it then. Fails the test if there is none. */
const model_kind *model_kind_after(int *place, const char *begin);

/* Politeness by which nothing has to wait: all URLs of the model are of one
 * host, so items come in the order of other queues. */
extern const seenset_queue_politeness model_at_once;

/* The queue of the model is of that kind; before it is opened. */
void model_set_kind(model *of, const model_kind *kind);

void model_init(model *of, uint64_t seed, seenset_queue_durability durability);

/* The priority of a number's URL. */
unsigned model_priority(int number);

/* Pushes with that priority, if the model has lanes; as push answers. */
int model_push_entry(const model *of, seenset_queue *queue,
                     const seenset_queue_entry *entry, int number, bool again);

/* The URL of a number, and back: -1 if it is none. */
void model_url(int number, char text[32]);
int model_number(const void *url, size_t url_len);

/* Opens the queue of a disk; nothing is wrong with it. A new one whose set is
 * not given gets a set at 1 %, which takes less time to make than the default.
 */
seenset_queue *model_open(disk *on, seenset_queue_options options);

/* Pushes URLs first to end - 1; how many of them were new. */
int model_push(seenset_queue *queue, int first, int end);

/* Pops until nothing comes, and adds to counts (MODEL_URLS of them, or NULL)
 * what came. How many came, or the error that ended it. */
int model_drain(seenset_queue *queue, int *counts);

/* How many items a queue hands out that is opened, emptied and closed. */
int model_count(disk *on);

/* Ends the queue's process. Returns what the disk holds then, as a new disk;
 * the other is freed. */
disk *model_kill(disk *on, seenset_queue *queue);

/* A queue with a past, killed: items 0 to MODEL_PAST_ITEMS - 1 in several
 * segments, of the first MODEL_PAST_POPPED each third leased, the others
 * acked; two snapshots, some items behind the first. */
disk *model_past(void);

/* The same of a polite queue. */
disk *model_polite_past(void);

/* The first URLs of the model, which has many more, are pushed, and all but
 * each eighth are acked. So a polite queue has to move what is left out of old
 * segments from now on. All of it is promised. */
void model_scatter(model *of, seenset_queue *queue, int count);

/* Pushes so many at random, and what it pops is given back with delays. */
void model_put_off(model *of, seenset_queue *queue, int count);

/* Moves an item that is not acked in the log of a polite queue, as the queue
 * does when it cleans its log. */
void model_move(seenset_queue *queue, uint64_t item);

/* Were items moved in the log of a polite queue? */
bool model_has_moved(disk *on);

/* All that was answered so far is promised. */
void model_promise(model *of);

/* One call at random. *queue may be closed and opened again on `io`. */
void model_step(model *of, const ss_io *io, const char *dir,
                seenset_queue **queue);

/* NULL, or which promise the queue in `dir` breaks. Uses it up. */
const char *model_check(const model *of, const ss_io *io, const char *dir);

#endif
