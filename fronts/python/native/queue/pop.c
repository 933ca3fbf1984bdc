/*
 * pop.c - items out of a queue, and their leases.
 */
#include "native/convert.h"
#include "native/errors.h"
#include "native/queue/queue.h"

/* ---- items ---- */

enum {
    ITEM_FIELDS = 7
};

int sp_queue_add_item_type(PyObject *module, struct sp_state *state)
{
    static PyStructSequence_Field fields[] = {
        {"url", "as a str; bytes that are not UTF-8 are lone surrogates in it, "
                "as in file names, and push() takes them back"},
        {"data", "the bytes that were pushed with it"},
        {"lease", "for ack(), nack() and extend(); 0 of peek()"},
        {"number", "how many items were pushed before it"},
        {"deliveries", "how often it was handed out: 1 the first time"},
        {"priority", "0 to 9"},
        {"host", "of its URL, in a polite queue; else None. It is not one of "
                 "the six of the tuple"},
        {NULL, NULL},
    };
    PyStructSequence_Desc description = {
        .name = "seenset.Item",
        .doc = "What Queue.pop() hands out.",
        .fields = fields,
        .n_in_sequence = 6,
    };
    state->item_type = PyStructSequence_NewType(&description);
    return state->item_type == NULL
               ? -1
               : PyModule_AddType(module, state->item_type);
}

static PyObject *value_of(const seenset_queue_item *item, int field)
{
    switch (field) {
    case 0:
        return PyUnicode_DecodeUTF8(item->url, (Py_ssize_t)item->url_len,
                                    "surrogateescape");
    case 1:
        return PyBytes_FromStringAndSize(item->data,
                                         (Py_ssize_t)item->data_len);
    case 2:
        return PyLong_FromUnsignedLongLong(item->lease);
    case 3:
        return PyLong_FromUnsignedLongLong(item->number);
    case 4:
        return PyLong_FromUnsignedLong(item->deliveries);
    case 5:
        return PyLong_FromUnsignedLongLong(item->priority);
    default:
        if (item->host == NULL)
            return Py_NewRef(Py_None);
        return PyUnicode_DecodeUTF8(item->host, (Py_ssize_t)item->host_len,
                                    "surrogateescape");
    }
}

PyObject *sp_queue_make_item(const struct sp_state *state,
                             const seenset_queue_item *item)
{
    PyObject *made = PyStructSequence_New(state->item_type);
    for (int i = 0; made != NULL && i < ITEM_FIELDS; i++) {
        PyObject *value = value_of(item, i);
        if (value == NULL)
            Py_CLEAR(made);
        else
            PyStructSequence_SetItem(made, i, value);
    }
    return made;
}

typedef int item_call(seenset_queue *queue, seenset_queue_item *item);

static PyObject *take_item(PyObject *object, item_call *call)
{
    struct sp_queue *self = (struct sp_queue *)object;
    seenset_queue_item item = {0};
    int answer;
    if (!sp_queue_enter(self))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    answer = call(self->queue, &item);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    PyObject *made = NULL;
    if (answer < 0)
        sp_queue_raise(self, answer);
    else
        made = answer == 0 ? Py_NewRef(Py_None)
                           : sp_queue_make_item(self->state, &item);
    seenset_queue_item_free(&item);
    return made;
}

PyObject *sp_queue_pop(PyObject *self, PyObject *unused)
{
    (void)unused;
    return take_item(self, seenset_queue_pop);
}

PyObject *sp_queue_peek(PyObject *self, PyObject *unused)
{
    (void)unused;
    return take_item(self, seenset_queue_peek);
}

/* Items on their way to a list: as many as are popped at once, and their
 * memory. */
struct batch {
    seenset_queue_item *items;
    void *memory;
};

enum {
    POPS_AT_ONCE = 256
};

static bool batch_open(struct batch *batch)
{
    batch->items = PyMem_Calloc(POPS_AT_ONCE, sizeof *batch->items);
    batch->memory = PyMem_Malloc(SEENSET_QUEUE_POP_BYTES);
    return batch->items != NULL && batch->memory != NULL;
}

static void batch_close(struct batch *batch)
{
    PyMem_Free(batch->items);
    PyMem_Free(batch->memory);
}

/* How many it has now; 0; or a negative error of the queue. */
static int64_t batch_pop(struct sp_queue *self, struct batch *batch,
                         uint64_t count)
{
    size_t wanted = count < POPS_AT_ONCE ? (size_t)count : POPS_AT_ONCE;
    int64_t popped;
    Py_BEGIN_ALLOW_THREADS
    popped =
        seenset_queue_pop_many(self->queue, batch->items, wanted, batch->memory,
                               SEENSET_QUEUE_POP_BYTES, NULL);
    Py_END_ALLOW_THREADS
    return popped;
}

/* Gives back those that did not come into the list. */
static void batch_give_back(struct sp_queue *self, const struct batch *batch,
                            size_t from, size_t count)
{
    for (size_t i = from; i < count; i++)
        (void)seenset_queue_nack(self->queue, batch->items[i].lease, NULL);
}

/* Appends them to the list: 0, or -1 and an exception. */
static int batch_append(struct sp_queue *self, const struct batch *batch,
                        size_t count, PyObject *list)
{
    for (size_t i = 0; i < count; i++) {
        PyObject *item = sp_queue_make_item(self->state, &batch->items[i]);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_XDECREF(item);
            batch_give_back(self, batch, i, count);
            return -1;
        }
        Py_DECREF(item);
    }
    return 0;
}

/* Pops into the list: 0, or -1 and an exception. What was handed out already is
 * not lost to an error of the queue. */
static int pop_into(struct sp_queue *self, struct batch *batch, uint64_t count,
                    PyObject *list)
{
    int64_t popped = 1;
    while (popped > 0 && (uint64_t)PyList_Size(list) < count) {
        popped = batch_pop(self, batch, count - (uint64_t)PyList_Size(list));
        if (popped > 0 && batch_append(self, batch, (size_t)popped, list) < 0)
            return -1;
    }
    if (popped >= 0 || PyList_Size(list) > 0)
        return 0;
    sp_queue_raise(self, (int)popped);
    return -1;
}

PyObject *sp_queue_pop_many(PyObject *object, PyObject *count_object)
{
    struct sp_queue *self = (struct sp_queue *)object;
    struct batch batch;
    uint64_t count = 0;
    if (sp_count_take(&count, count_object, "count") < 0 ||
        !sp_queue_enter(self))
        return NULL;
    PyObject *list = NULL;
    if (batch_open(&batch))
        list = PyList_New(0);
    else
        PyErr_NoMemory();
    if (list != NULL && pop_into(self, &batch, count, list) < 0)
        Py_CLEAR(list);
    batch_close(&batch);
    sp_queue_leave(self);
    return list;
}

/* ---- leases ---- */

/* Of an Item, or the number itself. */
static int take_lease(uint64_t *lease, PyObject *object)
{
    if (PyLong_Check(object))
        return sp_count_take(lease, object, "a lease");
    PyObject *number = PyObject_GetAttrString(object, "lease");
    if (number == NULL) {
        PyErr_Format(PyExc_TypeError, "an Item or its lease, not %R",
                     (PyObject *)Py_TYPE(object));
        return -1;
    }
    int result = sp_count_take(lease, number, "a lease");
    Py_DECREF(number);
    return result;
}

PyObject *sp_queue_ack(PyObject *object, PyObject *item)
{
    struct sp_queue *self = (struct sp_queue *)object;
    uint64_t lease;
    int error;
    if (take_lease(&lease, item) < 0 || !sp_queue_enter(self))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    error = seenset_queue_ack(self->queue, lease);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    return error != 0 ? sp_queue_raise(self, error) : Py_NewRef(Py_None);
}

static PyObject *ack_leases(struct sp_queue *self, const uint64_t *leases,
                            size_t count)
{
    int error;
    if (!sp_queue_enter(self))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    error = seenset_queue_ack_many(self->queue, leases, count);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    return error != 0 ? sp_queue_raise(self, error) : Py_NewRef(Py_None);
}

PyObject *sp_queue_ack_many(PyObject *self, PyObject *items)
{
    PyObject *list = PySequence_List(items);
    if (list == NULL)
        return NULL;
    Py_ssize_t count = PyList_Size(list);
    uint64_t *leases = PyMem_Calloc((size_t)count + 1, sizeof *leases);
    PyObject *result = leases == NULL ? PyErr_NoMemory() : Py_None;
    for (Py_ssize_t i = 0; result != NULL && i < count; i++)
        if (take_lease(&leases[i], PyList_GetItem(list, i)) < 0)
            result = NULL;
    if (result != NULL)
        result = ack_leases((struct sp_queue *)self, leases, (size_t)count);
    PyMem_Free(leases);
    Py_DECREF(list);
    return result;
}

typedef int timed_call(seenset_queue *queue, uint64_t lease, double seconds);

static int nack(seenset_queue *queue, uint64_t lease, double seconds)
{
    const seenset_queue_nack_options options = {.delay_seconds = seconds};
    return seenset_queue_nack(queue, lease, &options);
}

static int nack_untried(seenset_queue *queue, uint64_t lease, double seconds)
{
    const seenset_queue_nack_options options = {.delay_seconds = seconds,
                                                .flags = SEENSET_QUEUE_UNTRIED};
    return seenset_queue_nack(queue, lease, &options);
}

static int nack_visited(seenset_queue *queue, uint64_t lease, double seconds)
{
    const seenset_queue_nack_options options = {.delay_seconds = seconds,
                                                .flags = SEENSET_QUEUE_VISITED};
    return seenset_queue_nack(queue, lease, &options);
}

static PyObject *run_timed(PyObject *object, PyObject *item, PyObject *time,
                           timed_call *call)
{
    struct sp_queue *self = (struct sp_queue *)object;
    uint64_t lease;
    double seconds = 0;
    int error;
    if (take_lease(&lease, item) < 0 ||
        (time != NULL && sp_seconds_take(&seconds, time) < 0))
        return NULL;
    if (!(seconds >= 0 && seconds <= 1e9))
        return PyErr_Format(PyExc_ValueError, "seconds are 0 to 1e9, not %R",
                            time);
    if (!sp_queue_enter(self))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    error = call(self->queue, lease, seconds);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    return error != 0 ? sp_queue_raise(self, error) : Py_NewRef(Py_None);
}

PyObject *sp_queue_nack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"item", "delay", "untried", NULL};
    PyObject *item;
    PyObject *delay = NULL;
    int is_untried = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O$p:nack",
                                     SP_NAMES(names), &item, &delay,
                                     &is_untried))
        return NULL;
    return run_timed(self, item, delay, is_untried ? nack_untried : nack);
}

PyObject *sp_queue_ack_or_again(PyObject *self, PyObject *args,
                                PyObject *kwargs)
{
    static const char *const names[] = {"", "again_after", NULL};
    PyObject *item;
    PyObject *after = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$O:ack", SP_NAMES(names),
                                     &item, &after))
        return NULL;
    return after == Py_None ? sp_queue_ack(self, item)
                            : run_timed(self, item, after, nack_visited);
}

PyObject *sp_queue_extend(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"item", "seconds", NULL};
    PyObject *item;
    PyObject *seconds;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:extend", SP_NAMES(names),
                                     &item, &seconds))
        return NULL;
    return run_timed(self, item, seconds, seenset_queue_extend);
}
