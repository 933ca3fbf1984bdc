/* move.c - see move.h */
#include "visit/move/move.h"

#include "key/move.h"

static bool move_own(sr_mover *mover, sr_visit *visit)
{
    sr_leases *leases = &visit->leases;
    sr_known_move(&visit->known, visit, sr_move_plain, mover);
    sr_move_set(mover, &visit->set);
    sr_incoming_move(mover, &visit->incoming);
    sr_move_items(mover, &visit->items);
    leases->rows =
        sr_move(mover, leases->rows, leases->room * sizeof *leases->rows);
    leases->heap =
        sr_move(mover, leases->heap, leases->room * sizeof *leases->heap);
    visit->sites = sr_move(mover, visit->sites, sizeof *visit->sites);
    return true;
}

static bool move_blocks(sr_mover *mover, sr_visit *visit)
{
    return sr_move_blocks(mover, &visit->items, &visit->moving.at);
}

static bool move_leases(sr_mover *mover, sr_visit *visit)
{
    return sr_move_leases(mover, &visit->leases, &visit->moving);
}

static bool move_turns(sr_mover *mover, sr_visit *visit)
{
    return visit->sites == NULL ||
           sr_move_turns(mover, visit->sites, &visit->moving);
}

/* In the order of move.h. Returns whether the last came to its end. */
static bool move_parts(sr_mover *mover, sr_visit *visit)
{
    typedef bool part(sr_mover * mover, sr_visit * visit);
    static part *const parts[] = {move_own, move_blocks, move_leases,
                                  sr_move_hosts, move_turns};
    const uint32_t count = sizeof parts / sizeof parts[0];
    sr_moving *moving = &visit->moving;
    while (moving->part < count && parts[moving->part](mover, visit))
        *moving = (sr_moving){.part = moving->part + 1};
    return moving->part >= count;
}

int sr_visit_move(RedisModuleDefragCtx *ctx, RedisModuleString *key,
                  void **value)
{
    (void)key;
    sr_mover mover = sr_move_begin(ctx);
    sr_visit *visit = *value;
    if (mover.is_first) {
        visit = *value = sr_move(&mover, visit, sizeof *visit);
        visit->moving = (sr_moving){0};
    }
    return sr_move_end(&mover, move_parts(&mover, visit));
}
