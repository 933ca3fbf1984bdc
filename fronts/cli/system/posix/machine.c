/* machine.c - see system/machine.h */
#define _GNU_SOURCE /* sched_getaffinity, _SC_PHYS_PAGES */
#include "system/machine.h"

#include <sched.h>
#include <unistd.h>

/* Not known if there are more than the mask has bits for. */
unsigned machine_processors(void)
{
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        return 0;
    return (unsigned)CPU_COUNT(&mine);
}

uint64_t machine_memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), each = sysconf(_SC_PAGESIZE);
    return pages > 0 && each > 0 ? (uint64_t)pages * (uint64_t)each
                                 : UINT64_MAX;
}
