/*
 * move.h - the blocks of hosts and of their turns are given another place
 * (base/memory.h). All of it stays what it is, to the bit.
 *
 * In parts, so that a caller who has little time at once may do other things
 * between them. Rows after the first 466,000 hosts are taken 4 MiB at a time
 * (cells.h), and stay.
 */
#ifndef SS_FRONTIER_TURNS_MOVE_H
#define SS_FRONTIER_TURNS_MOVE_H

#include "base/memory.h"
#include "frontier/turns/turns.h"

/* The lists of pieces. */
void ss_turns_move_lists(ss_turns *it, ss_memory_move *move, void *context);

/* The pieces of the heaps: half a KiB for each 128 hosts. */
void ss_turns_move_heaps(ss_turns *it, ss_memory_move *move, void *context);

/* A piece of the table, 0 and up. False: there is none of that number. */
bool ss_turns_move_piece(ss_turns *it, uint64_t number, ss_memory_move *move,
                         void *context);

#endif
