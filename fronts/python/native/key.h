/*
 * key.h - Python's objects as keys.
 *
 * A key is a str, as its UTF-8, or any object whose bytes Python lets us read
 * (bytes, bytearray, memoryview, an array), as they are. An int is its 8 bytes,
 * the least significant first, as an array of integers has it, whichever type
 * of Python or NumPy it is; a uuid.UUID is its 16 bytes. Everything else is a
 * TypeError: Python's own hash() of an object differs from process to process,
 * so a set that took it would not know its keys after it was saved; and the
 * bytes of a float or a date are another key in every width.
 *
 * A text is the same without numbers: a URL, and what is kept with it.
 */
#ifndef SP_PYTHON_KEY_H
#define SP_PYTHON_KEY_H

#include "native/python.h"

/* The bytes of a key, for as long as the object that it was made of is there,
 * and until sp_key_drop. */
struct sp_key {
    const char *data;
    size_t len;
    PyObject *made;   /* NULL, or an object made for the bytes */
    Py_buffer buffer; /* of other objects than str and bytes: .obj is set */
};

/* The slow kinds of sp_key_take and sp_text_take. */
bool sp_key_take_other(struct sp_key *key, PyObject *object, bool is_text);
void sp_key_drop_other(struct sp_key *key);

static inline bool sp_key_take_str(struct sp_key *key, PyObject *object,
                                   bool is_text)
{
    Py_ssize_t len;
    key->made = NULL;
    key->buffer.obj = NULL;
    if (!PyUnicode_Check(object))
        return sp_key_take_other(key, object, is_text);
    key->data = PyUnicode_AsUTF8AndSize(object, &len);
    key->len = (size_t)len;
    return key->data != NULL || sp_key_take_other(key, object, is_text);
}

/* Fills in *key; false and an exception if the object is not a key, or no text.
 * A str that has a lone surrogate for a byte (PEP 383, as file names do) is
 * that byte. */
static inline bool sp_key_take(struct sp_key *key, PyObject *object)
{
    return sp_key_take_str(key, object, false);
}

static inline bool sp_text_take(struct sp_key *key, PyObject *object)
{
    return sp_key_take_str(key, object, true);
}

static inline void sp_key_drop(struct sp_key *key)
{
    if (key->made != NULL || key->buffer.obj != NULL)
        sp_key_drop_other(key);
}

#endif
