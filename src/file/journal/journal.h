/*
 * journal.h - the keys that a set file has besides: hashes in a file beside it.
 *
 * One key more in a large file would cost writing all of it again. Instead its
 * hash goes to the end of a journal:
 *
 *     | header: which set | two slots: how long | record | record | ...
 *
 * docs/format.md has the bytes. What keeps it safe:
 *
 *   - *Which set.* The journal has the checksum of the set's header, and with
 *     that of every byte of the set. A set that was saved again has another
 *     one, so no hash is ever added twice, or to a set that it is not of.
 *   - *The mark.* While a journal counts, one byte of the set's header says so,
 *     which makes the version one that older libraries refuse. So no program
 *     reads the set without its journal, and a file that was copied or moved
 *     without it is refused. A file without the mark has no journal, unless it
 *     is an older copy of one that has (journal/aside.c). One byte is written
 *     whole or not at all.
 *   - *How long.* A record counts once it was synced. Then its end is written
 *     to one of two slots, in turn, which is on the disk with the next sync. So
 *     a record before that end that is wrong is damage, and an error; what
 *     follows it and is no record is what a crash left of an add that was never
 *     answered, and is overwritten.
 *
 * Who appends holds a lock (flock) on the journal. Readers take none: they see
 * all records that are whole, and if the set was saved again meanwhile, which
 * replaces the file, they begin again.
 */
#ifndef SS_FILE_JOURNAL_JOURNAL_H
#define SS_FILE_JOURNAL_JOURNAL_H

#include "base/io.h"
#include "base/path.h"
#include "file/header/header.h"

enum {
    SS_JOURNAL_HEADER_BYTES = 64,
    SS_JOURNAL_RECORD_BYTES = 16,  /* before its hashes */
    SS_JOURNAL_MOST_HASHES = 4096, /* of a record */
    SS_JOURNAL_MOST_ITEMS = 1 << 16,
    SS_JOURNAL_LEAST_BYTES = 1 << 20, /* of a set's file that has one */
    SS_JOURNAL_AGAIN = 1 /* no error: the file was replaced meanwhile */
};

typedef struct ss_journal {
    uint64_t file_bytes;
    uint64_t committed;  /* where the records end by the newer slot, */
    unsigned slot;       /* which is this one */
    uint64_t end;        /* where they do end */
    uint64_t items;      /* hashes that were read, or appended since */
    uint64_t most_items; /* with more it is refused: no writer writes them */
} ss_journal;

/* Reads its header and the records from offset `from` on, where the records end
 * that were read before, and adds their hashes to the set, unless that is NULL.
 * out->items is how many were read before, and out->most_items how many it may
 * have in all. 0 or an error of seenset_open; the report has the journal's
 * offset and length then. */
int ss_journal_read(const ss_io *io, int fd, uint64_t set_checksum,
                    uint64_t from, seenset *set, ss_journal *out,
                    seenset_file_report *report);

/* How many keys the journal of a set takes: no writer appends more. */
uint64_t ss_journal_most_items(const ss_header *header);

/* The same for the set in the file at `path`, open as fd, if its header says
 * that it has a journal. SS_JOURNAL_AGAIN if the path leads to another file
 * now and the journal is not this one's. set may be NULL. If it is not needed,
 * as much of it is read as can be, and the set is told how many keys may be
 * missing. */
int ss_journal_load(const ss_io *io, const char *path, int fd,
                    const ss_header *header, bool is_needed, seenset *set,
                    seenset_file_report *report);

/* Of bytes that have no journal beside them: if their header says that it has
 * one, that is SEENSET_EJOURNAL, or if it is not needed, the set is told. set
 * may be NULL. */
int ss_journal_miss(const ss_header *header, bool is_needed, seenset *set,
                    seenset_file_report *report);

/* Is it a journal? It begins with its magic; one that was only just made is
 * empty, or zeros after a crash. Anything else of that name is somebody's
 * file: false, and errno is EEXIST. */
bool ss_journal_is_one(const ss_io *io, int fd);

/* Locks an open journal. 0; SEENSET_EINUSE; SEENSET_EIO; or SS_JOURNAL_AGAIN:
 * it is not the file of that name any more. */
int ss_journal_lock(const ss_io *io, const char *path, int fd);

/* Opens the journal beside a target, made with the mode of the set's file if
 * there is none, and locks it. 0,
 * SEENSET_EINUSE, or SEENSET_EIO (EEXIST: a file of that name is no journal).
 */
int ss_journal_open(const ss_io *io, const char *target,
                    const ss_path_found *set, int *fd);

/* Makes it an empty one of that set, on the disk. False and errno. */
bool ss_journal_begin(const ss_io *io, int fd, const char *target,
                      uint64_t set_checksum, ss_journal *out);

/* Appends a record of 1 to SS_JOURNAL_MOST_HASHES hashes, on the disk. False
 * and errno: it is as it was. */
bool ss_journal_append(const ss_io *io, int fd, ss_journal *journal,
                       uint64_t set_checksum, const uint64_t *hashes,
                       uint64_t count);

/* ---- whose it is: journal/aside.c ---- */

typedef struct ss_journal_owner {
    bool is_there; /* there is a journal, and it is somebody's */
    bool is_sound; /* its header's checksum is right */
    bool has_records;
    uint64_t set_checksum;
} ss_journal_owner;

/* Of the journal that is open as fd. False and errno: it cannot be read. */
bool ss_journal_look(const ss_io *io, int fd, ss_journal_owner *owner);

/* Does the set have keys, so that its checksum is that of no other? */
bool ss_journal_is_identified(const ss_header *header);

/* Does it count for a set of that checksum? */
bool ss_journal_counts(const ss_journal_owner *owner, uint64_t set_checksum,
                       bool is_marked, bool is_identified);

/* Gives a decoded header a journal if there is one that counts beside the file
 * at `path`, which does not say so. 0 or SEENSET_EIO. */
int ss_journal_find(const ss_io *io, const char *path, ss_header *header,
                    seenset_file_report *report);

/* Gives the journal beside a target a name that says that it is of another set.
 * It is locked, or nobody can append to it. False and errno. */
bool ss_journal_set_aside(const ss_io *io, const char *target,
                          uint64_t set_checksum);

/* The journal beside a target, if it counts for the file that is there and will
 * be replaced. Keeps errno. */
ss_journal_owner ss_journal_replaced(const ss_io *io, const char *target);

/* After that: removes the journal that counted for the file that was replaced,
 * and sets any other aside, unless somebody has it locked or the new file has
 * it already. */
void ss_journal_sweep(const ss_io *io, const char *target,
                      const ss_journal_owner *replaced);

/* Removes an empty one beside a target, if nobody has it locked: it was made
 * for its lock, by an append that then failed. What the set's file is does not
 * matter, for it holds no record. Keeps errno. */
void ss_journal_sweep_empty(const ss_io *io, const char *target);

/* The name of the journal of a target that ss_target_find found. */
void ss_journal_path(char out[SS_PATH_MAX], const char *target);

/* Does the file at the target have the header of this checksum, and is it
 * marked? False and errno: it cannot be read, or, ESTALE, it is another. */
bool ss_journal_look_at_set(const ss_io *io, int fd, uint64_t set_checksum,
                            bool *is_marked);

/* Marks the file, open to be written, on the disk. False and errno. */
bool ss_journal_mark_set(const ss_io *io, int fd);

#endif
