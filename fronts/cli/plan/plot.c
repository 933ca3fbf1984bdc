/*
 * plot.c - see plot.h.
 */
#include "plan/plot.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "report/plot/plot.h"
#include "seenset/extra/formulas.h"
#include "system/terminal.h"
#include "text/layouts.h"

enum {
    USUAL_COLUMNS = 80,
    LEAST_POWER = -24, /* of the y axis */
    POWERS_BELOW = 2   /* rates at the capacity are above its lower end */
};

/* A sealed set's rate is the same for any number of keys, up to its own. */
static double rate_of(const seenset_plan *plan, uint64_t keys)
{
    if (layouts_words(plan->layout)->not_sized != NULL)
        return keys <= plan->capacity_items ? plan->expected_fp_rate : NAN;
    return seenset_plan_fp_rate(plan->layout, keys, plan->size_bits,
                                plan->hash_count);
}

static void add_curve(plot *to, const seenset_plan *plan)
{
    plot_curve *curve = &to->curves[to->count++];
    snprintf(curve->name, sizeof curve->name, "%s, %.2f %s per key, k = %u",
             seenset_layout_name(plan->layout), plan->bits_per_key,
             layouts_words(plan->layout)->has_counters ? "counters" : "bits",
             plan->hash_count);
    for (int i = 0; i <= PLOT_POINTS; i++) {
        double keys = (double)to->x_most / PLOT_POINTS * i;
        curve->rates[i] = rate_of(plan, (uint64_t)(keys + 0.5));
    }
}

/* Whole powers of ten around the promise and the highest rate. */
static void choose_powers(plot *out)
{
    double most = out->promised, least = out->promised;
    for (int i = 0; i < out->count; i++) {
        const double *rates = out->curves[i].rates;
        most = fmax(most, fmax(rates[PLOT_POINTS / 2], rates[PLOT_POINTS]));
        if (least <= 0 || rates[PLOT_POINTS / 2] < least)
            least = rates[PLOT_POINTS / 2];
    }
    out->low = (int)floor(log10(least)) - POWERS_BELOW;
    out->high = (int)ceil(log10(fmin(most, 1)));
    if (out->low < LEAST_POWER)
        out->low = LEAST_POWER;
    if (out->high <= out->low)
        out->high = out->low + 1;
}

static unsigned columns_of_output(void)
{
    unsigned columns = (unsigned)terminal_columns(STDOUT_FILENO);
    return columns > 1 ? columns - 1 : (unsigned)USUAL_COLUMNS;
}

int plan_plot_draw(const seenset_plan *plans, int count, double promised,
                   const char *path)
{
    plot shown = {.capacity_items = plans[0].capacity_items,
                  .x_most = 2 * plans[0].capacity_items,
                  .promised = promised};
    for (int i = 0; i < count && i < PLOT_CURVES; i++)
        add_curve(&shown, &plans[i]);
    choose_powers(&shown);
    if (path != NULL)
        return plot_write(path, "--plot", &shown);
    plot_text(stdout, &shown, columns_of_output());
    return COMMAND_DONE;
}
