/*
 * stop.h - the request to stop, for what waits.
 */
#ifndef SYSTEM_WINDOWS_STOP_H
#define SYSTEM_WINDOWS_STOP_H

#include "base/windows/handle.h"

/* Set when the request has come; NULL before stop_arm. */
HANDLE stop_event(void);

#endif
