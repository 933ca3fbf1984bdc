/*
 * each.c - `for item in queue`.
 *
 * An item is acked when the next one is asked for, as its turn of the loop is
 * over then. A loop that ends early, by break or an exception, drops the
 * iterator, and the item is given back. An item that the loop acked or gave
 * back itself is left alone.
 */
#include "native/queue/queue.h"

struct each {
    PyObject ob_base;
    PyObject *queue; /* a Queue */
    PyObject *item;  /* that the loop has now; NULL: none */
};

PyObject *sp_queue_each(PyObject *queue)
{
    struct sp_state *state = ((struct sp_queue *)queue)->state;
    allocfunc allocate =
        (allocfunc)PyType_GetSlot(state->each_type, Py_tp_alloc);
    struct each *self = (struct each *)allocate(state->each_type, 0);
    if (self == NULL)
        return NULL;
    self->queue = Py_NewRef(queue);
    return (PyObject *)self;
}

/* Drops the exception if it is that the lease has ended. */
static int ignore_lease_error(const struct each *self)
{
    const struct sp_queue *queue = (const struct sp_queue *)self->queue;
    if (!PyErr_ExceptionMatches(queue->state->errors[-SEENSET_ELEASE]))
        return -1;
    PyErr_Clear();
    return 0;
}

static int ack_item(struct each *self)
{
    PyObject *item = self->item;
    if (item == NULL)
        return 0;
    self->item = NULL;
    PyObject *result = sp_queue_ack(self->queue, item);
    Py_DECREF(item);
    if (result == NULL)
        return ignore_lease_error(self);
    Py_DECREF(result);
    return 0;
}

static PyObject *each_next(PyObject *object)
{
    struct each *self = (struct each *)object;
    if (ack_item(self) < 0)
        return NULL;
    PyObject *item = sp_queue_pop(self->queue, NULL);
    if (item == Py_None) {
        Py_DECREF(item);
        return NULL;
    }
    self->item = Py_XNewRef(item);
    return item;
}

/* The loop's own exception, if there is one, is kept. A queue that was closed
 * hands the item out again anyway. */
static void give_back(struct each *self)
{
    PyObject *type;
    PyObject *value;
    PyObject *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *args = PyTuple_Pack(1, self->item);
    PyObject *result =
        args == NULL ? NULL : sp_queue_nack(self->queue, args, NULL);
    if (result == NULL)
        PyErr_Clear();
    Py_XDECREF(args);
    Py_XDECREF(result);
    PyErr_Restore(type, value, traceback);
}

static void each_free(PyObject *object)
{
    struct each *self = (struct each *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    if (self->item != NULL)
        give_back(self);
    Py_CLEAR(self->item);
    Py_CLEAR(self->queue);
    release(object);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"The items of a Queue: each is acked when the next is "
                        "asked for."},
    {Py_tp_dealloc, each_free},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, each_next},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "seenset._native.QueueIterator",
    .basicsize = sizeof(struct each),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int sp_queue_add_each_type(PyObject *module, struct sp_state *state)
{
    return sp_state_add_type(module, &spec, &state->each_type);
}
