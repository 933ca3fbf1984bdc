/* avx2.c - a table whose lines are read as lines/line_avx2.h says
 */
#if defined(__AVX2__)
#include "lines/line_avx2.h"
#include "table/fingerprint/fingerprint.h"

#define TWIN_ROW ss_fingerprint_avx2
#define TWIN_NAME "avx2"
#include "table/fingerprint/loops.h"
#else
typedef int ss_fingerprint_avx2_is_not_built;
#endif
