/*
 * bits.c - the bits of a set alone, as other systems have them, and the
 * counters of a counting set.
 */
#include <seenset/extra/raw.h>

#include "native/convert.h"
#include "native/errors.h"
#include "native/options.h"
#include "native/set/set.h"

PyObject *sp_file_to_bits(PyObject *object, PyObject *unused)
{
    (void)unused;
    return sp_set_bytes((struct sp_set *)object, seenset_to_bits);
}

static PyObject *read_bits(PyTypeObject *type, struct sp_state *state,
                           const Py_buffer *data,
                           const seenset_options *options)
{
    seenset *set;
    int error;
    Py_BEGIN_ALLOW_THREADS
    error = seenset_from_bits(&set, options, data->buf, (size_t)data->len);
    Py_END_ALLOW_THREADS
    if (error == 0)
        return sp_set_wrap(type, set, options->secret);
    struct sp_error_place place = {
        .reason = error == SEENSET_EINVAL
                      ? "hash_count is needed, and a size that the layout has "
                        "and that is that of the bits"
                      : NULL};
    return sp_errors_raise(state, error, &place);
}

PyObject *sp_file_from_bits(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"bits", "capacity", "fp_rate",
                                        SP_SET_NAMES, NULL};
    struct sp_state *state = sp_state_of_type((PyTypeObject *)type);
    struct sp_arguments given = {0};
    struct sp_options_room room;
    seenset_options options;
    Py_buffer data;
    PyObject *made = NULL;
    if (state == NULL ||
        !PyArg_ParseTupleAndKeywords(
            args, kwargs, "y*|$OO" SP_SET_FORMAT ":from_bits", SP_NAMES(names),
            &data, &given.capacity, &given.fp_rate, SP_SET_PLACES(&given)))
        return NULL;
    if (sp_options_make(&options, &room, &given) == 0)
        made = read_bits((PyTypeObject *)type, state, &data, &options);
    PyBuffer_Release(&data);
    return made;
}

/* ---- counters ---- */

/* Which counters are wanted. A counting set has one table, 0. */
struct stretch {
    uint64_t first, count;
    bool is_to_end;
};

/* By one that has the gate: how many counters there are, or an error. */
static int measure(const struct sp_set *self, struct stretch *wanted)
{
    seenset_table_info table;
    int error = seenset_get_counters(self->set, 0, 0, 0, NULL);
    if (error == 0)
        error = seenset_get_table_info(self->set, 0, &table, sizeof table);
    if (error != 0)
        return error;
    if (wanted->first > table.cell_count)
        return SEENSET_EINVAL;
    uint64_t rest = table.cell_count - wanted->first;
    if (wanted->is_to_end)
        wanted->count = rest;
    if (wanted->count > rest)
        return SEENSET_EINVAL;
    return wanted->count <= PTRDIFF_MAX / 4 ? 0 : SEENSET_ENOMEM;
}

/* By one that has the gate. *bytes NULL: an exception, or the error. */
static int take_counters(struct sp_set *self, struct stretch *wanted,
                         PyObject **bytes)
{
    int error = measure(self, wanted);
    if (error != 0)
        return error;
    *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(2 * wanted->count));
    if (*bytes == NULL)
        return 0;
    void *counters = PyBytes_AsString(*bytes); /* as aligned as malloc's */
    Py_BEGIN_ALLOW_THREADS
    error = seenset_get_counters(self->set, 0, wanted->first, wanted->count,
                                 counters);
    Py_END_ALLOW_THREADS
    return error;
}

PyObject *sp_bits_counters(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"first", "count", NULL};
    struct sp_set *self = (struct sp_set *)object;
    PyObject *first = NULL, *count = NULL, *bytes = NULL, *view = NULL;
    struct stretch wanted = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:counters",
                                     SP_NAMES(names), &first, &count) ||
        sp_count_take(&wanted.first, first, "first") < 0 ||
        sp_count_take(&wanted.count, count, "count") < 0)
        return NULL;
    wanted.is_to_end = count == NULL || count == Py_None;
    sp_gate_enter_to_ask(&self->gate);
    int error = take_counters(self, &wanted, &bytes);
    sp_gate_leave(&self->gate);
    if (error != 0)
        sp_set_raise(self, error);
    else if (bytes != NULL)
        view = sp_view_of(bytes, "H", 2);
    Py_XDECREF(bytes);
    return view;
}
