/* fingerprint_portable.c - a table whose lines are read as
 * expand/line_portable.h says */
#include "expand/line_portable.h"
#include "table/fingerprint.h"

#define TWIN_ROW ss_fingerprint_portable
#define TWIN_NAME "portable"
#include "table/fingerprint_loops.h"
