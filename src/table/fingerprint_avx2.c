/* fingerprint_avx2.c - a table whose lines are read as expand/line_avx2.h says
 */
#if defined(__AVX2__)
#include "expand/line_avx2.h"
#include "table/fingerprint.h"

#define TWIN_ROW ss_fingerprint_avx2
#define TWIN_NAME "avx2"
#include "table/fingerprint_loops.h"
#else
typedef int ss_fingerprint_avx2_is_not_built;
#endif
