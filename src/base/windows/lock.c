/* lock.c - a lock that yields the processor; the idea is in lock.h */
#include "base/lock.h"

#include "base/windows/handle.h"

enum {
    TRIES = 100 /* before the first yield: about a microsecond */
};

void ss_lock_take(uint32_t *lock)
{
    for (unsigned tries = 1;
         __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0; tries++)
        if (tries >= TRIES)
            (void)SwitchToThread();
}

void ss_lock_give(uint32_t *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}
