/* await.c - see system/await.h. A signal that asks to stop writes to a pipe. */
#include "system/await.h"

#include <poll.h>

#include "stream/stop.h"

await_end await_input(int fd, int milliseconds)
{
    struct pollfd inputs[2] = {{.fd = fd, .events = POLLIN},
                               {.fd = stop_fd(), .events = POLLIN}};
    (void)poll(inputs, 2, milliseconds);
    if (inputs[1].revents != 0)
        return AWAIT_STOP;
    return inputs[0].revents != 0 ? AWAIT_INPUT : AWAIT_TIME;
}

bool await_is_needed(int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    return poll(&input, 1, 0) == 0;
}
