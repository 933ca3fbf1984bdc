/* bmi2.c - lookups for processors that shift by any register and need no copy
 * of what they shift */
#if defined(__BMI2__)
#define TWIN_ROW ss_sealed_bmi2
#define TWIN_NAME "bmi2"
#include "table/sealed/lookup.h"
#else
typedef int ss_sealed_bmi2_is_not_built;
#endif
