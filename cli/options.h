/*
 * options.h - the values of options that several commands share.
 *
 * Each stores the value, or ends the program with a usage error that names
 * the option and says what is wrong with the text.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <argp.h>
#include <stdint.h>

#include "seenset/seenset.h"

/* Keys of options that have no short form. */
#define OPTION_FORCE 0x100
#define OPTION_JSON 0x101
#define OPTION_LAYOUT 0x102
#define OPTION_ON_FULL 0x103
#define OPTION_SET 0x104
#define OPTION_STATS 0x105
#define OPTION_THREADS 0x106

uint64_t options_count(struct argp_state *state, const char *option,
                       const char *text);
uint64_t options_bits(struct argp_state *state, const char *option,
                      const char *text);
double options_rate(struct argp_state *state, const char *option,
                    const char *text);
unsigned options_threads(struct argp_state *state, const char *option,
                         const char *text);
seenset_layout options_layout(struct argp_state *state, const char *text);
seenset_on_full options_on_full(struct argp_state *state, const char *text);

/* The arguments from this one on; argp is told that they are all taken. */
char **options_rest(struct argp_state *state);

#endif
