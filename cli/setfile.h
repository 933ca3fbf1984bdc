/*
 * setfile.h - makes, opens and saves sets, and says what went wrong.
 *
 * Each returns 0, or COMMAND_ERROR after a message "FILE: what was wrong;
 * what to do".
 */
#ifndef SETFILE_H
#define SETFILE_H

#include "seenset/seenset.h"

/* `name` is what messages call the set: its file, or "dedup". */
int setfile_new(seenset **out, const seenset_options *options,
                const char *name);

/* flags: SEENSET_OPEN_VIEW or SEENSET_OPEN_COPY. */
int setfile_open(seenset **out, const char *path, unsigned flags);

int setfile_save(const seenset *set, const char *path);

/* Reads the file whole; on success its length is in *file_bytes. */
int setfile_verify(const char *path, uint64_t *file_bytes);

/* Says what a library call on `name` answered. errno is used for EIO. */
void setfile_complain(const char *name, int error);

#endif
