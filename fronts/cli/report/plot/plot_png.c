/*
 * plot_png.c - the pen of plot.h that writes PNG, at two pixels for each of
 * its own.
 *
 * Lines are drawn as discs side by side. Letters are below: five wide and nine
 * high, of which the last two are under the base line.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "report/plot/plot.h"
#include "report/plot/png_file.h"

enum {
    SCALE = 2,
    DOT = 2, /* pixels of a side of a letter's dots */
    GLYPH_COLUMNS = 5,
    GLYPH_ROWS = 9,
    BASE = 7,                           /* rows above the base line */
    ADVANCE = (GLYPH_COLUMNS + 1) * DOT /* pixels from letter to letter */
};

typedef struct glyph {
    char letter;
    const char *rows; /* with a blank after each */
} glyph;

static const glyph glyphs[] = {
    {'%', "##... ##..# ...#. ..#.. .#... #..## ...## ..... ....."},
    {',', "..... ..... ..... ..... ..... .##.. .##.. .#... ....."},
    {'-', "..... ..... ..... .###. ..... ..... ..... ..... ....."},
    {'.', "..... ..... ..... ..... ..... .##.. .##.. ..... ....."},
    {'/', "....# ....# ...#. ..#.. .#... #.... #.... ..... ....."},
    {'0', ".###. #...# #..## #.#.# ##..# #...# .###. ..... ....."},
    {'1', "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###. ..... ....."},
    {'2', ".###. #...# ....# ..##. .#... #.... ##### ..... ....."},
    {'3', ".###. #...# ....# ..##. ....# #...# .###. ..... ....."},
    {'4', "...#. ..##. .#.#. #..#. ##### ...#. ...#. ..... ....."},
    {'5', "##### #.... ####. ....# ....# #...# .###. ..... ....."},
    {'6', "..##. .#... #.... ####. #...# #...# .###. ..... ....."},
    {'7', "##### ....# ...#. ..#.. ..#.. .#... .#... ..... ....."},
    {'8', ".###. #...# #...# .###. #...# #...# .###. ..... ....."},
    {'9', ".###. #...# #...# .#### ....# ...#. .##.. ..... ....."},
    {':', "..... ..... .##.. .##.. ..... .##.. .##.. ..... ....."},
    {'=', "..... ..... ##### ..... ##### ..... ..... ..... ....."},
    {'_', "..... ..... ..... ..... ..... ..... ..... ##### ....."},
    {'a', "..... ..... .###. ....# .#### #...# .#### ..... ....."},
    {'b', "#.... #.... ####. #...# #...# #...# ####. ..... ....."},
    {'c', "..... ..... .###. #...# #.... #...# .###. ..... ....."},
    {'d', "....# ....# .#### #...# #...# #...# .#### ..... ....."},
    {'e', "..... ..... .###. #...# ##### #.... .###. ..... ....."},
    {'f', "..##. .#... ####. .#... .#... .#... .#... ..... ....."},
    {'g', "..... ..... .#### #...# #...# #...# .#### ....# .###."},
    {'h', "#.... #.... ####. #...# #...# #...# #...# ..... ....."},
    {'i', "..#.. ..... .##.. ..#.. ..#.. ..#.. .###. ..... ....."},
    {'j', "...#. ..... ..##. ...#. ...#. ...#. ...#. ...#. .##.."},
    {'k', "#.... #.... #..#. #.#.. ##... #.#.. #..#. ..... ....."},
    {'l', ".##.. ..#.. ..#.. ..#.. ..#.. ..#.. .###. ..... ....."},
    {'m', "..... ..... ##.#. #.#.# #.#.# #.#.# #.#.# ..... ....."},
    {'n', "..... ..... ####. #...# #...# #...# #...# ..... ....."},
    {'o', "..... ..... .###. #...# #...# #...# .###. ..... ....."},
    {'p', "..... ..... ####. #...# #...# #...# ####. #.... #...."},
    {'q', "..... ..... .#### #...# #...# #...# .#### ....# ....#"},
    {'r', "..... ..... #.##. ##..# #.... #.... #.... ..... ....."},
    {'s', "..... ..... .#### #.... .###. ....# ####. ..... ....."},
    {'t', ".#... .#... ####. .#... .#... .#... ..##. ..... ....."},
    {'u', "..... ..... #...# #...# #...# #...# .#### ..... ....."},
    {'v', "..... ..... #...# #...# #...# .#.#. ..#.. ..... ....."},
    {'w', "..... ..... #...# #.#.# #.#.# #.#.# .#.#. ..... ....."},
    {'x', "..... ..... #...# .#.#. ..#.. .#.#. #...# ..... ....."},
    {'y', "..... ..... #...# #...# #...# #...# .#### ....# .###."},
    {'z', "..... ..... ##### ...#. ..#.. .#... ##### ..... ....."},
};

enum {
    GLYPH_COUNT = sizeof glyphs / sizeof glyphs[0]
};

static void put_pixel(png_pixels *to, long x, long y, const uint8_t *colour)
{
    if (x < 0 || y < 0 || x >= (long)to->width || y >= (long)to->height)
        return;
    size_t at = (size_t)y * to->width + (size_t)x;
    memcpy(to->bytes + at * PNG_FILE_CHANNELS, colour, PNG_FILE_CHANNELS);
}

static void put_disc(png_pixels *to, double x, double y, double radius,
                     const uint8_t *colour)
{
    for (long dy = (long)floor(-radius); dy <= (long)ceil(radius); dy++)
        for (long dx = (long)floor(-radius); dx <= (long)ceil(radius); dx++)
            if ((double)(dx * dx + dy * dy) <= radius * radius)
                put_pixel(to, lround(x) + dx, lround(y) + dy, colour);
}

/* *travelled: pixels of the line so far, for its dashes. */
static void put_piece(png_pixels *to, plot_point from, plot_point end,
                      const plot_style *style, double *travelled)
{
    double radius = fmax(0.5, style->width * SCALE / 2 - 0.5);
    double dash = style->dash * SCALE;
    double length = hypot(end.x - from.x, end.y - from.y) * SCALE;
    int steps = 1 + (int)(2 * length);
    for (int i = 0; i <= steps; i++) {
        double part = (double)i / steps;
        bool is_gap =
            dash > 0 && fmod(*travelled + part * length, 2 * dash) >= dash;
        if (!is_gap)
            put_disc(to, (from.x + part * (end.x - from.x)) * SCALE,
                     (from.y + part * (end.y - from.y)) * SCALE, radius,
                     style->colour);
    }
    *travelled += length;
}

static void put_line(void *context, const plot_point *points, int count,
                     const plot_style *style)
{
    double travelled = 0;
    for (int i = 1; i < count; i++)
        put_piece(context, points[i - 1], points[i], style, &travelled);
}

static void put_glyph(png_pixels *to, long left, long top, const char *rows)
{
    static const uint8_t colour[PNG_FILE_CHANNELS] = {64, 64, 64};
    for (int row = 0; row < GLYPH_ROWS; row++)
        for (int column = 0; column < GLYPH_COLUMNS; column++) {
            bool is_set = rows[row * (GLYPH_COLUMNS + 1) + column] == '#';
            for (int i = 0; is_set && i < DOT * DOT; i++)
                put_pixel(to, left + column * DOT + i % DOT,
                          top + row * DOT + i / DOT, colour);
        }
}

static void put_text(void *context, plot_point at, plot_anchor anchor,
                     const char *text)
{
    long width = (long)strlen(text) * ADVANCE;
    long left = lround(at.x * SCALE) - (anchor == PLOT_START    ? 0
                                        : anchor == PLOT_MIDDLE ? width / 2
                                                                : width);
    long top = lround(at.y * SCALE) - BASE * DOT;
    for (; *text != '\0'; text++, left += ADVANCE)
        for (int i = 0; i < GLYPH_COUNT; i++)
            if (glyphs[i].letter == *text)
                put_glyph(context, left, top, glyphs[i].rows);
}

int plot_write_png(const char *path, const char *option, const plot *shown)
{
    png_pixels drawn = {.width = PLOT_WIDTH * SCALE,
                        .height = PLOT_HEIGHT * SCALE};
    size_t bytes = (size_t)drawn.width * drawn.height * PNG_FILE_CHANNELS;
    drawn.bytes = malloc(bytes);
    if (drawn.bytes == NULL) {
        complain("%s: out of memory for the plot", path);
        return COMMAND_ERROR;
    }
    memset(drawn.bytes, 255, bytes);
    const plot_pen pen = {&drawn, put_line, put_text};
    plot_draw(shown, &pen);
    int status = png_file_write(path, option, &drawn);
    free(drawn.bytes);
    return status;
}
