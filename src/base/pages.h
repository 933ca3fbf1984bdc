/*
 * pages.h - large blocks of memory straight from the operating system.
 */
#ifndef SS_BASE_PAGES_H
#define SS_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed bytes, aligned to the size of a huge page where the system has such
 * pages, and made of them if it can. NULL: there is no memory. */
void *ss_pages_take(size_t size_bytes);

/* The same of small pages, each of which takes memory when it is first written,
 * where the system can do that: then ss_pages_are_lazy. */
void *ss_pages_reserve(size_t size_bytes);
bool ss_pages_are_lazy(void);

/* Lets the system make huge pages of a block that was reserved, when it has
 * time for that; what is in it stays. */
void ss_pages_join(void *block, size_t size_bytes);

/* The same at once, in this thread. On Linux (6.1) that takes 0.4 ms for each
 * 2 MiB; in a virtual machine that has to fetch the memory first, 5 ms. */
void ss_pages_join_now(void *block, size_t size_bytes);

/* Gives back what ss_pages_take or ss_pages_reserve returned for the same size.
 */
void ss_pages_give(void *block, size_t size_bytes);

#endif
