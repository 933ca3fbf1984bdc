/* lease_runs.c - see lease_runs.h. */
#define _GNU_SOURCE /* reallocarray */
#include "queue/lease_runs.h"

#include <stdlib.h>

bool lease_runs_reserve(lease_runs *to, size_t leases)
{
    size_t wanted = to->run_count + leases;
    if (wanted <= to->room)
        return true;
    if (wanted < 2 * to->room)
        wanted = 2 * to->room;
    lease_run *runs = reallocarray(to->runs, wanted, sizeof *runs);
    if (runs == NULL)
        return false;
    to->runs = runs;
    to->room = wanted;
    return true;
}

/* Does it follow in the last run? Of two any distance is the one. */
static bool continues(lease_run *last, uint64_t lease)
{
    if (last->count == 1 && lease > last->first)
        last->step = lease - last->first;
    return last->step > 0 && lease == last->first + last->count * last->step;
}

bool lease_runs_add(lease_runs *to, uint64_t lease)
{
    lease_run *last = to->runs + to->run_count - (to->run_count > 0);
    if (to->run_count > 0 && continues(last, lease)) {
        last->count++;
    } else {
        if (!lease_runs_reserve(to, 1))
            return false;
        to->runs[to->run_count++] = (lease_run){.first = lease, .count = 1};
    }
    to->count++;
    return true;
}

bool lease_runs_next(const lease_runs *from, lease_place *at, uint64_t *lease)
{
    if (at->run == from->run_count)
        return false;
    const lease_run *run = &from->runs[at->run];
    *lease = run->first + at->index * run->step;
    if (++at->index == run->count) {
        at->run++;
        at->index = 0;
    }
    return true;
}

void lease_runs_clear(lease_runs *runs)
{
    runs->run_count = 0;
    runs->count = 0;
}

void lease_runs_free(lease_runs *runs)
{
    free(runs->runs);
    *runs = (lease_runs){0};
}
