/* portable.c - lookups in C as it is */
#define TWIN_ROW ss_sealed_portable
#define TWIN_NAME "portable"
#include "table/sealed/lookup.h"
