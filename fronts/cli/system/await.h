/*
 * await.h - waits until there is input to read, or a request to stop
 * (stream/stop.h).
 */
#ifndef SYSTEM_AWAIT_H
#define SYSTEM_AWAIT_H

#include <stdbool.h>

typedef enum await_end {
    AWAIT_INPUT, /* a read would not wait: there is input, or its end */
    AWAIT_STOP,
    AWAIT_TIME /* neither, so far */
} await_end;

/* For at most so many milliseconds, or (-1) for as long as it takes. A signal
 * that is none of these may end it early. */
await_end await_input(int fd, int milliseconds);

/* Would a read wait? */
bool await_is_needed(int fd);

#endif
