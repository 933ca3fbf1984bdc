/* fingerprint.h - the formulas of a table of fingerprints; see sizing.h */
#ifndef SS_PLAN_FINGERPRINT_H
#define SS_PLAN_FINGERPRINT_H

#include <stdint.h>

double ss_fingerprint_rate(double n, double m, uint32_t k);
double ss_fingerprint_bound(double offered, double wrong, double m, uint32_t k);
double ss_fingerprint_fill(double n, double m, uint32_t k);
double ss_fingerprint_spread(double n, double m, uint32_t k);
double ss_fingerprint_most(double m, uint32_t k);

/* The distinct keys of a table that answers "seen" at that rate, and whose
 * slots are used to that part. */
double ss_fingerprint_items(double rate, double fill, double m, uint32_t k);

#endif
