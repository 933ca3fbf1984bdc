/*
 * lease_runs.h - many leases in little memory.
 *
 * Items that are handed out one after the other for the first time have leases
 * at equal distances. So a list of leases, in their order, is kept as runs: the
 * first lease, the distance, and how many. Any leases can be added; those that
 * fit into no run are runs of their own.
 */
#ifndef QUEUE_LEASE_RUNS_H
#define QUEUE_LEASE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lease_run {
    uint64_t first, step, count;
} lease_run;

/* Start from {0}. */
typedef struct lease_runs {
    lease_run *runs;
    size_t run_count, room;
    uint64_t count; /* of leases */
} lease_runs;

/* A place in the list. {0} is its beginning. */
typedef struct lease_place {
    size_t run;
    uint64_t index; /* in the run */
} lease_place;

/* Makes room, so that so many can be added without memory. Returns false: out
 * of memory. */
bool lease_runs_reserve(lease_runs *to, size_t leases);

/* Adds one at the end. Returns false: out of memory. */
bool lease_runs_add(lease_runs *to, uint64_t lease);

/* The lease at a place, which goes on to the next. Returns false: the end. */
bool lease_runs_next(const lease_runs *from, lease_place *at, uint64_t *lease);

void lease_runs_clear(lease_runs *runs);
void lease_runs_free(lease_runs *runs);

#endif
