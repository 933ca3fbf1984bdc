/*
 * peel.h - an order of keys in which, from the last to the first, each has a
 * slot of its own that no key after it needs; the idea is in peel.c.
 */
#ifndef SS_TABLE_SEALED_PEEL_H
#define SS_TABLE_SEALED_PEEL_H

#include "base/memory.h"
#include "table/sealed/fuse.h"

enum {
    SS_TURN_BITS = 2, /* which of its slots is a key's own */
    SS_TURNS_A_BYTE = 8 / SS_TURN_BITS
};

/* The keys whose first slot is in one segment. */
typedef struct ss_key_run {
    uint64_t read;
    uint64_t left; /* of these, not peeled */
} ss_key_run;

/* All are rings: a thing's place is its number modulo the ring's size. */
typedef struct ss_peel_window {
    uint64_t segments; /* a power of two */
    uint64_t *hashes;  /* segments * segment_length slots: XOR of the users */
    uint8_t *users;    /* as many: their number, and the XOR of their turns */
    uint32_t *todo;    /* one more; slots with one user, by place */
    uint64_t *keys;    /* as many as slots: what was read */
    ss_key_run *runs;  /* segments */
} ss_peel_window;

/*
 * The caller gives memory to key_count; the rest is zero. Keys whose upper bits
 * differ, those that are not in alike_bits, are in order.
 * Invariant: peeled <= first_key + keys of the window that were peeled.
 */
typedef struct ss_peeler {
    const ss_memory *memory;
    ss_fuse_shape shape;
    unsigned length_bits; /* of a place, in its segment */
    uint64_t alike_bits;  /* of keys that are in any order */
    uint64_t *keys;       /* the caller's array: remixed; then peeled */
    uint64_t key_count;
    uint8_t *turns; /* of the peeled keys */
    uint64_t peeled;
    uint64_t first_key; /* of the window: those before it are peeled */
    uint64_t read;      /* keys of the array */
    uint64_t first;     /* segment of the window */
    uint64_t complete;  /* segments that all their keys were read of */
    ss_peel_window window;
} ss_peeler;

/* Called with the number of keys peeled so far. */
typedef void ss_peel_report(void *context, uint64_t peeled);

/*
 * Brings the keys into such an order, and says which slot is each one's own.
 * Returns 0, and the turns are to be freed; SEENSET_ENOMEM; or SEENSET_ERATE if
 * there is no such order. After an error the array holds the same keys,
 * rearranged.
 */
int ss_peel_all(ss_peeler *peel, ss_peel_report *report, void *context);

void ss_peel_free_turns(ss_peeler *peel);

/* Which of its slots is the own one of key number i. */
static inline unsigned ss_peel_turn(const ss_peeler *peel, uint64_t i)
{
    unsigned shift = (unsigned)(i % SS_TURNS_A_BYTE) * SS_TURN_BITS;
    return peel->turns[i / SS_TURNS_A_BYTE] >> shift & 3;
}

#endif
