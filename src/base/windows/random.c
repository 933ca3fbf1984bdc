/* random.c - Windows' random bytes; the promise is in random.h */
#include "base/random.h"

#include "base/windows/handle.h"

#include <ntsecapi.h> /* RtlGenRandom */

bool ss_random_fill(void *bytes, size_t size_bytes)
{
    return RtlGenRandom(bytes, (ULONG)size_bytes);
}
