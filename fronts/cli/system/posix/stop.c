/*
 * stop.c - see stop.h.
 */
#define _GNU_SOURCE /* sigaction, pipe2 */
#include "stream/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "stream/clock.h"

#define DELIBERATE_MS 1000u

/* A signal handler has no argument to find its state by. */
static struct {
    atomic_int signal;
    atomic_uint came_ms; /* when, and never 0; 0: not yet */
    int read_fd, write_fd;
} stop = {.read_fd = -1, .write_fd = -1};

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

#define CAUGHT_COUNT (sizeof caught / sizeof caught[0])

/* All three signals are blocked here: this one is raised when that ends. */
static void end_at_once(int number)
{
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void catch_signal(int number)
{
    int error = errno, none = 0;
    unsigned now = (unsigned)(uint64_t)(clock_steady_seconds() * 1e3) | 1;
    unsigned first = 0;
    if (atomic_compare_exchange_strong(&stop.came_ms, &first, now)) {
        (void)atomic_compare_exchange_strong(&stop.signal, &none, number);
        (void)!write(stop.write_fd, "", 1);
    } else if (now - first >= DELIBERATE_MS && now - first < UINT_MAX / 2) {
        end_at_once(number);
    }
    errno = error;
}

int stop_arm(void)
{
    int ends[2];
    struct sigaction now;
    struct sigaction action = {.sa_handler = catch_signal,
                               .sa_flags = SA_RESTART};
    if (stop.read_fd < 0) {
        if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
            return -1;
        stop.read_fd = ends[0];
        stop.write_fd = ends[1];
    }
    (void)sigfillset(&action.sa_mask);
    for (size_t i = 0; i < CAUGHT_COUNT; i++)
        if (sigaction(caught[i], NULL, &now) == 0 &&
            now.sa_handler != SIG_IGN &&
            sigaction(caught[i], &action, NULL) != 0)
            return -1;
    return 0;
}

int stop_signal(void)
{
    return atomic_load(&stop.signal);
}

int stop_fd(void)
{
    return stop.read_fd;
}

int stop_die(void)
{
    enum {
        SHELLS_BASE = 128
    };
    sigset_t only;
    int number = stop_signal();
    (void)signal(number, SIG_DFL);
    (void)sigemptyset(&only);
    (void)sigaddset(&only, number);
    (void)sigprocmask(SIG_UNBLOCK, &only, NULL);
    (void)raise(number);
    return SHELLS_BASE + number;
}
