/*
 * setfile.h - makes, opens, checks and saves sets, with messages for people.
 *
 * Each returns 0, or COMMAND_ERROR after a message "FILE: what was wrong;
 * what to do".
 */
#ifndef SETFILE_H
#define SETFILE_H

#include <stdbool.h>

#include "seenset/seenset.h"

/* name: of the set in messages, its file or "dedup". */
int setfile_new(seenset **out, const seenset_options *options,
                const char *name);

/*
 * Can a new set be saved here without replacing anything? The file does not
 * exist, or it is empty, as mktemp makes it. Where a set is needed, an empty
 * file is an error and not an empty set: it may be all that a full disk or a
 * stray ">" left of a set, and the command must not forget what that had seen.
 */
bool setfile_is_free(const char *path);

/* The same for a command with --force: 0, or COMMAND_ERROR after a message. */
int setfile_check_free(const char *path, bool is_forced);

/* Are these two names of one file? The files need not exist. */
bool setfile_is_same(const char *a_path, const char *b_path);

/* Does the file begin as set files do? */
bool setfile_is_set(const char *path);

/*
 * flags: SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED, SEENSET_OPEN_COPY, or
 * SEENSET_OPEN_APPEND, which is a copy of a file under 4 MiB. Files of format
 * versions 1 and 2 have no checksums of blocks; a view of one is opened only
 * after the whole file was read and found sound. (An unchecked view is opened
 * as it is.) secret_path: the file with the secret of a keyed set; NULL means
 * FILE.secret beside it.
 */
int setfile_open(seenset **out, const char *path, uint32_t flags,
                 const char *secret_path);

/* Reports how many keys a set may lack that was opened without its journal;
 * nothing, of all others. name: of the set. */
void setfile_say_missing(const char *name, const seenset *set);

/* Are keys hashed under a secret? */
bool setfile_is_keyed(const seenset *set);

int setfile_save(const seenset *set, const char *path);

/* Saves what was added to a set that was opened with SEENSET_OPEN_APPEND, in
 * its journal if it can; a set that was made or copied is saved whole. */
int setfile_append(seenset *set, const char *path);

/* After a signal: says that the command was stopped, and what the set has. */
void setfile_report_stop(const char *path);

/* Saves the file with the keys of its journal, if it has one. secret_path: as
 * in setfile_open. */
int setfile_compact(const char *path, const char *secret_path);

/* Stores how many keys the set's journal has, 0 if there is none or the set is
 * keyed; nothing is printed. */
uint64_t setfile_journal_items(const char *path);

/* Reads and checks the whole file. On success *file_bytes is its length. */
int setfile_verify(const char *path, uint64_t *file_bytes);

/* Reports an error of the library about `name`. Uses errno for SEENSET_EIO. */
void setfile_complain(const char *name, int error);

/* For SEENSET_ERATE. Where a size and keys are given, and go together at no
 * rate that is of use: reports that rate, what the size has room for and what
 * the keys take, at 1 %, and returns true. other_way: the end of the message.
 */
bool setfile_complain_of_rate(const char *name, const seenset_options *options,
                              const char *other_way);

/* The same for a view of the file. Reads the whole file to find the damage. */
void setfile_complain_of_content(const char *path, int error);

/* The same for a call that counts or removes keys. */
void setfile_complain_of_copies(const char *path, int error);

/* The same for a call that needs counters. */
void setfile_complain_of_counting(const char *name, int error);

#endif
