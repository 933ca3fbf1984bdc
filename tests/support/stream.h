/*
 * stream.h - a stream in memory, for seenset_write and seenset_read: of any
 * length, read in pieces of any size, and failing where it is told to.
 */
#ifndef TEST_STREAM_H
#define TEST_STREAM_H

#include "support.h"

typedef struct test_stream {
    uint8_t *bytes; /* from malloc; grows as it is written */
    size_t size_bytes, room_bytes;
    size_t at;          /* of the next byte that is read */
    size_t piece_bytes; /* that one read stores at most; 0: as many as asked */
    size_t calls;       /* of either function */
    size_t failing;     /* this call fails with EPIPE, from 1; 0: none */
    size_t most_bytes;  /* the most that a call was given, or asked for */
} test_stream;

/* The functions; context is the test_stream. */
int test_stream_write(void *context, const void *bytes, size_t size_bytes);
int64_t test_stream_read(void *context, void *bytes, size_t size_bytes);

void test_stream_free(test_stream *stream);

#endif
