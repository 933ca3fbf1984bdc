/*
 * foreign.c - the type Foreign: a file of another system, and its filters.
 *
 * It does not change after it was made, so threads need no gate. Keys are those
 * of a SeenSet, but for columns of Parquet whose values are numbers: an int or
 * a float is then in the bytes of such a value.
 */
#include "native/foreign.h"

#include <seenset/foreign.h>

#include "native/convert.h"
#include "native/errors.h"
#include "native/key.h"
#include "native/set/set.h"

struct foreign {
    PyObject ob_base;
    seenset_foreign *file;
    struct sp_state *state;
    PyObject *path;
    seenset_foreign_info info;
    uint32_t *chosen; /* the filters that are asked, count of them */
    uint32_t count;
    bool is_one_column; /* else none are chosen */
    bool has_gaps;      /* a row group has no filter, so it may have any key */
};

static seenset_foreign_filter filter_of(const struct foreign *self,
                                        uint32_t number)
{
    seenset_foreign_filter filter = {.column = "", .reason = ""};
    (void)seenset_foreign_get_filter(self->file, number, &filter,
                                     sizeof filter);
    return filter;
}

/* ---- opening ---- */

/* The filters of a column; NULL: of the only one that there is. */
static void choose(struct foreign *self, const char *column)
{
    uint32_t groups = 0, last = UINT32_MAX;
    bool is_parquet = self->info.format == SEENSET_FORMAT_PARQUET;
    self->is_one_column = true;
    for (uint32_t i = 0; i < self->info.filter_count; i++) {
        seenset_foreign_filter filter = filter_of(self, i);
        const char *wanted =
            column != NULL ? column : filter_of(self, 0).column;
        bool is_wanted = strcmp(filter.column, wanted) == 0;
        self->is_one_column &= is_wanted || column != NULL;
        if (!is_wanted)
            continue;
        self->chosen[self->count++] = i;
        groups += filter.group != last;
        last = filter.group;
    }
    self->has_gaps = is_parquet && groups < self->info.group_count;
}

/* Room for the filters that are chosen, and these. 0, or -1 and an exception.
 */
static int choose_filters(struct foreign *self, const char *column)
{
    (void)seenset_foreign_get_info(self->file, &self->info, sizeof self->info);
    self->chosen =
        PyMem_Calloc(self->info.filter_count + (size_t)1, sizeof *self->chosen);
    if (self->chosen == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    choose(self, column);
    if (self->count > 0 || column == NULL)
        return 0;
    PyErr_Format(PyExc_ValueError, "%S: it has no Bloom filter of '%s'",
                 self->path, column);
    return -1;
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)(at - digits) % 16;
}

/* The key of a filter of a block: the first 16 bytes of the block's hash, which
 * is shown from the last one back. False: an exception. */
static bool read_block(uint8_t secret[SEENSET_SECRET_BYTES], const char *text)
{
    enum {
        DIGITS = 64
    };
    size_t count = 0;
    while (count < DIGITS && digit_of(text[count]) >= 0)
        count++;
    if (count < DIGITS || text[count] != '\0') {
        PyErr_SetString(PyExc_ValueError,
                        "block must be the hash of a block: 64 hexadecimal "
                        "digits, as it is shown");
        return false;
    }
    for (size_t i = 0; i < SEENSET_SECRET_BYTES; i++) {
        const char *two = text + DIGITS - 2 - 2 * i;
        secret[i] = (uint8_t)(16 * digit_of(two[0]) + digit_of(two[1]));
    }
    return true;
}

/* 0, or -1 and an exception. */
static int open_file(struct foreign *self, const uint8_t *secret)
{
    seenset_file_report report = {0};
    const seenset_open_options options = {.report = &report, .secret = secret};
    PyObject *path = sp_path_take(self->path);
    int error;
    if (path == NULL)
        return -1;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_foreign_open(&self->file, name, &options);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (error == 0)
        return 0;
    const struct sp_error_place place = {.path = self->path,
                                         .reason = report.reason,
                                         .offset = report.offset,
                                         .has_offset = true};
    sp_errors_raise(self->state, error, &place);
    return -1;
}

static PyObject *foreign_new(PyTypeObject *type, PyObject *args,
                             PyObject *kwargs)
{
    static const char *const names[] = {"path", "column", "block", NULL};
    struct sp_state *state = sp_state_of_type(type);
    PyObject *path;
    const char *column = NULL, *block = NULL;
    uint8_t secret[SEENSET_SECRET_BYTES];
    if (state == NULL ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "O|z$z:Foreign",
                                     SP_NAMES(names), &path, &column, &block) ||
        (block != NULL && !read_block(secret, block)))
        return NULL;
    allocfunc make = PyType_GetSlot(type, Py_tp_alloc);
    struct foreign *self = (struct foreign *)make(type, 0);
    if (self == NULL)
        return NULL;
    self->state = state;
    self->path = Py_NewRef(path);
    if (open_file(self, block == NULL ? NULL : secret) < 0 ||
        choose_filters(self, column) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static void foreign_free(PyObject *object)
{
    struct foreign *self = (struct foreign *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc drop = PyType_GetSlot(type, Py_tp_free);
    seenset_foreign_free(self->file);
    PyMem_Free(self->chosen);
    Py_XDECREF(self->path);
    drop(object);
    Py_DECREF(type);
}

/* ---- keys ---- */

/* The bytes of a number as a value of a column. False: an exception. */
static bool take_number(uint8_t *bytes, size_t width, bool is_unsigned,
                        PyObject *object)
{
    PyObject *number = PyNumber_Index(object);
    if (number == NULL)
        return false;
    uint64_t value = is_unsigned ? PyLong_AsUnsignedLongLong(number)
                                 : (uint64_t)PyLong_AsLongLong(number);
    Py_DECREF(number);
    if (PyErr_Occurred())
        return false;
    int64_t as_signed = (int64_t)value;
    bool fits = width == 8 || (is_unsigned ? value <= UINT32_MAX
                                           : as_signed >= INT32_MIN &&
                                                 as_signed <= INT32_MAX);
    if (!fits)
        PyErr_SetString(PyExc_OverflowError,
                        "the column's numbers have 32 bits");
    for (size_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    return fits;
}

static bool take_real(uint8_t *bytes, size_t width, PyObject *object)
{
    double real = PyFloat_AsDouble(object);
    float narrow = (float)real;
    uint32_t half;
    uint64_t value;
    if (PyErr_Occurred())
        return false;
    memcpy(&half, &narrow, sizeof half);
    memcpy(&value, &real, sizeof value);
    value = width == 4 ? half : value;
    for (size_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    return true;
}

/* Asks one filter. 1, 0, an error of the library, or, with an exception, -1000.
 */
static int ask_filter(const struct foreign *self, uint32_t number,
                      PyObject *object)
{
    enum {
        RAISED = -1000
    };
    seenset_foreign_filter filter = filter_of(self, number);
    seenset_value_type type = filter.value_type;
    uint8_t bytes[8];
    bool is_whole = type == SEENSET_VALUE_INT32 || type == SEENSET_VALUE_INT64;
    bool is_real = type == SEENSET_VALUE_FLOAT || type == SEENSET_VALUE_DOUBLE;
    size_t width =
        type == SEENSET_VALUE_INT32 || type == SEENSET_VALUE_FLOAT ? 4 : 8;
    struct sp_key key;
    if (is_whole && PyIndex_Check(object))
        return take_number(bytes, width, filter.is_unsigned, object)
                   ? seenset_foreign_has(self->file, number, bytes, width)
                   : RAISED;
    if (is_real && (PyFloat_Check(object) || PyIndex_Check(object)))
        return take_real(bytes, width, object)
                   ? seenset_foreign_has(self->file, number, bytes, width)
                   : RAISED;
    if (!sp_key_take(&key, object))
        return RAISED;
    int answer = seenset_foreign_has(self->file, number, key.data, key.len);
    sp_key_drop(&key);
    return answer;
}

static void raise_of_filter(const struct foreign *self, uint32_t number,
                            int error)
{
    seenset_foreign_filter filter = filter_of(self, number);
    struct sp_error_place place = {.path = self->path,
                                   .reason = filter.reason,
                                   .offset = filter.reason_offset,
                                   .has_offset = filter.error != 0};
    if (filter.error == 0 && error == SEENSET_EINVAL)
        place.reason = "the key is not as long as the values of the column";
    if (error == SEENSET_ESECRET)
        place.reason = "open it with block=, the hash of its block";
    sp_errors_raise(self->state, error, &place);
}

/* False and an exception where a column has to be named. */
static bool is_askable(const struct foreign *self)
{
    if (self->is_one_column)
        return true;
    PyErr_Format(PyExc_ValueError,
                 "%S: it has filters of several columns: open it with one, as "
                 "column='%s'",
                 self->path, filter_of(self, 0).column);
    return false;
}

/* 1: any filter may have it; 0; or -1 and an exception. */
static int foreign_contains(PyObject *object, PyObject *key)
{
    const struct foreign *self = (const struct foreign *)object;
    int is_seen = self->has_gaps;
    if (!is_askable(self))
        return -1;
    for (uint32_t i = 0; i < self->count; i++) {
        int answer = ask_filter(self, self->chosen[i], key);
        if (answer < 0 && !PyErr_Occurred())
            raise_of_filter(self, self->chosen[i], answer);
        if (answer < 0)
            return -1;
        is_seen |= answer;
        if (is_seen)
            break;
    }
    return is_seen;
}

static PyObject *foreign_has_many(PyObject *self, PyObject *keys)
{
    PyObject *out = PyList_New(0), *iterator = PyObject_GetIter(keys), *key;
    while (out != NULL && iterator != NULL &&
           (key = PyIter_Next(iterator)) != NULL) {
        int answer = foreign_contains(self, key);
        Py_DECREF(key);
        if (answer < 0 || PyList_Append(out, answer ? Py_True : Py_False) < 0)
            break;
    }
    Py_XDECREF(iterator);
    if (PyErr_Occurred())
        Py_CLEAR(out);
    return out;
}

/* ---- sets ---- */

static PyObject *foreign_to_set(PyObject *object, PyObject *unused)
{
    struct foreign *self = (struct foreign *)object;
    seenset *set;
    int error;
    (void)unused;
    if (!is_askable(self))
        return NULL;
    if (self->count != 1) {
        PyErr_Format(PyExc_ValueError,
                     "%S: it has %u filters, and a set is made of one",
                     self->path, (unsigned)self->count);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    error = seenset_foreign_set(&set, self->file, self->chosen[0]);
    Py_END_ALLOW_THREADS
    if (error == 0)
        return sp_set_wrap(self->state->set_type, set, NULL);
    raise_of_filter(self, self->chosen[0], error);
    return NULL;
}

static PyObject *foreign_save(PyObject *object, PyObject *args)
{
    struct foreign *self = (struct foreign *)object;
    PyObject *seen, *path_object;
    int error;
    if (!PyArg_ParseTuple(args, "OO:save", &seen, &path_object))
        return NULL;
    struct sp_set *set = sp_set_of(self->state, seen);
    if (set == NULL) {
        PyErr_SetString(PyExc_TypeError, "save() needs a SeenSet and a path");
        return NULL;
    }
    PyObject *path = sp_path_take(path_object);
    if (path == NULL)
        return NULL;
    const char *name = PyBytes_AsString(path);
    sp_gate_enter_to_ask(&set->gate);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_foreign_save(self->file, set->set, name);
    Py_END_ALLOW_THREADS
    sp_gate_leave(&set->gate);
    Py_DECREF(path);
    if (error == 0)
        return Py_NewRef(Py_None);
    const struct sp_error_place place = {
        .path = path_object,
        .reason = error == SEENSET_EUNSUPPORTED
                      ? "files of this format are not written"
                      : NULL};
    return sp_errors_raise(self->state, error, &place);
}

/* ---- what it is ---- */

static PyObject *describe(const struct foreign *self, uint32_t number)
{
    seenset_foreign_filter of = filter_of(self, number);
    return Py_BuildValue(
        "{s:s,s:I,s:s,s:s,s:s,s:K,s:I,s:K,s:d,s:K,s:K,s:K,s:s}", "column",
        of.column, "group", (unsigned)of.group, "type",
        seenset_value_type_name(of.value_type), "layout",
        seenset_layout_name(of.layout), "scheme",
        seenset_scheme_name(of.scheme), "size_bits",
        (unsigned long long)of.size_bits, "hash_count", (unsigned)of.hash_count,
        "capacity_items", (unsigned long long)of.capacity_items, "fp_rate",
        of.fp_rate, "added_items", (unsigned long long)of.added_items,
        "value_count", (unsigned long long)of.value_count, "seed",
        (unsigned long long)of.seed, "reason", of.reason);
}

static PyObject *foreign_filters(PyObject *object, PyObject *unused)
{
    const struct foreign *self = (const struct foreign *)object;
    PyObject *out = PyList_New(0);
    (void)unused;
    for (uint32_t i = 0; out != NULL && i < self->info.filter_count; i++) {
        PyObject *one = describe(self, i);
        if (one == NULL || PyList_Append(out, one) < 0)
            Py_CLEAR(out);
        Py_XDECREF(one);
    }
    return out;
}

static PyObject *get_format(PyObject *object, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(
        seenset_format_name(((struct foreign *)object)->info.format));
}

static PyObject *get_path(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((struct foreign *)object)->path);
}

static PyGetSetDef properties[] = {
    {"format", get_format, NULL,
     "'parquet', 'dcso', 'guava', 'leveldb', 'rocksdb', 'bip37', "
     "'redisbloom' or 'bip158'.",
     NULL},
    {"path", get_path, NULL, "The path that it was opened by.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"has_many", foreign_has_many, METH_O,
     "has_many($self, keys, /)\n--\n\nA list: of each key whether it may be "
     "there."},
    {"filters", foreign_filters, METH_NOARGS,
     "filters($self, /)\n--\n\n"
     "A list with a dict for each filter of the file: its column, group, "
     "type,\n"
     "layout, scheme, size_bits, hash_count, seed; capacity_items, fp_rate,\n"
     "added_items and value_count, 0 where the file does not say; and why it\n"
     "cannot be asked, or ''."},
    {"to_set", foreign_to_set, METH_NOARGS,
     "to_set($self, /)\n--\n\n"
     "A SeenSet of the only filter, with its bits: to add to, measure, merge\n"
     "and save."},
    {"save", foreign_save, METH_VARARGS,
     "save($self, seen, path, /)\n--\n\n"
     "Saves such a set as a file like this one, whole or not at all, as its\n"
     "own system would have written it: DCSO, Guava, BIP-37 and RedisBloom "
     "only."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     (void *)"Foreign(path, column=None, *, block=None)\n--\n\n"
             "A file of another system with Bloom filters: Parquet, DCSO, "
             "Guava, LevelDB,\nRocksDB, RedisBloom or Bitcoin (BIP-37; BIP-158 "
             "with block, the hash of its\nblock).\n\n"
             "    'x@y.example' in seenset.Foreign('people.parquet', 'email')"},
    {Py_tp_new, foreign_new},
    {Py_tp_dealloc, foreign_free},
    {Py_sq_contains, foreign_contains},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL}};

static PyType_Spec spec = {.name = "seenset.Foreign",
                           .basicsize = sizeof(struct foreign),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = slots};

int sp_foreign_add_type(PyObject *module, struct sp_state *state)
{
    return sp_state_add_type(module, &spec, &state->foreign_type);
}
