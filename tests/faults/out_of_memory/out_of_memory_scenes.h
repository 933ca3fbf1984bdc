/*
 * out_of_memory_scenes.h - the queues that calls are made on while memory runs
 * out: what is in them before, and what must be in them after.
 *
 * What a queue is after a failure shows in what it hands out: each row ends
 * by opening the folder once more, with memory. Every URL whose push was
 * answered and whose ack was not must come, once, and be known as seen.
 */
#ifndef OUT_OF_MEMORY_SCENES_H
#define OUT_OF_MEMORY_SCENES_H

#include "out_of_memory.h"
#include "seenset/queue.h"

enum {
    URLS = 700,       /* of the world */
    OLD_URLS = 60,    /* pushed before the call; the set has 64 places */
    SOME_URLS = 8,    /* pushed by the call where each allocates often */
    BATCH_URLS = 600, /* of push_many, over a chunk of it */
    TEXT_BYTES = 40
};

typedef struct oom_crawl {
    seenset_options set;
    seenset_queue_options options;
    seenset_queue *queue;
    seenset_queue_item item;
    uint64_t leases[URLS];
    int leased[URLS];
    int lease_count;
    bool is_pushed[URLS], is_acked[URLS], is_ack_tried[URLS];
    int next_url;
    int call_urls; /* to be pushed by the call */
} oom_crawl;

/* As URL `number` is pushed; a queue that normalises stores the other form.
 * Returns its length. */
size_t oom_url_text(const oom_crawl *crawl, int number, char text[TEXT_BYTES]);

/* An item was popped. */
void oom_take(oom_crawl *crawl, const seenset_queue_item *item);

/* Calls that go on from the last place a failure left them: pushes up to a
 * URL's number, pops all there is, acks all leases. */
int oom_push_to(oom_crawl *crawl, int end);
int oom_pop_all(oom_crawl *crawl);
int oom_queue_ack(oom_scene *scene);

int oom_queue_open(oom_scene *scene);
int oom_queue_close(oom_scene *scene);

/* ---- before the call ---- */

void oom_enter_folder(oom_scene *scene);
void oom_enter_queue(oom_scene *scene);
void oom_enter_later(oom_scene *scene);
void oom_enter_urls(oom_scene *scene);
void oom_enter_polite(oom_scene *scene);
void oom_enter_polite_later(oom_scene *scene);
void oom_enter_exact(oom_scene *scene);
void oom_enter_exact_later(oom_scene *scene);
void oom_enter_popped(oom_scene *scene);
void oom_enter_nacked(oom_scene *scene);
void oom_enter_delayed(oom_scene *scene);
void oom_enter_delayed_closed(oom_scene *scene);
void oom_enter_polite_delayed(oom_scene *scene);
void oom_enter_polite_delayed_closed(oom_scene *scene);
void oom_enter_closed(oom_scene *scene);
void oom_enter_exact_closed(oom_scene *scene);
void oom_enter_memory(oom_scene *scene);
void oom_enter_memory_popped(oom_scene *scene);
void oom_enter_keeping(oom_scene *scene);
void oom_enter_interval(oom_scene *scene);

/* ---- after it ---- */

/* Of an open queue, what no failed call may change. */
uint64_t oom_digest_stats(oom_scene *scene);

void oom_leave_queue(oom_scene *scene);
void oom_leave_memory(oom_scene *scene);

#endif
