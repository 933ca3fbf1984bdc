/*
 * set.h - the set of dedup: in memory, or a file that is kept.
 */
#ifndef DEDUP_SET_H
#define DEDUP_SET_H

#include "dedup/state.h"

/*
 * Opens the set file that --set names, or makes a set, and starts the filter
 * stage with it. Returns 0, or COMMAND_ERROR after a message. The caller has
 * locked the file.
 */
int dedup_open_set(dedup *work);

/* Saves the set file, if there is one, unless the set may hold lines that were
 * never printed. Returns 0, or COMMAND_ERROR after a message. */
int dedup_save_set(dedup *work);

#endif
