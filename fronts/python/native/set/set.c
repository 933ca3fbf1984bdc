/*
 * set.c - the type SeenSet, and keys one by one.
 */
#include "native/set/set.h"

#include <structmember.h>

#include "native/convert.h"
#include "native/errors.h"
#include "native/key.h"
#include "native/options.h"

/* ---- its life ---- */

static PyObject *set_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args;
    (void)kwargs;
    return sp_set_wrap(type, NULL, NULL);
}

PyObject *sp_set_wrap(PyTypeObject *type, seenset *set, const uint8_t *secret)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct sp_state *state = sp_state_of_type(type);
    struct sp_set *self =
        state == NULL ? NULL : (struct sp_set *)allocate(type, 0);
    if (self == NULL) {
        seenset_free(set);
        return NULL;
    }
    self->state = state;
    self->set = set;
    self->is_keyed = secret != NULL;
    if (secret != NULL)
        memcpy(self->secret, secret, SEENSET_SECRET_BYTES);
    if (sp_gate_open(&self->gate) == 0)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void set_free(PyObject *object)
{
    struct sp_set *self = (struct sp_set *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    if (self->weak_references != NULL)
        PyObject_ClearWeakRefs(object);
    seenset_free(self->set);
    sp_gate_close(&self->gate);
    release(object);
    Py_DECREF(type);
}

/* Takes over a new set, and what it is hashed under. */
static void replace(struct sp_set *self, seenset *set, const uint8_t *secret)
{
    sp_gate_change(&self->gate);
    seenset_free(self->set);
    self->set = set;
    self->gate.is_single = false;
    self->piece = 0; /* its memory is new */
    self->is_keyed = secret != NULL;
    if (secret != NULL)
        memcpy(self->secret, secret, SEENSET_SECRET_BYTES);
}

static int set_init(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"capacity", "fp_rate", SP_SET_NAMES,
                                        NULL};
    struct sp_set *self = (struct sp_set *)object;
    struct sp_arguments given = {0};
    struct sp_options_room room;
    seenset_options options;
    seenset *set;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "|OO$" SP_SET_FORMAT ":SeenSet", SP_NAMES(names),
            &given.capacity, &given.fp_rate, SP_SET_PLACES(&given)) ||
        sp_options_make(&options, &room, &given) < 0)
        return -1;
    int error = seenset_new(&set, &options);
    if (error != 0) {
        sp_errors_raise(self->state, error, NULL);
        return -1;
    }
    replace(self, set, options.secret);
    return 0;
}

struct sp_set *sp_set_of(const struct sp_state *state, PyObject *object)
{
    if (!PyObject_TypeCheck(object, state->set_type))
        return NULL;
    return (struct sp_set *)object;
}

PyObject *sp_set_raise(const struct sp_set *self, int error)
{
    struct sp_error_place place = {0};
    if (self->set == NULL)
        place.reason = "there is no set: a class derived from SeenSet has to "
                       "call super().__init__()";
    else if (error == SEENSET_EREADONLY)
        place.reason = "the set is a view of a file: open it with copy=True to "
                       "change it";
    return sp_errors_raise(self->state, error, &place);
}

/* ---- keys ---- */

/* 1 or 0 as True or False, or the exception of an error. */
static PyObject *answer_of(const struct sp_set *self, int answer)
{
    if (answer < 0)
        return sp_set_raise(self, answer);
    return Py_NewRef(answer != 0 ? Py_True : Py_False);
}

static PyObject *set_add(PyObject *object, PyObject *key_object)
{
    struct sp_set *self = (struct sp_set *)object;
    struct sp_key key;
    if (!sp_key_take(&key, key_object))
        return NULL;
    sp_gate_change(&self->gate);
    int answer = seenset_add(self->set, key.data, key.len);
    sp_key_drop(&key);
    return answer_of(self, answer);
}

static int set_contains(PyObject *object, PyObject *key_object)
{
    struct sp_set *self = (struct sp_set *)object;
    struct sp_key key;
    if (!sp_key_take(&key, key_object))
        return -1;
    sp_gate_ask(&self->gate);
    int answer = seenset_has(self->set, key.data, key.len);
    sp_key_drop(&key);
    if (answer < 0)
        sp_set_raise(self, answer);
    return answer < 0 ? -1 : answer;
}

/* The exception of an error of remove() or count(), with what to choose. */
static PyObject *raise_of_copies(const struct sp_set *self, int error)
{
    const struct sp_error_place place = {
        .advice = "Keys can be removed and counted in a set of "
                  "layout='counting' or 'fingerprint'"};
    return self->set != NULL && error == SEENSET_EUNSUPPORTED
               ? sp_errors_raise(self->state, error, &place)
               : sp_set_raise(self, error);
}

static PyObject *set_remove(PyObject *object, PyObject *key_object)
{
    struct sp_set *self = (struct sp_set *)object;
    struct sp_key key;
    if (!sp_key_take(&key, key_object))
        return NULL;
    sp_gate_change(&self->gate);
    int answer = seenset_remove(self->set, key.data, key.len);
    sp_key_drop(&key);
    return answer < 0 ? raise_of_copies(self, answer) : answer_of(self, answer);
}

/* As of Python's own set: whether it was there is not said. */
static PyObject *set_discard(PyObject *object, PyObject *key_object)
{
    PyObject *answer = set_remove(object, key_object);
    if (answer == NULL)
        return NULL;
    Py_DECREF(answer);
    return Py_NewRef(Py_None);
}

static PyObject *set_count(PyObject *object, PyObject *key_object)
{
    struct sp_set *self = (struct sp_set *)object;
    struct sp_key key;
    uint64_t count = 0;
    if (!sp_key_take(&key, key_object))
        return NULL;
    sp_gate_ask(&self->gate);
    int error = seenset_count(self->set, key.data, key.len, &count);
    sp_key_drop(&key);
    if (error != 0)
        return raise_of_copies(self, error);
    return PyLong_FromUnsignedLongLong(count);
}

static PyObject *set_clear(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    (void)unused;
    sp_gate_change(&self->gate);
    int error = seenset_clear(self->set);
    if (error != 0)
        return sp_set_raise(self, error);
    return Py_NewRef(Py_None);
}

static PyObject *set_expect(PyObject *object, PyObject *items_object)
{
    struct sp_set *self = (struct sp_set *)object;
    uint64_t items = 0;
    if (sp_count_take(&items, items_object, "items") != 0)
        return NULL;
    sp_gate_change(&self->gate);
    int error = seenset_expect(self->set, items);
    if (error != 0)
        return sp_set_raise(self, error);
    return Py_NewRef(Py_None);
}

static Py_ssize_t set_length(PyObject *object)
{
    (void)object;
    PyErr_SetString(PyExc_TypeError,
                    "a SeenSet has no exact length, as it does not keep its "
                    "keys: estimated_items is how many it probably has, and "
                    "info().added how often add() returned True");
    return -1;
}

/* Else `if seen:` would ask for its length. */
static int set_is_true(PyObject *object)
{
    (void)object;
    return 1;
}

/* ---- the type ---- */

static PyMethodDef methods[] = {
    {"add", set_add, METH_O,
     "add($self, key, /)\n--\n\n"
     "Add a key. True: it is new. False: it was seen before, or, with a\n"
     "probability of at most fp_rate, is a false positive.\n\n"
     "    if seen.add(url):\n"
     "        fetch(url)\n\n"
     "A key is str (its UTF-8), bytes or another object whose bytes can be\n"
     "read, as they are, an int (its 8 bytes) or a uuid.UUID (its 16):\n"
     "seenset.key() has the bytes."},
    {"add_many", SP_WITH_KEYWORDS(sp_batch_add_many),
     METH_VARARGS | METH_KEYWORDS,
     "add_many($self, keys, offsets=None, *, hashed=False)\n--\n\n"
     "Add many keys. Returns a memoryview of bools: True where a key is new.\n"
     "Other threads run meanwhile.\n\n"
     "keys is an iterable of keys, or an array without copies:\n"
     "  8-byte integers   NumPy's uint64 or int64, array('Q'): the key of an\n"
     "                    integer is its 8 bytes, n.to_bytes(8, 'little');\n"
     "                    with hashed=True they are hashes, such as\n"
     "                    seenset.hash_key(key), and add the keys of these\n"
     "  dtype 'S10'       texts of a fixed width, without the zeros at their\n"
     "                    ends, as NumPy takes them\n"
     "  bytes + offsets   keys that follow one another, key i from offsets[i]\n"
     "                    to offsets[i + 1] (int32 or int64), as Arrow has\n"
     "                    them\n\n"
     "    numpy.asarray(seen.add_many(ids))       # an array of bool\n\n"
     "A set that refuses raises FullError; the keys before are in it."},
    {"has_many", SP_WITH_KEYWORDS(sp_batch_has_many),
     METH_VARARGS | METH_KEYWORDS,
     "has_many($self, keys, offsets=None, *, hashed=False)\n--\n\n"
     "Look many keys up. Returns a memoryview of bools: True where a key was\n"
     "seen. keys, offsets and hashed are as for add_many()."},
    {"update", SP_WITH_KEYWORDS(sp_batch_update), METH_VARARGS | METH_KEYWORDS,
     "update($self, keys, offsets=None, *, hashed=False)\n--\n\n"
     "Add many keys, or all keys of another SeenSet, without saying which are\n"
     "new. keys, offsets and hashed are as for add_many()."},
    {"remove", set_remove, METH_O,
     "remove($self, key, /)\n--\n\n"
     "Take out one copy of a key. True: it was there. For layout='counting'\n"
     "or 'fingerprint'. Remove only what was added: a key that is a false\n"
     "positive takes others with it."},
    {"discard", set_discard, METH_O,
     "discard($self, key, /)\n--\n\n"
     "remove(), without saying whether it was there, as Python's set has it."},
    {"count", set_count, METH_O,
     "count($self, key, /)\n--\n\n"
     "How often a key was added. For layout='counting', or 'fingerprint', "
     "which\n"
     "counts to 15. Never less than the truth, until a counter is full."},
    {"clear", set_clear, METH_NOARGS,
     "clear($self, /)\n--\n\nForget every key."},
    {"expect", set_expect, METH_O,
     "expect($self, items, /)\n--\n\n"
     "How many different keys come in all, where that is found out only now.\n"
     "When a set that grows is full, the rest of them get one table, as fast\n"
     "as the first. It is a hint: there may be more. 0: not known."},
    {"overlap", sp_pair_overlap, METH_O,
     "overlap($self, other, /)\n--\n\n"
     "Estimate what two sets have in common, whatever their sizes. Returns a\n"
     "named tuple; each figure has its standard error beside it."},
    {"issuperset", sp_pair_is_superset, METH_O,
     "issuperset($self, other, /)\n--\n\n"
     "False: the other set has a key that this one lacks. True: it has\n"
     "probably none. Both have one table of one shape."},
    {"save", sp_file_save, METH_O,
     "save($self, path, /)\n--\n\n"
     "Write the set to a file, whole or not at all, and wait for the disk. "
     "The\n"
     "seenset command opens it as well."},
    {"open", SP_WITH_KEYWORDS(sp_file_open),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "open($type, path, *, copy=False, keyed=None, without_journal=False,\n"
     "     append=False)\n"
     "--\n\n"
     "Open a file that save() or the seenset command wrote. Without a copy it\n"
     "is mapped: open at once whatever its size, read-only, and each block is\n"
     "checked when it is first read. With copy=True it is read whole, and can\n"
     "be changed. keyed is the secret of a keyed set. A file whose journal is\n"
     "missing is refused; without_journal=True opens it all the same, and\n"
     "info().missing says how many keys it may lack. append=True is for a few\n"
     "keys to a large file: add() reads what a key touches, and append() "
     "makes\n"
     "the new keys durable in a journal beside the file."},
    {"append", sp_file_append, METH_O,
     "append($self, path, /)\n--\n\n"
     "Make the keys that were added durable, in the journal of the file that\n"
     "the set was opened from with append=True. It takes milliseconds, "
     "however\n"
     "large the file is; any number of processes may do so."},
    {"verify", sp_file_verify, METH_O | METH_CLASS,
     "verify($type, path, /)\n--\n\n"
     "Check every byte of a file, in constant memory. Raises DamagedError or\n"
     "another exception that says where, and returns None if it is sound."},
    {"to_bytes", sp_file_to_bytes, METH_NOARGS,
     "to_bytes($self, /)\n--\n\n"
     "The bytes that save() writes. A secret is not among them."},
    {"from_bytes", SP_WITH_KEYWORDS(sp_file_from_bytes),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "from_bytes($type, data, keyed=None)\n--\n\n"
     "A set of the bytes of to_bytes() or of a file. Every checksum is\n"
     "checked."},
    {"compact", SP_WITH_KEYWORDS(sp_file_compact),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "compact($type, path, *, keyed=None)\n--\n\n"
     "Save a file with the keys of its journal, and remove the journal."},
    {"to_bits", sp_file_to_bits, METH_NOARGS,
     "to_bits($self, /)\n--\n\n"
     "The bits of a set of one table alone, as another system has them: bit i\n"
     "is bit i % 8 of byte i // 8."},
    {"from_bits", SP_WITH_KEYWORDS(sp_file_from_bits),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "from_bits($type, bits, *, hash_count, **options)\n--\n\n"
     "A set of the bits that to_bits() or another system has. hash_count, and\n"
     "whatever else decides where a key's bits are (layout, scheme, seed, "
     "...),\n"
     "are those of SeenSet(). What decides it is not in the bits: with "
     "another\n"
     "the set has none of its keys."},
    {"counters", SP_WITH_KEYWORDS(sp_bits_counters),
     METH_VARARGS | METH_KEYWORDS,
     "counters($self, first=0, count=None)\n--\n\n"
     "The counters of a set of layout='counting', from number first on, as a\n"
     "memoryview of 16-bit integers: numpy.asarray(view) copies nothing. A\n"
     "key adds 1 to hash_count of them; one at its largest value is full, and\n"
     "stays so."},
    {"copy", sp_copy_shallow, METH_NOARGS,
     "copy($self, /)\n--\n\nA set with the same keys, that can be changed."},
    {"__copy__", sp_copy_shallow, METH_NOARGS, "__copy__($self, /)\n--\n\n"},
    {"__deepcopy__", sp_copy_deep, METH_O,
     "__deepcopy__($self, memo, /)\n--\n\n"},
    {"__sizeof__", sp_figures_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nThe bytes that it takes, or maps."},
    {"__reduce__", sp_copy_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\n"
     "For pickle. A pickled set has its secret, too."},
    {"info", sp_figures_info, METH_NOARGS,
     "info($self, /)\n--\n\n"
     "What the set is, as a named tuple. Takes no time."},
    {"stats", sp_figures_stats, METH_NOARGS,
     "stats($self, /)\n--\n\n"
     "How full it is, its true rate now, how many keys it probably has and\n"
     "how many were probably called seen by mistake. Reads every bit."},
    {"estimate", sp_figures_estimate, METH_NOARGS,
     "estimate($self, /)\n--\n\n"
     "The same within 1 %, of a large set from a part of its bits. Takes a\n"
     "millisecond or so."},
    {"tables", sp_figures_tables, METH_NOARGS,
     "tables($self, /)\n--\n\n"
     "A named tuple for each table of the set, the oldest first."},
    {"uniformity", sp_figures_uniformity, METH_NOARGS,
     "uniformity($self, /)\n--\n\n"
     "How evenly the bits are spread: unevenly if the hash is too weak for\n"
     "the keys. Reads every bit twice."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(struct sp_set, weak_references),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static const char doc[] =
    "SeenSet(capacity=1000000, fp_rate=0.01, *, layout='blocked',\n"
    "        on_full=None, window=None, generations=None, sliding=False,\n"
    "        keyed=None, size_bits=None, hash_count=None, counter_bits=None,\n"
    "        any_rate=False, scheme=None, seed=None, seeds=None,\n"
    "        unit_bits=None)\n"
    "--\n\n"
    "Have I seen this before? A set that answers it in little memory.\n\n"
    "    seen = SeenSet(1_000_000, 1e-6)\n"
    "    seen.add('http://example.com/')    # True: new\n"
    "    seen.add('http://example.com/')    # False: seen\n"
    "    'http://example.com/' in seen      # True\n\n"
    "It never forgets a key. A key that was never added is called seen with a\n"
    "probability of at most fp_rate.\n\n"
    "capacity  how many different keys are expected\n"
    "layout    'blocked' (fast), 'bloom' (fewest bits), 'counting' (keys can\n"
    "          be removed and counted), 'fingerprint' (the same in a third\n"
    "          of the memory), 'split_block' (as Apache Parquet);\n"
    "          seenset.seal() makes the smallest kind, 'sealed'\n"
    "on_full   past capacity: 'grow' (the default), 'refuse' (FullError),\n"
    "          'degrade' (the rate rises) or 'rotate' (forget the oldest)\n"
    "window    forget keys after so many seconds (or a timedelta); with\n"
    "          sliding=True, so long after they were last seen\n"
    "keyed     True or a secret of 16 bytes: nobody without the secret can\n"
    "          choose keys that collide\n"
    "any_rate  a capacity and size_bits whose rate is over 10 % are refused\n"
    "          (RateError) without it\n"
    "scheme    set the same bits as another system, with its seed, seeds\n"
    "          (factors) and unit_bits (8: bytes, 16: UTF-16)\n\n"
    "Any number of threads may use one set. It has no len(): see\n"
    "estimated_items. Sets are equal if save() writes the same bytes of them,\n"
    "and a <= b is b.issuperset(a).";

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)doc},
    {Py_tp_new, set_new},
    {Py_tp_init, set_init},
    {Py_tp_dealloc, set_free},
    {Py_tp_repr, sp_figures_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, sp_figures_properties},
    {Py_sq_contains, set_contains},
    {Py_sq_length, set_length},
    {Py_tp_members, members},
    {Py_tp_richcompare, sp_pair_compare},
    {Py_nb_bool, set_is_true},
    {Py_nb_or, sp_pair_merged},
    {Py_nb_and, sp_pair_intersected},
    {Py_nb_inplace_or, sp_pair_merge},
    {Py_nb_inplace_and, sp_pair_intersect},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "seenset.SeenSet",
    .basicsize = sizeof(struct sp_set),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

int sp_set_add_type(PyObject *module, struct sp_state *state)
{
    return sp_state_add_type(module, &spec, &state->set_type);
}
