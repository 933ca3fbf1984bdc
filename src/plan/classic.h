/* classic.h - the formulas of the classic layout; see sizing.h */
#ifndef SS_PLAN_CLASSIC_H
#define SS_PLAN_CLASSIC_H

#include <stdint.h>

/* At most this is the mean of the rate: the planner's side. */
double ss_classic_rate(double n, double m, uint32_t k);

/* The mean itself (classic_mean.c). */
double ss_classic_mean(double n, double m, uint32_t k);

/* hits[d], d from 0 to k: the chance that k throws into m bits hit d of them.
 */
void ss_classic_hits(double *hits, uint32_t k, double m);

double ss_classic_bound(double offered, double wrong, double m, uint32_t k);
double ss_classic_fill(double n, double m, uint32_t k);
double ss_classic_spread(double n, double m, uint32_t k);

#endif
