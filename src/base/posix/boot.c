/* boot.c - the time since the boot, by POSIX, which has no number for a boot.
 * Whether its clock goes on while the machine is suspended is not said there:
 * macOS's does. */
#define _POSIX_C_SOURCE 200809L
#include "base/posix/boot.h"

void ss_boot_time(struct timespec *out)
{
    (void)clock_gettime(CLOCK_MONOTONIC, out);
}

bool ss_boot_id(uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    (void)id;
    return false;
}
