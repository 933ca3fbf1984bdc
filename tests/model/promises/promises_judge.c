/* promises_judge.c - what a set owes, and whether it gives it; see promises.h
 */
#include "promises_sets.h"

#include <stdlib.h>
#include <string.h>

#include "seenset/extra/formulas.h"
#include "set/set.h"

/* ---- what is owed ---- */

/* Must it still be there? */
bool promise_is_owed(const world *of, uint64_t n)
{
    const record *known = &of->records[n];
    if (!known->is_held)
        return false;
    if (of->options.on_full != SEENSET_ON_FULL_ROTATE)
        return true;
    if (!known->is_kept)
        return false;
    if (!promise_is_aged(of))
        return of->record_count - n <= of->capacity_items;
    /* by a clock that is a year ahead, what came before is a year old */
    if (of->cell->time == TIME_AHEAD && of->jumped_seconds > 0 &&
        known->added_seconds < of->jumped_seconds)
        return false;
    return of->true_seconds - known->added_seconds < WINDOW_SECONDS;
}

/* Must it be gone? A table is kept for the window and the span in which it is
 * filled; one whose stamp is in the future, from when that is noticed. Two
 * spans more: for the table that is being filled then, and for a merge. */
static bool is_expired(const world *of, uint64_t n)
{
    const record *known = &of->records[n];
    if (!promise_is_aged(of)) {
        uint32_t tables = of->options.window_generations;
        uint64_t span = of->capacity_items / ((tables == 0 ? 5 : tables) - 1);
        return of->record_count - n > of->capacity_items + 2 * span + BATCH;
    }
    uint64_t from = known->added_seconds;
    if (of->cell->time == TIME_BACK && from < of->jumped_seconds)
        from = of->jumped_seconds;
    if (of->cell->time == TIME_AHEAD && from < of->returned_seconds)
        from = of->returned_seconds;
    return of->true_seconds - from >
           WINDOW_SECONDS + 3 * promise_span_seconds(of);
}

/* ---- judging ---- */

static bool is_past_promise(const world *of)
{
    return of->cell->state == STATE_PAST &&
           test_stats_of(of->set).on_full == SEENSET_ON_FULL_DEGRADE;
}

/* hits of trials, at a rate of p or less? */
static bool is_at_most(uint64_t hits, uint64_t trials, double p)
{
    return (double)hits <= (double)trials * p ||
           test_is_binomial(hits, trials, p);
}

static const char *judge_rate(const world *of)
{
    seenset_stats stats = test_stats_of(of->set);
    double promised = of->fp_rate;
    /* what the two promised adds up */
    if (of->cell->state == STATE_MERGED &&
        stats.on_full == SEENSET_ON_FULL_GROW)
        promised *= 2;
    uint64_t hits = 0;
    for (uint64_t i = 0; i < QUESTIONS; i++)
        hits += promise_has(of, of->set, (UINT64_C(1) << 32) + i);
    if (!test_is_binomial(hits, QUESTIONS, stats.current_fp_rate))
        return "the rate is not the one that stats say";
    if (is_past_promise(of))
        return NULL;
    if (!is_at_most(hits, QUESTIONS, promised))
        return "strangers are called seen more often than promised";
    return is_at_most(of->first_seen, of->record_count, promised)
               ? NULL
               : "new keys are answered \"seen\" more often than promised";
}

static const char *judge_never(const world *of)
{
    if (of->forgot)
        return "a key was forgotten on the way";
    for (uint64_t n = 0; n < of->record_count; n++) {
        if (promise_is_owed(of, n) && !promise_has(of, of->set, n))
            return "a key is forgotten";
    }
    return NULL;
}

static const char *judge_copies(const world *of)
{
    for (uint64_t n = 0; n < of->record_count; n++) {
        uint64_t count = 0, number = promise_number(of, n);
        if (seenset_count(of->set, &number, sizeof number, &count) != 0)
            return "count fails";
        if (of->records[n].is_held && count < of->records[n].copies)
            return "a key has fewer copies than were added";
    }
    return NULL;
}

static const char *judge_count(const world *of)
{
    seenset_stats stats = test_stats_of(of->set);
    uint64_t owed = 0;
    for (uint64_t n = 0; n < of->record_count; n++)
        owed += promise_is_owed(of, n) && of->records[n].was_new;
    if (of->options.layout == SEENSET_LAYOUT_COUNTING ||
        of->options.layout == SEENSET_LAYOUT_FINGERPRINT) {
        const char *wrong = judge_copies(of);
        if (wrong != NULL)
            return wrong;
    }
    if (of->cell->state == STATE_MERGED) /* an estimate, where both had keys */
        return (double)stats.added_items > 0.9 * (double)owed
                   ? NULL
                   : "a union has too few keys";
    if (of->options.on_full == SEENSET_ON_FULL_ROTATE)
        return stats.added_items >= owed &&
                       stats.added_items <=
                           of->news + of->renewals + of->first_seen
                   ? NULL
                   : "a window has other keys than were answered \"new\"";
    return stats.added_items == of->news
               ? NULL
               : "added_items are not those answered \"new\"";
}

static const char *judge_window(const world *of)
{
    uint64_t expired = 0, seen = 0;
    for (uint64_t n = 0; n < of->record_count; n++) {
        if (!is_expired(of, n))
            continue;
        expired++;
        seen += promise_has(of, of->set, n);
    }
    if (expired == 0)
        return "nothing was old enough to be forgotten";
    return is_at_most(seen, expired, of->fp_rate)
               ? NULL
               : "keys older than the window are still seen";
}

static const char *judge_memory(const world *of)
{
    seenset_stats stats = test_stats_of(of->set);
    if (stats.memory_bytes != of->memory.live_bytes)
        return "it takes other memory than it says";
    bool is_fixed = stats.on_full == SEENSET_ON_FULL_DEGRADE ||
                    stats.on_full == SEENSET_ON_FULL_REFUSE ||
                    of->cell->kind->is_sealed;
    if (is_fixed && of->memory.live_bytes != of->settled_bytes)
        return "a set of fixed size takes more memory with time";
    uint64_t held = of->record_count < of->capacity_items ? of->capacity_items
                                                          : of->record_count;
    /* Tables grow to four times what is held, and their rates fall by halves:
     * some bits a key more than the least there can be. */
    double most_bytes = 4.0 * seenset_plan_floor_bits(held, of->fp_rate / 64);
    return (double)stats.memory_bytes < most_bytes / 8 * 16 + 65536
               ? NULL
               : "it takes more memory than its keys account for";
}

static const char *judge_saved(world *of)
{
    seenset *copy = promise_open_file(of, SEENSET_OPEN_COPY);
    const char *wrong = NULL;
    if (seenset_verify(of->path, NULL) != SEENSET_OK)
        wrong = "the file is not sound";
    if (of->cell->planted == PROMISE_SAVED)
        memset(copy->generations[0].table.words, 0, 512);
    for (uint64_t n = 0; n < of->record_count && wrong == NULL; n++) {
        if (promise_has(of, of->set, n) != promise_has(of, copy, n))
            wrong = "the file answers otherwise";
    }
    seenset_stats a = test_stats_of(of->set), b = test_stats_of(copy);
    if (a.added_items != b.added_items || a.set_bits != b.set_bits ||
        a.table_count != b.table_count)
        wrong = "the file has other figures";
    if (wrong == NULL && !test_are_equal(of->set, copy))
        wrong = "the file is not the set";
    seenset_free(copy);
    return wrong;
}

const char *promise_judge(world *of, promise which)
{
    static const char *(*const judges[])(const world *) = {
        [PROMISE_RATE] = judge_rate,     [PROMISE_NEVER] = judge_never,
        [PROMISE_COUNT] = judge_count,   [PROMISE_WINDOW] = judge_window,
        [PROMISE_MEMORY] = judge_memory,
    };
    return which == PROMISE_SAVED ? judge_saved(of) : judges[which](of);
}
