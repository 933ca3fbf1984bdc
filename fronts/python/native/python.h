/*
 * python.h - Python's own header, for the stable ABI of 3.11 and later.
 *
 * 3.11 is the first whose stable ABI has the buffer protocol. One build then
 * works with each later Python that has a GIL.
 */
#ifndef SP_PYTHON_PYTHON_H
#define SP_PYTHON_PYTHON_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A function with keywords, as a table of methods takes it. */
#define SP_WITH_KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))

/* The arguments of a call as PyArg_ParseTupleAndKeywords takes their names,
 * which before Python 3.13 are char * that nobody writes to. */
#define SP_NAMES(names) ((char **)(uintptr_t)(names))

#endif
