/*
 * wait.c - the line of commands that wait for a queue.
 */
#define _GNU_SOURCE /* flock, setitimer, O_DIRECTORY */
#include "queue/access/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "seenset/error.h"
#include "stream/clock.h"

#define FIRST_PAUSE_SECONDS 0.001
#define LONGEST_PAUSE_SECONDS 0.05
#define LONGEST_ALARM_SECONDS 1e9

/* ---- the line ---- */

static void wake(int signal)
{
    (void)signal;
}

/* Sets SIGALRM for that long from now and every 50 ms after it, since the first
 * may come before there is something to interrupt. 0: no more. */
static void set_alarm(double seconds)
{
    struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
    if (seconds > 0) {
        timer.it_value.tv_usec =
            (suseconds_t)((seconds - floor(seconds)) * 1e6) + 1;
        timer.it_interval.tv_usec = 50000;
    }
    if (timer.it_value.tv_usec > 999999)
        timer.it_value.tv_usec = 999999;
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

/* Waits for the lock. The kernel serves those who wait in order. */
static void lock_until(int fd, double until)
{
    struct sigaction old, action = {.sa_handler = wake}; /* no SA_RESTART */
    double left = until - clock_steady_seconds();
    if (!(left > 0))
        return;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, &old);
    if (left <= LONGEST_ALARM_SECONDS)
        set_alarm(left);
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR &&
           clock_steady_seconds() < until)
        ;
    set_alarm(0);
    (void)sigaction(SIGALRM, &old, NULL);
}

/* Joins the line and waits to be the first of it. Returns a descriptor, which
 * is closed to leave the line, or -1: there is no line. */
static int join_line(const char *dir, double until)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        lock_until(fd, until);
    return fd;
}

bool queue_is_awaited(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_free = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return !is_free;
}

/* ---- trying ---- */

/* Sleeps, and makes the next pause longer. Returns false if the time is over.
 */
static bool pause_once(double *pause_seconds, double until)
{
    double left = until - clock_steady_seconds();
    if (!(left > 0))
        return false;
    double pause = *pause_seconds < left ? *pause_seconds : left;
    struct timespec time = {.tv_nsec = (long)(pause * 1e9)};
    (void)nanosleep(&time, NULL);
    *pause_seconds *= 1.5;
    if (*pause_seconds > LONGEST_PAUSE_SECONDS)
        *pause_seconds = LONGEST_PAUSE_SECONDS;
    return true;
}

int queue_wait(const char *dir, double seconds, queue_attempt *attempt,
               void *context)
{
    double until = clock_steady_seconds() + seconds;
    double pause_seconds = FIRST_PAUSE_SECONDS;
    if (seconds == 0.0)
        return attempt(context);
    int error, line = join_line(dir, until);
    do
        error = attempt(context);
    while (error == SEENSET_EINUSE && pause_once(&pause_seconds, until));
    int saved_errno = errno;
    if (line >= 0)
        close(line);
    errno = saved_errno;
    return error;
}

int queue_complain_in_use(const char *dir, double seconds)
{
    if (seconds == 0.0)
        complain("%s: the queue is in use by another process; --wait waits "
                 "until it is free",
                 dir);
    else
        complain("%s: the queue is in use by another process; waited %g s", dir,
                 seconds);
    return COMMAND_ERROR;
}
