/*
 * libc_faults.c - malloc and its kin between a program and the C library.
 *
 * A symbol of the program comes before one of a shared library, so these are
 * the ones that everybody calls. They count, fail if they are told to, and
 * else hand the call on to the C library under its other name.
 */
#undef _FILE_OFFSET_BITS /* mmap and mmap64 are two names here */
#undef _TIME_BITS
#define _GNU_SOURCE
#include "libc_faults.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_NOT_OURS 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_NOT_OURS 1
#endif
#if !defined(__GLIBC__) && !defined(IS_NOT_OURS)
#define IS_NOT_OURS 1 /* the other names are glibc's */
#endif

#ifdef IS_NOT_OURS

bool libc_faults_can(void)
{
    return false;
}

void libc_faults_arm(size_t fail_at, bool is_lasting)
{
    (void)fail_at;
    (void)is_lasting;
}

size_t libc_faults_disarm(void)
{
    return 0;
}

void libc_faults_refuse_maps(int error)
{
    (void)error;
}

bool libc_faults_hit_thread(void)
{
    return false;
}

libc_live libc_faults_live(void)
{
    return (libc_live){0, 0};
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REPLACES __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

/* A function that replaces another has no argument to keep a state in. */
static struct {
    atomic_size_t calls, fail_at, failures; /* fail_at 0: none */
    atomic_bool is_lasting, hit_thread;
    atomic_long blocks, mapped_bytes;
    atomic_int map_error; /* 0: none */
} faults;

bool libc_faults_can(void)
{
    return true;
}

void libc_faults_arm(size_t fail_at, bool is_lasting)
{
    faults.calls = faults.failures = 0;
    faults.hit_thread = false;
    faults.is_lasting = is_lasting;
    faults.fail_at = fail_at;
}

size_t libc_faults_disarm(void)
{
    faults.fail_at = 0;
    return faults.failures;
}

void libc_faults_refuse_maps(int error)
{
    faults.map_error = error;
}

bool libc_faults_hit_thread(void)
{
    return faults.hit_thread;
}

libc_live libc_faults_live(void)
{
    return (libc_live){faults.blocks, faults.mapped_bytes};
}

/* Counts a call; true if it is to fail. */
static bool fails(void)
{
    size_t fail_at = faults.fail_at;
    if (fail_at == 0)
        return false;
    size_t call = ++faults.calls;
    if (call < fail_at || (call > fail_at && !faults.is_lasting))
        return false;
    faults.failures++;
    errno = ENOMEM;
    return true;
}

/* ---- memory ---- */

static void *counted(void *block)
{
    faults.blocks += block != NULL;
    return block;
}

REPLACES void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

REPLACES void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

REPLACES void *realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    void *moved = __libc_realloc(block, size);
    return block == NULL ? counted(moved) : moved;
}

REPLACES void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

REPLACES void free(void *block)
{
    faults.blocks -= block != NULL;
    __libc_free(block);
}

/* ---- mappings ---- */

static long pages(size_t size_bytes)
{
    enum {
        PAGE_BYTES = 4096
    };
    return (long)((size_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
}

/* The kernel's call. With 32 bits its offset counts pages of 4096 bytes, and on
 * s390x the arguments are in memory. */
static long map_by_kernel(void *address, size_t size, int protection, int flags,
                          int fd, off64_t offset)
{
#if defined(SYS_mmap2)
    return syscall(SYS_mmap2, address, size, protection, flags, fd,
                   (long)(offset / 4096));
#elif defined(__s390x__)
    const long arguments[6] = {
        (long)(intptr_t)address, (long)size, protection, flags, fd, offset};
    return syscall(SYS_mmap, arguments);
#else
    return syscall(SYS_mmap, address, size, protection, flags, fd, offset);
#endif
}

REPLACES void *mmap64(void *address, size_t size, int protection, int flags,
                      int fd, off64_t offset)
{
    if (fails())
        return MAP_FAILED;
    if (fd >= 0 && faults.map_error != 0) {
        errno = faults.map_error;
        return MAP_FAILED;
    }
    long at = map_by_kernel(address, size, protection, flags, fd, offset);
    if (at == -1)
        return MAP_FAILED;
    faults.mapped_bytes += pages(size);
    return (void *)(intptr_t)at;
}

REPLACES void *mmap(void *address, size_t size, int protection, int flags,
                    int fd, off_t offset)
{
    return mmap64(address, size, protection, flags, fd, offset);
}

REPLACES int munmap(void *address, size_t size)
{
    int result = (int)syscall(SYS_munmap, address, size);
    if (result == 0)
        faults.mapped_bytes -= pages(size);
    return result;
}

/* ---- threads ---- */

typedef int thread_starter(pthread_t *, const pthread_attr_t *,
                           void *(*)(void *), void *);

/* What the C library allocates for a thread is no call of the program's. */
REPLACES int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*run)(void *), void *argument)
{
    thread_starter *start;
    size_t fail_at = faults.fail_at;
    if (fails()) {
        faults.hit_thread = true;
        return EAGAIN;
    }
    faults.fail_at = 0;
    *(void **)&start = dlsym(RTLD_NEXT, "pthread_create");
    int error = start(thread, attributes, run, argument);
    faults.fail_at = fail_at;
    return error;
}

#endif
