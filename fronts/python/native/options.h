/*
 * options.h - the keywords that say what a set is to be, of SeenSet and Queue.
 */
#ifndef SP_PYTHON_OPTIONS_H
#define SP_PYTHON_OPTIONS_H

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
};

/* What PyArg_ParseTupleAndKeywords is told of them: formats, names, places. The
 * first two may be given without their names, and "$" follows them. */
#define SP_SET_FORMAT "zzOOpOOOOp"
#define SP_SET_NAMES                                                           \
    "layout", "on_full", "window", "generations", "sliding", "keyed",          \
        "size_bits", "hash_count", "counter_bits", "any_rate"
#define SP_SET_PLACES(a)                                                       \
    &(a)->layout, &(a)->on_full, &(a)->window, &(a)->generations,              \
        &(a)->sliding, &(a)->keyed, &(a)->size_bits, &(a)->hash_count,         \
        &(a)->counter_bits, &(a)->any_rate

/* Fills in *options, whose secret is then in `secret`. Returns 0, or -1 and an
 * exception. */
int sp_options_make(seenset_options *options, uint8_t *secret,
                    const struct sp_arguments *arguments);

#endif
