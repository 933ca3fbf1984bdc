/* cleaner.c - see cleaner.h */
#include "queue/clean/cleaner.h"

#include <string.h>

#include "base/array.h"

void ss_cleaner_free(ss_cleaner *cleaner, const ss_memory *memory)
{
    ss_log_reader_free(&cleaner->reader);
    ss_memory_free(memory, cleaner->moves, cleaner->room,
                   sizeof *cleaner->moves);
    *cleaner = (ss_cleaner){0};
}

bool ss_cleaner_reserve(ss_cleaner *cleaner, const ss_memory *memory)
{
    void *moves = cleaner->moves;
    if (!ss_array_reserve(memory, &moves, &cleaner->room, cleaner->count + 1,
                          sizeof *cleaner->moves))
        return false;
    cleaner->moves = moves;
    return true;
}

void ss_cleaner_restart(ss_cleaner *cleaner)
{
    cleaner->position = 0;
    cleaner->has_left = false;
}

void ss_cleaner_drop(ss_cleaner *cleaner, size_t count)
{
    if (count == 0)
        return;
    cleaner->count -= count;
    memmove(cleaner->moves, cleaner->moves + count,
            cleaner->count * sizeof *cleaner->moves);
}

/* Items whose moves are gone are looked at again. */
void ss_cleaner_roll_back(ss_cleaner *cleaner, uint64_t end)
{
    while (cleaner->count > 0 &&
           cleaner->moves[cleaner->count - 1].to.at >= end) {
        cleaner->count--;
        ss_cleaner_restart(cleaner);
    }
}
