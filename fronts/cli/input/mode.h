/*
 * mode.h - the options of compressed input, which all readers of lines share.
 */
#ifndef INPUT_MODE_H
#define INPUT_MODE_H

#include <argp.h> /* needs _GNU_SOURCE */

#include "input/input.h"
#include "text/option_keys.h"

/* Two rows of an argp table. */
#define INPUT_MODE_OPTIONS                                                     \
    {"compressed",                                                             \
     'z',                                                                      \
     NULL,                                                                     \
     0,                                                                        \
     "Input that is not compressed is an error; gzip, zstd and xz are "        \
     "recognised and read without this option, too",                           \
     0},                                                                       \
    {                                                                          \
        "no-decompress", OPTION_NO_DECOMPRESS, NULL, 0,                        \
            "Read compressed input as it is, byte for byte", 0                 \
    }

/* Reads both; refuses one after the other. Returns 0, or ARGP_ERR_UNKNOWN for
 * all other keys. */
error_t input_mode_parse(int key, struct argp_state *state, input_mode *mode);

#endif
