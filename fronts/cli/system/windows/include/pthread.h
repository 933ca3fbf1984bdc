/*
 * pthread.h - what the command uses of POSIX threads, by those of Windows.
 * (In mingw's own a cancelled thread spoils the heap now and then.)
 *
 * A mutex and a condition need no call to be made, and none to be destroyed. A
 * thread ends by pthread_cancel in pthread_testcancel only, if it may end.
 */
#ifndef SYSTEM_WINDOWS_PTHREAD_H
#define SYSTEM_WINDOWS_PTHREAD_H

typedef struct posix_thread *pthread_t;

typedef struct pthread_mutex_t {
    void *lock; /* SRWLOCK */
} pthread_mutex_t;

typedef struct pthread_cond_t {
    void *variable; /* CONDITION_VARIABLE */
} pthread_cond_t;

#define PTHREAD_MUTEX_INITIALIZER                                              \
    {                                                                          \
        0                                                                      \
    }
#define PTHREAD_COND_INITIALIZER PTHREAD_MUTEX_INITIALIZER

#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1

/* attributes: NULL. Returns 0, or EAGAIN. */
int pthread_create(pthread_t *out, const void *attributes,
                   void *(*work)(void *argument), void *argument);
/* result must be NULL. Afterwards `thread` is not valid any more. */
int pthread_join(pthread_t thread, void **result);

int pthread_cancel(pthread_t thread);
int pthread_setcancelstate(int state, int *old);
void pthread_testcancel(void);

int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutex_destroy(pthread_mutex_t *mutex);

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_destroy(pthread_cond_t *condition);

#endif
