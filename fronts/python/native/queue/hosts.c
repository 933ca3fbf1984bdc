/*
 * hosts.c - the hosts of a polite queue: what holds for one, and figures.
 */
#include <math.h>

#include "native/convert.h"
#include "native/errors.h"
#include "native/key.h"
#include "native/queue/options.h"
#include "native/queue/queue.h"

enum {
    HOST_FIELDS = 8
};

int sp_queue_add_host_type(PyObject *module, struct sp_state *state)
{
    static PyStructSequence_Field fields[] = {
        {"name", "as a str, as Item.host"},
        {"pending", "items not acked, and not under a lease now"},
        {"leased", "items under a lease that has not ended"},
        {"taken", "URLs pushed since it has a budget; 0 without one"},
        {"budget", "URLs of it that are taken; math.inf: any number"},
        {"delay_seconds", "between two of its URLs: its own, or that of all"},
        {"seconds_to_ready", "until its delay and block are over; 0: they are"},
        {"has_settings", "it has a delay or a budget of its own"},
        {NULL, NULL},
    };
    PyStructSequence_Desc description = {
        .name = "seenset.Host",
        .doc = "A host of a polite queue: Queue.get_host(), list_hosts().",
        .fields = fields,
        .n_in_sequence = HOST_FIELDS,
    };
    state->host_type = PyStructSequence_NewType(&description);
    return state->host_type == NULL
               ? -1
               : PyModule_AddType(module, state->host_type);
}

static PyObject *value_of(const seenset_queue_host *host, int field)
{
    switch (field) {
    case 0:
        return PyUnicode_DecodeUTF8(host->name, (Py_ssize_t)host->name_len,
                                    "surrogateescape");
    case 1:
        return PyLong_FromUnsignedLongLong(host->pending_items);
    case 2:
        return PyLong_FromUnsignedLongLong(host->leased_items);
    case 3:
        return PyLong_FromUnsignedLongLong(host->taken_items);
    case 4:
        if (host->budget == SEENSET_QUEUE_ANY_BUDGET)
            return PyFloat_FromDouble(INFINITY);
        return PyLong_FromUnsignedLongLong(host->budget);
    case 5:
        return PyFloat_FromDouble(host->delay_seconds);
    case 6:
        return PyFloat_FromDouble(host->seconds_to_ready);
    default:
        return PyBool_FromLong(host->has_settings);
    }
}

static PyObject *make_host(const struct sp_state *state,
                           const seenset_queue_host *host)
{
    PyObject *made = PyStructSequence_New(state->host_type);
    for (int i = 0; made != NULL && i < HOST_FIELDS; i++) {
        PyObject *value = value_of(host, i);
        if (value == NULL)
            Py_CLEAR(made);
        else
            PyStructSequence_SetItem(made, i, value);
    }
    return made;
}

/* ---- one ---- */

/* The settings that are given, of at least one. Returns 0, or -1 and an
 * exception. */
static int take_settings(seenset_queue_host_settings *settings, PyObject *delay,
                         PyObject *block, PyObject *budget)
{
    int has_delay =
        sp_queue_seconds_take(&settings->delay_seconds, delay,
                              SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS, "delay");
    int has_block = has_delay < 0
                        ? -1
                        : sp_queue_seconds_take(&settings->block_seconds, block,
                                                1e9, "block");
    int has_budget = has_block < 0 ? -1
                                   : sp_queue_budget_take(&settings->budget,
                                                          budget, "budget");
    if (has_budget < 0)
        return -1;
    settings->flags = (has_delay ? SEENSET_QUEUE_HOST_DELAY : 0) |
                      (has_block ? SEENSET_QUEUE_HOST_BLOCK : 0) |
                      (has_budget ? SEENSET_QUEUE_HOST_BUDGET : 0);
    if (settings->flags != 0)
        return 0;
    PyErr_SetString(PyExc_ValueError,
                    "set_host() takes a delay, a block or a budget");
    return -1;
}

static PyObject *set_host(struct sp_queue *self, const struct sp_key *host,
                          const seenset_queue_host_settings *settings)
{
    int error;
    if (!sp_queue_enter(self))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    error =
        seenset_queue_set_host(self->queue, host->data, host->len, settings);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    return error != 0 ? sp_queue_raise(self, error) : Py_NewRef(Py_None);
}

PyObject *sp_queue_set_host(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"host", "delay", "block", "budget",
                                        NULL};
    seenset_queue_host_settings settings = {0};
    PyObject *name;
    PyObject *delay = NULL;
    PyObject *block = NULL;
    PyObject *budget = NULL;
    struct sp_key host;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOO:set_host",
                                     SP_NAMES(names), &name, &delay, &block,
                                     &budget) ||
        take_settings(&settings, delay, block, budget) < 0 ||
        !sp_text_take(&host, name))
        return NULL;
    PyObject *result = set_host((struct sp_queue *)self, &host, &settings);
    sp_key_drop(&host);
    return result;
}

PyObject *sp_queue_get_host(PyObject *object, PyObject *name)
{
    struct sp_queue *self = (struct sp_queue *)object;
    seenset_queue_host found;
    struct sp_key host;
    int answer;
    if (!sp_text_take(&host, name))
        return NULL;
    if (!sp_queue_enter(self)) {
        sp_key_drop(&host);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    answer = seenset_queue_get_host(self->queue, host.data, host.len, &found,
                                    sizeof found);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    PyObject *made = answer < 0 ? sp_queue_raise(self, answer)
                                : make_host(self->state, &found);
    sp_key_drop(&host);
    return made;
}

/* ---- all ---- */

struct visit {
    const struct sp_state *state;
    PyObject *list;
};

/* Returns 0, or 1 and an exception. */
static int visit_host(void *context, const seenset_queue_host *host)
{
    const struct visit *visit = context;
    PyObject *made = make_host(visit->state, host);
    int result = made == NULL ? -1 : PyList_Append(visit->list, made);
    Py_XDECREF(made);
    return result < 0;
}

/* It keeps the GIL, as each host is made of it. */
PyObject *sp_queue_list_hosts(PyObject *object, PyObject *args,
                              PyObject *kwargs)
{
    static const char *const names[] = {"most", NULL};
    struct sp_queue *self = (struct sp_queue *)object;
    struct visit visit = {.state = self->state};
    PyObject *most_object = NULL;
    uint64_t most = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:list_hosts",
                                     SP_NAMES(names), &most_object) ||
        sp_count_take(&most, most_object, "most") < 0)
        return NULL;
    visit.list = PyList_New(0);
    if (visit.list != NULL && most_object != NULL && most_object != Py_None &&
        most == 0)
        return visit.list;
    if (visit.list == NULL || !sp_queue_enter(self)) {
        Py_XDECREF(visit.list);
        return NULL;
    }
    int error =
        seenset_queue_list_hosts(self->queue, (size_t)most, visit_host, &visit);
    sp_queue_leave(self);
    if (error == 0)
        return visit.list;
    Py_DECREF(visit.list);
    return error > 0 ? NULL : sp_queue_raise(self, error);
}
