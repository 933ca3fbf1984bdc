/*
 * options.h - the values of options that several commands share.
 *
 * Each function reads a value, or ends the program with a usage error that
 * names the option and the mistake.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "text/arguments.h"
#include <stdbool.h>
#include <stdint.h>

#include "seenset/seenset.h"
#include "text/option_keys.h"

#define OPTION_NORMALISE_HELP                                                  \
    "url: the key of a line is the normal form of its URL, and other lines "   \
    "are left out and counted; off: its bytes (default)"
#define OPTION_STRICT_HELP                                                     \
    "With --normalise: exit with status 2 also if lines were left out"
#define OPTION_SECRET_FILE_HELP                                                \
    "The secret of a keyed set is in S (default: FILE.secret)"

uint64_t options_count(arguments *state, const char *option, const char *text);
uint64_t options_bits(arguments *state, const char *option, const char *text);
double options_rate(arguments *state, const char *option, const char *text);
unsigned options_threads(arguments *state, const char *option,
                         const char *text);
seenset_layout options_planned_layout(arguments *state, const char *text);
seenset_on_full options_on_full(arguments *state, const char *text);

/* A whole number of at most `most`. */
uint32_t options_small(arguments *state, const char *option, const char *text,
                       uint32_t most);

/* The same for a new set, which has more layouts and policies than a plan or a
 * queue. */
seenset_layout options_new_layout(arguments *state, const char *text);
seenset_on_full options_policy(arguments *state, const char *text);
/*
 * --window: sets capacity_items or window_seconds, and on_full. Returns whether
 * the text is a number without a unit. It then means keys, and a command that
 * makes a set reports that (options_say_window).
 */
bool options_window(arguments *state, const char *text, seenset_options *out);

/* Reports on standard error that the window is `items` lines or keys (`unit`).
 * name: of the set, for the message. */
void options_say_window(const char *name, uint64_t items, const char *unit);

/* --shard I/N: shard I, from 0 on, of N. */
void options_shard(arguments *state, const char *text, uint32_t *index,
                   uint32_t *count);

#define OPTION_SHARD_HELP                                                      \
    "Only the keys of shard I of N, I from 0 to N-1: N runs, or machines, "    \
    "take each key once (seenset_shard)"

/* --normalise: are keys URLs, of which the normal form counts? */
bool options_normalise(arguments *state, const char *text);

/* Refuses --strict without --normalise url. */
void options_check_strict(arguments *state, bool is_strict, bool normalises);

/* --save-every: sets one of the two. */
void options_save_every(arguments *state, const char *text, uint64_t *lines,
                        uint64_t *seconds);

/* For a command that takes one FILE: stores its path. Returns ARGUMENTS_UNKNOWN
 * for other keys, which are the command's own. */
int options_one_file(arguments *state, int key, char *text, const char **path);

/* The usage error of a command whose argument `what` ("FILE") is missing. */
int options_missing(arguments *state, const char *what);

/* Refuses an empty argument, which is not the name of a file. what: "FILE". */
void options_check_path(arguments *state, const char *what, const char *path);

/* This argument and all that follow; the parser is not called for them. */
char **options_rest(arguments *state);

#endif
