/*
 * convert.c - Python's objects as what the library takes.
 */
#include "native/convert.h"

#include <math.h>

#include <seenset/seenset.h>

#include "native/key.h"

int sp_secret_take(uint8_t *bytes, PyObject *object, bool is_new)
{
    struct sp_key key;
    if (object == NULL || object == Py_None || object == Py_False)
        return 0;
    if (object == Py_True && is_new) {
        if (seenset_make_secret(bytes) == 0)
            return 1;
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    if (!PyObject_CheckBuffer(object)) {
        PyErr_Format(PyExc_TypeError,
                     is_new ? "keyed is True, or a secret of %d bytes"
                            : "keyed is the secret, %d bytes: SeenSet.secret "
                              "of the set that was saved",
                     SEENSET_SECRET_BYTES);
        return -1;
    }
    if (!sp_key_take(&key, object))
        return -1;
    bool fits = key.len == SEENSET_SECRET_BYTES;
    if (fits)
        memcpy(bytes, key.data, SEENSET_SECRET_BYTES);
    else
        PyErr_Format(PyExc_ValueError, "a secret has %d bytes, not %zu",
                     SEENSET_SECRET_BYTES, key.len);
    sp_key_drop(&key);
    return fits ? 1 : -1;
}

static bool is_named(int number, const char *(*name_of)(int number))
{
    return strcmp(name_of(number), "unknown") != 0;
}

/* A ValueError that lists the names. */
static int refuse_name(const char *name, const char *what,
                       const char *(*name_of)(int number))
{
    PyObject *names = PyUnicode_FromString(name_of(1));
    for (int i = 2; is_named(i, name_of) && names != NULL; i++) {
        PyObject *longer = PyUnicode_FromFormat("%U, %s", names, name_of(i));
        Py_DECREF(names);
        names = longer;
    }
    if (names != NULL)
        PyErr_Format(PyExc_ValueError, "%s is one of %U, not '%s'", what, names,
                     name);
    Py_XDECREF(names);
    return -1;
}

int sp_name_take(const char *name, const char *what,
                 const char *(*name_of)(int number))
{
    if (name == NULL)
        return 0;
    for (int i = 1; is_named(i, name_of); i++)
        if (strcmp(name, name_of(i)) == 0)
            return i;
    return refuse_name(name, what, name_of);
}

int sp_seconds_take(double *seconds, PyObject *object)
{
    PyObject *number;
    if (PyObject_HasAttrString(object, "total_seconds"))
        number = PyObject_CallMethod(object, "total_seconds", NULL);
    else
        number = Py_NewRef(object);
    double value = number == NULL ? -1 : PyFloat_AsDouble(number);
    Py_XDECREF(number);
    if (PyErr_Occurred())
        return -1;
    *seconds = value;
    return 0;
}

static int count_of_float(uint64_t *number, PyObject *object, const char *what)
{
    double value = PyFloat_AsDouble(object);
    if (!(value >= 0 && value < 0x1p64 && floor(value) == value)) {
        PyErr_Format(PyExc_ValueError, "%s is a whole number, not %R", what,
                     object);
        return -1;
    }
    *number = (uint64_t)value;
    return 0;
}

int sp_count_take(uint64_t *number, PyObject *object, const char *what)
{
    if (object == NULL || object == Py_None)
        return 0;
    if (PyFloat_Check(object))
        return count_of_float(number, object, what);
    PyObject *index = PyNumber_Index(object);
    if (index == NULL)
        return -1;
    unsigned long long value = PyLong_AsUnsignedLongLong(index);
    Py_DECREF(index);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError))
            PyErr_Format(PyExc_ValueError,
                         "%s is a whole number from 0 to 2**64 - 1, not %R",
                         what, object);
        return -1;
    }
    *number = value;
    return 0;
}

PyObject *sp_path_take(PyObject *object)
{
    PyObject *bytes;
    return PyUnicode_FSConverter(object, &bytes) ? bytes : NULL;
}

/* ---- views ---- */

static PyObject *cast(PyObject *bytes, const char *format)
{
    PyObject *view = PyMemoryView_FromObject(bytes);
    PyObject *made =
        view == NULL ? NULL : PyObject_CallMethod(view, "cast", "s", format);
    Py_XDECREF(view);
    return made;
}

/* An empty view cannot be cast, but a view of one item can be cut. */
static PyObject *empty_view(const char *format, Py_ssize_t item_bytes)
{
    static const char zeros[8];
    PyObject *item = PyBytes_FromStringAndSize(zeros, item_bytes);
    PyObject *one = item == NULL ? NULL : cast(item, format);
    PyObject *none = one == NULL ? NULL : PySequence_GetSlice(one, 0, 0);
    Py_XDECREF(item);
    Py_XDECREF(one);
    return none;
}

PyObject *sp_view_of(PyObject *bytes, const char *format, Py_ssize_t item_bytes)
{
    return PyBytes_Size(bytes) == 0 ? empty_view(format, item_bytes)
                                    : cast(bytes, format);
}
