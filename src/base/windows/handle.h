/*
 * handle.h - what the files in this folder share: Windows' own words for a
 * path, for an open file, and for what went wrong.
 *
 * Paths come in UTF-8, with '/' or '\' between names, and go to Windows in
 * UTF-16. A file is open by a descriptor of the C library, which Windows' own
 * handle is behind. Errors come as Windows' numbers and are answered as errno.
 */
#ifndef SS_BASE_WINDOWS_HANDLE_H
#define SS_BASE_WINDOWS_HANDLE_H

#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0601 /* Windows 7 */
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <stdbool.h>
#include <stddef.h>

#include "base/path.h"

enum {
    /* a path of SS_PATH_MAX bytes below a folder of as many, and "\\?\UNC\" */
    SS_WIDE_PATH_MAX = 2 * SS_PATH_MAX + 8
};

/* A path for Windows. False and errno: it is not UTF-8, or too long. */
bool ss_windows_path(wchar_t out[SS_WIDE_PATH_MAX], const char *path);

/* The handle behind a descriptor. */
HANDLE ss_windows_handle(int fd);

/* Stores errno for what GetLastError says; returns -1. */
int ss_windows_fail(void);

/* Opens what a link leads to, or (is_link_meant) the link itself; it may be a
 * folder. INVALID_HANDLE_VALUE and GetLastError. */
HANDLE ss_windows_open(const wchar_t *path, DWORD access, DWORD how,
                       bool is_link_meant);

/* Is what was opened so a link to another place? Other files that Windows
 * fetches from somewhere are no links. */
bool ss_windows_is_link(HANDLE handle);

#endif
