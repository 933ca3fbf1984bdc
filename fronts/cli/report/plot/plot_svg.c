/*
 * plot_svg.c - the pen of plot.h that writes SVG 1.1.
 *
 * No background and grey text, so that it is read on a light page and on a dark
 * one. All text is the program's own, and has no character that XML escapes.
 */
#include <stdbool.h>
#include <stdio.h>

#include "report/plot/plot.h"
#include "report/replace.h"

static void put_colour(FILE *file, const uint8_t colour[3])
{
    fprintf(file, "#%02x%02x%02x", colour[0], colour[1], colour[2]);
}

static void put_line(void *context, const plot_point *points, int count,
                     const plot_style *style)
{
    FILE *file = context;
    fputs("<polyline fill=\"none\" stroke=\"", file);
    put_colour(file, style->colour);
    fprintf(file, "\" stroke-width=\"%g\"", style->width);
    if (style->dash > 0)
        fprintf(file, " stroke-dasharray=\"%g\"", style->dash);
    fputs(" points=\"", file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%.1f,%.1f", i > 0 ? " " : "", points[i].x,
                points[i].y);
    fputs("\"/>\n", file);
}

static void put_text(void *context, plot_point at, plot_anchor anchor,
                     const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf((FILE *)context,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", at.x,
            at.y, anchors[anchor], text);
}

static bool write_svg(void *context, FILE *file)
{
    const plot *shown = context;
    const plot_pen pen = {file, put_line, put_text};
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "font-family=\"sans-serif\" font-size=\"13\" fill=\"#808080\">\n"
            "<title>False-positive rate by the number of keys</title>\n",
            PLOT_WIDTH, PLOT_HEIGHT, PLOT_WIDTH, PLOT_HEIGHT);
    plot_draw(shown, &pen);
    fputs("</svg>\n", file);
    return ferror(file) == 0;
}

int plot_write_svg(const char *path, const char *option, const plot *shown)
{
    plot copy = *shown;
    return replace_file(path, option, "plot", write_svg, &copy);
}
