/*
 * queue.c - the type Queue: opened, closed, made durable.
 */
#include "native/queue/queue.h"

#include <unistd.h>

#include "native/convert.h"
#include "native/errors.h"
#include "native/queue/folder.h"
#include "native/queue/options.h"

/* ---- calls ---- */

/* What a child writes would go into the parent's files, at a place that only
 * the parent knows. In memory it has a queue of its own. */
static bool is_of_parent(const struct sp_queue *self)
{
    return self->path != Py_None && self->opened_by != getpid();
}

static void refuse(const struct sp_queue *self)
{
    if (self->queue == NULL)
        PyErr_SetString(PyExc_ValueError, "the queue is closed");
    else
        PyErr_Format(PyExc_RuntimeError,
                     "process %ld opened the queue, and this is a child of it, "
                     "process %ld: open the queue here, after the parent has "
                     "closed it, or let the parent push and pop",
                     (long)self->opened_by, (long)getpid());
}

bool sp_queue_enter(struct sp_queue *self)
{
    sp_gate_enter_to_ask(&self->gate);
    if (self->queue != NULL && !is_of_parent(self))
        return true;
    sp_gate_leave(&self->gate);
    refuse(self);
    return false;
}

void sp_queue_leave(struct sp_queue *self)
{
    sp_gate_leave(&self->gate);
}

PyObject *sp_queue_raise(const struct sp_queue *self, int error)
{
    PyObject *path = self->path == Py_None ? NULL : self->path;
    return sp_folder_raise(self->state, error, NULL, path);
}

/* ---- its life ---- */

static PyObject *queue_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct sp_state *state = sp_state_of_type(type);
    struct sp_queue *self =
        state == NULL ? NULL : (struct sp_queue *)allocate(type, 0);
    (void)args;
    (void)kwargs;
    if (self == NULL)
        return NULL;
    self->state = state;
    self->path = Py_NewRef(Py_None);
    if (sp_gate_open(&self->gate) == 0)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

/* Returns what seenset_queue_close does, or 0 if it is closed already. */
static int close_queue(struct sp_queue *self)
{
    int error;
    sp_gate_enter_to_change(&self->gate);
    seenset_queue *queue = self->queue;
    self->queue = NULL;
    Py_BEGIN_ALLOW_THREADS
    error = seenset_queue_close(queue);
    Py_END_ALLOW_THREADS
    sp_gate_leave(&self->gate);
    return error;
}

static void queue_free(PyObject *object)
{
    struct sp_queue *self = (struct sp_queue *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    if (self->queue != NULL)
        close_queue(self);
    sp_gate_close(&self->gate);
    Py_CLEAR(self->path);
    release(object);
    Py_DECREF(type);
}

/* Opens a queue in `path`, bytes, or NULL for one in memory. */
static int open_queue(struct sp_queue *self, PyObject *path,
                      seenset_queue_options *options, PyObject *path_object)
{
    const char *dir = path == NULL ? NULL : PyBytes_AsString(path);
    seenset_queue_report report = {0};
    seenset_queue *queue;
    int error;
    options->report = &report;
    Py_BEGIN_ALLOW_THREADS
    error = seenset_queue_open(&queue, dir, options);
    Py_END_ALLOW_THREADS
    if (error != 0) {
        sp_folder_raise(self->state, error, &report,
                        path == NULL ? NULL : path_object);
        return -1;
    }
    if (self->queue != NULL) { /* by another thread */
        seenset_queue_close(queue);
        PyErr_SetString(PyExc_ValueError, "the queue is open already");
        return -1;
    }
    self->queue = queue;
    self->opened_by = getpid();
    Py_DECREF(self->path);
    self->path = Py_NewRef(path_object);
    return 0;
}

static int queue_init(PyObject *object, PyObject *args, PyObject *kwargs)
{
    struct sp_queue *self = (struct sp_queue *)object;
    struct sp_queue_arguments given;
    seenset_options set;
    seenset_queue_politeness rules;
    seenset_queue_options options = {.set = &set};
    struct sp_options_room room;
    PyObject *path = NULL;
    if (self->queue != NULL) {
        PyErr_SetString(PyExc_ValueError, "the queue is open already");
        return -1;
    }
    if (!sp_queue_arguments_parse(&given, args, kwargs) ||
        sp_options_make(&set, &room, &given.set) < 0 ||
        sp_queue_options_take(&options, &rules, &given) < 0)
        return -1;
    if (given.path != Py_None) {
        path = sp_path_take(given.path);
        if (path == NULL)
            return -1;
    }
    int result = open_queue(self, path, &options, given.path);
    Py_XDECREF(path);
    self->is_keyed = result == 0 && set.secret != NULL;
    if (self->is_keyed)
        memcpy(self->secret, room.secret, sizeof room.secret);
    return result;
}

/* ---- methods ---- */

static PyObject *queue_close(PyObject *object, PyObject *unused)
{
    struct sp_queue *self = (struct sp_queue *)object;
    (void)unused;
    int error = close_queue(self);
    return error != 0 ? sp_queue_raise(self, error) : Py_NewRef(Py_None);
}

static PyObject *queue_enter(PyObject *object, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(object);
}

static PyObject *queue_exit(PyObject *object, PyObject *args)
{
    (void)args;
    return queue_close(object, NULL);
}

typedef int plain_call(seenset_queue *queue);

static PyObject *run(PyObject *object, plain_call *call)
{
    struct sp_queue *self = (struct sp_queue *)object;
    int error;
    if (!sp_queue_enter(self))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    error = call(self->queue);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    return error != 0 ? sp_queue_raise(self, error) : Py_NewRef(Py_None);
}

static PyObject *queue_sync(PyObject *self, PyObject *unused)
{
    (void)unused;
    return run(self, seenset_queue_sync);
}

static PyObject *queue_checkpoint(PyObject *self, PyObject *unused)
{
    (void)unused;
    return run(self, seenset_queue_checkpoint);
}

static PyObject *queue_save_leases(PyObject *self, PyObject *unused)
{
    (void)unused;
    return run(self, seenset_queue_save_leases);
}

static PyObject *get_path(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((struct sp_queue *)object)->path);
}

static PyObject *get_closed(PyObject *object, void *unused)
{
    (void)unused;
    return PyBool_FromLong(((struct sp_queue *)object)->queue == NULL);
}

static PyObject *get_secret(PyObject *object, void *unused)
{
    struct sp_queue *self = (struct sp_queue *)object;
    (void)unused;
    if (!self->is_keyed)
        return Py_NewRef(Py_None);
    return PyBytes_FromStringAndSize((const char *)self->secret,
                                     SEENSET_SECRET_BYTES);
}

static PyObject *queue_repr(PyObject *object)
{
    struct sp_queue *self = (struct sp_queue *)object;
    const char *state = self->queue == NULL ? ", closed" : "";
    return PyUnicode_FromFormat("<Queue %R%s>", self->path, state);
}

/* ---- the type ---- */

static PyGetSetDef properties[] = {
    {"path", get_path, NULL, "Its folder; None if it is in memory.", NULL},
    {"closed", get_closed, NULL, "Whether close() was called.", NULL},
    {"secret", get_secret, NULL,
     "The secret of a keyed queue, to open it again; else None.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"push", SP_WITH_KEYWORDS(sp_queue_push), METH_VARARGS | METH_KEYWORDS,
     "push($self, url, data=b'', *, priority=0, again=False)\n--\n\n"
     "Push a URL, with data of your own. True: it is new, and waits in the\n"
     "queue now. False: it was pushed before, and is dropped.\n\n"
     "priority is 0 to 9; the highest is handed out first. With again=True it\n"
     "is pushed whether it was seen or not."},
    {"push_many", SP_WITH_KEYWORDS(sp_queue_push_many),
     METH_VARARGS | METH_KEYWORDS,
     "push_many($self, items, *, priority=0, again=False, seen_only=False)\n"
     "--\n\n"
     "Push many, with one wait for the disk for some thousand. Each is a URL\n"
     "or a tuple (url, data) or (url, data, priority), where priority 0 is\n"
     "the one of the call. Returns bytes with an Answer for each: NEW, SEEN,\n"
     "REFUSED (the set is full), NOT_A_URL or OVER_BUDGET (of its host).\n\n"
     "With seen_only=True the URLs become seen, and nothing waits."},
    {"forget", sp_queue_forget, METH_O,
     "forget($self, url, /)\n--\n\n"
     "Forget a URL, so that the next push of it is new. True: it was seen."},
    {"pop", sp_queue_pop, METH_NOARGS,
     "pop($self, /)\n--\n\n"
     "The next Item, under a lease; None if there is nothing to hand out now.\n"
     "It is handed out again unless ack() comes before the lease ends."},
    {"pop_many", sp_queue_pop_many, METH_O,
     "pop_many($self, count, /)\n--\n\nA list of up to `count` items."},
    {"peek", sp_queue_peek, METH_NOARGS,
     "peek($self, /)\n--\n\n"
     "The Item that pop() would hand out now, without a lease; or None."},
    {"ack", SP_WITH_KEYWORDS(sp_queue_ack_or_again),
     METH_VARARGS | METH_KEYWORDS,
     "ack($self, item, /, *, again_after=None)\n--\n\n"
     "An item is done, and never handed out again. With again_after, it is\n"
     "handed out again after so many seconds, as if it never had been; once\n"
     "the queue is opened again, at once, unless with keep_leases=True. item\n"
     "is an Item or its lease. LeaseError: its lease has ended."},
    {"ack_many", sp_queue_ack_many, METH_O,
     "ack_many($self, items, /)\n--\n\n"
     "Several items are done, with one wait for the disk. LeaseError: the\n"
     "leases of some have ended; the others are done."},
    {"nack", SP_WITH_KEYWORDS(sp_queue_nack), METH_VARARGS | METH_KEYWORDS,
     "nack($self, item, delay=0, *, untried=False)\n--\n\n"
     "Give an item back, to be handed out again after so many seconds.\n"
     "untried: it was not tried, so that is not counted in its deliveries."},
    {"extend", SP_WITH_KEYWORDS(sp_queue_extend), METH_VARARGS | METH_KEYWORDS,
     "extend($self, item, seconds)\n--\n\n"
     "Make a lease end so many seconds from now."},
    {"set_host", SP_WITH_KEYWORDS(sp_queue_set_host),
     METH_VARARGS | METH_KEYWORDS,
     "set_host($self, host, *, delay=None, block=None, budget=None)\n--\n\n"
     "What holds for one host of a polite queue until it is set again: the\n"
     "seconds of its delay (a Crawl-delay); for how many seconds from now it\n"
     "is not asked (a Retry-After; 0 ends that); how many of its URLs are\n"
     "taken, math.inf: any number. None leaves it as it is."},
    {"get_host", sp_queue_get_host, METH_O,
     "get_host($self, host, /)\n--\n\n"
     "The Host of that name in a polite queue, also one that is new to it."},
    {"list_hosts", SP_WITH_KEYWORDS(sp_queue_list_hosts),
     METH_VARARGS | METH_KEYWORDS,
     "list_hosts($self, most=None)\n--\n\n"
     "A list of the `most` hosts with the most pending items, as Host, the\n"
     "most first; None: of all that have items or settings."},
    {"stats", sp_queue_stats, METH_NOARGS,
     "stats($self, /)\n--\n\nAll figures of the queue. Takes no time."},
    {"counts", sp_queue_counts, METH_NOARGS,
     "counts($self, /)\n--\n\n"
     "How many items are pending, leased, delayed; pushed and acked ever."},
    {"set_stats", sp_queue_set_stats, METH_NOARGS,
     "set_stats($self, /)\n--\n\n"
     "How full its set is, as SeenSet.stats(). Reads every bit."},
    {"set_info", sp_queue_set_info, METH_NOARGS,
     "set_info($self, /)\n--\n\nWhat its set is, as SeenSet.info()."},
    {"sync", queue_sync, METH_NOARGS,
     "sync($self, /)\n--\n\nWait until all that was answered is on the disk."},
    {"checkpoint", queue_checkpoint, METH_NOARGS,
     "checkpoint($self, /)\n--\n\n"
     "Write the set to disk now, and remove files that are not needed."},
    {"save_leases", queue_save_leases, METH_NOARGS,
     "save_leases($self, /)\n--\n\n"
     "Write leases to disk, for a later Queue with keep_leases=True."},
    {"close", queue_close, METH_NOARGS,
     "close($self, /)\n--\n\n"
     "Make everything durable and let others open the queue. A queue that is\n"
     "closed can be closed again."},
    {"verify", SP_WITH_KEYWORDS(sp_folder_verify),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "verify($type, path, *, keyed=None)\n--\n\n"
     "Check every byte of a queue that is not open. Raises DamagedError, with\n"
     "file and offset, or returns a Report."},
    {"repair", SP_WITH_KEYWORDS(sp_folder_repair),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "repair($type, path, *, keyed=None)\n--\n\n"
     "Make a damaged queue usable again. The Report has what was found and\n"
     "how many items were lost."},
    {"look", SP_WITH_KEYWORDS(sp_queue_look),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "look($type, path, *, keyed=None)\n--\n\n"
     "The QueueStats of a queue that another process may have open; nobody\n"
     "waits for it. Leases are those that were written to disk."},
    {"look_items", SP_WITH_KEYWORDS(sp_queue_look_items),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "look_items($type, path, visit, *, keyed=None)\n--\n\n"
     "Call visit(item) for each Item that is not acked, the first to be\n"
     "handed out first, until it returns something true. Another process may\n"
     "have the queue open; nothing is handed out and nobody waits."},
    {"__enter__", queue_enter, METH_NOARGS, "__enter__($self, /)\n--\n\n"},
    {"__exit__", queue_exit, METH_VARARGS, "__exit__($self, /, *args)\n--\n\n"},
    {NULL, NULL, 0, NULL},
};

static const char doc[] =
    "Queue(path=None, capacity=1000000, fp_rate=1e-6, *, layout='blocked',\n"
    "      on_full=None, window=None, generations=None, sliding=False,\n"
    "      keyed=None, size_bits=None, hash_count=None, counter_bits=None,\n"
    "      any_rate=False, scheme=None, seed=None, seeds=None,\n"
    "      unit_bits=None, exact=False, normalise=None, durability='each',\n"
    "      interval=0.1, lease=60, must_exist=False, keep_leases=False,\n"
    "      segment_bytes=None, snapshot_bytes=None, polite=None,\n"
    "      per_host=None, by=None, host_budget=None, from_start=False)\n"
    "--\n\n"
    "A to-visit queue that survives crashes, in the folder `path`.\n\n"
    "    with Queue('crawl', normalise=True) as queue:\n"
    "        queue.push('https://example.com/')     # True: new\n"
    "        for item in queue:                     # each is done when the\n"
    "            for link in visit(item.url):       # next is asked for\n"
    "                queue.push(link)               # False: seen before\n\n"
    "A loop that ends with break or an exception gives its item back. pop(),\n"
    "ack() and nack() do the same by hand. Delivery is at least once: after a\n"
    "crash what was not acked is handed out again, and nothing is lost.\n\n"
    "The first options are those of its SeenSet.\n\n"
    "exact        no filter but the URLs themselves: none is ever dropped by\n"
    "             mistake, and they take memory\n"
    "normalise    True: one spelling for each http or https URL\n"
    "durability   'each': a call returns when it is on the disk; 'interval':\n"
    "             at once, and on the disk `interval` seconds later; 'none'\n"
    "lease        seconds until an item that was not acked is handed out "
    "again\n"
    "must_exist   do not make a queue where there is none\n"
    "keep_leases  leases of the last process go on\n"
    "polite       seconds between two URLs of a host; True: 1. pop() hands "
    "out\n"
    "             only URLs of hosts that may be asked, and hosts take turns\n"
    "per_host     with polite: so many URLs of a host at a time, by default 1\n"
    "by           with polite: a host is 'host', 'host-port' or 'domain'\n"
    "host_budget  with polite: take so many URLs of a host, ever\n"
    "from_start   with polite: count the seconds from the hand-out of a URL,\n"
    "             instead of from when it is done\n\n"
    "Any number of threads may use one queue, and one process at a time.\n"
    "Without a path it is in memory.";

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)doc},
    {Py_tp_new, queue_new},
    {Py_tp_init, queue_init},
    {Py_tp_dealloc, queue_free},
    {Py_tp_repr, queue_repr},
    {Py_tp_iter, sp_queue_each},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "seenset.Queue",
    .basicsize = sizeof(struct sp_queue),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

int sp_queue_add_types(PyObject *module, struct sp_state *state)
{
    if (sp_state_add_type(module, &spec, &state->queue_type) < 0 ||
        sp_queue_add_item_type(module, state) < 0 ||
        sp_queue_add_host_type(module, state) < 0 ||
        sp_queue_add_each_type(module, state) < 0)
        return -1;
    return sp_queue_add_figures_types(module, state);
}
