/*
 * picture.c - see picture.h.
 *
 * A pixel is an equal share of a table, row after row, and its colour says how
 * much of the share is set: from black (nothing) over blue and green (half, as
 * planned for a full table) to yellow and white (everything). Tables lie one
 * under the other, oldest first, in bands as high as they are large. At the
 * right the colours stand in order, everything at the top.
 *
 *     +----------------+ +-+
 *     |    table 1     | | | 1
 *     +----------------+ | |
 *     |                | | | 1/2
 *     |    table 2     | | |
 *     +----------------+ +-+ 0
 *
 * With uniform hashes every band is even but for fine noise. Streaks, blocks
 * and edges are what this is for: they show a bad hash or a hot region.
 */
#define _GNU_SOURCE
#include "report/picture.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "sets/setfile.h"

enum {
    MOST_SIDE = 512,    /* cells */
    LEAST_PIXELS = 512, /* of a side, about: small tables are drawn large */
    LEAST_PLACES = 512, /* in a cell, so that chance does not drown the rest */
    LEAST_SIDE = 16,    /* cells, even if they then hold fewer places */
    GAP = 4,            /* pixels between bands, and around all */
    LEGEND = 16,        /* pixels of width */
    CHANNELS = 3
};

typedef struct picture {
    uint32_t columns;           /* cells in a row */
    uint32_t zoom;              /* pixels in a cell's side */
    uint32_t rows[TABLES_MOST]; /* of cells, for each table */
    uint32_t width, height;     /* pixels */
    uint8_t *pixels;
} picture;

static const uint8_t background[CHANNELS] = {255, 255, 255};

/* The colour of a fill between 0 and 1; lightness rises all the way. */
static void put_colour(uint8_t *pixel, double fill)
{
    static const double stops[][CHANNELS] = {
        {8, 6, 30},     {38, 40, 120},  {20, 105, 160}, {24, 165, 130},
        {150, 205, 60}, {252, 225, 70}, {255, 252, 225}};
    const int last = (int)(sizeof stops / sizeof stops[0]) - 1;
    double at = fmin(fmax(fill, 0), 1) * last;
    int below = at < last ? (int)at : last - 1;
    for (int i = 0; i < CHANNELS; i++) {
        double low = stops[below][i];
        double high = stops[below + 1][i];
        pixel[i] = (uint8_t)lround(low + (high - low) * (at - below));
    }
}

/* Cells for all tables: about as many rows as columns. */
static void choose_shape(picture *out, const tables *from)
{
    double places = 0;
    for (uint32_t i = 0; i < from->count; i++)
        places += (double)tables_places(from, i);
    double side = floor(sqrt(places / LEAST_PLACES));
    double least = fmax(1, fmin(LEAST_SIDE, floor(sqrt(places))));
    side = fmin(fmax(side, least), MOST_SIDE);
    out->columns = (uint32_t)side;
    out->zoom = (uint32_t)fmax(1, round(LEAST_PIXELS / side));
    out->width = GAP + out->columns * out->zoom + GAP + LEGEND + GAP;
    out->height = GAP;
    for (uint32_t i = 0; i < from->count; i++) {
        double part = (double)tables_places(from, i) / places;
        out->rows[i] = (uint32_t)fmax(1, round(side * part));
        out->height += out->rows[i] * out->zoom + GAP;
    }
}

static void fill_box(picture *out, uint32_t left, uint32_t top, uint32_t width,
                     uint32_t height, double fill)
{
    for (uint32_t y = top; y < top + height; y++)
        for (uint32_t x = left; x < left + width; x++)
            put_colour(out->pixels + ((size_t)y * out->width + x) * CHANNELS,
                       fill);
}

static int draw_band(picture *out, const tables *from, uint32_t number,
                     uint32_t top)
{
    uint64_t count = (uint64_t)out->rows[number] * out->columns;
    double *fills = malloc(count * sizeof *fills);
    if (fills == NULL) {
        complain("%s: %s", from->path, strerror(errno));
        return COMMAND_ERROR;
    }
    int status = tables_read_fills(from, number, fills, count);
    for (uint64_t i = 0; status == 0 && i < count; i++)
        fill_box(out, GAP + (uint32_t)(i % out->columns) * out->zoom,
                 top + (uint32_t)(i / out->columns) * out->zoom, out->zoom,
                 out->zoom, fills[i]);
    free(fills);
    return status;
}

/* All colours, full at the top, with a notch at each quarter. */
static void draw_legend(picture *out)
{
    uint32_t height = out->height - 2 * GAP;
    uint32_t left = out->width - GAP - LEGEND;
    for (uint32_t y = 0; y < height; y++)
        fill_box(out, left, GAP + y, LEGEND, 1, 1 - ((double)y + 0.5) / height);
    for (uint32_t quarter = 1; quarter < 4; quarter++)
        memset(out->pixels +
                   ((size_t)(GAP + height * quarter / 4) * out->width + left) *
                       CHANNELS,
               background[0], (size_t)LEGEND / 2 * CHANNELS);
}

static int draw(picture *out, const tables *from)
{
    uint32_t top = GAP;
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < from->count; i++) {
        status = draw_band(out, from, i, top);
        top += out->rows[i] * out->zoom + GAP;
    }
    draw_legend(out);
    return status;
}

/* libpng comes back here with longjmp when something fails. */
static bool encode(const picture *from, FILE *file, png_structp png,
                   png_infop info)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, from->width, from->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < from->height; y++)
        png_write_row(png, from->pixels + (size_t)y * from->width * CHANNELS);
    png_write_end(png, info);
    return true;
}

/* Its messages would go to standard error in its own words. */
static void keep_quiet(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void give_up(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static bool encode_to(const picture *from, FILE *file)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL,
                                              give_up, keep_quiet);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    bool is_done = info != NULL && encode(from, file, png, info);
    png_destroy_write_struct(&png, &info);
    return is_done;
}

static int save(const picture *from, const char *path)
{
    if (setfile_is_set(path)) {
        complain("%s: a set file, which no picture replaces; give --picture "
                 "another name",
                 path);
        return COMMAND_ERROR;
    }
    errno = 0;
    FILE *file = fopen(path, "wb");
    bool is_done = file != NULL && encode_to(from, file);
    if (file != NULL && fclose(file) != 0)
        is_done = false;
    if (is_done)
        return 0;
    complain("%s: the picture cannot be written: %s", path,
             strerror(errno != 0 ? errno : ENOMEM));
    return COMMAND_ERROR;
}

int picture_write(const tables *from, const char *path)
{
    picture drawn = {0};
    choose_shape(&drawn, from);
    size_t bytes = (size_t)drawn.width * drawn.height * CHANNELS;
    drawn.pixels = malloc(bytes);
    if (drawn.pixels == NULL) {
        complain("%s: %s", path, strerror(errno));
        return COMMAND_ERROR;
    }
    memset(drawn.pixels, background[0], bytes);
    int status = draw(&drawn, from);
    if (status == 0)
        status = save(&drawn, path);
    free(drawn.pixels);
    return status;
}
