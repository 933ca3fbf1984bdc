/*
 * peer.h - what another filter must provide to be measured beside the sets of
 * this library, in one run with them.
 *
 * A peer is a shared object that gives rows, one for each of its filters:
 *
 *     #include "peer.h"
 *
 *     static void has(void *filter, const uint64_t *hashes, size_t count,
 *                     uint8_t *answers)
 *     {
 *         for (size_t i = 0; i < count; i++)
 *             answers[i] = mine_has(filter, hashes[i]);
 *     }
 *     ...
 *     static const bench_peer mine = {.name = "mine", .make = make, ...};
 *
 *     const bench_peer *bench_peer_row(size_t index)
 *     {
 *         return index == 0 ? &mine : NULL;
 *     }
 *
 * It is compiled apart, with what its users compile it with, and given to the
 * benchmark, as often as there are such files:
 *
 *     cc -O3 -march=native -shared -fPIC -I bench/rows mine.c -o mine.so
 *     build/release/bench/bench --only rows --peer ./mine.so rows.json
 *     python3 bench/report/rows.py rows.json
 *
 * In C++ bench_peer_row is extern "C". The loops are the peer's, so that its
 * code is inlined into them, as a user's would be. libbloom.c and khash.c in
 * this folder are rows of the same kind.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a filter does with `count` hashes of 64 bits, one after another. Leaves
 * a byte for each: 1 if it was seen, is new, or was removed; else 0. A key is
 * its hash, which may be hashed once more where a filter cannot be told.
 */
typedef void bench_loop(void *filter, const uint64_t *hashes, size_t count,
                        uint8_t *answers);

/* NULL: it cannot do that, or does nothing better in a batch. */
typedef struct bench_peer {
    const char *name; /* in the tables, such as "libbloom" */
    /* A filter for so many keys at that rate, empty; NULL: it cannot. Either
     * this, or build. */
    void *(*make)(uint64_t items, double fp_rate);
    /* The same of keys that are all known, for filters that are never added
     * to. The hashes may be put into another order. */
    void *(*build)(uint64_t *hashes, size_t count, double fp_rate);
    /* Another one with the same keys, in memory of its own. Needed to measure
     * add and remove: each round begins with a copy. */
    void *(*copy)(const void *filter);
    void (*discard)(void *filter);
    double (*bits)(const void *filter); /* of memory */
    /* One key at a time. A seen key must be answered 1 in `has`. */
    bench_loop *add, *has, *remove;
    /* The same in batches of 4,096 keys. */
    bench_loop *add_many, *has_many;
    bool is_blind; /* add answers nothing of use */
} bench_peer;

/* Row number `index`; NULL after the last. */
const bench_peer *bench_peer_row(size_t index);
typedef const bench_peer *bench_peer_rows(size_t index);

#ifdef __cplusplus
}
#endif

#endif
