/* lock.c - a lock that is always free: there is a single thread */
#include "base/lock.h"

void ss_lock_take(uint32_t *lock)
{
    *lock = 1;
}

void ss_lock_give(uint32_t *lock)
{
    *lock = 0;
}
