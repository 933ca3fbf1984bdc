/* classic.h - the formulas of the classic layout; see sizing.h */
#ifndef SS_PLAN_CLASSIC_H
#define SS_PLAN_CLASSIC_H

#include <stdint.h>

double ss_classic_rate(double n, double m, uint32_t k);
double ss_classic_bound(double offered, double wrong, double m, uint32_t k);
double ss_classic_fill(double n, double m, uint32_t k);
double ss_classic_spread(double n, double m, uint32_t k);

#endif
