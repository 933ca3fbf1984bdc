/* random.c - the kernel's random bytes, by Linux; the promise is in random.h */
#define _DEFAULT_SOURCE /* getentropy */
#include "base/random.h"

#include <unistd.h>

bool ss_random_fill(void *bytes, size_t size_bytes)
{
    return getentropy(bytes, size_bytes) == 0;
}
