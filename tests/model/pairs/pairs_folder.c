/*
 * pairs_folder.c - the calls on the folder of a queue that is open; the idea is
 * in pairs.h.
 */
#include "pairs.h"

/* ---- what needs the folder alone ---- */

const char *pair_call_open(pair_turn *turn)
{
    seenset_queue *second = NULL;
    return seenset_queue_open(&second, turn->scene->path, NULL) ==
                   SEENSET_EINUSE
               ? NULL
               : "a queue is opened twice";
}

const char *pair_call_verify(pair_turn *turn)
{
    return seenset_queue_verify(turn->scene->path, NULL) == SEENSET_EINUSE
               ? NULL
               : "a queue is verified while it is open";
}

const char *pair_call_repair(pair_turn *turn)
{
    return seenset_queue_repair(turn->scene->path, NULL) == SEENSET_EINUSE
               ? NULL
               : "a queue is repaired while it is open";
}

const char *pair_call_remake(pair_turn *turn)
{
    return seenset_queue_remake(turn->scene->path, "nowhere", NULL, NULL, 0) ==
                   SEENSET_EINUSE
               ? NULL
               : "a queue is made of one that is open";
}

/* ---- what does not ---- */

/* What the log's files hold; under `each`, all that was answered. */
const char *pair_call_look(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    seenset_queue_stats stats;
    seenset_stats set;
    uint64_t pushed = 0, acked = 0;
    for (uint32_t i = 0; scene->is_durable && i < PAIR_URLS; i++) {
        pushed += __atomic_load_n(&scene->pushed[i], __ATOMIC_ACQUIRE) != 0;
        acked += __atomic_load_n(&scene->acked[i], __ATOMIC_ACQUIRE) != 0;
    }
    if (seenset_queue_look(scene->path, NULL, &stats, sizeof stats, &set,
                           sizeof set) != SEENSET_OK)
        return "look fails";
    if (stats.pushed_items < pushed || stats.acked_items < acked)
        return "look has too few items";
    return stats.pending_items + stats.leased_items + stats.acked_items ==
                   stats.pushed_items
               ? NULL
               : "look does not add up";
}
