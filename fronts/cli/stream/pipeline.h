/*
 * pipeline.h - batches go through four stages, on several threads, in order.
 *
 *     read  ->  hash  ->  filter  ->  write
 *     one       any       one         one batch at a time
 *
 * What only one thread at a time may do is kept short. The read of a regular
 * file is in the hash stage therefore (extent.h). A batch with more lines than
 * fit goes through all but the first stage several times, before any later one.
 *
 * A thread is not bound to a stage: it takes the job of the latest stage that
 * has one. So threads share the work evenly whatever each stage costs, and
 * mostly one thread takes a batch from stage to stage, with the batch in its
 * cache. A single thread works in the same way: each batch from start to end.
 *
 * Batches are in a ring and are used again and again. If all are in use,
 * nothing is read until the oldest is written. So memory is fixed, and fast
 * stages wait for slow ones.
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "stream/batch.h"

/*
 * The work of each stage. All but `hash` are called for one batch after the
 * other, in the order of reading, though not always on the same thread.
 */
typedef struct pipeline_stages {
    void *context;
    /*
     * Fills an empty batch. Returns 1, or 0 at the end. May be cancelled
     * (pthread_cancel) while it waits for input that is no longer needed;
     * nothing else is cancelled.
     */
    int (*read)(void *context, batch *into);
    void (*hash)(batch *keys);
    /* Returns 0, or another number to stop after this batch. */
    int (*filter)(void *context, batch *keys);
    /* Returns as filter. */
    int (*write)(void *context, const batch *keys);
} pipeline_stages;

#define PIPELINE_MAX_THREADS 64u

/* The number of processors of this process, up to the number that helps. */
unsigned pipeline_default_threads(void);

/*
 * Runs until everything is written. thread_count: 1 to PIPELINE_MAX_THREADS,
 * one of which is the caller's. If threads cannot be started, fewer are used.
 * Returns 0, or -1 and errno if there is not enough memory for the ring.
 */
int pipeline_run(const pipeline_stages *stages, unsigned thread_count);

#endif
