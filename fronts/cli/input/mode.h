/*
 * mode.h - the options of compressed input, which all readers of lines share.
 */
#ifndef INPUT_MODE_H
#define INPUT_MODE_H

#include "text/arguments.h"

#include "input/input.h"
#include "text/option_keys.h"

/* Two rows of a table of options. */
#define INPUT_MODE_OPTIONS                                                     \
    {"compressed", 'z', NULL, 0,                                               \
     "Input that is not compressed is an error; gzip, zstd and xz are "        \
     "recognised and read without this option, too"},                          \
    {                                                                          \
        "no-decompress", OPTION_NO_DECOMPRESS, NULL, 0,                        \
            "Read compressed input as it is, byte for byte"                    \
    }

/* Reads both; refuses one after the other. Returns 0, or ARGUMENTS_UNKNOWN for
 * all other keys. */
int input_mode_parse(int key, arguments *state, input_mode *mode);

#endif
