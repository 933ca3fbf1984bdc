/* left_out.c - see left_out.h. */
#include "report/left_out.h"

#include <stdio.h>

#include "command.h"
#include "report/complain.h"

/* `from` has the reason of the first one. */
static void take(left_out_lines *into, uint64_t count, batch *keys,
                 const forms *from)
{
    if (count > 0 && into->count == 0) {
        into->first_number = batch_number(keys, from->first_other);
        into->input = keys->input;
        into->unit = keys->unit;
        (void)snprintf(into->reason, sizeof into->reason, "%s", from->reason);
    }
    into->count += count;
}

/* With -f 1, a line that is not divided is a key as a whole. */
static void take_undivided(left_out *into, const batch *keys)
{
    if (keys->rule == NULL || keys->rule->delimiter == 0 || keys->count == 0)
        return;
    into->delimiter = keys->rule->delimiter;
    into->is_divided = into->is_divided || keys->is_divided;
    into->undivided_count += keys->count;
}

void left_out_take(left_out *into, batch *keys)
{
    take_undivided(into, keys);
    size_t missing_count = batch_missing_count(keys);
    if (keys->is_unclosed) /* the reader reports it as an error */
        return;
    size_t key_count = batch_key_count(keys) + keys->elsewhere_count;
    size_t other_count = 0;
    if (missing_count > 0)
        take(&into->missing, missing_count, keys, keys->fields);
    if (keys->rule != NULL) {
        into->is_kept = keys->rule->missing == BATCH_MISSING_KEEP;
        other_count = keys->fields->count - key_count;
    } else {
        other_count = keys->count - key_count;
    }
    take(&into->others, other_count, keys, keys->whole);
}

bool left_out_stop(batch *keys, const char *name)
{
    if (keys->rule == NULL || keys->rule->missing != BATCH_MISSING_ERROR ||
        keys->error != 0 || keys->is_unclosed || batch_missing_count(keys) == 0)
        return false;
    const forms *from = keys->fields;
    complain("%s: %s %llu of %s: %s; --missing=keep or drop goes on", name,
             keys->unit,
             (unsigned long long)batch_number(keys, from->first_other),
             keys->input, from->reason);
    batch_cut(keys, from->first_other);
    return true;
}

static void report(const left_out_lines *lines, const char *name,
                   const char *one, const char *many)
{
    bool is_one = lines->count == 1;
    complain("%s: %llu %s; %s is %s %llu of %s: %s", name,
             (unsigned long long)lines->count, is_one ? one : many,
             is_one ? "it" : "the first", lines->unit,
             (unsigned long long)lines->first_number, lines->input,
             lines->reason);
}

static void report_undivided(const left_out *all, const char *name)
{
    char word[8] = "TAB";
    if (all->is_divided || all->undivided_count < 2)
        return;
    if (all->delimiter != '\t')
        (void)snprintf(word, sizeof word, "'%c'", all->delimiter);
    complain("%s: no line has the delimiter %s, so each whole line is its "
             "field 1; -d gives another delimiter",
             name, word);
}

int left_out_finish(const left_out *all, const char *name, bool is_strict,
                    int status)
{
    report_undivided(all, name);
    if (all->missing.count > 0 && all->is_kept)
        report(&all->missing, name, "line has no key", "lines have no key");
    else if (all->missing.count > 0)
        report(&all->missing, name, "line has no key and was dropped",
               "lines have no key and were dropped");
    if (all->others.count == 0)
        return status;
    report(&all->others, name, "line that is not a URL was left out",
           "lines that are not URLs were left out");
    return is_strict ? COMMAND_ERROR : status;
}
