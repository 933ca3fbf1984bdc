/* portable.c - a unit's slots one after another, of any width: so slots
 * that other kernels have no room for are moved here, too */
#include <stdint.h>

typedef uint64_t moved_slot;

#include "lines/line_portable.h"
#include "lines/slots_portable.h"

#define TWIN_ROW ss_expand_portable
#define TWIN_NAME "portable"
#include "expand/kernel/loops.h"
