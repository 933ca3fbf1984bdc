/*
 * counters.c - see counters.h.
 */
#include "info/counters.h"

#include <stdio.h>

#include "command.h"
#include "report/complain.h"
#include "seenset/extra/raw.h"
#include "sets/setfile.h"
#include "text/units.h"

enum {
    GROUP = 4000, /* counters asked for at once: whole rows */
    ROW = 20      /* of a line */
};

#define MOST_COUNTERS (UINT64_C(1) << 20)

/* The columns of the largest value of a counter. */
static int width_of(uint32_t counter_bits)
{
    return snprintf(NULL, 0, "%u", (1u << counter_bits) - 1);
}

static void print_rows(const uint16_t *counters, uint64_t count, int width)
{
    for (uint64_t i = 0; i < count; i++) {
        bool is_last = i % ROW == ROW - 1 || i == count - 1;
        printf("%*u%c", width, counters[i], is_last ? '\n' : ' ');
    }
}

int info_counters_print(const char *path, const seenset *set,
                        const seenset_stats *stats, bool is_forced)
{
    uint16_t counters[GROUP];
    int error = stats->counter_bits == 0 ? SEENSET_EUNSUPPORTED : 0;
    if (error == 0 && stats->size_bits > MOST_COUNTERS && !is_forced) {
        complain("%s: has %s counters; --force prints them all the same", path,
                 units_grouped(stats->size_bits).text);
        return COMMAND_ERROR;
    }
    int width = width_of(stats->counter_bits);
    uint64_t done = 0;
    while (error == 0 && done < stats->size_bits) {
        uint64_t left = stats->size_bits - done;
        uint64_t count = left < GROUP ? left : GROUP;
        error = seenset_get_counters(set, 0, done, count, counters);
        if (error == 0)
            print_rows(counters, count, width);
        done += count;
    }
    if (error == 0)
        return COMMAND_DONE;
    setfile_complain_of_counting(path, error);
    return COMMAND_ERROR;
}
