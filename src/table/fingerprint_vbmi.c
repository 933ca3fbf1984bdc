/* fingerprint_vbmi.c - a table whose lines are read as expand/line_vbmi.h says
 */
#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)
#include "expand/line_vbmi.h"
#include "table/fingerprint.h"

#define TWIN_ROW ss_fingerprint_vbmi
#define TWIN_NAME "vbmi"
#include "table/fingerprint_loops.h"
#else
typedef int ss_fingerprint_vbmi_is_not_built;
#endif
