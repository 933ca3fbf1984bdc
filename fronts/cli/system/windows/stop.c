/*
 * stop.c - see stream/stop.h. A console has Ctrl-C, Ctrl-Break and its end for
 * the three signals; Windows runs a thread for each.
 */
#include "stream/stop.h"

#include <signal.h>
#include <stdatomic.h>

#include "base/windows/handle.h"
#include "stream/clock.h"
#include "system/windows/stop.h"

#define DELIBERATE_MS 1000u

/* A handler of a console has no argument to find its state by. */
static struct {
    atomic_int signal;
    atomic_uint came_ms; /* when, and never 0; 0: not yet */
    HANDLE event;
} stop;

static int signal_of(DWORD kind)
{
    return kind == CTRL_C_EVENT || kind == CTRL_BREAK_EVENT ? SIGINT : SIGTERM;
}

/* Returns FALSE for what Windows shall do itself: end the process. When a
 * console or a session ends Windows does that once this returns, so it does
 * not: the process ends when it has saved. */
static BOOL WINAPI catch_event(DWORD kind)
{
    unsigned now = (unsigned)(uint64_t)(clock_steady_seconds() * 1e3) | 1;
    unsigned first = 0;
    if (atomic_compare_exchange_strong(&stop.came_ms, &first, now)) {
        atomic_store(&stop.signal, signal_of(kind));
        SetEvent(stop.event);
    } else if (now - first >= DELIBERATE_MS && now - first < UINT_MAX / 2) {
        return FALSE;
    }
    if (signal_of(kind) == SIGTERM)
        Sleep(INFINITE);
    return TRUE;
}

int stop_arm(void)
{
    if (stop.event == NULL)
        stop.event = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (stop.event == NULL || !SetConsoleCtrlHandler(catch_event, TRUE))
        return ss_windows_fail();
    return 0;
}

int stop_signal(void)
{
    return atomic_load(&stop.signal);
}

HANDLE stop_event(void)
{
    return stop.event;
}

int stop_die(void)
{
    enum {
        SHELLS_BASE = 128
    };
    return SHELLS_BASE + stop_signal();
}
