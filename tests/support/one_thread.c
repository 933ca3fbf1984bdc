/*
 * one_thread.c - what holds the label "alone": a program with this in it is
 * linked so that it cannot start a thread (--wrap=pthread_create), nor can the
 * library in it. The thread sanitizer leaves out such programs.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument)
{
    (void)thread;
    (void)attributes;
    (void)run;
    (void)argument;
    fprintf(stderr, "a test that is labelled alone starts a thread\n");
    _Exit(1);
}
