/*
 * png_file.c - see png_file.h.
 */
#include "report/plot/png_file.h"

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/replace.h"

/* After an error libpng returns here with longjmp. */
static bool encode(const png_pixels *from, FILE *file, png_structp png,
                   png_infop info)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, from->width, from->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    size_t row_bytes = (size_t)from->width * PNG_FILE_CHANNELS;
    for (uint32_t y = 0; y < from->height; y++)
        png_write_row(png, from->bytes + y * row_bytes);
    png_write_end(png, info);
    return true;
}

/* Otherwise libpng would print its own messages. */
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

static bool encode_to(void *context, FILE *file)
{
    const png_pixels *from = context;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL,
                                              give_up, keep_quiet);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    bool is_done = info != NULL && encode(from, file, png, info);
    png_destroy_write_struct(&png, &info);
    return is_done;
}

int png_file_write(const char *path, const char *option, const png_pixels *from)
{
    png_pixels copy = *from;
    return replace_file(path, option, "picture", encode_to, &copy);
}
