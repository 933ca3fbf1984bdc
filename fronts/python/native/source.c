/*
 * source.c - many keys from Python, some thousand at a time.
 */
#include "native/source.h"

#include "native/key.h"

/* Enough that a chunk takes longer than a change of threads. */
enum {
    CHUNK_KEYS = 8192,
    CHUNK_NUMBERS = 65536 /* that need no copy */
};

/* ---- what a buffer holds ---- */

/* The format without its byte order, if that is this machine's; else "". */
static const char *native_format(const Py_buffer *buffer)
{
    const char *format = buffer->format == NULL ? "B" : buffer->format;
#if PY_LITTLE_ENDIAN
    const char *native = "@=<";
#else
    const char *native = "@=>!";
#endif
    if (strchr("@=<>!", *format) == NULL)
        return format;
    return strchr(native, *format) != NULL ? format + 1 : "";
}

static bool is_integers(const Py_buffer *buffer, Py_ssize_t width)
{
    const char *format = native_format(buffer);
    return buffer->itemsize == width && *format != '\0' &&
           strchr("qQlLnNiI", *format) != NULL && format[1] == '\0';
}

/* "s", "10s": texts of one width. */
static bool is_texts(const Py_buffer *buffer)
{
    const char *format = native_format(buffer);
    while (*format >= '0' && *format <= '9')
        format++;
    return strcmp(format, "s") == 0;
}

static bool is_objects(const Py_buffer *buffer)
{
    return strcmp(native_format(buffer), "O") == 0;
}

static size_t items_of(const Py_buffer *buffer)
{
    size_t count = 1;
    for (int i = 0; i < buffer->ndim; i++)
        count *= (size_t)buffer->shape[i];
    return count;
}

/* ---- opening ---- */

static int refuse_one_key(PyObject *keys)
{
    PyErr_Format(PyExc_TypeError,
                 "%R is one key: add() takes it, and this call takes many. "
                 "Bytes of many keys come with offsets",
                 (PyObject *)Py_TYPE(keys));
    return -1;
}

static int refuse_format(const Py_buffer *buffer)
{
    PyErr_Format(PyExc_TypeError,
                 "an array of keys has 8-byte integers (uint64, int64) or "
                 "texts of one width (S10) in this machine's byte order, not "
                 "format '%s' of %zd bytes: astype() converts it, and a list "
                 "of str or bytes is taken as well",
                 buffer->format == NULL ? "B" : buffer->format,
                 buffer->itemsize);
    return -1;
}

/* Iterating over these gives the names of columns, and not what is in them. */
static int refuse_table(PyObject *keys)
{
    PyErr_Format(PyExc_TypeError,
                 "%R has rows and columns: give one column, as table['url'], "
                 "or a key made of each row",
                 (PyObject *)Py_TYPE(keys));
    return -1;
}

/* NumPy's message of times does not say what to do. */
static int refuse_dtype(PyObject *keys)
{
    if (!PyErr_ExceptionMatches(PyExc_ValueError) ||
        !PyObject_HasAttrString(keys, "dtype"))
        return -1;
    PyErr_SetString(PyExc_TypeError,
                    "the bytes of an array of this dtype cannot be read: times "
                    "are taken as integers, keys.view('int64'), and others as "
                    "texts, keys.astype(str).tolist()");
    return -1;
}

static int take_buffer(Py_buffer *buffer, PyObject *object)
{
    if (PyObject_GetBuffer(object, buffer, PyBUF_FULL_RO) < 0) {
        buffer->obj = NULL;
        return refuse_dtype(object);
    }
    if (PyBuffer_IsContiguous(buffer, 'C'))
        return 0;
    PyErr_SetString(PyExc_BufferError,
                    "the items of the array do not follow one another: give "
                    "a copy, numpy.ascontiguousarray(keys)");
    return -1;
}

static int open_iterator(struct sp_source *source, PyObject *keys)
{
    if (PyObject_HasAttrString(keys, "__dataframe__"))
        return refuse_table(keys);
    source->iterator = PyObject_GetIter(keys);
    return source->iterator == NULL ? -1 : 0;
}

static int open_buffer(struct sp_source *source, PyObject *keys, bool hashed)
{
    if (PyBytes_Check(keys) || PyByteArray_Check(keys))
        return refuse_one_key(keys);
    if (take_buffer(&source->buffer, keys) < 0)
        return -1;
    if (is_objects(&source->buffer) && !hashed) {
        PyBuffer_Release(&source->buffer);
        return open_iterator(source, keys);
    }
    source->count = items_of(&source->buffer);
    if (is_integers(&source->buffer, 8)) {
        source->shape = hashed ? SP_HASHES : SP_INTEGERS;
        return 0;
    }
    if (!is_texts(&source->buffer) || hashed)
        return refuse_format(&source->buffer);
    source->width = (size_t)source->buffer.itemsize;
    return 0;
}

/* Clears an exception that says only that it is not such a column; returns -1
 * for another one, as of Ctrl-C. */
static int forgive(void)
{
    if (PyErr_Occurred() != NULL && !PyErr_ExceptionMatches(PyExc_Exception))
        return -1;
    PyErr_Clear();
    return 0;
}

/* By its dtype, which is asked before anything is made: an array of a column of
 * texts would take as many bytes a row as the longest. */
static bool has_long_integers(PyObject *keys)
{
    PyObject *type = PyObject_GetAttrString(keys, "dtype");
    PyObject *name = type == NULL ? NULL : PyObject_Str(type);
    const char *text =
        name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
    bool is_long = text != NULL && (PyOS_strnicmp(text, "int64", 5) == 0 ||
                                    PyOS_strnicmp(text, "uint64", 6) == 0);
    Py_XDECREF(name);
    Py_XDECREF(type);
    return is_long;
}

/* A column of integers, as of pandas or Polars, is no buffer, but can make an
 * array of itself: without that each of its integers would be an object.
 * Returns 1 if it is one, 0 if not, -1 with an exception. */
static int open_column(struct sp_source *source, PyObject *keys, bool hashed)
{
    if (!has_long_integers(keys) || !PyObject_HasAttrString(keys, "__array__"))
        return forgive();
    PyObject *array = PyObject_CallMethod(keys, "__array__", NULL);
    bool is_taken = array != NULL && PyObject_CheckBuffer(array) &&
                    take_buffer(&source->buffer, array) == 0 &&
                    source->buffer.ndim == 1 &&
                    is_integers(&source->buffer, 8);
    Py_XDECREF(array);
    if (is_taken) {
        source->shape = hashed ? SP_HASHES : SP_INTEGERS;
        source->count = items_of(&source->buffer);
        return 1;
    }
    if (source->buffer.obj != NULL)
        PyBuffer_Release(&source->buffer);
    return forgive();
}

static int open_offsets(struct sp_source *source, PyObject *keys,
                        PyObject *offsets)
{
    if (!PyObject_CheckBuffer(keys) || !PyObject_CheckBuffer(offsets)) {
        PyErr_SetString(PyExc_TypeError,
                        "with offsets, keys is bytes (or another buffer), and "
                        "offsets an array of int32 or int64");
        return -1;
    }
    if (PyObject_GetBuffer(keys, &source->buffer, PyBUF_SIMPLE) < 0) {
        source->buffer.obj = NULL;
        return -1;
    }
    if (take_buffer(&source->offsets, offsets) < 0)
        return -1;
    if (!is_integers(&source->offsets, 4) &&
        !is_integers(&source->offsets, 8)) {
        PyErr_SetString(PyExc_TypeError, "offsets are int32 or int64");
        return -1;
    }
    size_t count = items_of(&source->offsets);
    source->count = count == 0 ? 0 : count - 1;
    return 0;
}

static int open_shape(struct sp_source *source, PyObject *keys,
                      PyObject *offsets, bool hashed)
{
    if (offsets != NULL && offsets != Py_None) {
        if (!hashed)
            return open_offsets(source, keys, offsets);
        PyErr_SetString(PyExc_TypeError, "hashes have no offsets");
        return -1;
    }
    if (PyUnicode_Check(keys))
        return refuse_one_key(keys);
    if (PyObject_CheckBuffer(keys))
        return open_buffer(source, keys, hashed);
    int found = open_column(source, keys, hashed);
    if (found != 0)
        return found < 0 ? -1 : 0;
    if (!hashed)
        return open_iterator(source, keys);
    PyErr_SetString(PyExc_TypeError,
                    "hashed=True takes an array of 8-byte integers");
    return -1;
}

/* Room for a chunk. Integers need none, unless they are at an odd address. */
static int make_room(struct sp_source *source)
{
    struct sp_chunk *chunk = &source->chunk;
    size_t count = CHUNK_KEYS;
    if (source->iterator == NULL && source->count < count)
        count = source->count + 1;
    if (source->shape == SP_KEYS)
        chunk->keys = PyMem_Calloc(count, sizeof *chunk->keys);
    else if ((uintptr_t)source->buffer.buf % sizeof(uint64_t) != 0)
        chunk->aligned = PyMem_Calloc(count, sizeof *chunk->aligned);
    else
        return 0;
    if (source->iterator != NULL)
        chunk->held = PyMem_Calloc(count, sizeof *chunk->held);
    if ((chunk->keys != NULL || chunk->aligned != NULL) &&
        (chunk->held != NULL || source->iterator == NULL))
        return 0;
    PyErr_NoMemory();
    return -1;
}

int sp_source_open(struct sp_source *source, PyObject *keys, PyObject *offsets,
                   bool hashed)
{
    *source = (struct sp_source){.shape = SP_KEYS};
    if (open_shape(source, keys, offsets, hashed) < 0)
        return -1;
    source->chunk.shape = source->shape;
    return make_room(source);
}

/* ---- reading ---- */

static void drop_held(struct sp_chunk *chunk)
{
    while (chunk->held_count > 0)
        Py_DECREF(chunk->held[--chunk->held_count]);
}

/* Takes an object, and holds what the bytes of its key are in: the object, if
 * it cannot change, else a copy. */
static int hold_key(struct sp_chunk *chunk, PyObject *object)
{
    struct sp_key key;
    if (!sp_key_take(&key, object))
        return -1;
    PyObject *holder = NULL;
    if (key.buffer.obj != NULL)
        holder = PyBytes_FromStringAndSize(key.data, (Py_ssize_t)key.len);
    else
        holder = Py_NewRef(key.made != NULL ? key.made : object);
    size_t len = key.len;
    const char *data = key.data;
    if (holder != NULL && key.buffer.obj != NULL)
        data = PyBytes_AsString(holder);
    sp_key_drop(&key);
    if (holder == NULL)
        return -1;
    chunk->held[chunk->held_count++] = holder;
    chunk->keys[chunk->count++] = (seenset_key){data, len};
    return 0;
}

static int next_of_iterator(struct sp_source *source, struct sp_chunk *chunk)
{
    while (chunk->count < CHUNK_KEYS) {
        PyObject *object = PyIter_Next(source->iterator);
        if (object == NULL)
            return PyErr_Occurred() ? -1 : 0;
        int result = hold_key(chunk, object);
        Py_DECREF(object);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* Each number is read with the GIL or copied, so that one at an odd address
 * can be read. */
static void next_of_integers(struct sp_source *source, struct sp_chunk *chunk)
{
    const char *bytes = source->buffer.buf;
    size_t most = chunk->aligned == NULL ? CHUNK_NUMBERS : CHUNK_KEYS;
    chunk->count = source->count - source->next;
    if (chunk->count > most)
        chunk->count = most;
    if (chunk->aligned == NULL) {
        chunk->numbers = (const uint64_t *)(const void *)bytes + source->next;
        return;
    }
    memcpy(chunk->aligned, bytes + source->next * sizeof(uint64_t),
           chunk->count * sizeof(uint64_t));
    chunk->numbers = chunk->aligned;
}

/* NumPy fills a text up with zeros, and takes them off when it is read. */
static void next_of_texts(struct sp_source *source, struct sp_chunk *chunk)
{
    const char *text = source->buffer.buf;
    text += source->next * source->width;
    for (size_t i = source->next;
         i < source->count && chunk->count < CHUNK_KEYS; i++) {
        size_t len = source->width;
        while (len > 0 && text[len - 1] == '\0')
            len--;
        chunk->keys[chunk->count++] = (seenset_key){text, len};
        text += source->width;
    }
}

static int64_t offset_at(const Py_buffer *offsets, size_t index)
{
    const char *place = offsets->buf;
    int32_t narrow;
    int64_t wide;
    if (offsets->itemsize == 4) {
        memcpy(&narrow, place + index * 4, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, place + index * 8, sizeof wide);
    return wide;
}

static int next_of_offsets(struct sp_source *source, struct sp_chunk *chunk)
{
    const char *bytes = source->buffer.buf;
    int64_t from = offset_at(&source->offsets, source->next);
    for (size_t i = source->next;
         i < source->count && chunk->count < CHUNK_KEYS; i++) {
        int64_t to = offset_at(&source->offsets, i + 1);
        if (from < 0 || to < from || to > source->buffer.len) {
            PyErr_Format(PyExc_ValueError,
                         "offsets %lld and %lld of key %zu: they go up, and "
                         "are within the %zd bytes",
                         (long long)from, (long long)to, i, source->buffer.len);
            return -1;
        }
        chunk->keys[chunk->count++] =
            (seenset_key){bytes + from, (size_t)(to - from)};
        from = to;
    }
    return 0;
}

int sp_source_next(struct sp_source *source, struct sp_chunk **out)
{
    struct sp_chunk *chunk = &source->chunk;
    int result = 0;
    drop_held(chunk);
    chunk->count = 0;
    if (PyErr_CheckSignals() < 0) /* Ctrl-C: those before it are in */
        return -1;
    if (source->iterator != NULL)
        result = next_of_iterator(source, chunk);
    else if (source->next == source->count)
        return 0;
    else if (source->shape != SP_KEYS)
        next_of_integers(source, chunk);
    else if (source->offsets.obj != NULL)
        result = next_of_offsets(source, chunk);
    else
        next_of_texts(source, chunk);
    source->next += chunk->count;
    *out = chunk;
    if (result < 0)
        return -1;
    return chunk->count > 0;
}

void sp_source_close(struct sp_source *source)
{
    drop_held(&source->chunk);
    PyMem_Free(source->chunk.keys);
    PyMem_Free(source->chunk.held);
    PyMem_Free(source->chunk.aligned);
    Py_CLEAR(source->iterator);
    if (source->buffer.obj != NULL)
        PyBuffer_Release(&source->buffer);
    if (source->offsets.obj != NULL)
        PyBuffer_Release(&source->offsets);
}
