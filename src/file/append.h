/*
 * append.h - a set that was mapped to be added to, and what was added, made
 * durable: in the journal if few keys were added, or else by a save.
 */
#ifndef SS_FILE_APPEND_H
#define SS_FILE_APPEND_H

#include "base/io.h"
#include "file/header/header.h"

/* Can a set of this header be mapped to be added to? If not, it is read whole
 * and saved whole. */
bool ss_append_is_possible(const ss_header *header);

/* Makes a set of this header, just opened, one that remembers what is added.
 * 0 or SEENSET_ENOMEM. */
int ss_append_start(seenset *set, const ss_header *header,
                    const seenset_open_options *options);

/* As seenset_append, of a set that remembers. */
int ss_append_run(const ss_io *io, seenset *set, const char *path);

#endif
