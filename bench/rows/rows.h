/*
 * rows.h - what the parts of the table of all layouts share.
 *
 *     sets.c      our own: each layout, each twin of it that runs here
 *     libbloom.c, khash.c, opened.c
 *                 peers: those that Debian has, and those that are given
 *     rows.c      each of them times each operation, in the same rounds
 */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "bench.h"
#include "peer.h"

/* What is measured of a filter; the names are in rows.c. */
typedef enum row_loop {
    ROW_HAS,
    ROW_ADD,
    ROW_REMOVE,
    ROW_HAS_MANY,
    ROW_ADD_MANY,
    ROW_INLINE_HAS,
    ROW_LOOKER,
    ROW_INLINE_ADD,
    ROW_ADDER,
    ROW_LOOPS
} row_loop;

/* A filter, ours or a peer's, and its tables in this run. */
typedef struct contestant {
    const char *name; /* "split_block", "libbloom" */
    const char *twin; /* "avx2", "portable"; of a peer "peer" */
    bench_peer peer;  /* what it can do; of ours without make */
    bench_loop *loops[ROW_LOOPS];
    void *before;  /* without the news */
    void *full;    /* with them */
    void *changed; /* a copy that a loop changes */
} contestant;

enum {
    MOST_CONTESTANTS = 40
};

typedef struct contestants {
    size_t count;
    contestant all[MOST_CONTESTANTS];
} contestants;

/* All keys of a run of one size. */
typedef struct row_keys {
    uint64_t items;
    double fp_rate;
    uint64_t *hashes; /* items of them: the hits first, the news last */
    uint64_t *misses; /* as many as hits, and as news */
    size_t asked;     /* how many those are */
} row_keys;

/* Adds a row to the list, which has none of its tables yet. */
contestant *contestant_add(contestants *list, const bench_peer *peer,
                           const char *twin);

/* Each layout and twin, filled. */
void rows_add_sets(contestants *list, const row_keys *keys);

/* The peers, not filled. */
void rows_add_libbloom(contestants *list);
void rows_add_khash(contestants *list);
void rows_add_opened(contestants *list, const char *const *paths, size_t count);

#endif
