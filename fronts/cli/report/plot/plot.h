/*
 * plot.h - curves of a false-positive rate against the number of keys.
 *
 * The x axis is linear, the y axis has powers of ten. A vertical line is the
 * number of keys that was planned for, a horizontal one the rate promised.
 * plot_text.c draws it with characters; plot_svg.c and plot_png.c are pens,
 * with which plot.c draws the same picture.
 */
#ifndef PLOT_H
#define PLOT_H

#include <stdint.h>
#include <stdio.h>

enum {
    PLOT_POINTS = 240, /* intervals of a curve */
    PLOT_CURVES = 4,
    PLOT_WIDTH = 720, /* of a picture */
    PLOT_HEIGHT = 440
};

typedef struct plot_curve {
    char name[64];
    double rates[PLOT_POINTS + 1]; /* at i x_most / PLOT_POINTS keys */
} plot_curve;

typedef struct plot {
    uint64_t x_most;
    uint64_t capacity_items; /* the vertical line */
    double promised;         /* the horizontal one, or 0 */
    int low, high;           /* powers of ten: the ends of the y axis */
    int count;
    plot_curve curves[PLOT_CURVES];
} plot;

/* With characters, `columns` wide. */
void plot_text(FILE *out, const plot *shown, unsigned columns);

/* As a picture in a new file, which the name says: .svg or .png. The option
 * named it. Returns 0, or COMMAND_ERROR after a message. */
int plot_write(const char *path, const char *option, const plot *shown);

/* Is this a name of such a file? */
int plot_is_name(const char *path);

/* ---- for the pens ---- */

typedef struct plot_point {
    double x, y; /* pixels, from the left and from the top */
} plot_point;

/* What something looks like. */
typedef struct plot_style {
    uint8_t colour[3];
    double width; /* of a line */
    double dash;  /* the length of dashes and gaps, or 0 */
} plot_style;

typedef enum plot_anchor {
    PLOT_START,
    PLOT_MIDDLE,
    PLOT_END
} plot_anchor;

typedef struct plot_pen {
    void *context;
    void (*line)(void *context, const plot_point *points, int count,
                 const plot_style *style);
    /* On the base line at `at`. */
    void (*text)(void *context, plot_point at, plot_anchor anchor,
                 const char *text);
} plot_pen;

void plot_draw(const plot *shown, const plot_pen *pen);

int plot_write_svg(const char *path, const char *option, const plot *shown);
int plot_write_png(const char *path, const char *option, const plot *shown);

#endif
