/*
 * plot.c - see plot.h.
 *
 * The picture:
 *
 *     rate
 *     1     +------------:---------------+   a line for each power of ten
 *     0.1   +------------:-----------____+
 *     0.01  +- - - - - -___---~~~~~~~ - -+   - - promised
 *     0.001 +___----~~~~~:---------------+
 *           0            :             2 million
 *                     planned
 *
 * Its colours are seen on white and on black (Okabe and Ito 2008 chose them to
 * be told apart by everybody); the curves also differ in their dashes.
 */
#include "report/plot/plot.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "text/units.h"

enum {
    LEFT = 70, /* margins */
    RIGHT = 24,
    TOP = 34,
    BOTTOM = 52,
    LINE = 18 /* from one line of text to the next */
};

static const plot_style grid = {{176, 176, 176}, 0.5, 0};
static const plot_style mark = {{128, 128, 128}, 1.5, 5};
static const plot_style curve_styles[PLOT_CURVES] = {{{0, 114, 178}, 2.5, 0},
                                                     {{213, 94, 0}, 2.5, 9},
                                                     {{0, 158, 115}, 2.5, 4},
                                                     {{204, 121, 167}, 2.5, 2}};

static double x_of(const plot *shown, double keys)
{
    return LEFT + keys / (double)shown->x_most * (PLOT_WIDTH - LEFT - RIGHT);
}

static double y_of(const plot *shown, double rate)
{
    double part = (log10(rate) - shown->low) / (shown->high - shown->low);
    return PLOT_HEIGHT - BOTTOM - part * (PLOT_HEIGHT - TOP - BOTTOM);
}

static void draw_line(const plot_pen *pen, plot_point from, plot_point to,
                      const plot_style *style)
{
    const plot_point points[2] = {from, to};
    pen->line(pen->context, points, 2, style);
}

/* A line of the grid and its label for each power of ten, or each other one. */
static void draw_rates(const plot *shown, const plot_pen *pen)
{
    int step = 1 + (shown->high - shown->low) / 12;
    for (int power = shown->high; power >= shown->low; power -= step) {
        char text[16];
        double y = y_of(shown, pow(10, power));
        snprintf(text, sizeof text, power > -4 ? "%g" : "%.0e", pow(10, power));
        draw_line(pen, (plot_point){LEFT, y},
                  (plot_point){PLOT_WIDTH - RIGHT, y}, &grid);
        pen->text(pen->context, (plot_point){LEFT - 8, y + 4}, PLOT_END, text);
    }
    pen->text(pen->context, (plot_point){LEFT - 8, TOP - 16}, PLOT_END, "rate");
}

/* Four lines of the grid, and labels at the ends and at the capacity. */
static void draw_keys(const plot *shown, const plot_pen *pen)
{
    double bottom = PLOT_HEIGHT - BOTTOM;
    for (int i = 0; i <= 4; i++) {
        double x = x_of(shown, (double)shown->x_most / 4 * i);
        draw_line(pen, (plot_point){x, TOP}, (plot_point){x, bottom}, &grid);
    }
    double x = x_of(shown, (double)shown->capacity_items);
    draw_line(pen, (plot_point){x, TOP}, (plot_point){x, bottom}, &mark);
    pen->text(pen->context, (plot_point){LEFT, bottom + LINE}, PLOT_MIDDLE,
              "0");
    pen->text(pen->context, (plot_point){x, bottom + LINE}, PLOT_MIDDLE,
              units_in_words(shown->capacity_items).text);
    pen->text(pen->context, (plot_point){x, bottom + 2 * LINE}, PLOT_MIDDLE,
              "keys planned for");
    pen->text(pen->context, (plot_point){PLOT_WIDTH - RIGHT, bottom + LINE},
              PLOT_END, units_in_words(shown->x_most).text);
}

static void draw_promise(const plot *shown, const plot_pen *pen)
{
    char text[80];
    if (!(shown->promised > 0) || log10(shown->promised) < shown->low)
        return;
    double y = y_of(shown, shown->promised);
    draw_line(pen, (plot_point){LEFT, y}, (plot_point){PLOT_WIDTH - RIGHT, y},
              &mark);
    snprintf(text, sizeof text, "promised: %.3g", shown->promised);
    pen->text(pen->context, (plot_point){LEFT + 8, y - 6}, PLOT_START, text);
}

/* Each run of points that are on the picture. A curve comes in from below. */
static void draw_curve(const plot *shown, const plot_pen *pen, int number)
{
    plot_point points[PLOT_POINTS + 1];
    int count = 0;
    const double *rates = shown->curves[number].rates;
    for (int i = 0; i <= PLOT_POINTS; i++) {
        bool is_seen = rates[i] > 0 && log10(rates[i]) >= shown->low;
        double keys = (double)shown->x_most / PLOT_POINTS * i;
        if (is_seen)
            points[count++] =
                (plot_point){x_of(shown, keys), y_of(shown, fmin(rates[i], 1))};
    }
    if (count > 0)
        pen->line(pen->context, points, count, &curve_styles[number]);
}

/* Below the middle on the right, where no curve that rises passes. */
static void draw_legend(const plot *shown, const plot_pen *pen)
{
    double y = PLOT_HEIGHT - BOTTOM - 12 - LINE * (shown->count - 1);
    for (int i = 0; i < shown->count; i++, y += LINE) {
        double x = x_of(shown, (double)shown->x_most * 0.55);
        draw_line(pen, (plot_point){x, y - 4}, (plot_point){x + 36, y - 4},
                  &curve_styles[i]);
        pen->text(pen->context, (plot_point){x + 44, y}, PLOT_START,
                  shown->curves[i].name);
    }
}

void plot_draw(const plot *shown, const plot_pen *pen)
{
    draw_rates(shown, pen);
    draw_keys(shown, pen);
    draw_promise(shown, pen);
    for (int i = 0; i < shown->count; i++)
        draw_curve(shown, pen, i);
    draw_legend(shown, pen);
}
