/*
 * plot.h - plan --plot: the rate of each layout by the number of keys.
 */
#ifndef PLAN_PLOT_H
#define PLAN_PLOT_H

#include "seenset/plan.h"

/*
 * Draws the plans, which are solved and for one number of keys, up to twice
 * that number. promised: the rate that was asked for, or 0. path: a file.svg or
 * file.png, or NULL: standard output. Returns a command's status.
 */
int plan_plot_draw(const seenset_plan *plans, int count, double promised,
                   const char *path);

#endif
