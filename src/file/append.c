/*
 * append.c - see append.h.
 *
 * How many keys a journal takes is in journal/room.c. A file under
 * SS_JOURNAL_LEAST_BYTES is saved whole in about the time of a sync. It has no
 * journal, but is locked by one's name for as long, and is saved only if it is
 * still the file that the set was read from: another one would lose its keys.
 */
#include "file/append.h"

#include <errno.h>

#include "base/growth.h"
#include "base/order.h"
#include "base/path.h"
#include "file/journal/journal.h"
#include "file/open_parts.h"
#include "file/target.h"
#include "set/view/remembered.h"

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
    bool counts;      /* the journal is the set's, */
    bool is_fresh;    /* or it has nothing yet */
    bool is_damaged;  /* and cannot be read to its end */
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
    uint64_t told_seconds = set->told_seconds;
    if (ss_set_swap(set, fresh) == SEENSET_OK) {
        set->clock = clock;
        set->told_seconds = told_seconds;
    }
    seenset_free(fresh);
}

/* Removes the journal, whose lock is held. One of which a part could not be
 * read is set aside. */
static void remove_journal(const appending *work)
{
    char journal_path[SS_PATH_MAX];
    ss_journal_path(journal_path, work->target);
    if (work->journal_fd < 0)
        return;
    if (work->is_damaged)
        (void)ss_journal_set_aside(work->io, work->target,
                                   work->set->remembered->set_checksum);
    else
        ss_io_unlink_quietly(work->io, journal_path);
}

/* After a save of a set that is never mapped: it has all that is in the file,
 * which is another one now. Where that fails, as above. */
static void know_again(const appending *work)
{
    ss_remembered *remembered = work->set->remembered;
    ss_header header;
    seenset_file_report report;
    int fd;
    remembered->journal_end = 0;
    if (ss_file_open(work->io, work->path, &fd, &header, &report) != SEENSET_OK)
        return;
    ss_io_close_quietly(work->io, fd);
    remembered->set_checksum = header.checksum;
}

/* Before the lock goes: what is in the file then is this set. */
static int save_unmapped(appending *work)
{
    if (work->set_fd >= 0) /* Windows replaces no file that is open */
        ss_io_close_quietly(work->io, work->set_fd);
    work->set_fd = -1;
    int error = ss_file_save(work->io, work->set, work->path);
    if (error != SEENSET_OK)
        return error;
    know_again(work);
    remove_journal(work);
    return SEENSET_OK;
}

static int save_whole(appending *work)
{
    if (!work->set->remembered->can_journal)
        return save_unmapped(work);
    int error = ss_remembered_make_whole(work->set);
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
    ss_remembered *remembered = work->set->remembered;
    bool is_known = remembered->journal_end > 0;
    uint64_t known =
        is_known ? remembered->journal_end : SS_JOURNAL_HEADER_BYTES;
    work->journal.most_items = SS_JOURNAL_MOST_ITEMS;
    work->journal.items = is_known ? work->set->journal_items : 0;
    int error =
        ss_journal_read(work->io, work->journal_fd, remembered->set_checksum,
                        known, work->set, &work->journal, &report);
    if (error == SEENSET_OK) {
        remembered->journal_end = work->journal.end;
        work->set->journal_items = work->journal.items;
    }
    return error;
}

/* The first record needs a journal, and the mark that there is one. */
static bool begin(appending *work)
{
    const ss_remembered *remembered = work->set->remembered;
    work->is_unmarked = false;
    return ss_journal_begin(work->io, work->journal_fd, work->target,
                            remembered->set_checksum, &work->journal) &&
           ss_journal_mark_set(work->io, work->set_fd);
}

static int append_record(appending *work)
{
    seenset *set = work->set;
    ss_remembered *remembered = set->remembered;
    if (!work->is_marked && !begin(work))
        return SEENSET_EIO;
    if (!ss_journal_append(work->io, work->journal_fd, &work->journal,
                           remembered->set_checksum, remembered->hashes,
                           remembered->count))
        return SEENSET_EIO;
    remembered->count = 0;
    remembered->journal_end = work->journal.end;
    set->journal_items = work->journal.items;
    set->journal_bytes = work->journal.end;
    return SEENSET_OK;
}

static int look_at_set(appending *work)
{
    if (ss_journal_look_at_set(work->io, work->set_fd,
                               work->set->remembered->set_checksum,
                               &work->is_marked)) {
        work->is_unmarked = !work->is_marked;
        return SEENSET_OK;
    }
    return errno == ESTALE ? SEENSET_EMISMATCH : SEENSET_EIO;
}

/* Whose is the journal that is locked? Another set's is set aside:
 * SS_JOURNAL_AGAIN, then. Of a set that is not marked yet, as it is an older
 * copy of one that has a journal, that journal counts from now on. */
static int claim_journal(appending *work)
{
    const ss_remembered *remembered = work->set->remembered;
    ss_journal_owner owner;
    if (!ss_journal_look(work->io, work->journal_fd, &owner))
        return SEENSET_EIO;
    bool is_begun = owner.is_there && !owner.has_records &&
                    owner.set_checksum == remembered->set_checksum;
    work->counts =
        ss_journal_counts(&owner, remembered->set_checksum, work->is_marked,
                          remembered->is_identified);
    work->is_fresh = !owner.is_there || is_begun;
    if (!work->counts && work->is_marked && !remembered->is_incomplete)
        return SEENSET_EJOURNAL;
    if (!work->counts && !work->is_fresh)
        return ss_journal_set_aside(work->io, work->target, owner.set_checksum)
                   ? SS_JOURNAL_AGAIN
                   : SEENSET_EIO;
    if (!work->counts || work->is_marked)
        return SEENSET_OK;
    work->is_marked = ss_journal_mark_set(work->io, work->set_fd);
    return work->is_marked ? SEENSET_OK : SEENSET_EIO;
}

/* What the journal of a marked set has comes into the set first. One that was
 * opened without its journal is saved whole. */
static int take_journal(appending *work)
{
    ss_remembered *remembered = work->set->remembered;
    if (!work->is_marked)
        return SEENSET_OK;
    int error = SEENSET_EJOURNAL;
    if (work->journal_error != 0)
        error = SEENSET_EIO;
    else if (work->counts)
        error = catch_up(work);
    if (error == SEENSET_OK)
        remembered->is_incomplete = false;
    else if (remembered->is_incomplete && error != SEENSET_EIO &&
             error != SEENSET_ENOMEM) {
        work->is_damaged = work->counts;
        error = SEENSET_OK;
    }
    return error;
}

/* With the set's file open, and the journal, if there can be one, locked. */
static int append_opened(appending *work)
{
    const ss_remembered *remembered = work->set->remembered;
    int error = look_at_set(work);
    if (error == SEENSET_OK && work->journal_error == 0)
        error = claim_journal(work);
    if (error == SEENSET_OK)
        error = take_journal(work);
    if (error == SEENSET_EIO && work->journal_error != 0)
        errno = work->journal_error;
    if (error != SEENSET_OK)
        return error;
    uint64_t others = work->is_marked ? work->journal.items : 0;
    bool is_journal = !remembered->is_whole && !remembered->is_incomplete &&
                      work->journal_error == 0 &&
                      others + remembered->count <= remembered->most_items;
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

/* A set that is never mapped, whose file is gone, is saved as a new one. */
static int append_locked(appending *work)
{
    if (open_set(work))
        return append_opened(work);
    return errno == ENOENT && !work->set->remembered->can_journal
               ? save_whole(work)
               : SEENSET_EIO;
}

static int append_once(const ss_io *io, seenset *set, const char *path)
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
    error = append_locked(&work);
    if (error != SEENSET_OK && work.is_unmarked && work.is_fresh)
        remove_journal(&work); /* made for its lock alone */
    close_both(&work);
    if (error != SEENSET_OK)
        ss_journal_sweep_empty(io, work.target);
    return error;
}

/* Again after another set's journal was set aside. */
static int append(const ss_io *io, seenset *set, const char *path)
{
    enum {
        MOST_TRIES = 10
    };
    int error = SS_JOURNAL_AGAIN;
    for (int i = 0; error == SS_JOURNAL_AGAIN && i < MOST_TRIES; i++)
        error = append_once(io, set, path);
    return error == SS_JOURNAL_AGAIN ? SEENSET_EINUSE : error;
}

int ss_append_run(const ss_io *io, seenset *set, const char *path)
{
    const ss_remembered *remembered = set->remembered;
    if (!remembered->is_whole && remembered->count == 0)
        return SEENSET_OK;
    return append(io, set, path);
}

/* ---- the public calls ---- */

int seenset_append(seenset *set, const char *path)
{
    if (set == NULL || path == NULL)
        return SEENSET_EINVAL;
    if (set->remembered == NULL)
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
    error = ss_journal_find(&ss_io_system, path, &header, report);
    *has_journal = header.has_journal;
    return error;
}

static int fold(const char *path, const seenset_open_options *options)
{
    seenset *set;
    int error = seenset_open(&set, path, options);
    if (error != SEENSET_OK)
        return error;
    if (set->journal_bytes != 0 || set->journal_missing_items != 0)
        error = ss_remembered_make_whole(set);
    if (error == SEENSET_OK && set->remembered->is_whole)
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
    if (path == NULL || (ours.flags & ~SEENSET_OPEN_WITHOUT_JOURNAL) != 0 ||
        ours.reserved32 != 0 || !SS_GROWTH_IS_UNUSED(&ours))
        return SEENSET_EINVAL;
    int error = find_journal(path, &has_journal,
                             ours.report != NULL ? ours.report : &own);
    if (error != SEENSET_OK || !has_journal)
        return error;
    ours.flags |= SEENSET_OPEN_APPEND;
    return fold(path, &ours);
}
