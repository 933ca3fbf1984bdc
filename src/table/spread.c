/* spread.c - see spread.h */
#include "table/spread.h"

#include <math.h>

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

double ss_spread_divergence(const ss_spread *spread)
{
    double n = spread->events;
    return n > 0.0 ? fmax(spread->sum - n * log(n / spread->weight), 0.0) : 0.0;
}

double ss_spread_chance(const ss_spread *spread)
{
    double x =
        ss_spread_divergence(spread) - spread->slack * spread->events;
    double freedom = (double)spread->slices - 1.0;
    if (!(freedom > 0.0 && x > freedom))
        return 1.0;
    return exp(freedom * (1.0 + log(x / freedom)) - x);
}
