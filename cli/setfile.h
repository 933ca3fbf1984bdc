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
 * flags: SEENSET_OPEN_VIEW or SEENSET_OPEN_COPY. secret_path: the file that a
 * keyed set's secret is in, or NULL: then it is in FILE.secret beside it.
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

/* The same for a call that needs counters. */
void setfile_complain_of_counting(const char *name, int error);

#endif
