/*
 * calls.h - functions of the module itself.
 */
#ifndef SP_PYTHON_CALLS_H
#define SP_PYTHON_CALLS_H

#include "native/figures.h"

PyObject *sp_seal(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *sp_plan(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *sp_key_bytes(PyObject *module, PyObject *key);
PyObject *sp_hash_key(PyObject *module, PyObject *key);
PyObject *sp_shard(PyObject *module, PyObject *args);

extern const struct sp_figures sp_plan_figures; /* of seenset_plan */

#endif
