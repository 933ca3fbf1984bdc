/*
 * picture.c - see picture.h.
 *
 * A cell of the picture is an equal share of a table, row after row. Its colour
 * shows which part of the share is set: from black (nothing) over blue and
 * green (half, as planned for a full table) to yellow and white (everything).
 * The tables are below each other, the oldest first, in bands as high as they
 * are large. At the right are all colours, with "everything" at the top.
 *
 *     +----------------+ +-+
 *     |    table 1     | | | 1
 *     +----------------+ | |
 *     |                | | | 1/2
 *     |    table 2     | | |
 *     +----------------+ +-+ 0
 *
 * If the hashes are uniform every band is even but for fine noise. Streaks,
 * blocks and edges show a bad hash or an overused region.
 *
 * A picture of counters shows the highest counter of each share in place of the
 * part that is set: from black (0) to white (full, and so never changed again).
 * Keys that were added often are bright dots.
 */
#include "report/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "report/plot/png_file.h"
#include "seenset/extra/raw.h"
#include "sets/setfile.h"

enum {
    MOST_SIDE = 512,    /* cells */
    LEAST_PIXELS = 512, /* of a side, about: small tables are drawn large */
    LEAST_PLACES = 512, /* in a cell, so that the noise is small */
    LEAST_SIDE = 16,    /* cells, even if they then have fewer places */
    GAP = 4,            /* pixels between bands, and around everything */
    LEGEND = 16,        /* pixels of width */
    CHANNELS = PNG_FILE_CHANNELS
};

/* A place is what a table is made of: a bit, a counter or a fingerprint. */
typedef struct band {
    uint64_t places; /* of the table */
    uint32_t full;   /* the largest value of its counters */
    uint32_t rows;   /* of cells */
} band;

typedef struct picture {
    const seenset *set;
    bool is_of_counters;
    uint32_t table_count;
    band *bands;            /* one for each table */
    uint32_t columns;       /* cells in a row */
    uint32_t zoom;          /* pixels in a cell's side */
    uint32_t width, height; /* pixels */
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

/* The tables, and their places in total. Returns 0 or an error. */
static int list_tables(picture *out, double *places)
{
    seenset_info info = {0};
    int error = seenset_get_info(out->set, &info, sizeof info);
    out->table_count = info.table_count;
    out->bands = calloc((size_t)info.table_count + 1, sizeof *out->bands);
    if (error == 0 && out->bands == NULL)
        error = SEENSET_ENOMEM;
    *places = 0;
    for (uint32_t i = 0; error == 0 && i < out->table_count; i++) {
        seenset_table_info table = {0};
        error = seenset_get_table_info(out->set, i, &table, sizeof table);
        out->bands[i].places = table.cell_count;
        out->bands[i].full = (1u << table.cell_bits % 32) - 1;
        *places += (double)table.cell_count;
    }
    return error;
}

/* About as many rows as columns, for all tables together. */
static void choose_shape(picture *out, double places)
{
    double side = floor(sqrt(places / LEAST_PLACES));
    double least = fmax(1, fmin(LEAST_SIDE, floor(sqrt(places))));
    side = fmin(fmax(side, least), MOST_SIDE);
    out->columns = (uint32_t)side;
    out->zoom = (uint32_t)fmax(1, round(LEAST_PIXELS / side));
    out->width = GAP + out->columns * out->zoom + GAP + LEGEND + GAP;
    out->height = GAP;
    for (uint32_t i = 0; i < out->table_count; i++) {
        double part = (double)out->bands[i].places / places;
        out->bands[i].rows = (uint32_t)fmax(1, round(side * part));
        out->height += out->bands[i].rows * out->zoom + GAP;
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

/* floor(i places / count), without overflow. */
static uint64_t share_start(uint64_t places, uint64_t i, uint64_t count)
{
    return places / count * i + places % count * i / count;
}

/* Which part of a share is set. Returns 0 or an error. */
static int part_set(const picture *out, uint32_t table, uint64_t first,
                    uint64_t size, double *part)
{
    uint64_t set = 0;
    int error = seenset_count_cells(out->set, table, first, size, &set);
    *part = size > 0 ? (double)set / (double)size : 0;
    return error;
}

/* The highest counter of a share, as a part of a full one. */
static int highest(const picture *out, uint32_t table, uint64_t first,
                   uint64_t size, double *part)
{
    enum {
        GROUP = 512
    };
    uint16_t counters[GROUP];
    uint16_t most = 0;
    int error = 0;
    for (uint64_t done = 0; error == 0 && done < size;) {
        uint64_t count = size - done < GROUP ? size - done : GROUP;
        error = seenset_get_counters(out->set, table, first + done, count,
                                     counters);
        for (uint64_t i = 0; error == 0 && i < count; i++)
            most = counters[i] > most ? counters[i] : most;
        done += count;
    }
    if (error == 0)
        *part = (double)most / out->bands[table].full;
    return error;
}

/* Draws the cells of a table from pixel row `top` on. Returns 0 or an error. */
static int draw_band(picture *out, uint32_t table, uint32_t top)
{
    uint64_t places = out->bands[table].places;
    uint64_t count = (uint64_t)out->bands[table].rows * out->columns;
    int error = 0;
    for (uint64_t i = 0; error == 0 && i < count; i++) {
        uint64_t first = share_start(places, i, count);
        uint64_t size = share_start(places, i + 1, count) - first;
        double part = 0;
        error = out->is_of_counters ? highest(out, table, first, size, &part)
                                    : part_set(out, table, first, size, &part);
        fill_box(out, GAP + (uint32_t)(i % out->columns) * out->zoom,
                 top + (uint32_t)(i / out->columns) * out->zoom, out->zoom,
                 out->zoom, part);
    }
    return error;
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

static int draw(picture *out)
{
    uint32_t top = GAP;
    int error = 0;
    for (uint32_t i = 0; error == 0 && i < out->table_count; i++) {
        error = draw_band(out, i, top);
        top += out->bands[i].rows * out->zoom + GAP;
    }
    draw_legend(out);
    return error;
}

/* Draws the set into new memory. Returns 0 or an error. */
static int draw_new(picture *out)
{
    double places = 0;
    int error = list_tables(out, &places);
    if (error != 0)
        return error;
    choose_shape(out, places);
    size_t bytes = (size_t)out->width * out->height * CHANNELS;
    out->pixels = malloc(bytes);
    if (out->pixels == NULL)
        return SEENSET_ENOMEM;
    memset(out->pixels, background[0], bytes);
    return draw(out);
}

int picture_write(const seenset *set, const char *name, const char *path,
                  bool is_of_counters)
{
    picture drawn = {.set = set, .is_of_counters = is_of_counters};
    int status = COMMAND_ERROR;
    int error = draw_new(&drawn);
    if (error == 0)
        status = png_file_write(
            path, "--picture",
            &(png_pixels){drawn.width, drawn.height, drawn.pixels});
    else if (is_of_counters)
        setfile_complain_of_counting(name, error);
    else
        complain("%s: %s", name, seenset_strerror(error));
    free(drawn.pixels);
    free(drawn.bands);
    return status;
}
