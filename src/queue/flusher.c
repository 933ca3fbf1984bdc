/* flusher.c - durability `interval`: a thread that syncs again and again */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/handle.h"

#include <errno.h>

#include "base/posix/wait.h"

static void *flush_until_closing(void *argument)
{
    seenset_queue *queue = argument;
    ss_flusher *flusher = &queue->flusher;
    pthread_mutex_lock(&queue->mutex);
    while (!flusher->is_closing) {
        ss_wait_for(&flusher->wake, &queue->mutex, flusher->interval_ns);
        if (!queue->durability.is_syncing && ss_queue_check(queue) == 0)
            (void)ss_append_commit(queue, true);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

int ss_flusher_start(seenset_queue *queue)
{
    ss_flusher *flusher = &queue->flusher;
    if (queue->durability.mode != SEENSET_QUEUE_DURABILITY_INTERVAL)
        return SEENSET_OK;
    int failed =
        pthread_create(&flusher->thread, NULL, flush_until_closing, queue);
    flusher->is_started = failed == 0;
    errno = failed;
    return failed == 0 ? SEENSET_OK : SEENSET_EIO;
}

void ss_flusher_stop(seenset_queue *queue)
{
    ss_flusher *flusher = &queue->flusher;
    if (!flusher->is_started)
        return;
    pthread_mutex_lock(&queue->mutex);
    flusher->is_closing = true;
    pthread_cond_signal(&flusher->wake);
    pthread_mutex_unlock(&queue->mutex);
    pthread_join(flusher->thread, NULL);
}
