/* turns.c - the table of hosts, and whose turn it is; see move.h */
#include "frontier/turns/move.h"
#include "visit/move/move.h"

bool sr_move_turns(sr_mover *mover, sr_sites *sites, sr_moving *moving)
{
    ss_turns *turns = &sites->turns;
    if (moving->at == 0) {
        ss_turns_move_lists(turns, sr_move_plain, mover);
        ss_turns_move_heaps(turns, sr_move_plain, mover);
    }
    while (!sr_move_is_over(mover)) {
        if (!ss_turns_move_piece(turns, moving->at++, sr_move_plain, mover))
            return true;
    }
    return false;
}
