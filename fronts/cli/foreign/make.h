/*
 * make.h - new files of other systems, for `new --format`; and several files
 * made one, for merge and intersect.
 */
#ifndef FOREIGN_MAKE_H
#define FOREIGN_MAKE_H

#include <stdbool.h>

#include "foreign/foreign_file.h"

/* Of seenset_format_name; SEENSET_FORMAT_UNKNOWN: no such format. */
seenset_format foreign_make_find(const char *name);

/* Opens an empty file, in memory, that a set can be saved like; path is the one
 * of messages. 0, or COMMAND_ERROR after a message; to be closed either way. */
int foreign_make_like(foreign_file *out, const char *path,
                      seenset_format format, seenset_scheme scheme,
                      const seenset_plan *plan);

/* Makes an empty file of -n, -p and --seed, 0: the defaults. Returns the exit
 * status. */
int foreign_make_new(const char *path, bool is_forced, seenset_format format,
                     const seenset_options *options);

/* How a set takes in another, and what is reported where it cannot. */
typedef struct foreign_folding {
    int (*fold)(seenset *into, const seenset *from);
    void (*complain)(int error, const char *a_path, const seenset *a,
                     const char *b_path, const seenset *b);
} foreign_folding;

/* Makes OUT of the INs, NULL ends them, in the form of the first. Returns the
 * exit status. */
int foreign_make_of(const foreign_folding *how, char **in_paths,
                    const char *out_path);

#endif
