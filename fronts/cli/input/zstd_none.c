/* zstd_none.c - replaces zstd.c in a build without libzstd. */
#include "input/format.h"

const input_format input_zstd = {INPUT_ZSTD_FACTS};
