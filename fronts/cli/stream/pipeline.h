/*
 * pipeline.h - batches go through four stages on as many threads as are asked
 * for, and come out in order.
 *
 *     read  ->  hash  ->  filter  ->  write
 *     one       any       one         one batch at a time
 *
 * Threads have no fixed work: each takes whatever is furthest down the line
 * and can be done now, so that they share the work evenly whatever a stage
 * costs, and a batch is mostly taken from stage to stage by one thread, in
 * whose cache it lies. One thread is no special case: it does each batch from
 * start to end and then the next.
 *
 * Batches live in a ring that is used again and again; when all of it is
 * under way nothing is read until the oldest is written. So the memory is the
 * ring, and what is behind waits for what is slow.
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "stream/batch.h"

/*
 * What is done. All but `hash` are called for one batch after the other, in
 * the order of reading, though not always by the same thread.
 */
typedef struct pipeline_stages {
    void *context;
    /*
     * Fills an empty batch. Returns 1, or 0 when there is no more. May be
     * cancelled (pthread_cancel) while it waits for input that is not wanted
     * any more; nothing else is cancelled.
     */
    int (*read)(void *context, batch *into);
    void (*hash)(batch *keys);
    /* Returns 0, or not 0: this batch is the last, those behind are dropped. */
    int (*filter)(void *context, batch *keys);
    /* The same. */
    int (*write)(void *context, const batch *keys);
} pipeline_stages;

#define PIPELINE_MAX_THREADS 64u

/* As many as there are processors for us, up to those that help. */
unsigned pipeline_default_threads(void);

/*
 * Runs until all is written. thread_count: 1 to PIPELINE_MAX_THREADS; one
 * runs in the caller. Threads that cannot be started are done without.
 * Returns 0, or -1 and errno if there is no memory for the ring.
 */
int pipeline_run(const pipeline_stages *stages, unsigned thread_count);

#endif
