/* gzip_none.c - replaces gzip.c in a build without zlib. */
#include "input/format.h"

const input_format input_gzip = {INPUT_GZIP_FACTS};
