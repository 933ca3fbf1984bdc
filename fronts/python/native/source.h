/*
 * source.h - many keys from Python, some thousand at a time.
 *
 * Keys come in four shapes:
 *
 *     an iterable of str and bytes            each object is held meanwhile
 *     a buffer of 8-byte integers, or a       no copy
 *     column that is one by __array__
 *     a buffer of texts of one width (S10)    no copy
 *     a buffer of bytes, and one of offsets   no copy, each offset read once
 *
 * What is read with the GIL goes into a chunk, and then the library works on
 * the chunk without it. Buffers stay locked until the source is closed, so they
 * are not resized; what another thread writes into them meanwhile may be taken
 * or not, but nothing outside of them is ever read.
 */
#ifndef SP_PYTHON_SOURCE_H
#define SP_PYTHON_SOURCE_H

#include <seenset/base.h>

#include "native/python.h"

enum sp_shape {
    SP_KEYS,
    SP_INTEGERS,
    SP_HASHES
};

/* Some keys. keys, or numbers: the other is NULL. */
struct sp_chunk {
    enum sp_shape shape;
    size_t count;
    seenset_key *keys;
    const uint64_t *numbers;
    PyObject **held; /* what the keys are in, held_count of them */
    size_t held_count;
    uint64_t *aligned; /* a copy of numbers at an odd address */
};

struct sp_source {
    enum sp_shape shape;
    PyObject *iterator; /* NULL: buffers */
    Py_buffer buffer;
    Py_buffer offsets; /* .obj NULL: none */
    size_t count;      /* keys in the buffers */
    size_t next;
    size_t width; /* of a text; 0: by offsets */
    struct sp_chunk chunk;
};

/* Opens a source; offsets may be NULL or None. Returns 0, or -1 and an
 * exception (a TypeError that says which shapes there are). */
int sp_source_open(struct sp_source *source, PyObject *keys, PyObject *offsets,
                   bool hashed);

/* The next chunk, valid until the next call. 1; 0 at the end; -1 and an
 * exception, which may be that of a signal. */
int sp_source_next(struct sp_source *source, struct sp_chunk **chunk);

/* To be called also after an error of sp_source_open. */
void sp_source_close(struct sp_source *source);

#endif
