/*
 * append.c - see append.h.
 *
 * When is a journal worth it? Who opens the set reads all of the journal and
 * lists its hashes by the blocks that they touch (set/late.h). That takes about
 * 50 ns for a hash and 20 more for each block, so the journal may have
 * MOST_HASHES and touch MOST_PLACES blocks: a few milliseconds. A table that
 * grows in place has them beside it (set/beside.h), in a place each. As keys
 * that came one by one it may be a share of the file as long. A file under
 * LEAST_BYTES is saved whole in about the time of a sync.
 */
#include "file/append.h"

#include <errno.h>

#include "base/order.h"
#include "base/path.h"
#include "file/journal.h"
#include "file/open_parts.h"
#include "file/target.h"
#include "set/late.h"
#include "set/pending.h"

enum {
    MOST_HASHES = 1 << 16,
    MOST_PLACES = 1 << 17,
    SHARE = 8,
    LEAST_BYTES = 1 << 20
};

bool ss_append_is_possible(const ss_header *header)
{
    return ss_bits_is_little_endian() && header->version > 2 &&
           ss_header_can_journal(header) &&
           ss_header_file_bytes(header) >= LEAST_BYTES;
}

/* How many hashes are worth it. */
static uint64_t most_items(const seenset *set, const ss_header *header)
{
    uint64_t record_bytes = SS_JOURNAL_RECORD_BYTES + sizeof(uint64_t);
    uint64_t by_share = ss_header_file_bytes(header) / SHARE / record_bytes;
    const ss_table *newest = &ss_set_newest(set)->table;
    uint32_t places = newest->expand != NULL ? 1 : ss_late_places(newest);
    uint64_t by_places = MOST_PLACES / places;
    return ss_lower(by_share, ss_lower(MOST_HASHES, by_places));
}

/* What is remembered at a time is one record, so that it is there whole or not
 * at all. */
int ss_append_start(seenset *set, const ss_header *header,
                    const seenset_open_options *options)
{
    bool can_journal = ss_append_is_possible(header);
    uint64_t most = can_journal ? most_items(set, header) : 0;
    uint64_t room = ss_lower(most + 1, SS_JOURNAL_MOST_HASHES);
    int error = ss_pending_start(set, room);
    if (error != SEENSET_OK)
        return error;
    ss_pending *pending = set->pending;
    pending->at_capacity = options->at_capacity;
    pending->at_capacity_context = options->at_capacity_context;
    pending->can_journal = can_journal;
    pending->most_items = most;
    pending->set_checksum = header->checksum;
    return SEENSET_OK;
}

/* ---- appended ---- */

/* What is open while a set is appended to; -1: not open. */
typedef struct appending {
    const ss_io *io;
    seenset *set;
    const char *path;
    char target[SS_PATH_MAX];
    int set_fd;
    int journal_fd;
    int journal_error; /* errno: there can be no journal */
    bool is_marked;
    bool is_unmarked; /* it was looked at, and nobody has begun a journal */
    ss_journal journal;
} appending;

/* After a save: the set is mapped anew, so that it remembers again. Where that
 * fails, the next call finds that the file is not the one it knows. */
static void map_again(appending *work)
{
    seenset *set = work->set, *fresh;
    const seenset_allocator *allocator = &set->memory.allocator;
    seenset_open_options options = {
        .flags = SEENSET_OPEN_APPEND,
        .secret =
            ss_key_hash_is_keyed(&set->identity) ? set->identity.secret : NULL,
        .allocator = allocator->allocate != NULL ? allocator : NULL,
        .at_capacity = set->at_capacity,
        .at_capacity_context = set->at_capacity_context};
    if (seenset_open(&fresh, work->path, &options) != SEENSET_OK)
        return;
    const ss_clock *clock = set->clock;
    if (ss_set_swap(set, fresh) == SEENSET_OK)
        set->clock = clock;
    seenset_free(fresh);
}

/* Removes the journal, whose lock is held. */
static void remove_journal(const appending *work)
{
    char journal_path[SS_PATH_MAX];
    ss_journal_path(journal_path, work->target);
    if (work->journal_fd >= 0)
        ss_io_unlink_quietly(work->io, journal_path);
}

static int save_whole(appending *work)
{
    int error = ss_pending_make_whole(work->set);
    if (error == SEENSET_OK)
        error = ss_file_save(work->io, work->set, work->path);
    if (error != SEENSET_OK)
        return error;
    remove_journal(work);
    map_again(work);
    return SEENSET_OK;
}

/* What others appended meanwhile comes into the set, too. What came before is
 * not read again, however long the journal is. */
static int catch_up(appending *work)
{
    seenset_file_report report;
    ss_pending *pending = work->set->pending;
    bool is_known = pending->journal_end > 0;
    uint64_t known = is_known ? pending->journal_end : SS_JOURNAL_HEADER_BYTES;
    int error =
        ss_journal_read(work->io, work->journal_fd, pending->set_checksum,
                        known, work->set, &work->journal, &report);
    if (error == SEENSET_OK) {
        work->journal.items += is_known ? work->set->journal_items : 0;
        pending->journal_end = work->journal.end;
        work->set->journal_items = work->journal.items;
    }
    return error;
}

/* The first record needs a journal, and the mark that there is one. */
static bool begin(appending *work)
{
    const ss_pending *pending = work->set->pending;
    work->is_unmarked = false;
    return ss_journal_begin(work->io, work->journal_fd, work->target,
                            pending->set_checksum, &work->journal) &&
           ss_journal_mark_set(work->io, work->set_fd);
}

static int append_record(appending *work)
{
    seenset *set = work->set;
    ss_pending *pending = set->pending;
    if (!work->is_marked && !begin(work))
        return SEENSET_EIO;
    if (!ss_journal_append(work->io, work->journal_fd, &work->journal,
                           pending->set_checksum, pending->hashes,
                           pending->count))
        return SEENSET_EIO;
    pending->count = 0;
    pending->journal_end = work->journal.end;
    set->journal_items = work->journal.items;
    set->journal_bytes = work->journal.end;
    return SEENSET_OK;
}

static int look_at_set(appending *work)
{
    if (ss_journal_look_at_set(work->io, work->set_fd,
                               work->set->pending->set_checksum,
                               &work->is_marked)) {
        work->is_unmarked = !work->is_marked;
        return SEENSET_OK;
    }
    return errno == ESTALE ? SEENSET_EMISMATCH : SEENSET_EIO;
}

/* With the set's file open, and the journal, if there can be one, locked. */
static int append_opened(appending *work)
{
    const ss_pending *pending = work->set->pending;
    int error = look_at_set(work);
    if (error == SEENSET_OK && work->is_marked)
        error = work->journal_error != 0 ? SEENSET_EIO : catch_up(work);
    if (work->journal_error != 0)
        errno = work->journal_error;
    if (error != SEENSET_OK)
        return error;
    uint64_t others = work->is_marked ? work->journal.items : 0;
    bool is_journal = !pending->is_whole && work->journal_error == 0 &&
                      others + pending->count <= pending->most_items;
    return is_journal ? append_record(work) : save_whole(work);
}

/* The set's file after the journal's lock: it is the one of that name then.
 * One that may not be written has no journal, but can be saved. */
static bool open_set(appending *work)
{
    if (work->journal_error == 0) {
        work->set_fd = ss_io_open_here(work->io, work->target);
        work->journal_error = work->set_fd < 0 ? errno : 0;
    }
    if (work->set_fd < 0)
        work->set_fd = ss_io_open_to_read(work->io, work->target);
    return work->set_fd >= 0;
}

static void close_both(const appending *work)
{
    if (work->set_fd >= 0)
        ss_io_close_quietly(work->io, work->set_fd);
    if (work->journal_fd >= 0)
        ss_io_close_quietly(work->io, work->journal_fd);
}

static int append(const ss_io *io, seenset *set, const char *path)
{
    ss_path_found old;
    appending work = {
        .io = io, .set = set, .path = path, .set_fd = -1, .journal_fd = -1};
    if (!ss_path_look(path, &old) || !ss_target_find(work.target, path))
        return SEENSET_EIO;
    int error = ss_journal_open(io, work.target, &old, &work.journal_fd);
    if (error == SEENSET_EINUSE)
        return error;
    work.journal_error = error == SEENSET_OK ? 0 : errno;
    error = open_set(&work) ? append_opened(&work) : SEENSET_EIO;
    if (error != SEENSET_OK && work.is_unmarked)
        remove_journal(&work); /* made for its lock alone */
    close_both(&work);
    if (error != SEENSET_OK && !work.is_marked)
        ss_journal_sweep_empty(io, work.target);
    return error;
}

int ss_append_run(const ss_io *io, seenset *set, const char *path)
{
    const ss_pending *pending = set->pending;
    if (!pending->is_whole && pending->count == 0)
        return SEENSET_OK;
    return pending->can_journal ? append(io, set, path)
                                : ss_file_save(io, set, path);
}

/* ---- the public calls ---- */

int seenset_append(seenset *set, const char *path)
{
    if (set == NULL || path == NULL)
        return SEENSET_EINVAL;
    if (set->pending == NULL)
        return SEENSET_EUNSUPPORTED;
    return ss_append_run(&ss_io_system, set, path);
}

/* Is there anything to fold? The secret is not needed to know that. */
static int find_journal(const char *path, bool *has_journal,
                        seenset_file_report *report)
{
    ss_header header;
    int fd;
    int error = ss_file_open(&ss_io_system, path, &fd, &header, report);
    if (error != SEENSET_OK)
        return error;
    ss_io_close_quietly(&ss_io_system, fd);
    *has_journal = header.has_journal;
    return SEENSET_OK;
}

static int fold(const char *path, const seenset_open_options *options)
{
    seenset *set;
    int error = seenset_open(&set, path, options);
    if (error != SEENSET_OK)
        return error;
    if (set->journal_bytes != 0)
        error = ss_pending_make_whole(set);
    if (error == SEENSET_OK && set->journal_bytes != 0)
        error = ss_append_run(&ss_io_system, set, path);
    int kept = errno;
    seenset_free(set);
    errno = kept;
    return error;
}

int seenset_compact(const char *path, const seenset_open_options *options)
{
    seenset_open_options ours = {0};
    seenset_file_report own;
    bool has_journal;
    if (options != NULL)
        ours = *options;
    if (path == NULL || ours.flags != 0)
        return SEENSET_EINVAL;
    int error = find_journal(path, &has_journal,
                             ours.report != NULL ? ours.report : &own);
    if (error != SEENSET_OK || !has_journal)
        return error;
    ours.flags = SEENSET_OPEN_APPEND;
    return fold(path, &ours);
}
