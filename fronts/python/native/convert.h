/*
 * convert.h - Python's objects as what the library takes: secrets, names,
 * numbers, paths; and its arrays as Python's. Keys are in key.h.
 */
#ifndef SP_PYTHON_CONVERT_H
#define SP_PYTHON_CONVERT_H

#include "native/python.h"

/* Makes *bytes the bytes of a secret. object NULL, None or False: none, and
 * *bytes is unchanged; True: fresh random ones, where is_new. Returns 1 (there
 * is a secret), 0, or -1 and an exception. */
int sp_secret_take(uint8_t *bytes, PyObject *object, bool is_new);

/* The number whose name it is, by a function of native/names.h; 0 for NULL (the
 * default). -1 and a ValueError that lists the names. */
int sp_name_take(const char *name, const char *what,
                 const char *(*name_of)(int number));

/* Seconds: a number, or a datetime.timedelta. Returns 0, or -1 and an
 * exception. */
int sp_seconds_take(double *seconds, PyObject *object);

/* A whole number from 0 to 2^64 - 1, from an int or a float without a fraction
 * such as 1e9; NULL and None leave *number as it is. Returns 0, or -1 and an
 * exception that names `what`. */
int sp_count_take(uint64_t *number, PyObject *object, const char *what);

/* A path (str, bytes, os.PathLike) as bytes, a new reference; NULL and an
 * exception. */
PyObject *sp_path_take(PyObject *object);

/* The bytes as a memoryview of items of a format of the module struct, of which
 * each has item_bytes: list(view), numpy.asarray(view). A new reference; NULL
 * and an exception. */
PyObject *sp_view_of(PyObject *bytes, const char *format,
                     Py_ssize_t item_bytes);

#endif
