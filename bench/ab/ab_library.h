/*
 * ab_library.h - a build of the library, loaded beside another.
 */
#ifndef AB_LIBRARY_H
#define AB_LIBRARY_H

#include "seenset/seenset.h"

/* Calls that the build lacks are NULL, but for the first four. */
typedef struct library {
    const char *path;
    int (*new_set)(seenset **, const seenset_options *);
    void (*free_set)(seenset *);
    int (*get_info)(const seenset *, seenset_info *, size_t);
    const char *(*version)(void);
    int (*add)(seenset *, const void *, size_t);
    int (*has)(const seenset *, const void *, size_t);
    int (*add_many)(seenset *, const seenset_key *, size_t, uint8_t *);
    int (*has_many)(const seenset *, const seenset_key *, size_t, uint8_t *);
    int (*has_hash)(const seenset *, uint64_t);
    int (*add_hash_many)(seenset *, const uint64_t *, size_t, uint8_t *);
    int (*has_hash_many)(const seenset *, const uint64_t *, size_t, uint8_t *);
    int (*add_u64_many)(seenset *, const uint64_t *, size_t, uint8_t *);
    int (*has_u64_many)(const seenset *, const uint64_t *, size_t, uint8_t *);
} library;

/* Loads the build at `path` into a namespace of its own, or ends the program
 * with a message. */
void library_load(library *out, const char *path);

/* A set, or NULL where this build does not have such sets. Ends the program if
 * the build understands the options otherwise. */
seenset *library_make(const library *from, const seenset_options *options);

#endif
