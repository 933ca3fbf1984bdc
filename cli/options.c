/*
 * options.c - see options.h.
 */
#include "options.h"

#include <string.h>

#include "numbers.h"
#include "pipeline.h"

#define MAX_COUNT (UINT64_C(1) << 53) /* of keys, in seenset_plan */

static void refuse(struct argp_state *state, const char *option,
                   const char *text, const char *wrong)
{
    if (wrong != NULL)
        argp_error(state, "%s '%s': %s", option, text, wrong);
}

uint64_t options_count(struct argp_state *state, const char *option,
                       const char *text)
{
    uint64_t value = 0;
    refuse(state, option, text, numbers_read_count(text, &value));
    if (value > MAX_COUNT)
        refuse(state, option, text, "it must be at most 2^53");
    return value;
}

uint64_t options_bits(struct argp_state *state, const char *option,
                      const char *text)
{
    uint64_t value = 0;
    refuse(state, option, text, numbers_read_bits(text, &value));
    if (value > SEENSET_MAX_SIZE_BITS)
        refuse(state, option, text, "it must be at most 2^53 bits, 1 PiB");
    return value;
}

double options_rate(struct argp_state *state, const char *option,
                    const char *text)
{
    double value = 0;
    refuse(state, option, text, numbers_read_rate(text, &value));
    return value;
}

unsigned options_threads(struct argp_state *state, const char *option,
                         const char *text)
{
    uint64_t value = 0;
    refuse(state, option, text, numbers_read_count(text, &value));
    if (value > PIPELINE_MAX_THREADS)
        refuse(state, option, text, "it must be at most 64");
    return (unsigned)value;
}

seenset_layout options_layout(struct argp_state *state, const char *text)
{
    static const seenset_layout layouts[] = {SEENSET_BLOCKED, SEENSET_BLOOM};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (strcmp(text, seenset_layout_name(layouts[i])) == 0)
            return layouts[i];
    refuse(state, "--layout", text, "it must be blocked or bloom");
    return SEENSET_LAYOUT_DEFAULT;
}

seenset_on_full options_on_full(struct argp_state *state, const char *text)
{
    static const seenset_on_full policies[] = {SEENSET_DEGRADE, SEENSET_REFUSE};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        if (strcmp(text, seenset_on_full_name(policies[i])) == 0)
            return policies[i];
    refuse(state, "--on-full", text, "it must be degrade or refuse");
    return SEENSET_ON_FULL_DEFAULT;
}

char **options_rest(struct argp_state *state)
{
    char **rest = state->argv + state->next - 1;
    state->next = state->argc;
    return rest;
}
