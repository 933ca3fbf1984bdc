/* vbmi.c - a table whose lines are read as lines/line_vbmi.h says
 */
#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)
#include "lines/line_vbmi.h"
#include "table/fingerprint/fingerprint.h"

#define TWIN_ROW ss_fingerprint_vbmi
#define TWIN_NAME "vbmi"
#include "table/fingerprint/loops.h"
#else
typedef int ss_fingerprint_vbmi_is_not_built;
#endif
