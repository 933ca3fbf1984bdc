/* turns.c - the table of hosts, and whose turn it is; see move.h */
#include "frontier/turns/move.h"
#include "visit/move/move.h"

/* First the lists and heaps, all at once; then the table, at least a piece of
 * it in each call, however little time the server has. */
bool sr_move_turns(sr_mover *mover, sr_sites *sites, sr_moving *moving)
{
    ss_turns *turns = &sites->turns;
    if (moving->at == 0) {
        ss_turns_move_lists(turns, sr_move_plain, mover);
        ss_turns_move_heaps(turns, sr_move_plain, mover);
        moving->at = 1;
    }
    do {
        if (!ss_turns_move_piece(turns, moving->at++ - 1, sr_move_plain, mover))
            return true;
    } while (!sr_move_is_over(mover));
    return false;
}
