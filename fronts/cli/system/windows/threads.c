/* threads.c - see include/pthread.h */
#include <pthread.h>
#include <process.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/windows/handle.h"

struct posix_thread {
    HANDLE handle;
    void *(*work)(void *argument);
    void *argument;
    atomic_bool is_cancelled;
    bool may_not_end; /* of the thread itself */
};

static _Thread_local struct posix_thread *mine;

static unsigned __stdcall begin(void *argument)
{
    mine = argument;
    (void)mine->work(mine->argument);
    return 0;
}

int pthread_create(pthread_t *out, const void *attributes,
                   void *(*work)(void *argument), void *argument)
{
    struct posix_thread *new = calloc(1, sizeof *new);
    (void)attributes;
    if (new == NULL)
        return EAGAIN;
    new->work = work;
    new->argument = argument;
    new->handle = (HANDLE)_beginthreadex(NULL, 0, begin, new, 0, NULL);
    if (new->handle == NULL) {
        free(new);
        return EAGAIN;
    }
    *out = new;
    return 0;
}

int pthread_join(pthread_t thread, void **result)
{
    (void)result;
    (void)WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    free(thread);
    return 0;
}

int pthread_cancel(pthread_t thread)
{
    atomic_store(&thread->is_cancelled, true);
    return 0;
}

int pthread_setcancelstate(int state, int *old)
{
    *old = PTHREAD_CANCEL_ENABLE;
    if (mine != NULL) {
        *old = mine->may_not_end;
        mine->may_not_end = state == PTHREAD_CANCEL_DISABLE;
    }
    return 0;
}

void pthread_testcancel(void)
{
    if (mine != NULL && !mine->may_not_end && atomic_load(&mine->is_cancelled))
        _endthreadex(0);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    AcquireSRWLockExclusive((SRWLOCK *)mutex);
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    ReleaseSRWLockExclusive((SRWLOCK *)mutex);
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    (void)SleepConditionVariableSRW((CONDITION_VARIABLE *)condition,
                                    (SRWLOCK *)mutex, INFINITE, 0);
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    WakeConditionVariable((CONDITION_VARIABLE *)condition);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE *)condition);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}
