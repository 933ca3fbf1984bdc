/* age.c - how old the tables of a window by age are; see age.h */
#include "set/age.h"

uint64_t ss_age_of_span(const seenset *set)
{
    uint64_t full_ones = set->window_generations - 1;
    return (set->window_seconds - 1) / full_ones + 1;
}

/* How long a span is remembered, from its start. */
static uint64_t kept_seconds(const seenset *set)
{
    uint64_t kept;
    bool is_endless =
        __builtin_add_overflow(set->window_seconds, ss_age_of_span(set), &kept);
    return is_endless ? UINT64_MAX : kept;
}

uint64_t ss_age_of(const ss_generation *generation, uint64_t now)
{
    if (now >= generation->started_seconds)
        return now - generation->started_seconds;
    uint64_t noticed = generation->noticed_seconds;
    return noticed != 0 && now >= noticed ? now - noticed : 0;
}

bool ss_age_is_over(const seenset *set, uint32_t i, uint64_t now)
{
    return ss_age_of(&set->generations[i], now) >= kept_seconds(set);
}

uint64_t ss_set_wall_seconds(const seenset *set)
{
    return set->told_seconds != 0 ? set->told_seconds
                                  : ss_clock_wall_seconds(set->clock);
}

uint64_t ss_set_now(const seenset *set)
{
    return ss_window_is_by_age(set) ? ss_set_wall_seconds(set) : 0;
}

bool ss_set_is_expired(const seenset *set, uint32_t i, uint64_t now)
{
    return ss_window_is_by_age(set) && ss_age_is_over(set, i, now);
}
