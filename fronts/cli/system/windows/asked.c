/* asked.c - see system/asked.h. There is no such signal: what waits for it
 * waits for its time, and for its end. */
#include "system/asked.h"

#include "base/windows/handle.h"

static HANDLE woken;

void asked_block(void)
{
    woken = CreateEventW(NULL, FALSE, FALSE, NULL);
}

bool asked_wait(double seconds)
{
    DWORD most = (DWORD)(seconds * 1e3);
    if (woken != NULL)
        return WaitForSingleObject(woken, most) == WAIT_OBJECT_0;
    Sleep(most);
    return false;
}

void asked_wake(pthread_t waiting)
{
    (void)waiting;
    if (woken != NULL)
        SetEvent(woken);
}
