/* asked.c - see system/asked.h. Windows has no such signal: a wait for it lasts
 * until its time is over, or until it is ended. */
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
