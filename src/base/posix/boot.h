/*
 * boot.h - how long the machine is up, and which of its boots that is. clock.h
 * has what the two are for.
 */
#ifndef SS_BASE_POSIX_BOOT_H
#define SS_BASE_POSIX_BOOT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/clock.h"

/* The time since the machine was started; it cannot be set. */
void ss_boot_time(struct timespec *out);

/* False, and id is untouched: the system has no such number. errno stays as it
 * was. */
bool ss_boot_id(uint8_t id[SS_CLOCK_BOOT_BYTES]);

#endif
