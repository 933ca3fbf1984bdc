/*
 * push.c - URLs into a queue.
 */
#include "native/key.h"
#include "native/queue/queue.h"

/* Entries that go into the queue with one wait for the disk. */
enum {
    CHUNK_ENTRIES = 4096
};

static seenset_queue_entry to_entry(const struct sp_key *url,
                                    const struct sp_key *data)
{
    return (seenset_queue_entry){.url = url->data,
                                 .url_len = url->len,
                                 .data = data->data,
                                 .data_len = data->len};
}

/* ---- one ---- */

/* A seenset_answer, or a negative error. */
static int push_one(struct sp_queue *self, const struct sp_key *url,
                    const struct sp_key *data,
                    const seenset_queue_push_options *options)
{
    const seenset_queue_entry entry = to_entry(url, data);
    uint8_t answer = 0;
    int error;
    Py_BEGIN_ALLOW_THREADS
    error = seenset_queue_push_many(self->queue, &entry, 1, options, &answer);
    Py_END_ALLOW_THREADS
    return error != 0 ? error : answer;
}

static PyObject *push_keys(struct sp_queue *self, const struct sp_key *url,
                           const struct sp_key *data,
                           const seenset_queue_push_options *options)
{
    if (url->len + data->len > SEENSET_QUEUE_MAX_ITEM_BYTES)
        return PyErr_Format(PyExc_ValueError,
                            "a URL and its data have %u bytes at most, not %zu",
                            SEENSET_QUEUE_MAX_ITEM_BYTES, url->len + data->len);
    if (!sp_queue_enter(self))
        return NULL;
    int answer = push_one(self, url, data, options);
    sp_queue_leave(self);
    if (answer < 0)
        return sp_queue_raise(self, answer);
    return PyBool_FromLong(answer == SEENSET_ANSWER_NEW);
}

/* NULL is no data. */
static bool take_data(struct sp_key *data, PyObject *object)
{
    if (object != NULL)
        return sp_text_take(data, object);
    *data = (struct sp_key){.data = ""};
    return true;
}

static bool is_priority(int priority)
{
    if (priority >= 0 && priority < SEENSET_QUEUE_PRIORITIES)
        return true;
    PyErr_Format(PyExc_ValueError, "priority is 0 to %d, not %d",
                 SEENSET_QUEUE_PRIORITIES - 1, priority);
    return false;
}

PyObject *sp_queue_push(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"url", "data", "priority", "again",
                                        NULL};
    seenset_queue_push_options options = {0};
    PyObject *url_object;
    PyObject *data_object = NULL;
    struct sp_key url;
    struct sp_key data;
    int priority = 0;
    int is_again = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O$ip:push",
                                     SP_NAMES(names), &url_object, &data_object,
                                     &priority, &is_again) ||
        !is_priority(priority) || !sp_text_take(&url, url_object))
        return NULL;
    options.priority = (uint32_t)priority;
    options.flags = is_again ? SEENSET_QUEUE_AGAIN : 0;
    PyObject *answer = NULL;
    if (take_data(&data, data_object)) {
        answer = push_keys((struct sp_queue *)self, &url, &data, &options);
        sp_key_drop(&data);
    }
    sp_key_drop(&url);
    return answer;
}

PyObject *sp_queue_forget(PyObject *object, PyObject *url_object)
{
    struct sp_queue *self = (struct sp_queue *)object;
    struct sp_key url;
    int answer;
    if (!sp_text_take(&url, url_object))
        return NULL;
    if (!sp_queue_enter(self)) {
        sp_key_drop(&url);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    answer = seenset_queue_forget(self->queue, url.data, url.len);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    sp_key_drop(&url);
    return answer < 0 ? sp_queue_raise(self, answer) : PyBool_FromLong(answer);
}

/* ---- many ---- */

/* Entries whose bytes are in `keys`, two for each. */
struct entries {
    seenset_queue_entry *entries;
    struct sp_key *keys;
    PyObject **held;
    uint8_t *answers;
    size_t count;
};

static int entries_open(struct entries *entries)
{
    *entries = (struct entries){
        .entries = PyMem_Calloc(CHUNK_ENTRIES, sizeof *entries->entries),
        .keys = PyMem_Calloc(2 * CHUNK_ENTRIES, sizeof *entries->keys),
        .held = PyMem_Calloc(CHUNK_ENTRIES, sizeof *entries->held),
        .answers = PyMem_Calloc(CHUNK_ENTRIES, 1)};
    if (entries->entries != NULL && entries->keys != NULL &&
        entries->held != NULL && entries->answers != NULL)
        return 0;
    PyErr_NoMemory();
    return -1;
}

static void entries_clear(struct entries *entries)
{
    while (entries->count > 0) {
        size_t i = --entries->count;
        sp_key_drop(&entries->keys[2 * i]);
        sp_key_drop(&entries->keys[2 * i + 1]);
        Py_DECREF(entries->held[i]);
    }
}

static void entries_close(struct entries *entries)
{
    entries_clear(entries);
    PyMem_Free(entries->entries);
    PyMem_Free(entries->keys);
    PyMem_Free(entries->held);
    PyMem_Free(entries->answers);
}

/* A URL, or a tuple of a URL, its data and a priority. Takes the object. */
static int entries_add(struct entries *entries, PyObject *object)
{
    struct sp_key *url = &entries->keys[2 * entries->count];
    struct sp_key *data = url + 1;
    PyObject *url_object = object;
    PyObject *data_object = NULL;
    int priority = 0;
    entries->held[entries->count] = object;
    if (PyTuple_Check(object) &&
        !PyArg_ParseTuple(
            object, "OO|i;an item is a URL, (url, data), or with a priority",
            &url_object, &data_object, &priority))
        goto refused;
    if (!is_priority(priority) || !sp_text_take(url, url_object))
        goto refused;
    if (!take_data(data, data_object)) {
        sp_key_drop(url);
        goto refused;
    }
    entries->entries[entries->count] = to_entry(url, data);
    entries->entries[entries->count++].priority = (uint32_t)priority;
    return 0;
refused:
    Py_DECREF(object);
    return -1;
}

static int entries_push(struct sp_queue *self, struct entries *entries,
                        const seenset_queue_push_options *options)
{
    int error;
    if (!sp_queue_enter(self))
        return -1;
    Py_BEGIN_ALLOW_THREADS
    error = seenset_queue_push_many(self->queue, entries->entries,
                                    entries->count, options, entries->answers);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    if (error == 0 || error == SEENSET_EFULL || error == SEENSET_EURL ||
        error == SEENSET_EBUDGET)
        return 0;
    sp_queue_raise(self, error);
    return -1;
}

/* Reads up to a chunk of entries. 1: there may be more; 0: no more; -1, also
 * for a signal: the chunks before it are in the queue. */
static int entries_read(struct entries *entries, PyObject *iterator)
{
    if (PyErr_CheckSignals() < 0)
        return -1;
    while (entries->count < CHUNK_ENTRIES) {
        PyObject *object = PyIter_Next(iterator);
        if (object == NULL)
            return PyErr_Occurred() ? -1 : 0;
        if (entries_add(entries, object) < 0)
            return -1;
    }
    return 1;
}

/* Pushes all of them. The answers, as a bytearray. */
static int push_all(struct sp_queue *self, PyObject *iterator,
                    const seenset_queue_push_options *options,
                    PyObject *answers)
{
    struct entries entries;
    int more = entries_open(&entries);
    if (more == 0)
        more = 1;
    while (more == 1) {
        more = entries_read(&entries, iterator);
        if (more >= 0 && entries.count > 0 &&
            entries_push(self, &entries, options) < 0)
            more = -1;
        Py_ssize_t before = PyByteArray_Size(answers);
        if (more >= 0 &&
            PyByteArray_Resize(answers, before + (Py_ssize_t)entries.count) < 0)
            more = -1;
        if (more >= 0)
            memcpy(PyByteArray_AsString(answers) + before, entries.answers,
                   entries.count);
        entries_clear(&entries);
    }
    entries_close(&entries);
    return more;
}

PyObject *sp_queue_push_many(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"items", "priority", "again",
                                        "seen_only", NULL};
    seenset_queue_push_options options = {0};
    PyObject *items;
    int priority = 0;
    int is_again = 0;
    int is_seen_only = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$ipp:push_many",
                                     SP_NAMES(names), &items, &priority,
                                     &is_again, &is_seen_only) ||
        !is_priority(priority))
        return NULL;
    options.priority = (uint32_t)priority;
    options.flags = (is_again ? SEENSET_QUEUE_AGAIN : 0) |
                    (is_seen_only ? SEENSET_QUEUE_SEEN_ONLY : 0);
    if (PyUnicode_Check(items) || PyObject_CheckBuffer(items))
        return PyErr_Format(PyExc_TypeError,
                            "%R is one URL: push() takes it, and push_many() "
                            "takes many",
                            (PyObject *)Py_TYPE(items));
    PyObject *iterator = PyObject_GetIter(items);
    PyObject *answers =
        iterator == NULL ? NULL : PyByteArray_FromStringAndSize("", 0);
    PyObject *bytes = NULL;
    if (answers != NULL &&
        push_all((struct sp_queue *)self, iterator, &options, answers) == 0)
        bytes = PyBytes_FromObject(answers);
    Py_XDECREF(iterator);
    Py_XDECREF(answers);
    return bytes;
}
