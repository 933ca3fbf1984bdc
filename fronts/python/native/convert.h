/*
 * convert.h - Python's objects as what the library takes: keys, secrets, names;
 * and its arrays as Python's.
 *
 * A key is a str, as its UTF-8, or any object whose bytes Python lets us read
 * (bytes, bytearray, memoryview, an array), as they are. Everything else is a
 * TypeError: Python's own hash() of an object differs from process to process,
 * so a set that took it would not know its keys after it was saved.
 */
#ifndef SP_PYTHON_CONVERT_H
#define SP_PYTHON_CONVERT_H

#include "native/python.h"

/* The bytes of a key, for as long as the object that it was made of is there,
 * and until sp_key_drop. */
struct sp_key {
    const char *data;
    size_t len;
    PyObject *made;   /* NULL, or an object made for the bytes */
    Py_buffer buffer; /* of other objects than str and bytes: .obj is set */
};

/* The slow kinds of sp_key_take. */
bool sp_key_take_other(struct sp_key *key, PyObject *object);
void sp_key_drop_other(struct sp_key *key);

/* Fills in *key; false and an exception if the object is not a key. A str that
 * has a lone surrogate for a byte (PEP 383, as file names do) is that byte. */
static inline bool sp_key_take(struct sp_key *key, PyObject *object)
{
    Py_ssize_t len;
    key->made = NULL;
    key->buffer.obj = NULL;
    if (!PyUnicode_Check(object))
        return sp_key_take_other(key, object);
    key->data = PyUnicode_AsUTF8AndSize(object, &len);
    key->len = (size_t)len;
    return key->data != NULL || sp_key_take_other(key, object);
}

static inline void sp_key_drop(struct sp_key *key)
{
    if (key->made != NULL || key->buffer.obj != NULL)
        sp_key_drop_other(key);
}

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
