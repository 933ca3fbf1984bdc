/*
 * replace.h - writes a file that appears under its name only when it is whole.
 *
 * It is written beside the old one and renamed over it, so an error leaves the
 * old one as it was, and nobody reads half of the new one. Where the file
 * system can, the new file has no name until it is whole, so that a killed
 * command leaves nothing. It has the old one's mode, and its owner if this user
 * may give it to them. Of a symbolic link
 * the file that it leads to is replaced. A device or a pipe, such as
 * /dev/stdout, is written to.
 */
#ifndef REPLACE_H
#define REPLACE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct replacement {
    FILE *file;      /* write to it */
    char *target;    /* what is replaced */
    char *temporary; /* NULL: the target is written to */
    bool is_named;   /* the temporary file is in its folder already */
    bool is_durable; /* set it: the new name is on the disk, too, in the end.
                        (Its content is the caller's to sync.) */
} replacement;

/* Returns 0, or -1 and errno. Then call replace_end. */
int replace_begin(replacement *out, const char *path);

/* is_done: everything was written. Returns 0, or -1 and errno; then, as after
 * is_done false, the old file is as it was. */
int replace_end(replacement *from, bool is_done);

/* Waits until the names in the folder of `path` are on its disk, if it has one.
 * Returns 0, or -1 and errno. */
int replace_sync_folder(const char *path);

/* Writes the content. Returns whether it did, and if not, perhaps errno. */
typedef bool replace_writer(void *context, FILE *file);

/*
 * All of it, with messages. option: the one that names the file, "--plot". what
 * it is: "picture". A set file is not replaced. Returns 0, or COMMAND_ERROR
 * after a message.
 */
int replace_file(const char *path, const char *option, const char *what,
                 replace_writer *writer, void *context);

#endif
