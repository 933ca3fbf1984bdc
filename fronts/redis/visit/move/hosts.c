/* hosts.c - hosts, one after another; see move.h */
#include "visit/move/move.h"

/* The ring is entered before its first lease, or after the one that was the
 * last to be moved, if that is there still. NULL: it is not, or there is none.
 */
static sr_lease *enter_ring(const sr_visit *visit, const sr_line *line)
{
    if (visit->moving.lease == 0 || line->last_due == NULL)
        return line->last_due;
    sr_lease *lease = sr_leases_find(&visit->leases, visit->moving.lease);
    bool is_here = lease != NULL && lease->place == SR_LEASE_DUE &&
                   lease != line->last_due &&
                   sr_lease_host(lease) == sr_lease_host(line->last_due);
    return is_here ? lease : NULL;
}

/* The lease after another one, which of a ring of one is itself. */
static sr_lease *move_next(sr_mover *mover, sr_leases *leases, sr_line *line,
                           sr_lease *before)
{
    sr_lease *old = before->next;
    bool is_alone = old == before, is_last = old == line->last_due;
    sr_lease *moved = sr_move(mover, old, sr_lease_bytes(old));
    if (is_alone)
        moved->next = moved;
    else
        before->next = moved;
    if (is_last)
        line->last_due = moved;
    sr_leases_moved(leases, moved);
    return moved;
}

static bool move_ring(sr_mover *mover, sr_visit *visit, sr_line *line)
{
    sr_lease *lease = enter_ring(visit, line);
    if (lease == NULL)
        return true;
    do {
        if (sr_move_is_over(mover))
            return false;
        lease = move_next(mover, &visit->leases, line, lease);
        visit->moving.lease = lease->number;
    } while (lease != line->last_due);
    return true;
}

static void move_line(sr_mover *mover, sr_sites *sites, uint32_t number)
{
    sr_line *line = sr_sites_line(sites, number);
    line = sr_move(mover, line, sizeof *line + line->room);
    sr_sites_set_line(sites, number, line);
    if (line->own != NULL)
        line->own =
            sr_move(mover, line->own, sizeof *line->own + line->own->name_len);
    if (line->packed == NULL)
        return;
    line->packed = sr_move(mover, line->packed, sizeof *line->packed);
    sr_move_items(mover, line->packed);
}

/* A host with a million URLs may take several parts by itself. */
static bool move_host(sr_mover *mover, sr_visit *visit, uint32_t number)
{
    sr_moving *moving = &visit->moving;
    if (ss_turns_host(&visit->sites->turns, number)->place == SS_HOST_UNUSED)
        return true;
    if (!moving->is_inside)
        move_line(mover, visit->sites, number);
    moving->is_inside = true;
    sr_line *line = sr_sites_line(visit->sites, number);
    return (line->packed == NULL ||
            sr_move_blocks(mover, line->packed, &moving->block)) &&
           move_ring(mover, visit, line);
}

bool sr_move_hosts(sr_mover *mover, sr_visit *visit)
{
    sr_moving *moving = &visit->moving;
    while (visit->sites != NULL && moving->at < visit->sites->turns.all.used) {
        if (sr_move_is_over(mover) ||
            !move_host(mover, visit, (uint32_t)moving->at))
            return false;
        mover->tried++;
        *moving = (sr_moving){.part = moving->part, .at = moving->at + 1};
    }
    return true;
}
