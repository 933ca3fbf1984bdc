/*
 * input.h - the bytes of an input, decompressed if they are compressed.
 *
 * The first bytes of a file say whether it is gzip, zstd or xz (match.c).
 * Anything else is given out as it is; a short first read is enough to know,
 * so that a line from a pipe is not kept waiting. Compressed bytes are read in
 * pieces of a fixed size and go through the decoder into the caller's memory:
 * no file is written, and however much a piece becomes, it comes in portions
 * of what the caller has room for.
 *
 *     fd --read--> raw[at..held) --decoder--> into[0..room)
 *
 * Several members, one after the other, are one text, as the programs gzip,
 * zstd and xz read them.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/format.h"

/* The most that a file may make the decoder remember: 128 MiB. */
#define INPUT_WINDOW_LOG 27
#define INPUT_WINDOW_BYTES (UINT64_C(1) << INPUT_WINDOW_LOG)

typedef enum input_mode {
    INPUT_RECOGNISED = 0, /* decompressed if it is compressed */
    INPUT_COMPRESSED,     /* and an error if it is not */
    INPUT_AS_IS           /* never decompressed */
} input_mode;

typedef enum input_state {
    INPUT_BEGINS, /* its format is not known yet */
    INPUT_PLAIN,
    INPUT_IN_MEMBER,
    INPUT_AFTER_MEMBER
} input_state;

typedef struct input_stream {
    int fd; /* STDIN_FILENO or less: it is not closed */
    input_mode mode;
    input_state state;
    const input_format *format; /* NULL: none, or not known yet */
    void *decoder;
    uint8_t *raw;
    size_t at, held;     /* raw[at..held) was read and not used yet */
    uint64_t file_bytes; /* read so far */
    uint64_t zeros;      /* of the padding after a member */
    bool wants_raw;      /* more has to be read before anything comes */
    bool is_read_whole;
    bool has_given;  /* some bytes were decompressed */
    int later_error; /* comes after the bytes that were given, or 0 */
} input_stream;

/* Values of errno besides the system's. */
#define INPUT_IS_NOT_COMPRESSED 0x20001
#define INPUT_IS_DAMAGED 0x20002
#define INPUT_IS_CUT 0x20003
#define INPUT_HAS_MORE_BEHIND 0x20004
#define INPUT_IS_TOO_WIDE 0x20005
#define INPUT_NEEDS_LIBRARY 0x20006

/* Returns 0, or -1 and errno (ENOMEM). input_free undoes it. */
int input_init(input_stream *from);

/* Takes NULL memory, as of an input that is all zeros. */
void input_free(input_stream *from);

/* Ends the file before, and starts with the open file fd. */
void input_start(input_stream *from, int fd);

#define INPUT_AGAIN (-2)

/*
 * Stores up to `room` (> 0) bytes. Calls read(2) at most once, and not if
 * input_is_ready. Returns how many bytes; 0 at the end; -1 and errno; or
 * INPUT_AGAIN: nothing has come of what was read, so far.
 */
ptrdiff_t input_read(input_stream *from, char *into, size_t room);

/* May there be bytes, or an error, without a read(2)? */
bool input_is_ready(const input_stream *from);

/* How many bytes of the file were used. */
uint64_t input_used_bytes(const input_stream *from);

/* An error of input_read in words: what is wrong, where, what to do. False if
 * it is one of the system's. */
bool input_describe(const input_stream *from, int error, char *text,
                    size_t room);

#endif
