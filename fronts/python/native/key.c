/*
 * key.c - Python's objects as keys.
 */
#include "native/key.h"

static bool take_bytes(struct sp_key *key, PyObject *bytes)
{
    char *data;
    Py_ssize_t len;
    if (PyBytes_AsStringAndSize(bytes, &data, &len) < 0)
        return false;
    key->data = data;
    key->len = (size_t)len;
    return true;
}

/* Takes over bytes that were made for the key; NULL: an exception is set. */
static bool take_made(struct sp_key *key, PyObject *bytes)
{
    key->made = bytes;
    return bytes != NULL && take_bytes(key, bytes);
}

/* A str that UTF-8 cannot encode, unless its lone surrogates are bytes. */
static bool take_escaped(struct sp_key *key, PyObject *text)
{
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return false;
    PyErr_Clear();
    return take_made(
        key, PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
}

static bool refuse(PyObject *object, bool is_text)
{
    PyObject *type = (PyObject *)Py_TYPE(object);
    if (is_text)
        PyErr_Format(PyExc_TypeError,
                     "a URL or its data is str or bytes, not %R", type);
    else
        PyErr_Format(PyExc_TypeError,
                     "a key is str, bytes, int or UUID, not %R: hash() of an "
                     "object differs from process to process, so a saved set "
                     "would not know it. Give its bytes",
                     type);
    return false;
}

/* ---- numbers ---- */

/* An int from -2^63 to 2^64 - 1, in two's complement. */
static bool bits_of(uint64_t *bits, PyObject *number)
{
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    *bits = (uint64_t)value;
    if (overflow > 0)
        *bits = PyLong_AsUnsignedLongLong(number);
    if (!PyErr_Occurred() && overflow >= 0)
        return true;
    PyErr_Format(PyExc_ValueError,
                 "an int that is a key is from -2**63 to 2**64 - 1, not %R: "
                 "give its bytes, n.to_bytes(16, 'little')",
                 number);
    return false;
}

static bool take_int(struct sp_key *key, PyObject *number)
{
    char bytes[8];
    uint64_t bits;
    if (!bits_of(&bits, number))
        return false;
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(bits >> 8 * i & 0xff);
    return take_made(key, PyBytes_FromStringAndSize(bytes, sizeof bytes));
}

/* "?" with a byte order, or without. */
static bool is_bool(const Py_buffer *buffer)
{
    const char *format = buffer->format == NULL ? "B" : buffer->format;
    return strchr(format, '?') != NULL;
}

/* A number of NumPy, whose buffer has its own width. */
static bool take_scalar(struct sp_key *key, PyObject *object)
{
    PyObject *number = PyIndex_Check(object) ? PyNumber_Index(object) : NULL;
    if (number == NULL) {
        PyErr_Clear();
        return refuse(object, false);
    }
    bool is_taken = take_int(key, number);
    Py_DECREF(number);
    return is_taken;
}

/* ---- other objects ---- */

static bool take_buffer(struct sp_key *key, PyObject *object, bool is_text)
{
    if (PyObject_GetBuffer(object, &key->buffer, PyBUF_ND | PyBUF_FORMAT) < 0) {
        key->buffer.obj = NULL;
        return false;
    }
    if (key->buffer.ndim == 0) {
        bool is_number = !is_text && !is_bool(&key->buffer);
        PyBuffer_Release(&key->buffer);
        return is_number ? take_scalar(key, object) : refuse(object, is_text);
    }
    key->data = key->buffer.buf;
    key->len = (size_t)key->buffer.len;
    return true;
}

/* 1, 0, or -1 and an exception. */
static int is_uuid(PyObject *object)
{
    PyObject *module = PyImport_ImportModule("uuid");
    PyObject *type =
        module == NULL ? NULL : PyObject_GetAttrString(module, "UUID");
    int result = type == NULL ? -1 : PyObject_IsInstance(object, type);
    Py_XDECREF(module);
    Py_XDECREF(type);
    return result;
}

static bool take_uuid(struct sp_key *key, PyObject *object)
{
    int result = is_uuid(object);
    if (result == 0)
        return refuse(object, false);
    return result > 0 &&
           take_made(key, PyObject_GetAttrString(object, "bytes"));
}

bool sp_key_take_other(struct sp_key *key, PyObject *object, bool is_text)
{
    if (PyBytes_Check(object))
        return take_bytes(key, object);
    if (PyUnicode_Check(object))
        return take_escaped(key, object);
    if (PyObject_CheckBuffer(object))
        return take_buffer(key, object, is_text);
    if (is_text || PyBool_Check(object))
        return refuse(object, is_text);
    if (PyLong_Check(object))
        return take_int(key, object);
    return take_uuid(key, object);
}

void sp_key_drop_other(struct sp_key *key)
{
    if (key->buffer.obj != NULL)
        PyBuffer_Release(&key->buffer);
    Py_CLEAR(key->made);
}
