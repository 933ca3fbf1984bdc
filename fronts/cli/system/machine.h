/*
 * machine.h - how large the machine is.
 */
#ifndef SYSTEM_MACHINE_H
#define SYSTEM_MACHINE_H

#include <stdint.h>

/* The processors that this process may run on; 0: not known. */
unsigned machine_processors(void);

/* Bytes of memory; UINT64_MAX: not known. */
uint64_t machine_memory_bytes(void);

#endif
