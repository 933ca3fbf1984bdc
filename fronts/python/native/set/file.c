/*
 * file.c - a set as bytes, and in a file.
 */
#include "native/convert.h"
#include "native/errors.h"
#include "native/set/set.h"

/* ---- out ---- */

/* None, or the exception of an error that has a place. */
static PyObject *finish(struct sp_set *self, int error,
                        const struct sp_error_place *place)
{
    if (error == 0)
        return Py_NewRef(Py_None);
    if (self->set == NULL)
        return sp_set_raise(self, error);
    return sp_errors_raise(self->state, error, place);
}

PyObject *sp_file_save(PyObject *object, PyObject *path_object)
{
    struct sp_set *self = (struct sp_set *)object;
    const struct sp_error_place place = {.path = path_object};
    PyObject *path = sp_path_take(path_object);
    int error;
    if (path == NULL)
        return NULL;
    const char *name = PyBytes_AsString(path);
    sp_gate_enter_to_ask(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_save(self->set, name);
    Py_END_ALLOW_THREADS
    sp_gate_leave(&self->gate);
    Py_DECREF(path);
    return finish(self, error, &place);
}

PyObject *sp_file_append(PyObject *object, PyObject *path_object)
{
    struct sp_set *self = (struct sp_set *)object;
    struct sp_error_place place = {.path = path_object};
    PyObject *path = sp_path_take(path_object);
    int error;
    if (path == NULL)
        return NULL;
    const char *name = PyBytes_AsString(path);
    sp_gate_enter_to_change(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_append(self->set, name);
    Py_END_ALLOW_THREADS
    sp_gate_leave(&self->gate);
    Py_DECREF(path);
    if (error == SEENSET_EUNSUPPORTED)
        place.reason = "open the file with append=True";
    if (error == SEENSET_EMISMATCH)
        place.reason = "the file was saved again since: open it again, and add "
                       "the keys that were not yet appended";
    return finish(self, error, &place);
}

/* The room that is needed, then the bytes, by one that has the gate. */
static int take_bytes(struct sp_set *self, sp_set_writer *writer,
                      PyObject **bytes)
{
    size_t size = 0;
    int error = writer(self->set, NULL, &size);
    if (error != SEENSET_ESPACE)
        return error;
    *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (*bytes == NULL)
        return 0;
    char *place = PyBytes_AsString(*bytes);
    Py_BEGIN_ALLOW_THREADS
    error = writer(self->set, place, &size);
    Py_END_ALLOW_THREADS
    return error;
}

PyObject *sp_set_bytes(struct sp_set *self, sp_set_writer *writer)
{
    PyObject *bytes = NULL;
    sp_gate_enter_to_ask(&self->gate);
    int error = take_bytes(self, writer, &bytes);
    sp_gate_leave(&self->gate);
    if (error == 0)
        return bytes;
    Py_XDECREF(bytes);
    return sp_set_raise(self, error);
}

PyObject *sp_file_to_bytes(PyObject *object, PyObject *unused)
{
    (void)unused;
    return sp_set_bytes((struct sp_set *)object, seenset_write_bytes);
}

/* ---- in ---- */

static PyObject *raise_opening(struct sp_state *state, int error,
                               const seenset_file_report *report,
                               PyObject *path)
{
    struct sp_error_place place = {.path = path};
    bool has_place = report->reason[0] != '\0' && error != SEENSET_EIO;
    if (has_place) {
        place.reason = report->reason;
        place.offset = report->offset;
        place.has_offset = true;
    }
    if (error == SEENSET_ESECRET) {
        place.reason = "the set is keyed, and this is not its secret: give "
                       "keyed=secret; or it is not keyed, and one is given";
        place.has_offset = false;
    }
    return sp_errors_raise(state, error, &place);
}

PyObject *sp_file_open(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {
        "path", "copy", "keyed", "without_journal", "append", NULL};
    struct sp_state *state = sp_state_of_type((PyTypeObject *)type);
    PyObject *path_object;
    PyObject *keyed = NULL;
    int copy = 0, is_without = 0, appends = 0;
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_file_report report = {0};
    seenset *set;
    int error;
    if (state == NULL ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "O|$pOpp:open",
                                     SP_NAMES(names), &path_object, &copy,
                                     &keyed, &is_without, &appends))
        return NULL;
    if (copy && appends) {
        PyErr_SetString(PyExc_ValueError, "copy and append: one of them");
        return NULL;
    }
    int is_keyed = sp_secret_take(secret, keyed, false);
    PyObject *path = is_keyed < 0 ? NULL : sp_path_take(path_object);
    if (path == NULL)
        return NULL;
    seenset_open_options options = {
        .flags = (copy ? SEENSET_OPEN_COPY : SEENSET_OPEN_VIEW) |
                 (appends ? SEENSET_OPEN_APPEND : 0) |
                 (is_without ? SEENSET_OPEN_WITHOUT_JOURNAL : 0),
        .secret = is_keyed ? secret : NULL,
        .report = &report};
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_open(&set, name, &options);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (error != 0)
        return raise_opening(state, error, &report, path_object);
    PyObject *made = sp_set_wrap((PyTypeObject *)type, set, options.secret);
    if (made != NULL)
        ((struct sp_set *)made)->gate.is_single = appends;
    return made;
}

PyObject *sp_file_from_bytes(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"data", "keyed", NULL};
    struct sp_state *state = sp_state_of_type((PyTypeObject *)type);
    PyObject *keyed = NULL;
    Py_buffer data;
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_file_report report = {0};
    seenset *set;
    int error = SEENSET_EINVAL;
    if (state == NULL ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "y*|O:from_bytes",
                                     SP_NAMES(names), &data, &keyed))
        return NULL;
    int is_keyed = sp_secret_take(secret, keyed, false);
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .secret = is_keyed > 0 ? secret : NULL,
                                    .report = &report};
    if (is_keyed >= 0) {
        Py_BEGIN_ALLOW_THREADS
        error = seenset_open_bytes(&set, data.buf, (size_t)data.len, &options);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&data);
    if (is_keyed < 0)
        return NULL;
    if (error != 0)
        return raise_opening(state, error, &report, NULL);
    return sp_set_wrap((PyTypeObject *)type, set, options.secret);
}

PyObject *sp_file_compact(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"path", "keyed", NULL};
    struct sp_state *state = sp_state_of_type((PyTypeObject *)type);
    PyObject *path_object;
    PyObject *keyed = NULL;
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_file_report report = {0};
    int error;
    if (state == NULL ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "O|$O:compact",
                                     SP_NAMES(names), &path_object, &keyed))
        return NULL;
    int is_keyed = sp_secret_take(secret, keyed, false);
    PyObject *path = is_keyed < 0 ? NULL : sp_path_take(path_object);
    if (path == NULL)
        return NULL;
    const seenset_open_options options = {.secret = is_keyed ? secret : NULL,
                                          .report = &report};
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_compact(name, &options);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (error != 0)
        return raise_opening(state, error, &report, path_object);
    return Py_NewRef(Py_None);
}

PyObject *sp_file_verify(PyObject *type, PyObject *path_object)
{
    struct sp_state *state = sp_state_of_type((PyTypeObject *)type);
    seenset_file_report report = {0};
    PyObject *path = state == NULL ? NULL : sp_path_take(path_object);
    int error;
    if (path == NULL)
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_verify(name, &report);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (error != 0)
        return raise_opening(state, error, &report, path_object);
    return Py_NewRef(Py_None);
}
