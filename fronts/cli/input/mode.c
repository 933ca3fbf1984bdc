/* mode.c - see mode.h. */
#define _GNU_SOURCE /* argp */
#include "input/mode.h"

error_t input_mode_parse(int key, struct argp_state *state, input_mode *mode)
{
    if (key != 'z' && key != OPTION_NO_DECOMPRESS)
        return ARGP_ERR_UNKNOWN;
    input_mode wanted = key == 'z' ? INPUT_COMPRESSED : INPUT_AS_IS;
    if (*mode != INPUT_RECOGNISED && *mode != wanted)
        argp_error(state, "-z and --no-decompress contradict each other");
    *mode = wanted;
    return 0;
}
