/* spread.c - see spread.h */
#include "table/spread.h"

#include <math.h>

/* exp(-24), 4e-11, is little beside what is called an alarm. */
static const double DRIFT_EXPONENT = 24.0;

void ss_spread_add(ss_spread *spread, double events, double places)
{
    if (!(places > 0.0))
        return;
    spread->events += events;
    spread->weight += places;
    spread->slices++;
    if (events > 0.0)
        spread->sum += events * log(events / places);
}

void ss_spread_between(ss_spread *spread, double before, double after)
{
    spread->drift = before == after ? 0.0 : fabs(log(after / before));
}

double ss_spread_divergence(const ss_spread *spread)
{
    double n = spread->events;
    return n > 0.0 ? fmax(spread->sum - n * log(n / spread->weight), 0.0) : 0.0;
}

/* The share of x that keys explain which came meanwhile. */
static double explained_by_drift(const ss_spread *spread)
{
    double n = spread->events, d = spread->drift;
    return n * d * d / 8.0 + d * sqrt(DRIFT_EXPONENT * n / 2.0);
}

double ss_spread_chance(const ss_spread *spread)
{
    double x = ss_spread_divergence(spread) - spread->slack * spread->events -
               explained_by_drift(spread);
    double freedom = (double)spread->slices - 1.0;
    if (!(freedom > 0.0 && x > freedom))
        return 1.0;
    return exp(freedom * (1.0 + log(x / freedom)) - x);
}
