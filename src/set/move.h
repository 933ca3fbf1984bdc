/*
 * move.h - all blocks of a set are given another place (base/memory.h).
 *
 * The set answers as before, and its address is another one. Nothing else may
 * use it at that time. A view and a set of a mapped file stay where they are;
 * so does the handle of a keyed set, whose secret would be left in memory that
 * is given back.
 *
 * Only the module for Redis asks for that, which has this compiled into it.
 */
#ifndef SS_SET_MOVE_H
#define SS_SET_MOVE_H

#include "base/memory.h"
#include "seenset/seenset.h"

void ss_set_move(seenset **set, ss_memory_move *move, void *context);

#endif
