/*
 * sample.h - how many different lines there are, from a few of them.
 *
 * A set that is made for the number is smaller and faster than one that grows.
 * Where the input is in files, their size is known, and what a line takes, and
 * how many lines come again, shows in pieces from all over them:
 *
 *     files:   |    ###    |    ###    |    ###    |    ###    | ...
 *
 * At most 64 pieces of 64 KiB are read, which takes some milliseconds.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdint.h>

#include "input/input.h"

/*
 * About as many different lines as the files have: where lines come unequally
 * often, up to twice as many, or too few. "-" is standard input, from where it
 * is. 0: they are too small to have more than `planned`, or than a mebibyte
 * has; or that cannot be known, as a file is compressed, not a regular file or
 * not to be read.
 *
 * Never more than a set at fp_rate has room for in an eighth of the machine's
 * memory: an estimate can be wrong, and a set that grows finds room for the
 * others when they come.
 */
uint64_t sample_different_lines(char *const *paths, int path_count,
                                char separator, input_mode mode,
                                uint64_t planned, double fp_rate);

/* `items`, or as many as a set at fp_rate has room for in an eighth of the
 * machine's memory. */
uint64_t sample_at_most(uint64_t items, double fp_rate);

/* `items`, or as many as a set at fp_rate has room for in most_bytes. */
uint64_t sample_within(uint64_t items, double fp_rate, uint64_t most_bytes);

#endif
