/*
 * state.h - what the module has: its types and its exceptions.
 *
 * One module object has one state, and each object that a call makes points to
 * the state of its module. So there are no globals, and each interpreter of a
 * process has its own. A type holds its module, and an object its type, so the
 * state is there for as long as an object is.
 */
#ifndef SP_PYTHON_STATE_H
#define SP_PYTHON_STATE_H

#include "native/python.h"

enum {
    SP_ERROR_COUNT = 24 /* codes 0 to -23 of seenset/error.h */
};

struct sp_state {
    PyObject *error_base;             /* SeensetError */
    PyObject *errors[SP_ERROR_COUNT]; /* [-code]; NULL: one of Python's own */
    PyTypeObject *set_type;
    PyTypeObject *queue_type;
    PyTypeObject *foreign_type;
    PyTypeObject *each_type; /* of an iteration over a queue */
    PyTypeObject *info_type; /* named tuples, from here on */
    PyTypeObject *stats_type;
    PyTypeObject *estimate_type;
    PyTypeObject *table_type;
    PyTypeObject *uniformity_type;
    PyTypeObject *overlap_type;
    PyTypeObject *plan_type;
    PyTypeObject *item_type;
    PyTypeObject *host_type;
    PyTypeObject *queue_stats_type;
    PyTypeObject *counts_type;
    PyTypeObject *report_type;
};

extern struct PyModuleDef sp_module; /* module.c */

/* The state of the module that `type`, or the type that it is derived from,
 * belongs to; NULL and an exception if there is none. */
struct sp_state *sp_state_of_type(PyTypeObject *type);

/* Puts a new type into the module, and into *place. Returns 0, or -1 and an
 * exception. */
int sp_state_add_type(PyObject *module, PyType_Spec *spec,
                      PyTypeObject **place);

#endif
