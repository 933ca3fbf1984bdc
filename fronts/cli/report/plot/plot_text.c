/*
 * plot_text.c - the curves of plot.h in characters, for a terminal.
 *
 * A cell of the grid is a character. A curve is drawn over the marks; where two
 * curves meet there is an @.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/plot.h"
#include "text/units.h"

enum {
    ROWS = 20,
    LABEL = 7, /* characters before the grid */
    LEAST_COLUMNS = 40,
    MOST_COLUMNS = 200
};

static const char curve_marks[PLOT_CURVES] = {'*', 'o', '+', 'x'};

typedef struct grid {
    int columns;
    char cells[ROWS + 1][MOST_COLUMNS + 1];
} grid;

/* The row of a rate, 0 at the top; -1 if it is below the grid. */
static int row_of(const plot *shown, double rate)
{
    if (!(rate > 0))
        return -1;
    double part =
        (log10(fmin(rate, 1)) - shown->low) / (shown->high - shown->low);
    return part < 0 ? -1 : ROWS - (int)lround(part * ROWS);
}

static int column_of(const grid *to, const plot *shown, double keys)
{
    return (int)lround(keys / (double)shown->x_most * (to->columns - 1));
}

static void draw_marks(grid *to, const plot *shown)
{
    int row = row_of(shown, shown->promised);
    int column = column_of(to, shown, (double)shown->capacity_items);
    for (int i = 0; row >= 0 && i < to->columns; i++)
        to->cells[row][i] = '-';
    for (int i = 0; i <= ROWS; i++)
        to->cells[i][column] = ':';
}

/* The rate in the middle of a column, between two points of the curve. */
static double rate_at(const plot_curve *curve, double part)
{
    double at = part * PLOT_POINTS;
    int below = at < PLOT_POINTS ? (int)at : PLOT_POINTS - 1;
    double low = curve->rates[below];
    return low + (curve->rates[below + 1] - low) * (at - below);
}

static void draw_curve(grid *to, const plot *shown, int number)
{
    for (int i = 0; i < to->columns; i++) {
        double part = (double)i / (to->columns - 1);
        int row = row_of(shown, rate_at(&shown->curves[number], part));
        if (row < 0)
            continue;
        char *cell = &to->cells[row][i];
        bool is_met = memchr(curve_marks, *cell, (size_t)number) != NULL;
        *cell = is_met ? '@' : curve_marks[number];
    }
}

static void print_grid(FILE *out, const grid *from, const plot *shown)
{
    char label[16] = "";
    for (int row = 0; row <= ROWS; row++) {
        label[0] = '\0';
        for (int power = shown->low; power <= shown->high; power++)
            if (row_of(shown, pow(10, power)) == row)
                snprintf(label, sizeof label, power > -4 ? "%g" : "%.0e",
                         pow(10, power));
        const char *cells = from->cells[row];
        int length = from->columns;
        while (length > 0 && cells[length - 1] == ' ')
            length--;
        fprintf(out, "%*s |%.*s\n", LABEL - 2, label, length, cells);
    }
}

static void print_keys(FILE *out, const grid *from, const plot *shown)
{
    units_text middle = units_in_words(shown->capacity_items);
    units_text end = units_in_words(shown->x_most);
    int column = column_of(from, shown, (double)shown->capacity_items);
    int before = column - (int)strlen(middle.text) / 2;
    int after = from->columns - before - (int)strlen(middle.text);
    fprintf(out, "%*s +", LABEL - 2, "");
    for (int i = 0; i < from->columns; i++)
        fputc('-', out);
    fprintf(out, "\n%*s  0%*s%s%*s\n", LABEL - 2, "", before - 1, "",
            middle.text, after, end.text);
}

static void print_legend(FILE *out, const plot *shown)
{
    for (int i = 0; i < shown->count; i++)
        fprintf(out, "%*c %s\n", LABEL, curve_marks[i], shown->curves[i].name);
    if (shown->count > 1)
        fprintf(out, "%*c both\n", LABEL, '@');
    fprintf(out, "%*c keys planned for\n", LABEL, ':');
    if (shown->promised > 0)
        fprintf(out, "%*c rate promised: %.3g\n", LABEL, '-', shown->promised);
}

void plot_text(FILE *out, const plot *shown, unsigned columns)
{
    grid drawn;
    if (columns < LEAST_COLUMNS)
        columns = LEAST_COLUMNS;
    drawn.columns = (int)columns - LABEL;
    if (drawn.columns > MOST_COLUMNS)
        drawn.columns = MOST_COLUMNS;
    memset(drawn.cells, ' ', sizeof drawn.cells);
    draw_marks(&drawn, shown);
    for (int i = 0; i < shown->count; i++)
        draw_curve(&drawn, shown, i);
    fputs("false-positive rate by the number of keys\n\n", out);
    print_grid(out, &drawn, shown);
    print_keys(out, &drawn, shown);
    print_legend(out, shown);
}
