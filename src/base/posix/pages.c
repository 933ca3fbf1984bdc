/*
 * pages.c - large blocks, by what each system has beside POSIX, or by C alone.
 *
 * POSIX of 2008 has no memory without a file. The BSDs and macOS call it
 * MAP_ANON; its pages take memory when they are first written. Elsewhere calloc
 * has to do, which on most systems knows what comes zeroed anyway, but nothing
 * promises that: before the block is the address that it returned.
 */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* MAP_ANON */
#elif defined(__NetBSD__)
#define _NETBSD_SOURCE /* MAP_ANON */
#elif !defined(__FreeBSD__) && !defined(__OpenBSD__) && !defined(__DragonFly__)
#define _POSIX_C_SOURCE 200809L /* which would hide it from a BSD */
#endif
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef MAP_ANON

void *ss_pages_take(size_t size_bytes)
{
    void *block = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANON, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

bool ss_pages_are_lazy(void)
{
    return true;
}

void ss_pages_give(void *block, size_t size_bytes)
{
    munmap(block, size_bytes);
}

#else

enum {
    BEFORE_BYTES = 64 /* the block begins on a cache line */
};
_Static_assert(_Alignof(max_align_t) >= sizeof(void *),
               "before the block is room for an address");

void *ss_pages_take(size_t size_bytes)
{
    if (size_bytes > SIZE_MAX - BEFORE_BYTES)
        return NULL;
    char *whole = calloc(1, size_bytes + BEFORE_BYTES);
    if (whole == NULL)
        return NULL;
    char *block = whole + BEFORE_BYTES - (uintptr_t)whole % BEFORE_BYTES;
    memcpy(block - sizeof whole, &whole, sizeof whole);
    return block;
}

bool ss_pages_are_lazy(void)
{
    return false;
}

void ss_pages_give(void *block, size_t size_bytes)
{
    char *whole;
    (void)size_bytes;
    memcpy(&whole, (char *)block - sizeof whole, sizeof whole);
    free(whole);
}

#endif
