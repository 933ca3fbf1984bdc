/* foreign_opened.h - files of other systems, opened for tests of what they say
 */
#ifndef TEST_FOREIGN_OPENED_H
#define TEST_FOREIGN_OPENED_H

#include "foreign_files.h"

/* Opens bytes that have to open. */
seenset_foreign *foreign_open_whole(const uint8_t *bytes, size_t size_bytes);
seenset_foreign_info foreign_info_of(const seenset_foreign *file);
seenset_foreign_filter foreign_filter_of(const seenset_foreign *file,
                                         uint32_t number);

/* Checks that the first filter and a set of it answer alike for the keys
 * "NAME 0" to "NAME 4999", and that both have the first FOREIGN_KEYS. */
void foreign_check_set(const seenset_foreign *file, const seenset *set,
                       const char *name);

/*
 * Keys that were asked one by one, to be asked for at once. All 0 at first.
 */
typedef struct foreign_asked {
    uint8_t (*bytes)[FOREIGN_KEY_BYTES];
    seenset_key *keys;
    uint8_t *answers;
    size_t count, room;
} foreign_asked;

/* Adds a key of up to FOREIGN_KEY_BYTES, and the answer that it got. */
void foreign_asked_put(foreign_asked *to, const void *key, size_t length,
                       int answer);

/* Checks that filter `number` gives all keys at once the same answers. Frees
 * them. */
void foreign_asked_check(foreign_asked *of, const seenset_foreign *file,
                         uint32_t number);

/* What bytes open as that are refused, with the reason of the report. */
int foreign_refused(const void *bytes, size_t size_bytes, const char *reason);

#endif
