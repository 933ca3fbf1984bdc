/* plot_file.c - a picture in a file, by the pen that its name asks for */
#include <stdbool.h>
#include <string.h>

#include "report/plot/plot.h"

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcmp(path + length - end, suffix) == 0;
}

int plot_is_name(const char *path)
{
    return ends_in(path, ".svg") || ends_in(path, ".png");
}

int plot_write(const char *path, const char *option, const plot *shown)
{
    return ends_in(path, ".svg") ? plot_write_svg(path, option, shown)
                                 : plot_write_png(path, option, shown);
}
