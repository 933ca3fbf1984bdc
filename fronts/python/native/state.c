/*
 * state.c - from a type to the state of its module.
 */
#include "native/state.h"

struct sp_state *sp_state_of_type(PyTypeObject *type)
{
    /* A class written in Python belongs to no module, its base does. */
    while (type != NULL) {
        PyObject *module = PyType_GetModule(type);
        if (module != NULL && PyModule_GetDef(module) == &sp_module)
            return PyModule_GetState(module);
        PyErr_Clear();
        type = PyType_GetSlot(type, Py_tp_base);
    }
    PyErr_SetString(PyExc_TypeError, "this type is not of seenset");
    return NULL;
}

int sp_state_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **place)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type == NULL)
        return -1;
    *place = (PyTypeObject *)type;
    return PyModule_AddType(module, *place);
}
