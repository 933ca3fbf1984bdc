/* delays.c - see delays.h */
#include "items/delayed/delays.h"

#include <string.h>

#include "base/array.h"
#include "base/order.h"
#include "seenset/error.h"

void ss_delays_clear(ss_delays *delays, const ss_run_files *files)
{
    const ss_memory *memory = files->memory;
    for (size_t i = 0; i < delays->count; i++)
        ss_run_close(&delays->runs[i], files);
    ss_memory_free(memory, delays->runs, delays->room, sizeof *delays->runs);
    ss_ranges_free(&delays->gone, memory);
    *delays = (ss_delays){0};
}

bool ss_delays_reserve(ss_delays *delays, const ss_memory *memory)
{
    void *runs = delays->runs;
    if (!ss_array_reserve(memory, &runs, &delays->room, delays->count + 1,
                          sizeof *delays->runs))
        return false;
    delays->runs = runs;
    return true;
}

void ss_delays_add(ss_delays *delays, const ss_run *run)
{
    delays->runs[delays->count++] = *run;
}

static void remove_run(ss_delays *delays, const ss_run_files *files, size_t run)
{
    ss_run_close(&delays->runs[run], files);
    delays->count--;
    memmove(delays->runs + run, delays->runs + run + 1,
            (delays->count - run) * sizeof *delays->runs);
}

static bool is_gone(const ss_delays *delays, uint64_t item)
{
    return ss_ranges_skip(&delays->gone, item) != item;
}

/* ---- by due time ---- */

/* Moves a run on to its first item that is not gone. *is_there: it has one. */
static int find_first(const ss_delays *delays, const ss_run_files *files,
                      ss_run *run, bool *is_there)
{
    *is_there = true;
    while (run->next < run->name.count) {
        int error = ss_run_need_first(run, files);
        if (error != SEENSET_OK || !is_gone(delays, run->first.item))
            return error;
        run->next++;
        run->has_first = false;
    }
    *is_there = false;
    return SEENSET_OK;
}

int ss_delays_first(ss_delays *delays, const ss_run_files *files, ss_delay *out,
                    size_t *run)
{
    bool is_found = false, is_there;
    for (size_t i = 0; i < delays->count;) {
        ss_run *at = &delays->runs[i];
        int error = find_first(delays, files, at, &is_there);
        if (error != SEENSET_OK)
            return error;
        if (!is_there) {
            remove_run(delays, files, i);
            continue;
        }
        if (!is_found || ss_delay_is_before(&at->first, out)) {
            *out = at->first;
            *run = i;
        }
        is_found = true;
        i++;
    }
    return is_found;
}

void ss_delays_take(ss_delays *delays, const ss_run_files *files, size_t run)
{
    ss_run *at = &delays->runs[run];
    at->next++;
    at->has_first = false;
    delays->items--;
    if (delays->items == 0)
        ss_delays_clear(delays, files);
    else if (at->next == at->name.count)
        remove_run(delays, files, run);
}

/* ---- by number ---- */

/* The same of one run: 1, 0 or an error. What was taken is before the first. */
static int next_of(const ss_delays *delays, const ss_run_files *files,
                   ss_run *run, uint64_t from, ss_delay *out)
{
    uint64_t index;
    if (run->next == run->name.count)
        return 0;
    int error = ss_run_need_first(run, files);
    if (error == SEENSET_OK)
        error = ss_run_find(run, files, from, &index);
    for (; error == SEENSET_OK && index < run->name.count; index++) {
        error = ss_run_read(run, files, SS_RUN_BY_ITEM, index, out);
        if (error == SEENSET_OK && !ss_delay_is_before(out, &run->first) &&
            !is_gone(delays, out->item))
            return 1;
    }
    return error;
}

int ss_delays_next(ss_delays *delays, const ss_run_files *files, uint64_t from,
                   ss_delay *out)
{
    ss_delay found;
    bool is_found = false;
    for (size_t i = 0; i < delays->count; i++) {
        int result = next_of(delays, files, &delays->runs[i], from, &found);
        if (result < 0)
            return result;
        if (result == 1 && (!is_found || found.item < out->item))
            *out = found;
        is_found |= result == 1;
    }
    return is_found;
}

static int visit_run(const ss_delays *delays, const ss_run_files *files,
                     ss_run *run, ss_delays_visit *visit, void *context)
{
    ss_delay at;
    uint64_t count = run->next < run->name.count ? run->name.count : 0;
    int result = count > 0 ? ss_run_need_first(run, files) : SEENSET_OK;
    for (uint64_t i = 0; i < count && result == SEENSET_OK; i++) {
        result = ss_run_read(run, files, SS_RUN_BY_ITEM, i, &at);
        if (result == SEENSET_OK && !ss_delay_is_before(&at, &run->first) &&
            !is_gone(delays, at.item))
            result = visit(context, &at);
    }
    return result;
}

int ss_delays_each(ss_delays *delays, const ss_run_files *files,
                   ss_delays_visit *visit, void *context)
{
    int result = SEENSET_OK;
    for (size_t i = 0; i < delays->count && result == SEENSET_OK; i++)
        result = visit_run(delays, files, &delays->runs[i], visit, context);
    return result;
}

/* ---- figures ---- */

int ss_delays_count(ss_delays *delays, const ss_run_files *files,
                    uint64_t now_ns, ss_delays_figures *out)
{
    ss_delays_figures figures = {.next_ns = UINT64_MAX};
    ss_delay next;
    for (size_t i = 0; i < delays->count; i++) {
        uint64_t index;
        ss_run *run = &delays->runs[i];
        int error = ss_run_find_due(run, files, now_ns, &index);
        if (error == SEENSET_OK && index < run->name.count)
            error = ss_run_read(run, files, SS_RUN_BY_DUE, index, &next);
        if (error != SEENSET_OK)
            return error;
        if (index == run->name.count)
            continue;
        figures.delayed += run->name.count - index;
        figures.next_ns = ss_lower(figures.next_ns, (uint64_t)next.due_ns);
    }
    /* what is gone was handed out, and so was due */
    figures.delayed = ss_lower(figures.delayed, delays->items);
    *out = figures;
    return SEENSET_OK;
}

uint64_t ss_delays_floor(const ss_delays *delays)
{
    uint64_t floor = UINT64_MAX;
    for (size_t i = 0; i < delays->count; i++)
        floor = ss_lower(floor, delays->runs[i].name.floor);
    return floor;
}

uint64_t ss_delays_bytes(const ss_delays *delays)
{
    uint64_t bytes = delays->room * sizeof *delays->runs +
                     delays->gone.room * sizeof *delays->gone.at;
    return bytes + delays->count * 2 * SS_RUN_BLOCK_BYTES;
}
