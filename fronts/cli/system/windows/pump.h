/*
 * pump.h - what comes from a pipe or a console, read ahead by a thread.
 *
 * Windows cannot wait until a pipe has something: only a read waits, and it
 * waits for nothing else. So a thread reads, and what wants the bytes waits for
 * an event, beside others.
 */
#ifndef SYSTEM_WINDOWS_PUMP_H
#define SYSTEM_WINDOWS_PUMP_H

#include "base/windows/handle.h"

typedef struct pump pump;

/* The pump of a descriptor, which is started if it has none. NULL: it is a
 * file, which never waits, or there is no memory or no thread; then it is read
 * as it is. */
pump *pump_of(int fd);

/* Set while there are bytes, or their end. */
HANDLE pump_event(const pump *from);

/* What read(2) does; it waits, too. */
ssize_t pump_read(pump *from, void *bytes, size_t size);

/* Before a descriptor is closed. False: a read still waits in it, and it has to
 * stay open. */
bool pump_may_close(int fd);

#endif
