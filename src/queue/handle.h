/*
 * handle.h - the inside of the queue's handle, and the calls that need all of
 * it. What a part of it keeps true is said where that part is declared.
 *
 *     open.c         opened, made, closed
 *     create.c       the folder, the lock and the manifest of a new queue
 *     compare.c      whether options are those that a queue was made with
 *     append.c       records appended, and waiting for the disk in groups
 *     flusher.c      the thread that syncs under durability `interval`
 *     push.c         URLs in, one or (push_many.c) many
 *     memory_log.c   the log of a queue without a folder
 *     pop.c          items out
 *     ack.c          leases ended, given back, extended
 *     polite.c       what all of these do more in a polite queue
 *     again.c        its items that were handed out and wait again
 *     hosts.c        its hosts: set, and shown
 *     delayed        delayed items to files, and back when they are due; what
 *                    else of a polite queue has ended by the clock
 *     checkpoint.c   states and sets written, old segments removed
 *     clean.c        items of a polite queue moved out of old segments
 *     recover.c      what the files say, brought into a new handle
 *     replay.c       what each record of the log means there
 *     list.c         what is pending, item by item
 *     forget.c       URLs that are new again
 *     stats.c        what the queue reports of itself
 *     look.c         the same for a queue that others have open
 *     remake.c       what is in one queue into a new one, of other options
 *     verify.c, repair.c
 *
 * Of the rooms below, log has the records and the log's end, items what became
 * of each item, frontier whose turn it is, seen the set.
 *
 * One mutex guards everything. A thread lets go of it only while it waits for
 * the disk, and one thread waits for all: a call that needs something durable
 * while no thread is syncing syncs for all calls that came before it.
 */
#ifndef SS_QUEUE_HANDLE_H
#define SS_QUEUE_HANDLE_H

#include <pthread.h>

#include "frontier/frontier.h"
#include "items/items.h"
#include "log/log_end.h"
#include "log/memory_files.h"
#include "queue/clean/cleaner.h"
#include "queue/folder/manifest.h"
#include "queue/folder/snapshots.h"
#include "queue/report.h"
#include "seen/seen.h"
#include "seenset/queue.h"

enum {
    SS_CHUNK_PUSHES = 512 /* handled in one step by push_many and recovery */
};

/* A call that waits for its records to be durable. */
typedef struct ss_waiter {
    uint64_t end; /* of the records */
    int error;    /* 1: not known yet */
    int saved_errno;
    struct ss_waiter *next;
} ss_waiter;

/*
 * What the disk was asked for. At most one thread syncs. After a sync has
 * failed nothing can be known about the files: poison_errno stays, and nothing
 * more is written.
 */
typedef struct ss_durability {
    seenset_queue_durability mode; /* never DEFAULT */
    bool is_syncing;               /* a thread waits, without the mutex */
    bool write_failed;  /* the block has yet to be written; not under `each` */
    int poison_errno;   /* of the sync that failed, or 0 */
    uint64_t rollbacks; /* how often a group was rolled back */
    int rollback_errno; /* why, the last time */
    ss_waiter *waiters;
} ss_durability;

/* The thread of durability `interval`. */
typedef struct ss_flusher {
    pthread_t thread;
    pthread_cond_t wake;
    uint64_t interval_ns;
    bool is_started, is_closing;
} ss_flusher;

/* What the queue counts and does not need. */
typedef struct ss_counters {
    uint64_t states; /* that were made */
    uint64_t dropped_items, refused_items, not_url_items;
    uint64_t torn_bytes;              /* cut off the log's end by opening */
    uint64_t opened_ns, opened_items; /* the clock then, and the set's items */
} ss_counters;

/* Whether the log says that a polite queue may have handed out (polite.h). */
typedef struct ss_hand_out_mark {
    bool is_durable;
    uint64_t end;               /* of a record that is not durable yet, or 0 */
    uint64_t rollbacks, states; /* of the queue when it was appended */
} ss_hand_out_mark;

/* The files of delayed items (delayed.h), by their numbers. */
typedef struct ss_delayed_files {
    ss_positions there;    /* or removed by now */
    ss_positions named[3]; /* by a state that is being written; by the newest;
                              by the one before */
    uint64_t next_number;
} ss_delayed_files;

struct seenset_queue {
    ss_memory memory;
    bool is_in_memory;     /* it has no folder, and its files are: */
    ss_memory_files files; /* in memory_log.c */
    ss_folder folder;
    ss_manifest manifest;
    int lock_fd;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* a sync or a checkpoint ended, a wait is over */
    ss_log_end log;
    ss_durability durability;
    ss_flusher flusher;
    ss_seen seen;
    ss_items items;
    ss_frontier *frontier; /* NULL: the queue is not polite */
    ss_hand_out_mark mark;
    ss_cleaner cleaner; /* of a polite queue in a folder */
    ss_snapshots snapshots;
    ss_delayed_files delayed_files;
    ss_counters counters;
};

/* The options that are used where none are given: all defaults. */
const seenset_queue_options *
ss_queue_given(const seenset_queue_options *options);

/* Are they in range? What a set can be is known once it is made. */
bool ss_queue_are_options_valid(const seenset_queue_options *options);
bool ss_queue_can_read_options(const seenset_queue_options *options);

/* What a queue is opened for. */
typedef enum ss_purpose {
    SS_FOR_USE,
    SS_FOR_REPAIR, /* a log that begins later than its snapshots will do */
    SS_FOR_LOOK    /* without the lock, and nothing is changed */
} ss_purpose;

static inline bool ss_queue_is_each(const seenset_queue *queue)
{
    return queue->durability.mode == SEENSET_QUEUE_DURABILITY_EACH;
}

/* SEENSET_EPOISONED after a sync has failed, else 0. */
static inline int ss_queue_check(const seenset_queue *queue)
{
    return queue->durability.poison_errno != 0 ? SEENSET_EPOISONED : SEENSET_OK;
}

/* The error of a write that failed: memory has nothing but its end. */
static inline int ss_queue_write_error(const seenset_queue *queue)
{
    return queue->is_in_memory ? SEENSET_ENOMEM : SEENSET_EIO;
}

/* Nanoseconds of the steady clock. */
static inline uint64_t ss_queue_now(const seenset_queue *queue)
{
    return ss_clock_steady_ns(queue->folder.io->clock);
}

/* ---- create.c: with the mutex held ---- */

/* Makes the manifest version 3, unless it is: before the first record that
 * needs it. Returns 0, SEENSET_EIO (nothing changed), SEENSET_ENOMEM or
 * SEENSET_EPOISONED. */
int ss_create_extension(seenset_queue *queue);

/* The same with version 4, before the first item that is given back untried or
 * as visited. */
int ss_create_untried(seenset_queue *queue);

/* The same with version 5, before the first turn of SS_SHORT_TURNS. */
int ss_create_turns(seenset_queue *queue);

/* The same with 6 for the log of a polite queue, before the first item is
 * moved. */
int ss_create_moved(seenset_queue *queue);

/* The same with version 8, before the first run of delayed items. */
int ss_create_runs(seenset_queue *queue);

/* ---- append.c: all with the mutex held ---- */

/*
 * Makes sure that records of `bytes` bytes in all, at most SS_BLOCK_BYTES or
 * one record, can be appended without a write. May let go of the mutex for a
 * while. Returns 0, SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED.
 */
int ss_append_reserve(seenset_queue *queue, size_t bytes);

/* Appends the record whose payload is at ss_log_end_payload. */
void ss_append_record(seenset_queue *queue, ss_record_type type,
                      size_t payload_bytes);

/*
 * Was a group rolled back since `rollbacks` was `before`? What was appended in
 * between and not waited for may have been in it. Then returns SEENSET_EIO and
 * sets errno, else 0.
 */
int ss_append_check(const seenset_queue *queue, uint64_t before);

/* Waits until the log is durable up to `end`. Returns 0, SEENSET_EIO or
 * SEENSET_EPOISONED. */
int ss_append_wait(seenset_queue *queue, uint64_t end);

/* Makes all of the log durable; the mutex is held from the last sync on. */
int ss_append_flush(seenset_queue *queue);

/* Writes the block to the segment. Returns 0, SEENSET_EIO or
 * SEENSET_EPOISONED. */
int ss_append_write(seenset_queue *queue);

/*
 * Copies of records that are in the log need not be there. So they must be in
 * no group with others, whose calls would fail for them on a full disk. Begin
 * writes what is in the block, under `each` it syncs; it may let go of the
 * mutex. From then on the block has copies alone while the mutex is held. If
 * they cannot be written, they are removed, and the log ends before them.
 * Return 0, SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED.
 */
int ss_append_begin_copies(seenset_queue *queue);
int ss_append_reserve_copy(seenset_queue *queue, size_t bytes);
int ss_append_write_copies(seenset_queue *queue);

/* Writes and syncs the log. Lets go of the mutex meanwhile if may_unlock. */
int ss_append_commit(seenset_queue *queue, bool may_unlock);

/* Makes all of the log durable, and continues it in a new segment. Returns 0,
 * SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED. */
int ss_append_start_segment(seenset_queue *queue);

/* A sync failed: from now on every call returns SEENSET_EPOISONED. This one
 * returns SEENSET_EIO. */
int ss_append_poison(seenset_queue *queue);

/* Records before this position can be read from the files, and handed out. */
uint64_t ss_append_readable(const seenset_queue *queue);

/* ---- flusher.c ---- */

/* Starts the thread if the durability is `interval`. 0 or SEENSET_EIO. */
int ss_flusher_start(seenset_queue *queue);

/* Ends the thread, if there is one. Without the mutex. */
void ss_flusher_stop(seenset_queue *queue);

/* ---- item.c ---- */

/* Copies URL, data and priority of a push to memory that the item owns. 0 or
 * SEENSET_ENOMEM. */
int ss_item_fill(seenset_queue_item *item, const ss_memory *memory,
                 const ss_record *record);

/* Copies a text to that memory, as the item's URL. 0 or SEENSET_ENOMEM. */
int ss_item_fill_bytes(seenset_queue_item *item, const ss_memory *memory,
                       const void *bytes, size_t len);

/* What is left of the memory that a caller gives to items. */
typedef struct ss_item_room {
    char *next;
    size_t bytes;
} ss_item_room;

/* Copies URL, data and priority of a push to it. False: they do not fit. */
bool ss_item_fill_room(seenset_queue_item *item, ss_item_room *to,
                       const ss_record *record);

/* ---- pop.c ---- */

/* Reads the record of an item again, with the mutex held. Returns 1 or an error
 * of seenset_queue_pop. */
int ss_pop_read(seenset_queue *queue, uint64_t position, uint64_t item,
                ss_record *record);

/* ---- checkpoint.c ---- */

/* Writes the state and, if with_set, the set. Mutex held before and after. */
int ss_checkpoint(seenset_queue *queue, bool with_set);

/* The same if one is due. An error is only counted. */
void ss_checkpoint_if_due(seenset_queue *queue);

/* Right after a checkpoint: if it takes only newer snapshots to free so many
 * bytes of log or more, writes them. As ss_checkpoint. */
int ss_checkpoint_release(seenset_queue *queue, uint64_t least_bytes);

/* ---- recover.c, create.c ---- */

/* Reads set, state and log of an existing queue into the handle. */
int ss_recover(seenset_queue *queue, const ss_listing *listing,
               bool keep_leases, ss_purpose purpose,
               seenset_queue_report *report);

/* Locks the folder of a queue, which is made first unless it must exist. */
int ss_create_lock(seenset_queue *queue, const seenset_queue_options *options);

/* Makes the set of a new queue, as its manifest asks. */
int ss_create_set(seenset_queue *queue);

/* Makes a queue in a folder that has no manifest. */
int ss_create_files(seenset_queue *queue, const ss_listing *listing,
                    const seenset_queue_options *options);

/*
 * Makes the first files of a queue that continues another: its log begins at
 * `position`, with item `number`, so what is before is known from snapshots
 * only. The folder is no queue until its manifest is written. In memory the
 * manifest is ready, its log id aside, which is chosen here. Returns 0,
 * SEENSET_EFORMAT (a queue is there, or other files), SEENSET_EDAMAGED (the
 * remains of one), SEENSET_EIO, SEENSET_ENOMEM or SEENSET_EPOISONED.
 */
int ss_create_continued(seenset_queue *queue, uint64_t position,
                        uint64_t number, seenset_queue_report *report);

/* Writes the manifest, durably: there is a queue. As ss_folder_replace. */
int ss_create_manifest(seenset_queue *queue);

/* Which records the log may have. */
static inline ss_record_kinds ss_queue_kinds(const ss_url_set *set,
                                             const ss_manifest *manifest)
{
    return (ss_record_kinds){.is_timed = set->is_timed,
                             .is_sliding = set->is_sliding,
                             .is_extended = manifest->is_extended,
                             .is_polite = manifest->is_polite,
                             .has_moved = manifest->has_moved};
}

/* ---- open.c ---- */

/* seenset_queue_open over any table of file operations. */
int ss_queue_open(const ss_io *io, seenset_queue **out, const char *dir,
                  const seenset_queue_options *options);

/*
 * The same for another purpose. One that was opened to look at can be asked
 * for its statistics, and is freed with ss_queue_free.
 */
int ss_queue_open_as(const ss_io *io, seenset_queue **out, const char *dir,
                     const seenset_queue_options *options, ss_purpose purpose);

/* The parts of opening. A handle without files or set, to be freed with
 * ss_queue_free; 0, SEENSET_EINVAL or SEENSET_ENOMEM. */
int ss_queue_make_handle(seenset_queue **out, const ss_io *io, const char *dir,
                         const seenset_queue_options *options);

/* The log's end and its readers, once the manifest is known. 0 or
 * SEENSET_ENOMEM. */
int ss_queue_init_log(seenset_queue *queue);

/* What is counted from the opening on, once the set is whole. */
void ss_queue_init_numbers(seenset_queue *queue);

/* Frees everything and writes nothing. errno stays as it was. */
void ss_queue_free(seenset_queue *queue);

/* ---- look.c, verify.c, repair.c: over any table of file operations ---- */

/* The public calls of the same names. options may be NULL. */
int ss_queue_look(const ss_io *io, const char *dir,
                  const seenset_queue_options *options,
                  seenset_queue_stats *out, size_t out_bytes,
                  seenset_stats *set_stats, size_t set_stats_bytes);
int ss_queue_verify(const ss_io *io, const char *dir,
                    const seenset_queue_options *options);
int ss_queue_repair(const ss_io *io, const char *dir,
                    const seenset_queue_options *options);
int ss_queue_remake(const ss_io *from_io, const char *dir, const ss_io *to_io,
                    const char *new_dir,
                    const seenset_queue_remake_options *options,
                    seenset_queue_remade *out, size_t out_bytes);

#endif
