/* await.c - see system/await.h: a pump's event, and that of the request. */
#include "system/await.h"

#include "system/windows/pump.h"
#include "system/windows/stop.h"

bool await_is_needed(int fd)
{
    pump *from = pump_of(fd);
    return from != NULL &&
           WaitForSingleObject(pump_event(from), 0) != WAIT_OBJECT_0;
}

await_end await_input(int fd, int milliseconds)
{
    pump *from = pump_of(fd);
    if (from == NULL)
        return AWAIT_INPUT;
    HANDLE events[2] = {pump_event(from), stop_event()};
    DWORD most = milliseconds < 0 ? INFINITE : (DWORD)milliseconds;
    switch (WaitForMultipleObjects(events[1] != NULL ? 2 : 1, events, FALSE,
                                   most)) {
    case WAIT_OBJECT_0 + 1:
        return AWAIT_STOP;
    case WAIT_TIMEOUT:
        return AWAIT_TIME;
    default:
        return AWAIT_INPUT;
    }
}
