/*
 * header_damage.h - the catalogue of headers that were forged: one or a few
 * fields of a sound file set to something else, its checksum made right again.
 */
#ifndef HEADER_DAMAGE_H
#define HEADER_DAMAGE_H

#include "support.h"

/* The sets that are changed; the first are golden ones. */
enum {
    BLOOM = 0, /* version 1, one table */
    GROWN = 3, /* version 2, from here on */
    COUNTING = 4,
    WINDOW = 5,
    GROWN_3 = 9, /* version 3 */
    WINDOW_3 = 11,
    SEALED_3 = 12,
    SLOTS = 21,   /* version 5 */
    GROWN_6 = 23, /* version 6 */
    PACKED = 26,  /* version 7 */
    SEALED = TEST_GOLDEN_COUNT,
    SCHEME,
    HEADER_SETS
};

typedef struct header_change {
    unsigned at, size_bytes; /* 0: there is no change */
    uint64_t value;
    bool is_added; /* to the number that is there */
} header_change;

typedef struct header_row {
    int set;
    header_change changes[3];
    int error;
    unsigned offset; /* that is reported, and the reason */
    const char *reason;
    size_t cut_to; /* the file's length; 0: all of it */
} header_row;

extern const header_row header_rows[];
extern const size_t header_row_count;

/* The sound file of a set, from malloc. */
uint8_t *header_bytes_of(int number, size_t *size_bytes);

#endif
