/*
 * folder.h - a queue's folder made of bytes, on a disk in memory.
 *
 * Two ways. The bytes are files, one after the other, each with a kind, a
 * position and a length. Or they are a crawl, which leaves a sound folder,
 * and then edits of its files: few bytes go far into a recovery that way.
 */
#ifndef FOLDER_H
#define FOLDER_H

#include "harness.h"
#include "queue_disk.h"

disk *folder_of_files(fuzz_bytes *from);

typedef struct folder_kind {
    bool is_second;   /* of a kind that has a MANIFEST of version 2 */
    bool is_extended; /* with priorities, visits again, and URLs forgotten */
} folder_kind;

disk *folder_of_crawl(fuzz_bytes *from, folder_kind kind);

/* Makes every checksum right, whatever it is that it covers. */
void folder_repair(disk *on);

/* Removes the states and the sets, so that only the log can say what is. */
void folder_forget(disk *on);

/* What has to be given to open it: the secret that all keyed ones have, if its
 * MANIFEST says that it is keyed, or NULL. */
const uint8_t *folder_secret(disk *folder);

#endif
