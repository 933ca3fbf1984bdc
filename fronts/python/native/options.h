/*
 * options.h - the keywords that say what a set is to be, of SeenSet and Queue.
 */
#ifndef SP_PYTHON_OPTIONS_H
#define SP_PYTHON_OPTIONS_H

#include <seenset/hash.h>
#include <seenset/options.h>

#include "native/python.h"

/* The keywords as a call got them. Start from {0}: NULL is not given. */
struct sp_arguments {
    PyObject *capacity;
    PyObject *fp_rate;
    const char *layout;
    const char *on_full;
    PyObject *window;
    PyObject *generations;
    int sliding;
    PyObject *keyed;
    PyObject *size_bits;
    PyObject *hash_count;
    PyObject *counter_bits;
    int any_rate;
    const char *scheme;
    PyObject *seed;
    PyObject *seeds;
    PyObject *unit_bits;
};

/* What options point to: they live as long as it does. */
struct sp_options_room {
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_scheme_arguments scheme;
    uint32_t seeds[SEENSET_MAX_HASH_COUNT];
};

/* What PyArg_ParseTupleAndKeywords is told of them: formats, names, places. The
 * first two may be given without their names, and "$" follows them. */
#define SP_SET_FORMAT "zzOOpOOOOpzOOO"
#define SP_SET_NAMES                                                           \
    "layout", "on_full", "window", "generations", "sliding", "keyed",          \
        "size_bits", "hash_count", "counter_bits", "any_rate", "scheme",       \
        "seed", "seeds", "unit_bits"
#define SP_SET_PLACES(a)                                                       \
    &(a)->layout, &(a)->on_full, &(a)->window, &(a)->generations,              \
        &(a)->sliding, &(a)->keyed, &(a)->size_bits, &(a)->hash_count,         \
        &(a)->counter_bits, &(a)->any_rate, &(a)->scheme, &(a)->seed,          \
        &(a)->seeds, &(a)->unit_bits

/* Fills in *options, which then point into *room. Returns 0, or -1 and an
 * exception. */
int sp_options_make(seenset_options *options, struct sp_options_room *room,
                    const struct sp_arguments *arguments);

#endif
