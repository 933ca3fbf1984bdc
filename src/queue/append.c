/*
 * queue_tail.c - appending to the log, and waiting for the disk in groups.
 *
 * Records gather in a block in memory. It is written when it is full, when
 * somebody reads that far, and before each sync; segments turn in between. A
 * sync covers all that was written before it, so one thread's wait serves all
 * that came in the meantime.
 *
 * Every sync that succeeds is told to the log itself: the next record written
 * is a MARK with the position that was durable. Recovery can therefore tell a
 * torn end, which a crash leaves and which is cut off, from damage to bytes
 * that had been safe on the disk.
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "queue/handle.h"

#include <errno.h>
#include <fcntl.h>

#include "base/bits.h"

static uint64_t segment_start(const seenset_queue *queue)
{
    return queue->segments.at[queue->segments.count - 1];
}

static size_t block_bytes(const seenset_queue *queue)
{
    return (size_t)(queue->tail - queue->written);
}

uint64_t ss_append_readable(const seenset_queue *queue)
{
    return queue->durability == SEENSET_QUEUE_DURABILITY_EACH ? queue->durable
                                                              : queue->written;
}

/* ---- waiters ---- */

/* Settles those who wait for what lies behind `from`, with an error. */
static void fail_waiters(seenset_queue *queue, uint64_t from, int error)
{
    for (ss_waiter *waiter = queue->waiters; waiter; waiter = waiter->next) {
        if (waiter->error == 1 && waiter->end > from) {
            waiter->error = error;
            waiter->saved_errno = errno;
        }
    }
    pthread_cond_broadcast(&queue->changed);
}

static void settle_waiters(seenset_queue *queue)
{
    for (ss_waiter *waiter = queue->waiters; waiter; waiter = waiter->next)
        if (waiter->error == 1 && waiter->end <= queue->durable)
            waiter->error = SEENSET_OK;
    pthread_cond_broadcast(&queue->changed);
}

int ss_append_poison(seenset_queue *queue)
{
    if (queue->poison == 0)
        queue->poison = errno != 0 ? errno : EIO;
    fail_waiters(queue, queue->durable, SEENSET_EIO);
    return SEENSET_EIO;
}

/* ---- writing ---- */

/*
 * Under `each`: takes back the group, of which nobody was told yet. What a
 * failed write left behind is cut off, lest it be read after a crash.
 */
static int take_back(seenset_queue *queue)
{
    int saved_errno = errno;
    const ss_io *io = queue->folder.io;
    queue->take_backs++;
    queue->take_back_errno = saved_errno;
    queue->written = queue->tail = queue->group;
    queue->unacked_items -= queue->next_item - queue->group_item;
    queue->next_item = queue->group_item;
    queue->marked = 0;
    ss_in_flight_clear(&queue->inflight[queue->filling]);
    ss_leases_cancel_acks(&queue->leases, queue->group);
    if (io->truncate(io->context, queue->tail_fd,
                     queue->group - segment_start(queue)) != 0)
        return ss_append_poison(queue);
    errno = saved_errno;
    fail_waiters(queue, queue->group, SEENSET_EIO);
    return SEENSET_EIO;
}

int ss_append_write(seenset_queue *queue)
{
    if (queue->poison != 0)
        return SEENSET_EPOISONED;
    if (block_bytes(queue) == 0)
        return SEENSET_OK;
    if (!ss_io_pwrite_all(queue->folder.io, queue->tail_fd, queue->block,
                          block_bytes(queue),
                          queue->written - segment_start(queue))) {
        if (queue->durability == SEENSET_QUEUE_DURABILITY_EACH)
            return take_back(queue);
        queue->write_failed = true;
        fail_waiters(queue, queue->written, SEENSET_EIO);
        return SEENSET_EIO;
    }
    queue->write_failed = false;
    queue->written = queue->tail;
    return SEENSET_OK;
}

/* ---- syncing ---- */

static int settle(seenset_queue *queue, ss_in_flight *landed)
{
    size_t done;
    int error = ss_queue_add_hashes(queue, landed->hashes, landed->safe, &done);
    if (done > 0)
        ss_in_flight_drop_first(landed, done);
    return error;
}

int ss_append_settle(seenset_queue *queue)
{
    int error = settle(queue, &queue->inflight[0]);
    return error != SEENSET_OK ? error : settle(queue, &queue->inflight[1]);
}

/* The sync that covered everything before `target` succeeded. */
static void advance(seenset_queue *queue, uint64_t target)
{
    ss_in_flight *landed = &queue->inflight[1 - queue->filling];
    queue->durable = target;
    landed->safe = landed->count;
    (void)settle(queue, landed); /* else later: a push is what needs it */
    settle_waiters(queue);
}

int ss_append_commit(seenset_queue *queue, bool may_unlock)
{
    int error = ss_append_write(queue);
    if (error != SEENSET_OK || queue->durable == queue->tail)
        return error;
    const ss_io *io = queue->folder.io;
    uint64_t target = queue->tail;
    queue->group = target;
    queue->group_item = queue->next_item;
    queue->filling = 1 - queue->filling;
    queue->is_syncing = true;
    if (may_unlock)
        pthread_mutex_unlock(&queue->mutex);
    int result = io->datasync(io->context, queue->tail_fd);
    int saved_errno = errno;
    if (may_unlock)
        pthread_mutex_lock(&queue->mutex);
    queue->is_syncing = false;
    errno = saved_errno;
    if (result != 0)
        return ss_append_poison(queue);
    advance(queue, target);
    return SEENSET_OK;
}

int ss_append_kept(const seenset_queue *queue, uint64_t before)
{
    if (queue->take_backs == before)
        return SEENSET_OK;
    errno = queue->take_back_errno;
    return SEENSET_EIO;
}

int ss_append_wait(seenset_queue *queue, uint64_t end)
{
    if (end <= queue->durable)
        return SEENSET_OK;
    if (queue->poison != 0)
        return SEENSET_EPOISONED;
    ss_waiter me = {.end = end, .error = 1, .next = queue->waiters};
    queue->waiters = &me;
    while (me.error == 1) {
        if (queue->is_syncing)
            pthread_cond_wait(&queue->changed, &queue->mutex);
        else
            (void)ss_append_commit(queue, true);
    }
    ss_waiter **link = &queue->waiters;
    while (*link != &me)
        link = &(*link)->next;
    *link = me.next;
    errno = me.saved_errno;
    return me.error;
}

int ss_append_drain(seenset_queue *queue)
{
    while (queue->is_syncing)
        pthread_cond_wait(&queue->changed, &queue->mutex);
    return ss_append_commit(queue, false);
}

/* ---- segments ---- */

static int fill_segment(const ss_directory *folder, uint32_t log_id,
                        uint64_t start, int fd)
{
    const ss_io *io = folder->io;
    uint8_t header[SS_SEGMENT_HEADER_BYTES];
    ss_segment_encode(header, log_id, start);
    if (!ss_io_pwrite_all(io, fd, header, sizeof header, 0))
        return SEENSET_EIO;
    if (io->sync(io->context, fd) != 0 || !ss_directory_sync(folder))
        return SEENSET_EPOISONED;
    return SEENSET_OK;
}

int ss_append_create_segment(const ss_directory *folder, uint32_t log_id,
                             uint64_t start, int *fd)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_directory_name(name, SS_FOLDER_LOG, start);
    int opened = ss_directory_open(folder, name, O_RDWR | O_CREAT | O_TRUNC);
    if (opened < 0)
        return SEENSET_EIO;
    int error = fill_segment(folder, log_id, start, opened);
    if (error == SEENSET_OK) {
        *fd = opened;
        return SEENSET_OK;
    }
    int saved_errno = errno;
    ss_io_close_quietly(folder->io, opened);
    if (!ss_directory_unlink(folder, name))
        error = SEENSET_EPOISONED; /* no record may go past its name */
    errno = saved_errno;
    return error;
}

/* The tail is durable: goes on in a new segment. */
static int turn_segment(seenset_queue *queue)
{
    int fd;
    uint64_t start = queue->tail;
    if (!ss_positions_add(&queue->segments, &queue->memory, start))
        return SEENSET_ENOMEM;
    int error = ss_append_create_segment(&queue->folder, queue->manifest.log_id,
                                         start, &fd);
    if (error != SEENSET_OK) {
        queue->segments.count--;
        return error == SEENSET_EPOISONED ? ss_append_poison(queue) : error;
    }
    ss_io_close_quietly(queue->folder.io, queue->tail_fd);
    queue->tail_fd = fd;
    queue->tail = queue->written = queue->group = queue->durable =
        start + SS_SEGMENT_HEADER_BYTES;
    queue->checkpoint_is_due = true;
    return SEENSET_OK;
}

static bool must_turn(const seenset_queue *queue, size_t bytes)
{
    uint64_t used = queue->tail - segment_start(queue);
    return used > SS_SEGMENT_HEADER_BYTES &&
           used + bytes > queue->manifest.segment_bytes;
}

/* ---- appending ---- */

int ss_append_reserve(seenset_queue *queue, size_t bytes)
{
    int error = queue->poison != 0 ? SEENSET_EPOISONED : SEENSET_OK;
    bytes += SS_MARK_BYTES;
    if (error == SEENSET_OK && queue->write_failed)
        error = ss_append_write(queue);
    while (error == SEENSET_OK && must_turn(queue, bytes)) {
        error = ss_append_drain(queue);
        if (error == SEENSET_OK)
            error = turn_segment(queue);
    }
    if (error == SEENSET_OK && (block_bytes(queue) >= SS_BLOCK_BYTES ||
                                block_bytes(queue) + bytes > SS_BLOCK_ROOM))
        error = ss_append_write(queue);
    return error;
}

static void append(seenset_queue *queue, ss_record_type type,
                   size_t payload_bytes)
{
    ss_record_seal(queue->block + block_bytes(queue), queue->manifest.log_id,
                   type, queue->next_item, payload_bytes);
    queue->tail += SS_RECORD_HEADER_BYTES + payload_bytes;
}

uint8_t *ss_append_payload(seenset_queue *queue)
{
    if (block_bytes(queue) == 0 && queue->marked < queue->durable) {
        ss_bits_store(queue->block + SS_RECORD_HEADER_BYTES, 8, queue->durable);
        append(queue, SS_RECORD_MARK, 8);
        queue->marked = queue->durable;
    }
    return queue->block + block_bytes(queue) + SS_RECORD_HEADER_BYTES;
}

void ss_append_append(seenset_queue *queue, ss_record_type type,
                      size_t payload_bytes)
{
    append(queue, type, payload_bytes);
    queue->next_item += type == SS_RECORD_PUSH;
    queue->is_dirty = true;
}
