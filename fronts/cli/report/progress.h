/*
 * progress.h - a progress bar on standard error.
 *
 * Nothing is drawn in the first second. Nothing is drawn at all unless standard
 * error is a terminal on which the command prints nothing else.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct progress {
    bool is_shown;
    bool is_drawn;
    uint64_t done_bytes;
    uint64_t total_bytes;  /* 0: unknown */
    const char *title;     /* of work that is not bytes; or NULL */
    double started, drawn; /* of clock_steady_seconds */
} progress;

/* `prints_lines`: the command prints on standard output while it works. */
void progress_start(progress *bar, uint64_t total_bytes, bool prints_lines);

/* The same for work of `total` steps, which is not bytes. */
void progress_start_steps(progress *bar, const char *title, uint64_t total);

/* `bytes` more bytes or steps are done. */
void progress_advance(progress *bar, uint64_t bytes);

/* Removes the bar. Call before anything else is printed. */
void progress_clear(progress *bar);

/* How many columns a line may have on standard error. */
size_t progress_columns(void);

/* The size of all these files together, or 0 if one is not a regular file. */
uint64_t progress_total(char *const *paths, int path_count);

#endif
