/*
 * queue_damage.h - what can be done to the files of a queue.
 *
 * A damage is done to one file, or to a few that go together: it is gone, cut,
 * changed in a byte, longer, forged in a number with its checksum made right,
 * put there, or called something else. It can be done to any queue: if the file
 * is not there, or is too short, nothing happens. So any two damages can be
 * done one after the other.
 */
#ifndef TEST_QUEUE_DAMAGE_H
#define TEST_QUEUE_DAMAGE_H

#include <stdbool.h>

#include "log/folder.h"
#include "queue_disk.h"

typedef struct damage damage;
struct damage {
    char what[80];  /* which file, and what is done to it */
    char where[24]; /* "", or what differs in a row of damages that are alike */
    void (*make)(const damage *of, disk *on);
    char file[SS_FOLDER_NAME_BYTES];
    uint64_t at, value;
    unsigned size_bytes;
    const void *with;
    bool never_opens;  /* with it a queue is refused, whatever else is done */
    bool stops_repair; /* files contradict each other: nobody knows which */
};

typedef struct damage_list {
    damage *rows;
    size_t count, room;
} damage_list;

void damage_list_free(damage_list *list);

/* Adds a copy; the text is for `what`. Returns it, until the next is added. */
damage *damage_add(damage_list *to, damage row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, with `place` as where, in hexadecimal. */
void damage_add_at(damage_list *to, damage row, uint64_t place,
                   const char *what);

/* ---- to any file ---- */

void damage_add_gone(damage_list *to, const char *file);
void damage_add_cut(damage_list *to, const char *file, size_t length);
void damage_add_changed(damage_list *to, const char *file, size_t at);
void damage_add_longer(damage_list *to, const char *file);

/* ---- to a file that ends with the checksum of the rest ---- */

/* A number of size_bytes bytes at `at` becomes `value`. */
void damage_add_forged(damage_list *to, const char *file, const char *name,
                       unsigned at, unsigned size_bytes, uint64_t value);

/* ---- files ---- */

/* Makes a file's content just these bytes; it may be a new one. */
void damage_write(disk *on, const char *file, const void *bytes,
                  size_t size_bytes);

/* The bytes of a file that has at least so many, or NULL. */
uint8_t *damage_bytes(disk *on, const char *file, size_t at_least,
                      size_t *size_bytes);

/* "set-" and 255: "set-00000000000000ff" in `name`. */
void damage_name(char name[SS_FOLDER_NAME_BYTES], const char *prefix,
                 uint64_t position);

/* The file is gone, if it was there. */
void damage_remove(disk *on, const char *file);

/* What the MANIFEST has as the log's id; 0 if it is too short for one. */
uint32_t damage_log_id(disk *on);

#endif
