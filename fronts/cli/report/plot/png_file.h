/*
 * png_file.h - pixels as a PNG file.
 */
#ifndef PNG_FILE_H
#define PNG_FILE_H

#include <stdint.h>

#define PNG_FILE_CHANNELS 3 /* red, green, blue, a byte each */

typedef struct png_pixels {
    uint32_t width, height;
    uint8_t *bytes; /* row after row, the top one first */
} png_pixels;

/* Writes or replaces the file at `path`, which the option named (replace.h).
 * Returns 0, or COMMAND_ERROR after a message. */
int png_file_write(const char *path, const char *option,
                   const png_pixels *from);

#endif
