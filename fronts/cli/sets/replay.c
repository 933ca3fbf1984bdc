/*
 * replay.c - see replay.h.
 */
#include "sets/replay.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "report/complain.h"
#include "text/units.h"

/* A time as people write it. One thread at a time is in the filter stage. */
static units_text moment(uint64_t seconds)
{
    units_text text;
    time_t when = (time_t)seconds;
    const struct tm *parts = gmtime(&when);
    if (parts == NULL ||
        strftime(text.text, sizeof text.text, "%Y-%m-%dT%H:%M:%SZ", parts) == 0)
        (void)snprintf(text.text, sizeof text.text, "%llu",
                       (unsigned long long)seconds);
    return text;
}

/* When the newest part of a window began, if it has keys. */
static uint64_t newest_start(const seenset *set, const seenset_info *info)
{
    seenset_table_info newest = {0};
    if (info->added_items == 0 ||
        seenset_get_table_info(set, (uint32_t)info->table_count - 1, &newest,
                               sizeof newest) != 0 ||
        newest.started_seconds > time_field_latest())
        return 0;
    return newest.started_seconds;
}

int replay_start(replay *of, const fields *from, const seenset *set,
                 const char *name)
{
    seenset_info info = {0};
    *of = (replay){.is_used = from->time_list != NULL,
                   .most_jump_seconds = from->most_jump_seconds};
    if (!of->is_used)
        return 0;
    (void)seenset_get_info(set, &info, sizeof info);
    if (info.window_seconds == 0) {
        complain("%s: --time-field is for a window by time, such as --window "
                 "24h, and this set has none",
                 name);
        return COMMAND_ERROR;
    }
    of->window_seconds = info.window_seconds;
    of->now = newest_start(set, &info);
    return 0;
}

static void note_late(replay *of, batch *keys, size_t line, uint64_t late)
{
    if (late <= of->window_seconds)
        return;
    if (of->late_count++ > 0)
        return;
    of->first_number = batch_number(keys, line);
    of->first_input = keys->input;
    of->first_seconds = late;
}

static bool is_too_far(const replay *of, uint64_t time)
{
    return of->most_jump_seconds > 0 && of->now > 0 && time > of->now &&
           time - of->now > of->most_jump_seconds;
}

static void refuse(const replay *of, batch *keys, size_t line, const char *name)
{
    complain("%s: %s %llu of %s: its time %s is more than %s after the latest "
             "before it, %s; if it is right, give a larger --time-jump",
             name, keys->unit, (unsigned long long)batch_number(keys, line),
             keys->input, moment(keys->times[line]).text,
             units_as_option(of->most_jump_seconds).text, moment(of->now).text);
}

bool replay_follow(replay *of, batch *keys, const char *name)
{
    if (!of->is_used || keys->times == NULL || keys->error != 0)
        return false;
    for (size_t i = 0; i < batch_key_count(keys); i++) {
        size_t line = batch_line(keys, i);
        uint64_t time = keys->times[line];
        if (is_too_far(of, time)) {
            refuse(of, keys, line, name);
            batch_cut(keys, line);
            of->has_stopped = true;
            return true;
        }
        if (time < of->now)
            note_late(of, keys, line, of->now - time);
        else
            of->now = time > 0 ? time : 1; /* 0 is not a time to a set */
        keys->times[line] = of->now;
    }
    return false;
}

void replay_finish(const replay *of, const char *name)
{
    if (of->late_count == 0)
        return;
    complain("%s: %s record%s older than one before by more than the window; "
             "the first is number %llu of %s, by %s; they counted as of the "
             "latest time; if that was wrong, --time-jump finds it",
             name, units_grouped(of->late_count).text,
             of->late_count == 1 ? " is" : "s are",
             (unsigned long long)of->first_number, of->first_input,
             units_as_seconds((double)of->first_seconds).text);
}
