/*
 * bits.c - the bits of a set alone, as other systems have them.
 */
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
