/*
 * outputs.h - where dedup prints: new lines to the output, and repeats to a
 * file of their own, in one pass.
 *
 * A file (-o, --repeats-to) is written beside the old one and replaces it when
 * all lines are in it, on the disk: whole or not at all. So one with new lines
 * may be one of the inputs, which then has each line once. One with repeats may
 * not: what came once would be nowhere.
 */
#ifndef DEDUP_OUTPUTS_H
#define DEDUP_OUTPUTS_H

#include <stdbool.h>

#include "report/replace.h"
#include "stream/output.h"

typedef struct dedup_output {
    const char *path; /* NULL: standard output, or nowhere (repeats) */
    replacement file;
    bool is_open;
    output out;
} dedup_output;

typedef struct dedup_outputs {
    dedup_output lines;
    dedup_output repeats;
} dedup_outputs;

/* Is the file of repeats, which `option` names, one of the inputs? Returns 0,
 * or COMMAND_ERROR after a message. */
int dedup_outputs_spare(const char *repeats, const char *option, char **paths,
                        int count);

/* Opens both. set_path: a file that neither may replace; or NULL. Returns 0, or
 * COMMAND_ERROR after a message. */
int dedup_outputs_open(dedup_outputs *all, const char *set_path);

/* Is there a file that is replaced in the end? */
bool dedup_outputs_replace(const dedup_outputs *all);

/* Write what was collected, or wait until it is on the disk. Return 0, or -1 if
 * anything has failed so far. */
int dedup_outputs_flush(dedup_outputs *all);
int dedup_outputs_sync(dedup_outputs *all);

/* The first output that has failed, or NULL. */
const output *dedup_outputs_failed(const dedup_outputs *all);

/* The files replace the old ones. Returns 0, or COMMAND_ERROR after a
 * message. */
int dedup_outputs_keep(dedup_outputs *all);

/* Frees all. Files that were not kept are gone, and the old ones as before. */
void dedup_outputs_free(dedup_outputs *all);

#endif
