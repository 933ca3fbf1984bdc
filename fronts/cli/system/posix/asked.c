/* asked.c - see system/asked.h: SIGUSR1 is blocked, and waited for. */
#define _GNU_SOURCE /* sigtimedwait, pthread_sigmask */
#include "system/asked.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

static sigset_t asking(void)
{
    sigset_t only;
    (void)sigemptyset(&only);
    (void)sigaddset(&only, SIGUSR1);
    return only;
}

void asked_block(void)
{
    sigset_t only = asking();
    (void)pthread_sigmask(SIG_BLOCK, &only, NULL);
}

bool asked_wait(double seconds)
{
    sigset_t only = asking();
    struct timespec most = {.tv_sec = (time_t)seconds};
    most.tv_nsec = (long)((seconds - (double)most.tv_sec) * 1e9);
    int number;
    do
        number = sigtimedwait(&only, NULL, &most);
    while (number != SIGUSR1 && errno != EAGAIN);
    return number == SIGUSR1;
}

void asked_wake(pthread_t waiting)
{
    (void)pthread_kill(waiting, SIGUSR1);
}
