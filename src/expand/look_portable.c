/* look_portable.c - a unit's slots one after another */
#include <stdint.h>

typedef uint32_t moved_slot;

#include "expand/line_portable.h"
#include "expand/slots_portable.h"

#define TWIN_ROW ss_expand_portable
#define TWIN_NAME "portable"
#include "expand/loops.h"
