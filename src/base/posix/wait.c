/* wait.c - timed waits by POSIX, and by macOS, whose conditions take no clock
 * but know a time from now on */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* pthread_cond_timedwait_relative_np */
#else
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/posix/wait.h"

#include "base/clock.h"

#if defined(__APPLE__)

int ss_wait_init(pthread_cond_t *changed)
{
    return pthread_cond_init(changed, NULL);
}

void ss_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, uint64_t ns)
{
    const uint64_t second_ns = UINT64_C(1000000000);
    struct timespec left = {.tv_sec = (time_t)(ns / second_ns),
                            .tv_nsec = (long)(ns % second_ns)};
    (void)pthread_cond_timedwait_relative_np(changed, mutex, &left);
}

#else

int ss_wait_init(pthread_cond_t *changed)
{
    pthread_condattr_t timed;
    int error = pthread_condattr_init(&timed);
    if (error != 0)
        return error;
    error = pthread_condattr_setclock(&timed, SS_CLOCK_OF_WAITS);
    if (error == 0)
        error = pthread_cond_init(changed, &timed);
    pthread_condattr_destroy(&timed);
    return error;
}

void ss_wait_for(pthread_cond_t *changed, pthread_mutex_t *mutex, uint64_t ns)
{
    struct timespec until = ss_clock_deadline(ns);
    (void)pthread_cond_timedwait(changed, mutex, &until);
}

#endif
