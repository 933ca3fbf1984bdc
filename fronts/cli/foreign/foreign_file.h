/*
 * foreign_file.h - a file of another system, by the name that was given for it.
 *
 * A name is FILE or, for a file with columns, FILE:COLUMN. A file of DCSO may
 * be compressed by gzip: it is then read into memory.
 */
#ifndef FOREIGN_FILE_H
#define FOREIGN_FILE_H

#include <stdbool.h>

#include "seenset/foreign.h"
#include "seenset/seenset.h"

typedef struct foreign_file {
    seenset_foreign *file;
    seenset_foreign_info info;
    char *path;         /* without a column */
    const char *column; /* NULL: none was named */
    void *bytes;        /* what a compressed file holds; NULL: it was not */
    uint32_t *chosen;   /* the filters that are asked, chosen_count of them */
    uint32_t chosen_count;
} foreign_file;

/* Does the name lead to a file that begins as one of another system? Prints
 * nothing. */
bool foreign_file_is(const char *name);

/* Opens it, damaged filters too. 0, or COMMAND_ERROR after a message. */
int foreign_file_open(foreign_file *out, const char *name);

/* The same with a secret of SEENSET_SECRET_BYTES, or NULL. */
int foreign_file_open_keyed(foreign_file *out, const char *name,
                            const uint8_t *secret);

/* Chooses all filters of the column, or of the only one that there is, which
 * must be sound. 0, or COMMAND_ERROR after a message. */
int foreign_file_choose(foreign_file *of);

/* Can it be written again? 0, or COMMAND_ERROR after a message. */
int foreign_file_check_change(const foreign_file *of);

/* Makes a set of the first filter that was chosen or, where none was, of the
 * only one. 0, or COMMAND_ERROR after a message. */
int foreign_file_set(seenset **out, const foreign_file *of);

/* Saves such a set at path as a file like this one, whole or not at all. 0, or
 * COMMAND_ERROR after a message. */
int foreign_file_save(const foreign_file *of, const seenset *set,
                      const char *path);

/* Can any key be in the file, as a row group has no filter for the column? A
 * part of another system's file without a filter has no keys. */
bool foreign_file_has_gaps(const foreign_file *of);

void foreign_file_close(foreign_file *of);

/* A filter that is there. */
seenset_foreign_filter foreign_file_filter(const foreign_file *of,
                                           uint32_t number);

/* Which filter of the file it is: " of 'email' in row group 3", " of part 7",
 * or nothing, if it is the only one. */
typedef struct foreign_place {
    char text[240];
} foreign_place;

foreign_place foreign_file_place(const foreign_file *of,
                                 const seenset_foreign_filter *filter);

#endif
