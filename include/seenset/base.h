/*
 * seenset/base.h - what all other headers need: the version, keys, memory.
 *
 * seenset/seenset.h includes it.
 */
#ifndef SEENSET_BASE_H
#define SEENSET_BASE_H

#include <stdbool.h>
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
#define SEENSET_VERSION "1.0.0"
#define SEENSET_VERSION_MAJOR 1
#define SEENSET_VERSION_MINOR 0
#define SEENSET_VERSION_PATCH 0

/* The same as one number that can be compared: 1.0.0 is 10000, 1.2.3 is 10203.
 */
#define SEENSET_VERSION_NUMBER                                                 \
    (SEENSET_VERSION_MAJOR * 10000 + SEENSET_VERSION_MINOR * 100 +             \
     SEENSET_VERSION_PATCH)

/*
 * The version of the library that the program runs with, such as "1.0.0". The
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

/*
 * How this interface can grow without breaking a program that was built with an
 * older version of it (docs/stability.md):
 *
 * Structs that a call reads (options, entries, plans) end with reserved fields,
 * which must be 0; a new field takes their place, and 0 is its default. So
 * start from {0} and name what you care about. A call returns SEENSET_EINVAL if
 * a reserved field is not 0. Structs that a call fills in come with their size,
 * out_bytes, or have reserved fields that the call sets to 0. The call writes
 * the fields that both versions know, and zeros to the rest. seenset_key and
 * seenset_allocator never change.
 *
 * Yes or no is a bit of `flags` (uint32_t) in what a call is given, and a bool
 * in what it reports. All flags are different bits of one space:
 *
 *     0 to 7     SEENSET_FLAG_...   how a set is made    (seenset/options.h)
 *     8 to 15    SEENSET_OPEN_...   how one is opened    (seenset/file.h)
 *     16 to 31   SEENSET_QUEUE_...  queues               (seenset/queue.h)
 *
 * A call returns SEENSET_EINVAL for a bit that it does not take, even if
 * another call takes it.
 *
 * Each kind of callback has a type of its own, seenset_..._function. Its first
 * argument is the context that was given with it.
 */

/* A key: len bytes at data. data may be NULL when len is 0. */
typedef struct seenset_key {
    const void *data;
    size_t len;
} seenset_key;

/*
 * Returns size_bytes bytes at a multiple of alignment_bytes (a power of two, at
 * most 64), or NULL when there is no memory. context is that of the allocator.
 */
typedef void *seenset_allocate_function(void *context, size_t size_bytes,
                                        size_t alignment_bytes);

/* Frees memory that the allocate function returned for the same size_bytes. */
typedef void seenset_release_function(void *context, void *memory,
                                      size_t size_bytes);

/*
 * Where the memory of a set comes from. Both functions are needed.
 *
 * The struct is copied into the set. The functions are called from the thread
 * that calls the set; calls that may run at once may call them at once.
 */
typedef struct seenset_allocator {
    seenset_allocate_function *allocate;
    seenset_release_function *release;
    void *context;
} seenset_allocator;

#ifdef __cplusplus
}
#endif
#endif
