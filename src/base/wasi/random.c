/* random.c - the host's random bytes; the promise is in random.h */
#include "base/random.h"

#include "base/wasi/host.h"

bool ss_random_fill(void *bytes, size_t size_bytes)
{
    return ss_host_fill_random(bytes, size_bytes) == 0;
}
