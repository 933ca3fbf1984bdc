/*
 * look.c - what is in a queue's folder, while others may have it open.
 */
#include "native/convert.h"
#include "native/errors.h"
#include "native/queue/folder.h"
#include "native/queue/queue.h"

/* A folder, and what the calls on it need. */
struct place {
    struct sp_state *state;
    PyObject *given; /* the path, borrowed */
    PyObject *path;  /* as bytes, owned */
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_options set;
    seenset_queue_report report;
    seenset_queue_options options;
};

/* False and an exception. *place must stay where it is. */
static bool open_place(struct place *place, PyObject *type, PyObject *path,
                       PyObject *keyed)
{
    *place = (struct place){.given = path};
    place->state = sp_state_of_type((PyTypeObject *)type);
    if (place->state == NULL)
        return false;
    int is_keyed = sp_secret_take(place->secret, keyed, false);
    place->path = is_keyed < 0 ? NULL : sp_path_take(path);
    place->set.secret = is_keyed > 0 ? place->secret : NULL;
    place->options =
        (seenset_queue_options){.set = &place->set,
                                .report = &place->report,
                                .flags = SEENSET_QUEUE_SET_AT_ONCE};
    return place->path != NULL;
}

/* Returns NULL and an exception, the visitor's own if there is one. */
static PyObject *fail(const struct place *place, int error)
{
    if (PyErr_Occurred() != NULL)
        return NULL;
    return sp_folder_raise(place->state, error, &place->report, place->given);
}

PyObject *sp_queue_look(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"path", "keyed", NULL};
    struct place place;
    seenset_queue_stats stats;
    PyObject *path;
    PyObject *keyed = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$O:look", SP_NAMES(names),
                                     &path, &keyed) ||
        !open_place(&place, type, path, keyed))
        return NULL;
    const char *dir = PyBytes_AsString(place.path);
    int error;
    Py_BEGIN_ALLOW_THREADS
    error =
        seenset_queue_look(dir, &place.options, &stats, sizeof stats, NULL, 0);
    Py_END_ALLOW_THREADS
    Py_DECREF(place.path);
    return error != 0 ? fail(&place, error)
                      : sp_queue_make_stats(place.state, &stats);
}

struct visit {
    const struct sp_state *state;
    PyObject *function;
};

/* Returns 0, or 1: the visitor wants no more, or has raised an exception. */
static int visit_item(void *context, const seenset_queue_listed *listed)
{
    const struct visit *visit = context;
    seenset_queue_item item = {.lease = listed->lease,
                               .number = listed->number,
                               .deliveries = listed->deliveries,
                               .url = listed->url,
                               .url_len = listed->url_len,
                               .data = listed->data,
                               .data_len = listed->data_len,
                               .priority = listed->priority};
    PyObject *made = sp_queue_make_item(visit->state, &item);
    if (made == NULL)
        return 1;
    PyObject *answer =
        PyObject_CallFunctionObjArgs(visit->function, made, NULL);
    Py_DECREF(made);
    if (answer == NULL)
        return 1;
    int is_enough = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return is_enough != 0;
}

/* It keeps the GIL, which the visitor needs for each item. */
PyObject *sp_queue_look_items(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"path", "visit", "keyed", NULL};
    struct place place;
    struct visit visit;
    PyObject *path;
    PyObject *keyed = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|$O:look_items",
                                     SP_NAMES(names), &path, &visit.function,
                                     &keyed) ||
        !open_place(&place, type, path, keyed))
        return NULL;
    visit.state = place.state;
    int error = seenset_queue_look_list(PyBytes_AsString(place.path),
                                        &place.options, visit_item, &visit);
    Py_DECREF(place.path);
    if (error < 0 || PyErr_Occurred() != NULL)
        return fail(&place, error);
    Py_RETURN_NONE;
}
