/* vbmi.c - a table whose lines are read as line_vbmi.h says */
#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)
#include "lines/line_vbmi.h"
#include "lines/slots_vbmi.h"

#define TWIN_ROW ss_expand_vbmi
#define TWIN_NAME "vbmi"
#include "expand/kernel/loops.h"
#else
typedef int ss_expand_vbmi_is_not_built;
#endif
