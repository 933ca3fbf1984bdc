/* leases.c - leases that are timed, or dead; see move.h */
#include "visit/move/move.h"

/* A hole counts as a block, so that a million of them end as well. */
static void move_row(sr_mover *mover, sr_leases *leases, uint64_t row)
{
    sr_lease *lease = leases->rows[row].lease;
    if (lease == NULL || lease->place == SR_LEASE_DUE) {
        mover->tried++;
        return;
    }
    lease = sr_move(mover, lease, sr_lease_bytes(lease));
    leases->rows[row].lease = lease;
    if (lease->place == SR_LEASE_TIMED)
        leases->heap[lease->heap_at] = lease;
}

bool sr_move_leases(sr_mover *mover, sr_leases *leases, sr_moving *moving)
{
    for (; moving->at < leases->row_count; moving->at++) {
        if (sr_move_is_over(mover))
            return false;
        move_row(mover, leases, moving->at);
    }
    return true;
}
