/*
 * figures.c - a struct of the library as a named tuple.
 */
#include "native/figures.h"

#include <seenset/queue.h>

#include "native/names.h"

static int count_of(const struct sp_figures *figures)
{
    int count = 0;
    while (figures->rows[count].kind != SP_END)
        count++;
    return count;
}

int sp_figures_add_type(PyObject *module, const struct sp_figures *figures,
                        PyTypeObject **place)
{
    int count = count_of(figures);
    PyStructSequence_Field *fields =
        PyMem_Calloc((size_t)count + 1, sizeof *fields);
    if (fields == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < count; i++)
        fields[i] = (PyStructSequence_Field){figures->rows[i].name,
                                             figures->rows[i].doc};
    PyStructSequence_Desc description = {
        .name = figures->name,
        .doc = figures->doc,
        .fields = fields,
        .n_in_sequence = count,
    };
    *place = PyStructSequence_NewType(&description);
    PyMem_Free(fields);
    return *place == NULL ? -1 : PyModule_AddType(module, *place);
}

static PyObject *number_of(const void *at, enum sp_figure_kind kind)
{
    uint64_t wide;
    uint32_t narrow;
    if (kind != SP_U32) {
        memcpy(&wide, at, sizeof wide);
        return PyLong_FromUnsignedLongLong(wide);
    }
    memcpy(&narrow, at, sizeof narrow);
    return PyLong_FromUnsignedLong(narrow);
}

static PyObject *double_of(const void *at)
{
    double value;
    memcpy(&value, at, sizeof value);
    return PyFloat_FromDouble(value);
}

/* An array of numbers, each of size_bytes, as a tuple. */
static PyObject *tuple_of(const void *numbers, size_t count, size_t size_bytes)
{
    const char *at = numbers;
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple != NULL && i < count; i++, at += size_bytes) {
        PyObject *number = number_of(at, size_bytes == 8 ? SP_U64 : SP_U32);
        if (number == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, number) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *seeds_of(const char *at, enum sp_figure_kind kind)
{
    if (kind == SP_SEEDS) {
        const seenset_info *info =
            (const void *)(at - offsetof(seenset_info, seeds));
        return tuple_of(info->seeds, info->seed_count, sizeof *info->seeds);
    }
    const seenset_queue_stats *stats =
        (const void *)(at - offsetof(seenset_queue_stats, seeds));
    return tuple_of(stats->seeds, stats->seed_count, sizeof *stats->seeds);
}

static PyObject *flag_of(const void *at, enum sp_figure_kind kind)
{
    uint32_t flags;
    memcpy(&flags, at, sizeof flags);
    return PyBool_FromLong(flags & (kind == SP_SLIDING ? SEENSET_FLAG_SLIDING
                                                       : SEENSET_FLAG_SHARED));
}

/* The enums of the library have the size of an int. */
static const char *name_of(int number, enum sp_figure_kind kind)
{
    switch (kind) {
    case SP_LAYOUT:
        return sp_names_layout(number);
    case SP_ON_FULL:
        return sp_names_on_full(number);
    case SP_SCHEME:
        return sp_names_scheme(number);
    case SP_SITE:
        return sp_names_site(number + 1); /* from 0 in the library */
    case SP_DURABILITY:
        return sp_names_durability(number);
    default:
        return sp_names_normalise(number);
    }
}

static PyObject *value_of(const void *at, enum sp_figure_kind kind)
{
    int number;
    bool is_true;
    switch (kind) {
    case SP_FLAG:
        memcpy(&is_true, at, sizeof is_true);
        return PyBool_FromLong(is_true);
    case SP_U64:
    case SP_U32:
    case SP_SEED:
        return number_of(at, kind);
    case SP_REAL:
    case SP_WRONG:
        return double_of(at);
    case SP_TEXT:
        return PyUnicode_DecodeUTF8(at, (Py_ssize_t)strlen(at), "replace");
    case SP_PRIORITIES:
        return tuple_of(at, SEENSET_QUEUE_PRIORITIES, sizeof(uint64_t));
    case SP_SEEDS:
    case SP_QUEUE_SEEDS:
        return seeds_of(at, kind);
    case SP_SLIDING:
    case SP_SHARED:
        return flag_of(at, kind);
    default:
        memcpy(&number, at, sizeof number);
        return PyUnicode_FromString(name_of(number, kind));
    }
}

PyObject *sp_figures_make(PyTypeObject *type, const struct sp_figures *figures,
                          const void *from)
{
    PyObject *made = PyStructSequence_New(type);
    const struct sp_figure *row = figures->rows;
    for (Py_ssize_t i = 0; made != NULL && row[i].kind != SP_END; i++) {
        const char *at = (const char *)from + row[i].offset;
        PyObject *value = value_of(at, row[i].kind);
        if (value == NULL)
            Py_CLEAR(made);
        else
            PyStructSequence_SetItem(made, i, value);
    }
    return made;
}
