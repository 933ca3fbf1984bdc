/*
 * copy.c - copies of a set, and pickles. What a class that is derived from
 * SeenSet keeps in an object beside the set goes with them.
 */
#include "native/set/set.h"

/* A set like it, of the same class, without its attributes. */
static PyObject *copy_set(PyObject *object)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset *copy;
    int error;
    sp_gate_enter_to_ask(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_copy(&copy, self->set);
    Py_END_ALLOW_THREADS
    sp_gate_leave(&self->gate);
    if (error != 0)
        return sp_set_raise(self, error);
    return sp_set_wrap(Py_TYPE(object), copy,
                       self->is_keyed ? self->secret : NULL);
}

/* The attributes, a new reference; None if there are none. */
static PyObject *attributes_of(PyObject *self)
{
    if (!PyObject_HasAttrString(self, "__dict__"))
        return Py_NewRef(Py_None);
    return PyObject_GetAttrString(self, "__dict__");
}

/* Gives a new set attributes, and lets go of both if it cannot. */
static PyObject *with_attributes(PyObject *made, PyObject *attributes)
{
    PyObject *own = NULL;
    int error = made == NULL || attributes == NULL ? -1 : 0;
    if (error == 0 && attributes != Py_None) {
        own = PyObject_GetAttrString(made, "__dict__");
        error = own == NULL ? -1 : PyDict_Update(own, attributes);
    }
    Py_XDECREF(own);
    Py_XDECREF(attributes);
    if (error == 0)
        return made;
    Py_XDECREF(made);
    return NULL;
}

PyObject *sp_copy_shallow(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *made = copy_set(self);
    return made == NULL ? NULL : with_attributes(made, attributes_of(self));
}

/* copy.deepcopy(object, memo) */
static PyObject *deep_copy_of(PyObject *object, PyObject *memo)
{
    PyObject *module = PyImport_ImportModule("copy");
    PyObject *made = NULL;
    if (module != NULL)
        made = PyObject_CallMethod(module, "deepcopy", "OO", object, memo);
    Py_XDECREF(module);
    return made;
}

/* The copy is in the memo before the attributes are copied: they may refer to
 * the set. */
static int remember(PyObject *memo, PyObject *self, PyObject *made)
{
    if (memo == Py_None)
        return 0;
    PyObject *id = PyLong_FromVoidPtr(self);
    int error = id == NULL ? -1 : PyObject_SetItem(memo, id, made);
    Py_XDECREF(id);
    return error;
}

PyObject *sp_copy_deep(PyObject *self, PyObject *memo)
{
    PyObject *made = copy_set(self);
    PyObject *attributes = made == NULL ? NULL : attributes_of(self);
    PyObject *copied = NULL;
    if (attributes != NULL && remember(memo, self, made) == 0)
        copied = deep_copy_of(attributes, memo);
    Py_XDECREF(attributes);
    return with_attributes(made, copied);
}

/* type.from_bytes(bytes, secret), and the attributes. */
PyObject *sp_copy_reduce(PyObject *self, PyObject *unused)
{
    PyObject *type = (PyObject *)Py_TYPE(self);
    PyObject *maker = PyObject_GetAttrString(type, "from_bytes");
    PyObject *bytes = maker == NULL ? NULL : sp_file_to_bytes(self, unused);
    PyObject *secret =
        bytes == NULL ? NULL : PyObject_GetAttrString(self, "secret");
    PyObject *attributes = secret == NULL ? NULL : attributes_of(self);
    PyObject *reduced = NULL;
    if (attributes != NULL)
        reduced = Py_BuildValue("O(OO)O", maker, bytes, secret, attributes);
    Py_XDECREF(maker);
    Py_XDECREF(bytes);
    Py_XDECREF(secret);
    Py_XDECREF(attributes);
    return reduced;
}
