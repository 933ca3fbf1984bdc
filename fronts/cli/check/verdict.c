/* verdict.c - see verdict.h */
#include "check/verdict.h"

#include <math.h>
#include <stdio.h>

#include "text/units.h"

/* What is taken for the promise where there is none. */
static const double usual_rate = 0.01;

verdict_figures verdict_of_set(const seenset_stats *stats)
{
    return (verdict_figures){.layout = stats->layout,
                             .hash_count = stats->hash_count,
                             .size_bits = stats->size_bits,
                             .set_bits = stats->set_bits,
                             .capacity_items = stats->capacity_items,
                             .promised = stats->fp_rate,
                             .estimated_items = stats->estimated_items,
                             .rate = stats->current_fp_rate,
                             .keeps_promise =
                                 stats->on_full == SEENSET_ON_FULL_GROW ||
                                 stats->on_full == SEENSET_ON_FULL_ROTATE ||
                                 stats->fingerprint_bits != 0 ||
                                 stats->counter_bits != 0};
}

static double promise_of(const verdict_figures *of)
{
    return of->promised > 0 ? of->promised : usual_rate;
}

uint64_t verdict_needed_bytes(const verdict_figures *of)
{
    double items = ceil(of->estimated_items);
    if (of->keeps_promise || !(items >= 1) || items > 0x1p53)
        return 0;
    seenset_plan plan = {.layout = of->layout,
                         .capacity_items = (uint64_t)items,
                         .fp_rate = promise_of(of)};
    return seenset_plan_solve(&plan) == 0 ? (plan.size_bits + 7) / 8 : 0;
}

verdict verdict_find(const verdict_figures *of)
{
    double most = of->promised > 0 ? 2 * of->promised : SEENSET_MOST_RATE;
    if (of->keeps_promise)
        return of->set_bits == 0 ? VERDICT_EMPTY : VERDICT_SOUND;
    if (of->set_bits == 0)
        return VERDICT_EMPTY;
    if (of->rate > most)
        return VERDICT_TOO_FULL;
    /* one that keys are still added to has room for them */
    uint64_t needed = of->capacity_items == 0 ? verdict_needed_bytes(of) : 0;
    return needed > 0 && needed * 16 < of->size_bits ? VERDICT_TOO_LARGE
                                                     : VERDICT_SOUND;
}

const char *verdict_name(verdict found)
{
    static const char *const names[] = {"sound", "too full", "too large",
                                        "empty"};
    return names[found];
}

typedef struct keys_text {
    char text[96];
} keys_text;

/* 2,444 or 5.02 million */
static units_text count_of(uint64_t items)
{
    return items < 1000000 ? units_grouped(items) : units_in_words(items);
}

/* "about 5.0 million keys"; a table of ones alone tells nothing. */
static keys_text keys_of(const verdict_figures *of)
{
    keys_text out;
    if (of->estimated_items < 0x1p53)
        snprintf(out.text, sizeof out.text, "about %s keys",
                 count_of((uint64_t)llround(of->estimated_items)).text);
    else
        snprintf(out.text, sizeof out.text, "more keys than can be told");
    return out;
}

static void say_full(verdict_text *out, const verdict_figures *of)
{
    keys_text keys = keys_of(of);
    double in = 1 / of->rate;
    char made[96] = "";
    if (of->capacity_items > 0)
        snprintf(made, sizeof made, "sized for %s, ",
                 count_of(of->capacity_items).text);
    snprintf(out->text, sizeof out->text,
             "%sholds %s: 1 answer in %.*f is wrong", made, keys.text,
             in < 10 ? 1 : 0, in);
}

verdict_text verdict_say(const verdict_figures *of, verdict found)
{
    verdict_text out;
    snprintf(out.text, sizeof out.text, "%s", verdict_name(found));
    if (found == VERDICT_TOO_FULL)
        say_full(&out, of);
    else if (found == VERDICT_TOO_LARGE)
        snprintf(out.text, sizeof out.text, "%s in %s: %s would do",
                 keys_of(of).text, units_as_bytes(of->size_bits / 8).text,
                 units_as_bytes(verdict_needed_bytes(of)).text);
    return out;
}
