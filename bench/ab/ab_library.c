/*
 * ab_library.c - see ab_library.h.
 *
 * Each build is in a namespace of the dynamic linker of its own (dlmopen), so
 * that equal names do not meet, and the same file can be loaded twice. An older
 * build lacks some calls, and they are looked up by name. It knows fewer fields
 * of the options: those are 0. A build from before the options had the size
 * that they have now has others in the same places; the first set that it makes
 * would show it.
 */
#define _GNU_SOURCE /* dlmopen */
#include "ab_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset; /* in library */
    bool is_needed;
} calls[] = {
    {"seenset_new", offsetof(library, new_set), true},
    {"seenset_free", offsetof(library, free_set), true},
    {"seenset_get_info", offsetof(library, get_info), true},
    {"seenset_version", offsetof(library, version), true},
    {"seenset_add", offsetof(library, add), false},
    {"seenset_has", offsetof(library, has), false},
    {"seenset_add_many", offsetof(library, add_many), false},
    {"seenset_has_many", offsetof(library, has_many), false},
    {"seenset_has_hash", offsetof(library, has_hash), false},
    {"seenset_add_hash_many", offsetof(library, add_hash_many), false},
    {"seenset_has_hash_many", offsetof(library, has_hash_many), false},
    {"seenset_add_u64_many", offsetof(library, add_u64_many), false},
    {"seenset_has_u64_many", offsetof(library, has_u64_many), false},
};

static void end(const char *path, const char *what)
{
    fprintf(stderr, "bench_ab: %s: %s\n", path, what);
    exit(1);
}

void library_load(library *out, const char *path)
{
    char *whole = realpath(path, NULL); /* else a bare name is searched for */
    if (whole == NULL)
        end(path, "there is no such file");
    void *handle = dlmopen(LM_ID_NEWLM, whole, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        end(path, dlerror());
    free(whole);
    *out = (library){.path = path};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *found = dlsym(handle, calls[i].name);
        if (found == NULL && calls[i].is_needed)
            end(path, "is not libseenset, or one from before "
                      "seenset_get_info");
        memcpy((char *)out + calls[i].offset, &found, sizeof found);
    }
}

seenset *library_make(const library *from, const seenset_options *options)
{
    seenset *set = NULL;
    seenset_info info = {0};
    if (from->new_set(&set, options) != 0)
        return NULL;
    if (from->get_info(set, &info, sizeof info) != 0 ||
        info.layout != options->layout || info.on_full != options->on_full ||
        info.flags != options->flags ||
        !(info.fp_rate >= options->fp_rate && info.fp_rate <= options->fp_rate))
        end(from->path, "has other options than this program");
    return set;
}
