/* rate_watch.c - see rate_watch.h */
#include "sets/rate_watch.h"

#include <math.h>

#include "report/complain.h"
#include "text/units.h"

bool rate_watch_is_due(rate_watch *watch, const seenset_info *set, double keys)
{
    bool keeps_rate = set->on_full == SEENSET_ON_FULL_GROW ||
                      set->on_full == SEENSET_ON_FULL_ROTATE;
    bool can_be_high = set->fp_rate > SEENSET_MOST_RATE ||
                       set->added_items > set->capacity_items;
    if (watch->is_told || keeps_rate || !can_be_high || keys < watch->next_keys)
        return false;
    watch->next_keys = keys * 1.25;
    return true;
}

bool rate_watch_is_high(const seenset_estimate *set)
{
    return set->current_fp_rate > fmin(10 * set->fp_rate, SEENSET_MOST_RATE);
}

void rate_watch_tell(rate_watch *watch, const char *name, const char *unit,
                     const seenset_estimate *set)
{
    if (watch->is_told || !rate_watch_is_high(set))
        return;
    watch->is_told = true;
    complain("%s: too full to be of use: the chance that a new %s is reported "
             "as seen is now %s, and rising (planned: %.4g); start again with "
             "a larger set",
             name, unit, units_as_rate(set->current_fp_rate).text,
             set->fp_rate);
}
