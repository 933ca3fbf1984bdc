/*
 * options.c - see options.h.
 */
#include "text/options.h"

#include <stdbool.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "seenset/url.h"
#include "stream/pipeline.h"
#include "text/layouts.h"
#include "text/units.h"

#define MAX_COUNT (UINT64_C(1) << 53) /* of keys, in seenset_plan */

/* Ends the program, unless wrong is NULL. */
static void refuse(arguments *state, const char *option, const char *text,
                   const char *wrong)
{
    if (wrong != NULL)
        arguments_refuse(state, "%s '%s': %s", option, text, wrong);
}

uint64_t options_count(arguments *state, const char *option, const char *text)
{
    uint64_t value = 0;
    refuse(state, option, text, units_read_count(text, &value));
    if (value > MAX_COUNT)
        refuse(state, option, text, "it must be at most 2^53");
    return value;
}

uint64_t options_bits(arguments *state, const char *option, const char *text)
{
    uint64_t value = 0;
    refuse(state, option, text, units_read_bits(text, &value));
    if (value > SEENSET_MAX_SIZE_BITS)
        refuse(state, option, text, "it must be at most 2^53 bits, 1 PiB");
    return value;
}

double options_rate(arguments *state, const char *option, const char *text)
{
    double value = 0;
    refuse(state, option, text, units_read_rate(text, &value));
    return value;
}

unsigned options_threads(arguments *state, const char *option, const char *text)
{
    uint64_t value = 0;
    refuse(state, option, text, units_read_count(text, &value));
    if (value > PIPELINE_MAX_THREADS)
        refuse(state, option, text, "it must be at most 64");
    return (unsigned)value;
}

uint32_t options_small(arguments *state, const char *option, const char *text,
                       uint32_t most)
{
    uint64_t value = options_count(state, option, text);
    if (value > most)
        arguments_refuse(state, "%s '%s': it must be at most %u", option, text,
                         most);
    return (uint32_t)value;
}

/* Digits up to `end`, which is not the first; 0 and a value over 2^32 - 1 where
 * they are too many. */
static const char *read_digits(const char *text, uint64_t *value)
{
    const char *end = text;
    for (*value = 0; *end >= '0' && *end <= '9'; end++)
        if (*value <= UINT32_MAX)
            *value = *value * 10 + (uint64_t)(*end - '0');
    return end == text ? NULL : end;
}

void options_shard(arguments *state, const char *text, uint32_t *index,
                   uint32_t *count)
{
    uint64_t i = 0, n = 0;
    const char *end = read_digits(text, &i);
    if (end != NULL)
        end = *end == '/' ? read_digits(end + 1, &n) : NULL;
    if (end == NULL || *end != '\0')
        arguments_refuse(state,
                         "--shard '%s': it must be I/N, such as 0/4 for the "
                         "first of four shards",
                         text);
    if (n == 0 || n > UINT32_MAX)
        arguments_refuse(state, "--shard '%s': N must be from 1 to %u", text,
                         UINT32_MAX);
    if (i >= n)
        arguments_refuse(state,
                         "--shard '%s': I must be from 0 to %llu, as shards "
                         "are counted from 0",
                         text, (unsigned long long)(n - 1));
    *index = (uint32_t)i;
    *count = (uint32_t)n;
}

seenset_layout options_planned_layout(arguments *state, const char *text)
{
    seenset_layout layout = layouts_find(text);
    if (layout == SEENSET_LAYOUT_DEFAULT)
        refuse(state, "--layout", text,
               "it must be blocked, bloom, counting, fingerprint, sealed or "
               "split_block");
    return layout;
}

seenset_on_full options_on_full(arguments *state, const char *text)
{
    static const seenset_on_full policies[] = {
        SEENSET_ON_FULL_GROW, SEENSET_ON_FULL_DEGRADE, SEENSET_ON_FULL_REFUSE};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        if (strcmp(text, seenset_on_full_name(policies[i])) == 0)
            return policies[i];
    refuse(state, "--on-full", text, "it must be grow, degrade or refuse");
    return SEENSET_ON_FULL_DEFAULT;
}

seenset_layout options_new_layout(arguments *state, const char *text)
{
    seenset_layout layout = layouts_find(text);
    const char *wrong = layouts_words(layout)->not_new;
    if (layout == SEENSET_LAYOUT_DEFAULT)
        refuse(
            state, "--layout", text,
            "it must be blocked, bloom, counting, fingerprint or split_block");
    else if (wrong != NULL)
        arguments_refuse(state, "%s", wrong);
    return layout;
}

seenset_on_full options_policy(arguments *state, const char *text)
{
    for (int i = SEENSET_ON_FULL_DEGRADE; i <= SEENSET_ON_FULL_ROTATE; i++)
        if (strcmp(text, seenset_on_full_name((seenset_on_full)i)) == 0)
            return (seenset_on_full)i;
    refuse(state, "--on-full", text,
           "it must be grow, rotate, refuse or degrade");
    return SEENSET_ON_FULL_DEFAULT;
}

bool options_window(arguments *state, const char *text, seenset_options *out)
{
    uint64_t value = 0;
    units_window kind = UNITS_UNSAID;
    refuse(state, "--window", text, units_read_window(text, &value, &kind));
    if (value > MAX_COUNT)
        refuse(state, "--window", text, "it must be at most 2^53");
    if (kind == UNITS_SECONDS)
        out->window_seconds = value;
    else
        out->capacity_items = value;
    out->on_full = SEENSET_ON_FULL_ROTATE;
    return kind == UNITS_UNSAID;
}

void options_say_window(const char *name, uint64_t items, const char *unit)
{
    complain("%s: --window %llu remembers the last %llu %s; a time needs a "
             "unit (%llus); %llu%s avoids this message",
             name, (unsigned long long)items, (unsigned long long)items, unit,
             (unsigned long long)items, (unsigned long long)items, unit);
}

/* Was the library built with normal forms of URLs? */
static bool has_urls(void)
{
    size_t none = 0;
    return seenset_url_normalise("", 0, NULL, &none, NULL) !=
           SEENSET_EUNSUPPORTED;
}

bool options_normalise(arguments *state, const char *text)
{
    bool is_url = strcmp(text, "url") == 0;
    if (!is_url && strcmp(text, "off") != 0)
        arguments_refuse(state, "--normalise is off or url, not '%s'", text);
    if (is_url && !has_urls())
        arguments_refuse(state,
                         "--normalise url: this seenset was built without "
                         "liburiparser and libidn2, which read URLs");
    return is_url;
}

void options_check_strict(arguments *state, bool is_strict, bool normalises)
{
    if (is_strict && !normalises)
        arguments_refuse(state, "--strict is for --normalise url");
}

void options_check_path(arguments *state, const char *what, const char *path)
{
    if (path[0] == '\0')
        arguments_refuse(state, "the name of %s is empty", what);
}

void options_save_every(arguments *state, const char *text, uint64_t *lines,
                        uint64_t *seconds)
{
    uint64_t value = 0;
    units_window kind = UNITS_UNSAID;
    refuse(state, "--save-every", text, units_read_window(text, &value, &kind));
    if (kind == UNITS_UNSAID)
        arguments_refuse(state, "--save-every %s: write %slines or %ss", text,
                         text, text);
    *(kind == UNITS_SECONDS ? seconds : lines) = value;
}

int options_missing(arguments *state, const char *what)
{
    arguments_refuse(state, "which %s?", what);
    return 0;
}

int options_one_file(arguments *state, int key, char *text, const char **path)
{
    switch (key) {
    case ARGUMENTS_WORD:
        if (*path != NULL)
            arguments_refuse(state, "one FILE at a time, not also '%s'", text);
        options_check_path(state, "FILE", text);
        *path = text;
        return 0;
    case ARGUMENTS_NONE:
        return options_missing(state, "FILE");
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

char **options_rest(arguments *state)
{
    char **rest = state->argv + state->next - 1;
    state->next = state->argc;
    return rest;
}
