/*
 * pages.h - large blocks of memory straight from the operating system.
 */
#ifndef SS_BASE_PAGES_H
#define SS_BASE_PAGES_H

#include <stddef.h>

/* Zeroed bytes, aligned to the size of a huge page where the system has such
 * pages, and made of them if it can. NULL: there is no memory. */
void *ss_pages_take(size_t size_bytes);

/* Gives back what ss_pages_take returned for the same size. */
void ss_pages_give(void *block, size_t size_bytes);

#endif
