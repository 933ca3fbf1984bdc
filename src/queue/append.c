/*
 * append.c - appending to the log, and waiting for the disk in groups.
 *
 * The block is written when it is full, when a reader has come that far, and
 * before each sync; a new segment is started in between. A sync covers all
 * that was written before it, so one thread's wait serves all calls that came
 * in the meantime.
 *
 * Under `each`, a write that fails rolls its whole group back: no call has
 * been answered for it, so all of them return the error, and the queue is as it
 * was before; where that cannot be done, it is poisoned. In the other modes the
 * calls were answered already, so the block is kept and written later.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/handle.h"

#include <errno.h>

uint64_t ss_append_readable(const seenset_queue *queue)
{
    return ss_queue_is_each(queue) ? queue->log.durable : queue->log.written;
}

/* ---- waiters ---- */

/* Those who wait for what comes after `from` get this error, and errno. */
static void fail_waiters(seenset_queue *queue, uint64_t from, int error)
{
    for (ss_waiter *waiter = queue->durability.waiters; waiter != NULL;
         waiter = waiter->next) {
        if (waiter->error == 1 && waiter->end > from) {
            waiter->error = error;
            waiter->saved_errno = errno;
        }
    }
    pthread_cond_broadcast(&queue->changed);
}

/* Those who wait for what is durable now are done. */
static void release_waiters(seenset_queue *queue)
{
    for (ss_waiter *waiter = queue->durability.waiters; waiter != NULL;
         waiter = waiter->next)
        if (waiter->error == 1 && waiter->end <= queue->log.durable)
            waiter->error = SEENSET_OK;
    pthread_cond_broadcast(&queue->changed);
}

int ss_append_poison(seenset_queue *queue)
{
    if (queue->durability.poison_errno == 0)
        queue->durability.poison_errno = errno != 0 ? errno : EIO;
    fail_waiters(queue, queue->log.durable, SEENSET_EIO);
    return SEENSET_EIO;
}

/* ---- writing ---- */

/* The group could not be written. Removes it from the log, from the hashes in
 * flight, and from the acks that are waited for. */
static int roll_back_group(seenset_queue *queue)
{
    int saved_errno = errno;
    queue->durability.rollbacks++;
    queue->durability.rollback_errno = saved_errno;
    ss_seen_roll_back(&queue->seen, queue->log.group);
    ss_items_roll_back(&queue->items, queue->log.group);
    ss_cleaner_roll_back(&queue->cleaner, queue->log.group);
    bool is_gone = queue->frontier == NULL ||
                   ss_frontier_roll_back(queue->frontier, queue->log.group_item,
                                         queue->log.next_item) == SEENSET_OK;
    if (!ss_log_end_roll_back(&queue->log) || !is_gone)
        return ss_append_poison(queue);
    errno = saved_errno;
    fail_waiters(queue, queue->log.group, SEENSET_EIO);
    return SEENSET_EIO;
}

int ss_append_write(seenset_queue *queue)
{
    if (ss_queue_check(queue) != SEENSET_OK)
        return SEENSET_EPOISONED;
    if (ss_log_end_block_bytes(&queue->log) == 0)
        return SEENSET_OK;
    bool is_written = ss_log_end_write(&queue->log);
    if (!is_written && ss_queue_is_each(queue))
        return roll_back_group(queue);
    queue->durability.write_failed = !is_written;
    if (is_written)
        return SEENSET_OK;
    int error = ss_queue_write_error(queue);
    fail_waiters(queue, queue->log.written, error);
    return error;
}

/* A thread that is syncing let go of the mutex, and others would append to the
 * block if this one had to wait for it later. */
int ss_append_begin_copies(seenset_queue *queue)
{
    if (ss_queue_is_each(queue))
        return ss_append_flush(queue);
    while (queue->durability.is_syncing)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    return ss_append_write(queue);
}

int ss_append_write_copies(seenset_queue *queue)
{
    int error = ss_queue_check(queue);
    if (error != SEENSET_OK || ss_log_end_block_bytes(&queue->log) == 0 ||
        ss_log_end_write(&queue->log))
        return error;
    ss_cleaner_roll_back(&queue->cleaner, queue->log.written);
    return ss_log_end_drop_block(&queue->log) ? SEENSET_EIO
                                              : ss_append_poison(queue);
}

int ss_append_reserve_copy(seenset_queue *queue, size_t bytes)
{
    const ss_log_end *log = &queue->log;
    size_t all = bytes + SS_DURABLE_RECORD_BYTES;
    int error = SEENSET_OK;
    if (ss_log_end_is_segment_full(log, all) ||
        ss_log_end_is_block_full(log, all))
        error = ss_append_write_copies(queue);
    return error == SEENSET_OK ? ss_append_reserve(queue, bytes) : error;
}

/* ---- syncing ---- */

/* Returns 0, or -1 and errno. */
static int sync_segment(seenset_queue *queue, bool may_unlock)
{
    const ss_io *io = queue->folder.io;
    queue->durability.is_syncing = true;
    if (may_unlock)
        pthread_mutex_unlock(&queue->mutex);
    int result = io->datasync(io->context, queue->log.fd);
    int saved_errno = errno;
    if (may_unlock)
        pthread_mutex_lock(&queue->mutex);
    queue->durability.is_syncing = false;
    errno = saved_errno;
    return result;
}

int ss_append_commit(seenset_queue *queue, bool may_unlock)
{
    int error = ss_append_write(queue);
    if (error != SEENSET_OK || queue->log.durable == queue->log.tail)
        return error;
    uint64_t end = queue->log.tail;
    ss_log_end_start_group(&queue->log);
    ss_seen_start_group(&queue->seen);
    ss_items_start_group(&queue->items);
    if (sync_segment(queue, may_unlock) != 0)
        return ss_append_poison(queue);
    queue->log.durable = end;
    ss_seen_end_sync(&queue->seen);
    release_waiters(queue);
    return SEENSET_OK;
}

int ss_append_check(const seenset_queue *queue, uint64_t before)
{
    if (queue->durability.rollbacks == before)
        return SEENSET_OK;
    errno = queue->durability.rollback_errno;
    return SEENSET_EIO;
}

int ss_append_wait(seenset_queue *queue, uint64_t end)
{
    ss_durability *durability = &queue->durability;
    if (end <= queue->log.durable)
        return SEENSET_OK;
    if (ss_queue_check(queue) != SEENSET_OK)
        return SEENSET_EPOISONED;
    ss_waiter me = {.end = end, .error = 1, .next = durability->waiters};
    durability->waiters = &me;
    while (me.error == 1) {
        if (durability->is_syncing)
            pthread_cond_wait(&queue->changed, &queue->mutex);
        else
            (void)ss_append_commit(queue, true);
    }
    ss_waiter **link = &durability->waiters;
    while (*link != &me)
        link = &(*link)->next;
    *link = me.next;
    errno = me.saved_errno;
    return me.error;
}

int ss_append_flush(seenset_queue *queue)
{
    while (queue->durability.is_syncing)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    return ss_append_commit(queue, false);
}

/* ---- appending ---- */

/* The last segment is a new one; in a polite queue there is room to count what
 * is in it. */
static void follow_segment(seenset_queue *queue)
{
    queue->snapshots.is_due = true;
    if (queue->frontier == NULL)
        return;
    ss_live_begin(&queue->frontier->live, ss_log_end_segment(&queue->log));
    ss_live_note(&queue->frontier->live, queue->log.tail, queue->log.next_item);
}

int ss_append_start_segment(seenset_queue *queue)
{
    int error = ss_append_flush(queue);
    if (error != SEENSET_OK)
        return error;
    if (queue->frontier != NULL &&
        !ss_live_reserve(&queue->frontier->live, &queue->memory))
        return SEENSET_ENOMEM;
    error = ss_log_end_start_segment(&queue->log);
    if (error == SEENSET_EPOISONED)
        return ss_append_poison(queue);
    if (error == SEENSET_OK)
        follow_segment(queue);
    return error == SEENSET_EIO ? ss_queue_write_error(queue) : error;
}

int ss_append_reserve(seenset_queue *queue, size_t bytes)
{
    bytes += SS_DURABLE_RECORD_BYTES;
    int error = ss_queue_check(queue);
    if (error == SEENSET_OK && queue->durability.write_failed)
        error = ss_append_write(queue);
    while (error == SEENSET_OK &&
           ss_log_end_is_segment_full(&queue->log, bytes))
        error = ss_append_start_segment(queue);
    if (error == SEENSET_OK && ss_log_end_is_block_full(&queue->log, bytes))
        error = ss_append_write(queue);
    return error;
}

void ss_append_record(seenset_queue *queue, ss_record_type type,
                      size_t payload_bytes)
{
    ss_log_end_append(&queue->log, type, payload_bytes);
    queue->snapshots.is_dirty = true;
}
