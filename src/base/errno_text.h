/*
 * errno_text.h - the operating system's words for an error of its own.
 */
#ifndef SS_BASE_ERRNO_TEXT_H
#define SS_BASE_ERRNO_TEXT_H

#include <stddef.h>

/* Writes what errno means, cut off where there is no more room; errno stays as
 * it was. Any thread may call it at any time. */
void ss_errno_text(char *text, size_t room);

#endif
