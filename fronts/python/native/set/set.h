/*
 * set.h - the type SeenSet: a seenset that Python owns.
 *
 * Its methods are in several files, by what they do: set.c (keys one by one),
 * batch.c (many keys), set/pair.c (two sets), set/compare.c (whether they are
 * one), set/file.c (bytes and files), set/copy.c (copies and pickles),
 * set/figures.c (what it is and how full).
 */
#ifndef SP_PYTHON_SET_SET_H
#define SP_PYTHON_SET_SET_H

#include <seenset/seenset.h>

#include "native/gate.h"
#include "native/python.h"
#include "native/state.h"

struct sp_set {
    PyObject ob_base;
    seenset *set; /* NULL until __init__ */
    struct sp_gate gate;
    struct sp_state *state;
    uint8_t secret[SEENSET_SECRET_BYTES]; /* if it is keyed */
    bool is_keyed;
    size_t piece;              /* of a batch, at first (pace.h); 0: unknown */
    PyObject *weak_references; /* to it; NULL: none */
};

/* Makes an object of `type`, which is a SeenSet, with a set that it owns from
 * now on, also if it fails. secret NULL: it is not keyed. */
PyObject *sp_set_wrap(PyTypeObject *type, seenset *set, const uint8_t *secret);

/* The object as a SeenSet; NULL, and no exception, if it is not one. */
struct sp_set *sp_set_of(const struct sp_state *state, PyObject *object);

/* Raises an error of a call on the set. Returns NULL. */
PyObject *sp_set_raise(const struct sp_set *self, int error);

/* Makes the type. Returns 0, or -1 and an exception. */
int sp_set_add_type(PyObject *module, struct sp_state *state);

/* ---- methods, by file ---- */

PyObject *sp_batch_add_many(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *sp_batch_has_many(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *sp_batch_update(PyObject *self, PyObject *args, PyObject *kwargs);

PyObject *sp_pair_merged(PyObject *self, PyObject *other);
PyObject *sp_pair_intersected(PyObject *self, PyObject *other);
PyObject *sp_pair_merge(PyObject *self, PyObject *other);
PyObject *sp_pair_intersect(PyObject *self, PyObject *other);
PyObject *sp_pair_overlap(PyObject *self, PyObject *other);
PyObject *sp_pair_is_superset(PyObject *self, PyObject *other);
PyObject *sp_pair_compare(PyObject *a, PyObject *b, int operator);

/* Stores in *out, a bool, whether both sets are one, bit for bit. Returns 0 or
 * an error. Without the GIL. */
int sp_set_compare(struct sp_set *a, struct sp_set *b, void *out);

/* Writes a set to memory, as seenset_write_bytes and seenset_to_bits. */
typedef int sp_set_writer(const seenset *set, void *bytes, size_t *size_bytes);

/* All that it writes, as bytes; NULL and an exception. */
PyObject *sp_set_bytes(struct sp_set *self, sp_set_writer *writer);

PyObject *sp_file_save(PyObject *self, PyObject *path);
PyObject *sp_file_append(PyObject *self, PyObject *path);
PyObject *sp_file_open(PyObject *type, PyObject *args, PyObject *kwargs);
PyObject *sp_file_to_bytes(PyObject *self, PyObject *unused);
PyObject *sp_file_from_bytes(PyObject *type, PyObject *args, PyObject *kwargs);
PyObject *sp_file_compact(PyObject *type, PyObject *args, PyObject *kwargs);
PyObject *sp_file_to_bits(PyObject *self, PyObject *unused);
PyObject *sp_file_from_bits(PyObject *type, PyObject *args, PyObject *kwargs);
PyObject *sp_file_verify(PyObject *type, PyObject *path);

PyObject *sp_copy_reduce(PyObject *self, PyObject *unused);
PyObject *sp_copy_shallow(PyObject *self, PyObject *unused);
PyObject *sp_copy_deep(PyObject *self, PyObject *memo);

PyObject *sp_bits_counters(PyObject *self, PyObject *args, PyObject *kwargs);

PyObject *sp_figures_info(PyObject *self, PyObject *unused);
PyObject *sp_figures_stats(PyObject *self, PyObject *unused);
PyObject *sp_figures_estimate(PyObject *self, PyObject *unused);
PyObject *sp_figures_tables(PyObject *self, PyObject *unused);
PyObject *sp_figures_uniformity(PyObject *self, PyObject *unused);
PyObject *sp_figures_sizeof(PyObject *self, PyObject *unused);
PyObject *sp_figures_repr(PyObject *self);
extern PyGetSetDef sp_figures_properties[];

#endif
