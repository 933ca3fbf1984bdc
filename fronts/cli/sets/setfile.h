/*
 * setfile.h - makes, opens and saves sets, and says what went wrong.
 *
 * Each returns 0, or COMMAND_ERROR after a message "FILE: what was wrong;
 * what to do".
 */
#ifndef SETFILE_H
#define SETFILE_H

#include <stdbool.h>

#include "seenset/seenset.h"

/* `name` is what messages call the set: its file, or "dedup". */
int setfile_new(seenset **out, const seenset_options *options,
                const char *name);

/*
 * Whether a new set in this file replaces nothing: it is not there, or is empty
 * (as mktemp makes it). An empty file is not a set yet, and is not taken for an
 * empty set either: it may be all that a full disk or a stray ">" left of one,
 * and a command that needs a set must not forget what that had seen.
 */
bool setfile_is_free(const char *path);

/* Whether two names, of files that need not be there, are of one. */
bool setfile_is_same(const char *a_path, const char *b_path);

/* Whether the file begins as set files do. */
bool setfile_is_set(const char *path);

/*
 * flags: SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED or SEENSET_OPEN_COPY. A view
 * of a file that has no sums of blocks (format versions 1 and 2) is opened
 * after the file was read whole and found sound, so that its answers hold; an
 * unchecked one is not. secret_path: the file that a keyed set's secret is in,
 * or NULL: then it is in FILE.secret beside it.
 */
int setfile_open(seenset **out, const char *path, unsigned flags,
                 const char *secret_path);

/* Whether keys are hashed under a secret. Reads the whole set. */
bool setfile_is_keyed(const seenset *set);

int setfile_save(const seenset *set, const char *path);

/* Reads the file whole; on success its length is in *file_bytes. */
int setfile_verify(const char *path, uint64_t *file_bytes);

/* Says what a library call on `name` answered. errno is used for EIO. */
void setfile_complain(const char *name, int error);

/* The same for a call on a view of the file: where it is damaged is found out
 * by reading it whole. */
void setfile_complain_of_content(const char *path, int error);

/* The same for a call that needs counters. */
void setfile_complain_of_counting(const char *name, int error);

#endif
