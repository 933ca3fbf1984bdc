/* machine.c - see system/machine.h */
#include "system/machine.h"

#include "base/windows/handle.h"

unsigned machine_processors(void)
{
    DWORD_PTR mine = 0, all = 0;
    unsigned count = 0;
    (void)GetProcessAffinityMask(GetCurrentProcess(), &mine, &all);
    for (; mine != 0; mine &= mine - 1)
        count++;
    return count;
}

uint64_t machine_memory_bytes(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : UINT64_MAX;
}
