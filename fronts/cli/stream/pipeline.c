/*
 * pipeline.c - see pipeline.h.
 *
 * Batch number n, from 0, is in slot n modulo the number of slots. Each of the
 * three stages that keep the order has a counter, the number of its next batch,
 * and a flag that is set while a thread works on that batch:
 *
 *          written         filtered              read
 *     ... | done and free | waits or is at work | to be read
 *
 *     written <= filtered <= read <= written + slots
 *
 * `end` is the number of batches in total, and unlimited until a stage stops:
 * the last read, or a filter or write that returns an error. When `written`
 * reaches it, the pipeline is over. One lock guards all of this. No thread
 * holds it while it works, and a batch takes it four times.
 */
#define _GNU_SOURCE /* pthread_setcancelstate */
#include "stream/pipeline.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "system/machine.h"

typedef enum slot_state {
    SLOT_EMPTY,
    SLOT_FILLED,
    SLOT_BUSY, /* being hashed */
    SLOT_HASHED,
    SLOT_FILTERED
} slot_state;

typedef struct slot {
    batch *item;
    slot_state state;
} slot;

typedef enum job_kind {
    JOB_NONE, /* nothing can be done now */
    JOB_OVER, /* nor ever again */
    JOB_READ,
    JOB_HASH,
    JOB_FILTER,
    JOB_WRITE
} job_kind;

typedef struct job {
    job_kind kind;
    uint64_t number; /* of the batch */
} job;

typedef struct pipeline {
    const pipeline_stages *stages;
    slot *slots;
    unsigned slot_count;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* there may be something to do */
    pthread_cond_t over;
    unsigned waiting; /* threads that wait for `changed` */
    uint64_t read, filtered, written, end;
    bool is_reading, is_filtering, is_writing;
} pipeline;

static slot *slot_of(const pipeline *line, uint64_t number)
{
    return &line->slots[number % line->slot_count];
}

static bool is_in(const pipeline *line, uint64_t number, slot_state state)
{
    return number < line->end && slot_of(line, number)->state == state;
}

/* The oldest batch that waits to be hashed, or `read` if there is none. */
static uint64_t first_filled(const pipeline *line)
{
    uint64_t number = line->filtered;
    while (number < line->read && !is_in(line, number, SLOT_FILLED))
        number++;
    return number;
}

/* The job of the latest stage that has one. The caller holds the lock, here and
 * in the functions below. */
static job find_job(const pipeline *line)
{
    if (line->written >= line->end)
        return (job){JOB_OVER, 0};
    if (!line->is_writing && is_in(line, line->written, SLOT_FILTERED))
        return (job){JOB_WRITE, line->written};
    if (!line->is_filtering && is_in(line, line->filtered, SLOT_HASHED))
        return (job){JOB_FILTER, line->filtered};
    uint64_t filled = first_filled(line);
    if (filled < line->read)
        return (job){JOB_HASH, filled};
    if (!line->is_reading && is_in(line, line->read, SLOT_EMPTY))
        return (job){JOB_READ, line->read};
    return (job){JOB_NONE, 0};
}

static void begin_job(pipeline *line, job next)
{
    line->is_reading |= next.kind == JOB_READ;
    line->is_filtering |= next.kind == JOB_FILTER;
    line->is_writing |= next.kind == JOB_WRITE;
    if (next.kind == JOB_HASH)
        slot_of(line, next.number)->state = SLOT_BUSY;
}

/* Batch `number` and those after it will not be worked on. */
static void end_before(pipeline *line, uint64_t number)
{
    if (number < line->end)
        line->end = number;
}

/* A batch of several parts (extent.h) goes back to be hashed after each, and
 * counts as filtered after the last. */
static void end_job(pipeline *line, job done, bool is_last)
{
    slot *used = slot_of(line, done.number);
    if (is_last)
        used->item->source = (extent){0};
    bool has_more = batch_has_more(used->item);
    switch (done.kind) {
    case JOB_READ:
        line->is_reading = false;
        if (is_last)
            end_before(line, done.number);
        else
            used->state = SLOT_FILLED;
        line->read += !is_last;
        break;
    case JOB_HASH:
        used->state = SLOT_HASHED;
        break;
    case JOB_FILTER:
        line->is_filtering = false;
        used->state = SLOT_FILTERED;
        line->filtered += !has_more;
        break;
    default:
        line->is_writing = false;
        used->state = has_more ? SLOT_FILLED : SLOT_EMPTY;
        line->written += !has_more;
        break;
    }
    if (is_last && done.kind != JOB_READ)
        end_before(line, done.number + 1);
}

/* The work itself, without the lock. Returns whether it was the last. */
static bool do_job(const pipeline *line, job now)
{
    const pipeline_stages *stages = line->stages;
    batch *item = slot_of(line, now.number)->item;
    int unused;
    switch (now.kind) {
    case JOB_READ: {
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &unused);
        bool is_last = stages->read(stages->context, item) != 1;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &unused);
        return is_last;
    }
    case JOB_HASH:
        stages->hash(item);
        return false;
    case JOB_FILTER:
        return stages->filter(stages->context, item) != 0;
    default:
        return stages->write(stages->context, item) != 0;
    }
}

/* Waits for a job, starts it and returns it; JOB_OVER if there are no more. */
static job take_job(pipeline *line)
{
    job next;
    while ((next = find_job(line)).kind == JOB_NONE) {
        line->waiting++;
        pthread_cond_wait(&line->changed, &line->lock);
        line->waiting--;
    }
    begin_job(line, next);
    return next;
}

static void work(pipeline *line)
{
    pthread_mutex_lock(&line->lock);
    for (;;) {
        job now = take_job(line);
        if (now.kind == JOB_OVER)
            break;
        pthread_mutex_unlock(&line->lock);
        bool is_last = do_job(line, now);
        pthread_mutex_lock(&line->lock);
        end_job(line, now, is_last);
        if (line->waiting > 0)
            pthread_cond_broadcast(&line->changed);
    }
    pthread_cond_signal(&line->over);
    pthread_mutex_unlock(&line->lock);
}

static void *run_worker(void *argument)
{
    int unused;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &unused);
    work(argument);
    return NULL;
}

/* Waits until the pipeline is over; a thread that still waits for input is
 * cancelled. */
static void wait_for_end(pipeline *line, const pthread_t *threads,
                         unsigned thread_count)
{
    pthread_mutex_lock(&line->lock);
    while (line->written < line->end)
        pthread_cond_wait(&line->over, &line->lock);
    bool is_reading = line->is_reading;
    pthread_mutex_unlock(&line->lock);
    for (unsigned i = 0; i < thread_count; i++) {
        if (is_reading)
            pthread_cancel(threads[i]);
        pthread_join(threads[i], NULL);
    }
}

static void run_threads(pipeline *line, unsigned thread_count)
{
    pthread_t threads[PIPELINE_MAX_THREADS];
    unsigned started = 0;
    while (thread_count > 1 && started < thread_count &&
           pthread_create(&threads[started], NULL, run_worker, line) == 0)
        started++;
    if (started == 0)
        work(line);
    else
        wait_for_end(line, threads, started);
}

static void free_slots(pipeline *line)
{
    for (unsigned i = 0; line->slots != NULL && i < line->slot_count; i++)
        batch_free(line->slots[i].item);
    free(line->slots);
}

static int make_slots(pipeline *line, unsigned count)
{
    line->slots = calloc(count, sizeof *line->slots);
    if (line->slots == NULL)
        return -1;
    line->slot_count = count;
    for (unsigned i = 0; i < count; i++) {
        line->slots[i].item = batch_new();
        if (line->slots[i].item == NULL)
            return -1;
    }
    return 0;
}

/*
 * The filter is a third of the work of dedup and runs on one thread at a time,
 * so a fifth thread would have nothing to do.
 */
unsigned pipeline_default_threads(void)
{
    enum {
        USEFUL = 4
    };
    unsigned count = machine_processors();
    return count > 0 && count < USEFUL ? count : (unsigned)USEFUL;
}

int pipeline_run(const pipeline_stages *stages, unsigned thread_count)
{
    pipeline line = {.stages = stages,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .changed = PTHREAD_COND_INITIALIZER,
                     .over = PTHREAD_COND_INITIALIZER,
                     .end = UINT64_MAX};
    /* One for each thread, and as many that wait between the stages. */
    unsigned slots = thread_count > 1 ? 2 * thread_count : 1;
    int error = make_slots(&line, slots);
    if (error == 0)
        run_threads(&line, thread_count);
    free_slots(&line);
    pthread_cond_destroy(&line.over);
    pthread_cond_destroy(&line.changed);
    pthread_mutex_destroy(&line.lock);
    return error;
}
