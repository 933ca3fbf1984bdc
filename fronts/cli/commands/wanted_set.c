/* wanted_set.c - see wanted_set.h */
#include "commands/wanted_set.h"

#include <stdio.h>

#include "command.h"
#include "report/complain.h"
#include "text/units.h"

static int complain_of_difference(const wanted_set *what, const char *option,
                                  const char *was, const char *wanted)
{
    complain("%s: was made with %s %s, not %s; leave out %s, or give another "
             "file",
             what->path, option, was, wanted, option);
    return COMMAND_ERROR;
}

/* "7d" or "1000": a time, if not 0, or keys. */
static units_text window_text(uint64_t seconds, uint64_t items)
{
    units_text out;
    if (seconds != 0)
        return units_as_option(seconds);
    snprintf(out.text, sizeof out.text, "%llu", (unsigned long long)items);
    return out;
}

static int check_window(const wanted_set *what, const seenset_info *info)
{
    const seenset_options *window = what->window;
    if (window->on_full != SEENSET_ON_FULL_ROTATE)
        return 0;
    if (info->on_full != SEENSET_ON_FULL_ROTATE) {
        complain("%s: has no window (when full, it will %s); leave out "
                 "--window, or give another file",
                 what->path, seenset_on_full_name(info->on_full));
        return COMMAND_ERROR;
    }
    bool is_same = window->window_seconds == info->window_seconds &&
                   (window->window_seconds != 0 ||
                    window->capacity_items == info->capacity_items);
    if (is_same && window->flags != 0 &&
        (info->flags & SEENSET_FLAG_SLIDING) == 0) {
        complain("%s: was made without --sliding; leave out --sliding, or give "
                 "another file",
                 what->path);
        return COMMAND_ERROR;
    }
    if (is_same)
        return 0;
    return complain_of_difference(
        what, "--window",
        window_text(info->window_seconds, info->capacity_items).text,
        window_text(window->window_seconds, window->capacity_items).text);
}

static int check_count(const wanted_set *what, const seenset_info *info)
{
    if (what->capacity_items == 0 || info->on_full == SEENSET_ON_FULL_GROW ||
        what->capacity_items == info->capacity_items)
        return 0;
    return complain_of_difference(what, "-n",
                                  window_text(0, info->capacity_items).text,
                                  window_text(0, what->capacity_items).text);
}

static int check_rate(const wanted_set *what, double was)
{
    char texts[2][32];
    if (what->fp_rate <= 0 || (what->fp_rate >= was && what->fp_rate <= was))
        return 0;
    snprintf(texts[0], sizeof texts[0], "%g", was);
    snprintf(texts[1], sizeof texts[1], "%g", what->fp_rate);
    return complain_of_difference(what, "-p", texts[0], texts[1]);
}

static int check_on_full(const wanted_set *what, seenset_on_full was)
{
    if (what->on_full == SEENSET_ON_FULL_DEFAULT || what->on_full == was)
        return 0;
    return complain_of_difference(what, "--on-full", seenset_on_full_name(was),
                                  seenset_on_full_name(what->on_full));
}

int wanted_set_check(const wanted_set *what, const seenset *set)
{
    seenset_info info = {0};
    (void)seenset_get_info(set, &info, sizeof info);
    if (what->is_keyed && !info.is_keyed) {
        complain("%s: is not keyed; leave out --keyed, or give another file",
                 what->path);
        return COMMAND_ERROR;
    }
    int status = check_count(what, &info);
    if (status == 0)
        status = check_rate(what, info.fp_rate);
    if (status == 0)
        status = check_on_full(what, info.on_full);
    if (status == 0)
        status = check_window(what, &info);
    return status;
}
