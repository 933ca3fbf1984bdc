/*
 * errors.c - an error of the library as a Python exception.
 */
#include "native/errors.h"

#include <errno.h>

#include <seenset/error.h>

struct error_row {
    int code;
    const char *name; /* of the exception; NULL: one of Python's own */
    int base;         /* the code whose exception it is derived from; 0 */
    const char *doc;
};

/* A base comes before what is derived from it. */
static const struct error_row rows[] = {
    {SEENSET_EINVAL, "InvalidError", 0,
     "An argument is outside its range, or two do not go together. A\n"
     "ValueError, too."},
    {SEENSET_ETOOBIG, "TooBigError", 0,
     "The set would be over 2**53 bits, or have too many tables."},
    {SEENSET_ERATE, "RateError", 0,
     "These sizes cannot keep the false-positive rate."},
    {SEENSET_EFULL, "FullError", 0,
     "The set is at its capacity, and on_full='refuse' refuses new keys."},
    {SEENSET_EUNSUPPORTED, "UnsupportedError", 0,
     "The layout cannot do this: remove() and count() need\n"
     "layout='counting' or 'fingerprint', and nothing can be added to a\n"
     "sealed set."},
    {SEENSET_EREADONLY, "ReadOnlyError", 0,
     "The set is a view of a file. Open it with copy=True to change it."},
    {SEENSET_EMISMATCH, "MismatchError", 0,
     "Two sets are not alike, or a queue was made with other options."},
    {SEENSET_EFORMAT, "FormatError", 0, "This is not a set, or not a queue."},
    {SEENSET_EVERSION, "VersionError", SEENSET_EFORMAT,
     "A newer seenset wrote this."},
    {SEENSET_ECORRUPT, "DamagedError", SEENSET_EFORMAT,
     "A file is damaged: `file`, `offset` and `reason` say where and what.\n"
     "Of a queue, Queue.repair() saves what is left."},
    {SEENSET_ETRUNCATED, "TruncatedError", SEENSET_ECORRUPT,
     "A file ends before its own header says that it should."},
    {SEENSET_EHASH, "HashError", 0,
     "The set was made with a hash function that is not given here."},
    {SEENSET_EINUSE, "InUseError", 0,
     "Another process, or another Queue of this one, has the queue open."},
    {SEENSET_EPOISONED, "PoisonedError", 0,
     "The disk refused a write before. Close the queue and open it again: it\n"
     "has all that was durable."},
    {SEENSET_ELEASE, "LeaseError", 0,
     "The lease has ended, or never was: the item was acked, or it was handed\n"
     "out again, or it will be."},
    {SEENSET_EURL, "UrlError", 0,
     "This is not an http or https URL, and the queue normalises URLs."},
    {SEENSET_EBUDGET, "BudgetError", 0,
     "The queue is polite, and has all the URLs of this host that its budget\n"
     "allows."},
    {SEENSET_ESECRET, "SecretError", 0,
     "The set is keyed, and this is not its secret; or it is not keyed."},
    {SEENSET_EJOURNAL, "JournalError", SEENSET_EFORMAT,
     "The journal of the set, the .log beside its file, is missing. Bring it\n"
     "along, or open the set with without_journal=True."},
};

/* What each exception has, until one is raised with more. */
static PyObject *attributes_of(int code)
{
    const char *name = strrchr(seenset_error_name(code), '_');
    return Py_BuildValue("{s:i,s:s,s:O,s:O,s:O}", "code", code, "name",
                         name == NULL ? "" : name + 1, "file", Py_None,
                         "offset", Py_None, "reason", Py_None);
}

static PyObject *bases_of(const struct sp_state *state,
                          const struct error_row *row)
{
    PyObject *base =
        row->base == 0 ? state->error_base : state->errors[-row->base];
    if (row->code == SEENSET_EINVAL)
        return PyTuple_Pack(2, base, PyExc_ValueError);
    return PyTuple_Pack(1, base);
}

/* Makes an exception and puts it into the module; the caller has a reference to
 * it as well. */
static PyObject *new_exception(PyObject *module, const char *name,
                               const char *doc, PyObject *bases,
                               PyObject *attributes)
{
    PyObject *full_name = PyUnicode_FromFormat("seenset.%s", name);
    const char *text =
        full_name == NULL ? NULL : PyUnicode_AsUTF8AndSize(full_name, NULL);
    PyObject *made =
        text == NULL ? NULL
                     : PyErr_NewExceptionWithDoc(text, doc, bases, attributes);
    Py_XDECREF(full_name);
    if (made != NULL && PyModule_AddObjectRef(module, name, made) < 0)
        Py_CLEAR(made);
    return made;
}

_Static_assert(-SEENSET_EBUDGET < SP_ERROR_COUNT, "there is no room for it");

static int add_row(PyObject *module, struct sp_state *state,
                   const struct error_row *row)
{
    PyObject *bases = bases_of(state, row);
    PyObject *attributes = attributes_of(row->code);
    PyObject *made = NULL;
    if (bases != NULL && attributes != NULL)
        made = new_exception(module, row->name, row->doc, bases, attributes);
    Py_XDECREF(bases);
    Py_XDECREF(attributes);
    state->errors[-row->code] = made;
    return made == NULL ? -1 : 0;
}

int sp_errors_add(PyObject *module, struct sp_state *state)
{
    PyObject *attributes = attributes_of(0);
    if (attributes == NULL)
        return -1;
    state->error_base =
        new_exception(module, "SeensetError",
                      "What seenset raises. `name` is the error's name, such "
                      "as 'EFULL', and\n"
                      "`code` its number in C. `file`, `offset` and `reason` "
                      "say more, where\n"
                      "there is more to say; else they are None.",
                      NULL, attributes);
    Py_DECREF(attributes);
    if (state->error_base == NULL)
        return -1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (add_row(module, state, &rows[i]) < 0)
            return -1;
    /* The log of a queue that is damaged, and a set: one thing to a reader. */
    state->errors[-SEENSET_EDAMAGED] =
        Py_NewRef(state->errors[-SEENSET_ECORRUPT]);
    return 0;
}

/* ---- raising ---- */

static bool is_given(const char *text)
{
    return text != NULL && *text != '\0';
}

/* "FILE: reason, at byte N. Advice" of what is there of it. */
static PyObject *message_of(int error, const struct sp_error_place *place)
{
    const char *reason =
        is_given(place->reason) ? place->reason : seenset_strerror(error);
    const char *advice = is_given(place->advice) ? place->advice : "";
    const char *stop = *advice == '\0' ? "" : ". ";
    const char *slash = is_given(place->file) ? "/" : "";
    const char *file = is_given(place->file) ? place->file : "";
    PyObject *start =
        place->path == NULL
            ? PyUnicode_FromString("")
            : PyUnicode_FromFormat("%S%s%s: ", place->path, slash, file);
    if (start == NULL)
        return NULL;
    PyObject *message =
        place->has_offset
            ? PyUnicode_FromFormat("%U%s, at byte %llu%s%s", start, reason,
                                   (unsigned long long)place->offset, stop,
                                   advice)
            : PyUnicode_FromFormat("%U%s%s%s", start, reason, stop, advice);
    Py_DECREF(start);
    return message;
}

/* Takes the value. */
static int set_attribute(PyObject *exception, const char *name, PyObject *value)
{
    int result =
        value == NULL ? -1 : PyObject_SetAttrString(exception, name, value);
    Py_XDECREF(value);
    return result;
}

static PyObject *file_of(const struct sp_error_place *place)
{
    if (is_given(place->file))
        return PyUnicode_FromFormat("%S/%s", place->path, place->file);
    return Py_NewRef(place->path);
}

static int describe(PyObject *exception, int error,
                    const struct sp_error_place *place)
{
    const char *name = strrchr(seenset_error_name(error), '_');
    if (set_attribute(exception, "code", PyLong_FromLong(error)) < 0 ||
        (name != NULL &&
         set_attribute(exception, "name", PyUnicode_FromString(name + 1)) < 0))
        return -1;
    if (place->path != NULL &&
        set_attribute(exception, "file", file_of(place)) < 0)
        return -1;
    if (is_given(place->reason) &&
        set_attribute(exception, "reason",
                      PyUnicode_FromString(place->reason)) < 0)
        return -1;
    return place->has_offset
               ? set_attribute(exception, "offset",
                               PyLong_FromUnsignedLongLong(place->offset))
               : 0;
}

static void raise_own(PyObject *type, int error,
                      const struct sp_error_place *place)
{
    PyObject *message = message_of(error, place);
    PyObject *exception =
        message == NULL ? NULL
                        : PyObject_CallFunctionObjArgs(type, message, NULL);
    Py_XDECREF(message);
    if (exception != NULL && describe(exception, error, place) == 0)
        PyErr_SetObject(type, exception);
    Py_XDECREF(exception);
}

PyObject *sp_errors_raise(const struct sp_state *state, int error,
                          const struct sp_error_place *place)
{
    static const struct sp_error_place nothing = {0};
    if (place == NULL)
        place = &nothing;
    if (error == SEENSET_ENOMEM)
        return PyErr_NoMemory();
    if (error == SEENSET_EIO) {
        if (errno == 0)
            errno = EIO;
        return place->path == NULL ? PyErr_SetFromErrno(PyExc_OSError)
                                   : PyErr_SetFromErrnoWithFilenameObject(
                                         PyExc_OSError, place->path);
    }
    PyObject *type = NULL;
    if (error < 0 && error > -SP_ERROR_COUNT)
        type = state->errors[-error];
    raise_own(type == NULL ? state->error_base : type, error, place);
    return NULL;
}
