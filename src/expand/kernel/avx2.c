/* avx2.c - a table whose lines are read as line_avx2.h says */
#if defined(__AVX2__)
#include <stdint.h>

typedef uint32_t moved_slot;

#include "lines/slots_avx2.h"

#define TWIN_ROW ss_expand_avx2
#define TWIN_NAME "avx2"
#include "expand/kernel/loops.h"
#else
typedef int ss_expand_avx2_is_not_built;
#endif
