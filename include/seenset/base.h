/*
 * seenset/base.h - what all other headers need: the version, keys, memory.
 *
 * seenset/seenset.h includes it.
 */
#ifndef SEENSET_BASE_H
#define SEENSET_BASE_H

#include <stddef.h>
#include <stdint.h>

/* A function that programs may call. */
#if defined(__GNUC__)
#define SEENSET_API __attribute__((visibility("default")))
#else
#define SEENSET_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers. */
#define SEENSET_VERSION "0.1.0"
#define SEENSET_VERSION_MAJOR 0
#define SEENSET_VERSION_MINOR 1
#define SEENSET_VERSION_PATCH 0

/* The same as one number that can be compared: 0.1.0 is 100, 1.2.3 is 10203. */
#define SEENSET_VERSION_NUMBER                                                 \
    (SEENSET_VERSION_MAJOR * 10000 + SEENSET_VERSION_MINOR * 100 +             \
     SEENSET_VERSION_PATCH)

/*
 * The version of the library that the program runs with, such as "0.1.0". The
 * text is static. Cannot fail. Threads: any time.
 */
SEENSET_API const char *seenset_version(void);

/*
 * The version of the library that the program runs with, as a number like
 * SEENSET_VERSION_NUMBER. Cannot fail. Threads: any time.
 */
SEENSET_API uint32_t seenset_version_number(void);

/* A set, whatever its layout. Its inside is private. */
typedef struct seenset seenset;

/* A key: len bytes at data. data may be NULL when len is 0. */
typedef struct seenset_key {
    const void *data;
    size_t len;
} seenset_key;

/*
 * Where the memory of a set comes from.
 *
 * allocate returns size_bytes bytes at a multiple of alignment_bytes (a power
 * of two, at most 64), or NULL when there is no memory. release takes back what
 * allocate returned, with the same size. context is handed to both.
 *
 * The three are copied into the set. They are called from the thread that
 * calls the set; calls that may run at once may call them at once.
 */
typedef struct seenset_allocator {
    void *(*allocate)(void *context, size_t size_bytes, size_t alignment_bytes);
    void (*release)(void *context, void *memory, size_t size_bytes);
    void *context;
} seenset_allocator;

#ifdef __cplusplus
}
#endif
#endif
