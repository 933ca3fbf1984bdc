/* foreign.h - the type Foreign: a file of another system, and its filters */
#ifndef SP_PYTHON_FOREIGN_H
#define SP_PYTHON_FOREIGN_H

#include "native/python.h"
#include "native/state.h"

/* Makes the type. Returns 0, or -1 and an exception. */
int sp_foreign_add_type(PyObject *module, struct sp_state *state);

#endif
