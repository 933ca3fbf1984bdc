/* portable.c - a table whose lines are read as
 * lines/line_portable.h says */
#include "lines/line_portable.h"
#include "table/fingerprint/fingerprint.h"

#define TWIN_ROW ss_fingerprint_portable
#define TWIN_NAME "portable"
#include "table/fingerprint/loops.h"
