/* mode.c - see mode.h. */
#include "input/mode.h"

int input_mode_parse(int key, arguments *state, input_mode *mode)
{
    if (key != 'z' && key != OPTION_NO_DECOMPRESS)
        return ARGUMENTS_UNKNOWN;
    input_mode wanted = key == 'z' ? INPUT_COMPRESSED : INPUT_AS_IS;
    if (*mode != INPUT_RECOGNISED && *mode != wanted)
        arguments_refuse(state, "-z and --no-decompress contradict each other");
    *mode = wanted;
    return 0;
}
