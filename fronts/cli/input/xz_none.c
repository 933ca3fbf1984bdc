/* xz_none.c - replaces xz.c in a build without liblzma. */
#include "input/format.h"

const input_format input_xz = {INPUT_XZ_FACTS};
