/*
 * format.h - what a compressed format is to the reader: one row of functions.
 *
 * A file of a format is one member (gzip), frame (zstd) or stream (xz), or
 * several, one after the other; here each is a member. A decoder knows one
 * member at a time, from any pieces of input to any pieces of output. input.c
 * joins them, and counts the bytes.
 *
 * In a build without the library of a format its row has no functions, so that
 * such a file is still recognised, and refused by name.
 */
#ifndef INPUT_FORMAT_H
#define INPUT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* Do these first bytes begin a member? */
typedef enum input_match {
    INPUT_NO,
    INPUT_MAYBE, /* they are too few */
    INPUT_YES
} input_match;

/* What a decoder takes from and gives to; it moves both along. */
typedef struct input_piece {
    const uint8_t *in;
    size_t in_bytes;
    uint8_t *out;
    size_t out_bytes;
} input_piece;

/* What a step returns besides 0 and an error, a positive number. */
#define INPUT_MEMBER_ENDED (-1)

typedef struct input_format {
    const char *name;    /* "zstd" */
    const char *library; /* "libzstd" */
    const char *package; /* "libzstd-dev", to build with */
    const char *tool;    /* "zstd -dc --long=31": decompresses all there is */
    unsigned padding;    /* zeros after a member come in such groups; 0: none */
    input_match (*match)(const uint8_t *bytes, size_t size);
    /* Makes a decoder, or returns NULL. NULL: built without the library. */
    void *(*open)(void);
    /* Works until the input or the output is used up, or the member ends.
     * Returns 0, INPUT_MEMBER_ENDED or an error of input.h. */
    int (*step)(void *decoder, input_piece *piece);
    /* Makes ready for the next member. Returns 0 or ENOMEM. */
    int (*restart)(void *decoder);
    void (*close)(void *decoder);
} input_format;

extern const input_format input_gzip, input_zstd, input_xz;

/* The rows' functions of matching, which need no library. */
input_match input_match_gzip(const uint8_t *bytes, size_t size);
input_match input_match_zstd(const uint8_t *bytes, size_t size);
input_match input_match_xz(const uint8_t *bytes, size_t size);

/* The facts of each row, the same with and without its library. */
#define INPUT_GZIP_FACTS                                                       \
    .name = "gzip", .library = "zlib", .package = "zlib1g-dev",                \
    .tool = "gzip -dc", .padding = 1, .match = input_match_gzip
#define INPUT_ZSTD_FACTS                                                       \
    .name = "zstd", .library = "libzstd", .package = "libzstd-dev",            \
    .tool = "zstd -dc --long=31", .padding = 0, .match = input_match_zstd
#define INPUT_XZ_FACTS                                                         \
    .name = "xz", .library = "liblzma", .package = "liblzma-dev",              \
    .tool = "xz -dc", .padding = 4, .match = input_match_xz

#endif
