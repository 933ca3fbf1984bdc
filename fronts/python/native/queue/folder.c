/*
 * folder.c - the folder of a queue: checked and repaired.
 */
#include "native/queue/folder.h"

#include "native/convert.h"
#include "native/errors.h"

#define STRUCT seenset_queue_report
static const struct sp_figure rows[] = {FIGURES_QUEUE_REPORT(SP_FIGURE)
                                            SP_FIGURES_END};
#undef STRUCT

const struct sp_figures sp_folder_report = {
    "seenset.Report", "What Queue.verify() and Queue.repair() found.", rows};

PyObject *sp_folder_raise(const struct sp_state *state, int error,
                          const seenset_queue_report *report, PyObject *path)
{
    struct sp_error_place place = {.path = path};
    if (report != NULL && report->reason[0] != '\0' && error != SEENSET_EIO) {
        place.reason = report->reason;
        place.file = report->file;
        place.offset = report->offset;
        place.has_offset = report->file[0] != '\0';
    }
    if (error == SEENSET_EDAMAGED)
        place.advice = "Queue.repair() of the closed queue saves what is left";
    return sp_errors_raise(state, error, &place);
}

typedef int folder_call(const char *dir, const seenset_queue_options *options);

static PyObject *run(PyObject *type, PyObject *path_object, PyObject *keyed,
                     folder_call *call)
{
    struct sp_state *state = sp_state_of_type((PyTypeObject *)type);
    seenset_queue_report report = {0};
    uint8_t secret[SEENSET_SECRET_BYTES];
    int error;
    if (state == NULL)
        return NULL;
    int is_keyed = sp_secret_take(secret, keyed, false);
    PyObject *path = is_keyed < 0 ? NULL : sp_path_take(path_object);
    if (path == NULL)
        return NULL;
    seenset_options set = {.secret = is_keyed ? secret : NULL};
    seenset_queue_options options = {.set = &set, .report = &report};
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    error = call(name, &options);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (error != 0)
        return sp_folder_raise(state, error, &report, path_object);
    return sp_figures_make(state->report_type, &sp_folder_report, &report);
}

static PyObject *parse_and_run(PyObject *type, PyObject *args, PyObject *kwargs,
                               const char *format, folder_call *call)
{
    static const char *const names[] = {"path", "keyed", NULL};
    PyObject *path;
    PyObject *keyed = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, SP_NAMES(names),
                                     &path, &keyed))
        return NULL;
    return run(type, path, keyed, call);
}

PyObject *sp_folder_verify(PyObject *type, PyObject *args, PyObject *kwargs)
{
    return parse_and_run(type, args, kwargs, "O|$O:verify",
                         seenset_queue_verify);
}

PyObject *sp_folder_repair(PyObject *type, PyObject *args, PyObject *kwargs)
{
    return parse_and_run(type, args, kwargs, "O|$O:repair",
                         seenset_queue_repair);
}
