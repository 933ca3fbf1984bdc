/*
 * progress.h - a bar on standard error for work that lasts.
 *
 * Nothing is drawn in the first second, nor unless standard error is a
 * terminal that nothing else is being printed on.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool is_shown;
    bool is_drawn;
    uint64_t done_bytes;
    uint64_t total_bytes;  /* 0: unknown */
    const char *title;     /* what is done, if it is not bytes; or NULL */
    double started, drawn; /* of clock_steady_seconds */
} progress;

/* `prints_lines`: the command prints on standard output while it works. */
void progress_start(progress *bar, uint64_t total_bytes, bool prints_lines);

/* The same for so many steps of other work. */
void progress_start_steps(progress *bar, const char *title, uint64_t total);

/* So many bytes more are done. */
void progress_advance(progress *bar, uint64_t bytes);

/* Takes the bar away, before anything else is printed. */
void progress_clear(progress *bar);

/* The bytes in all of these files together, or 0 if one is not a file. */
uint64_t progress_total(char *const *paths, int path_count);

#endif
