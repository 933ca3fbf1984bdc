/*
 * options.c - the keywords that say what a set is to be.
 */
#include "native/options.h"

#include <math.h>

#include "native/convert.h"
#include "native/names.h"

static int take_u32(uint32_t *number, PyObject *object, const char *what)
{
    uint64_t value = *number;
    if (sp_count_take(&value, object, what) < 0)
        return -1;
    if (value > UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s is too large: %R", what, object);
        return -1;
    }
    *number = (uint32_t)value;
    return 0;
}

/* Why no set is made with this layout; NULL: one is. */
static const char *reason_against(int layout)
{
    static const struct {
        int layout;
        const char *reason;
    } refused[] = {
        {SEENSET_LAYOUT_SEALED,
         "layout='sealed' is a set made of all its keys at once: "
         "seenset.seal(keys)"},
        {SEENSET_LAYOUT_EXPANDABLE,
         "layout='expandable' is a table that a set grows by itself: leave it "
         "out"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i].layout == layout)
            return refused[i].reason;
    return NULL;
}

/* The layouts of sets that keys are added to. */
static const char *open_layout(int number)
{
    static const char *const names[] = {"unknown",     "blocked",
                                        "bloom",       "counting",
                                        "fingerprint", "split_block"};
    return names[number >= 1 && number <= 5 ? number : 0];
}

/* As sp_name_take; a message lists those that can be chosen. */
static int take_layout(const char *layout)
{
    int name = sp_name_take(layout, "layout", sp_names_layout);
    if (name >= 0)
        return name;
    PyErr_Clear();
    return sp_name_take(layout, "layout", open_layout);
}

static int take_names(seenset_options *options,
                      const struct sp_arguments *arguments)
{
    int name = take_layout(arguments->layout);
    if (name < 0)
        return -1;
    const char *reason = reason_against(name);
    if (reason != NULL) {
        PyErr_SetString(PyExc_ValueError, reason);
        return -1;
    }
    int on_full = sp_name_take(arguments->on_full, "on_full", sp_names_on_full);
    if (on_full < 0)
        return -1;
    options->layout = (seenset_layout)name;
    options->on_full = (seenset_on_full)on_full;
    return 0;
}

static int take_numbers(seenset_options *options,
                        const struct sp_arguments *arguments)
{
    if (arguments->fp_rate != NULL && arguments->fp_rate != Py_None) {
        options->fp_rate = PyFloat_AsDouble(arguments->fp_rate);
        if (PyErr_Occurred())
            return -1;
        if (!(options->fp_rate > 0 && options->fp_rate < 1)) {
            PyErr_Format(PyExc_ValueError,
                         "fp_rate is a probability between 0 and 1, not %R",
                         arguments->fp_rate);
            return -1;
        }
    }
    if (sp_count_take(&options->capacity_items, arguments->capacity,
                      "capacity") < 0 ||
        sp_count_take(&options->size_bits, arguments->size_bits, "size_bits") <
            0 ||
        take_u32(&options->hash_count, arguments->hash_count, "hash_count") <
            0 ||
        take_u32(&options->counter_bits, arguments->counter_bits,
                 "counter_bits") < 0)
        return -1;
    if (arguments->capacity != NULL && arguments->capacity != Py_None &&
        options->capacity_items == 0) {
        PyErr_SetString(PyExc_ValueError, "capacity is at least 1");
        return -1;
    }
    return 0;
}

/* A window by age, which is of whole seconds: rounded up, so that nothing is
 * forgotten early. */
static int take_span(seenset_options *options, PyObject *window)
{
    double seconds;
    if (sp_seconds_take(&seconds, window) < 0)
        return -1;
    if (!(seconds > 0 && seconds < 0x1p53)) {
        PyErr_Format(PyExc_ValueError,
                     "window is a number of seconds, or a timedelta, over 0: "
                     "not %R",
                     window);
        return -1;
    }
    options->window_seconds = (uint64_t)ceil(seconds);
    return 0;
}

static int take_window(seenset_options *options,
                       const struct sp_arguments *arguments)
{
    bool is_given = arguments->window != NULL && arguments->window != Py_None;
    if (is_given && take_span(options, arguments->window) < 0)
        return -1;
    if (is_given && options->on_full == SEENSET_ON_FULL_DEFAULT)
        options->on_full = SEENSET_ON_FULL_ROTATE;
    if (options->on_full != SEENSET_ON_FULL_ROTATE &&
        (is_given || arguments->sliding)) {
        PyErr_SetString(PyExc_ValueError,
                        "window and sliding are for on_full='rotate'");
        return -1;
    }
    if (arguments->sliding)
        options->flags |= SEENSET_FLAG_SLIDING;
    return take_u32(&options->window_generations, arguments->generations,
                    "generations");
}

/* ---- the index scheme ---- */

static int take_seed(struct sp_options_room *room, PyObject *seed)
{
    if (seed == NULL || seed == Py_None)
        return 0;
    room->scheme.seed = PyLong_AsUnsignedLongLong(seed);
    if (!PyErr_Occurred())
        return 0;
    PyErr_Format(PyExc_ValueError, "seed is an int from 0 to 2**64 - 1, not %R",
                 seed);
    return -1;
}

static int take_factor(struct sp_options_room *room, PyObject *factor)
{
    unsigned long long number =
        factor == NULL ? 0 : PyLong_AsUnsignedLongLong(factor);
    bool is_sound = factor != NULL && !PyErr_Occurred() && number > 0 &&
                    number <= UINT32_MAX &&
                    room->scheme.seed_count < SEENSET_MAX_HASH_COUNT;
    if (is_sound)
        room->seeds[room->scheme.seed_count++] = (uint32_t)number;
    else
        PyErr_Format(PyExc_ValueError,
                     "seeds are at most %d ints from 1 to 2**32 - 1",
                     SEENSET_MAX_HASH_COUNT);
    return is_sound ? 0 : -1;
}

/* Any iterable of ints. */
static int take_seeds(struct sp_options_room *room, PyObject *seeds)
{
    if (seeds == NULL || seeds == Py_None)
        return 0;
    PyObject *list = PySequence_List(seeds);
    Py_ssize_t count = list == NULL ? 0 : PyList_Size(list);
    int error = list == NULL ? -1 : 0;
    for (Py_ssize_t i = 0; error == 0 && i < count; i++)
        error = take_factor(room, PyList_GetItem(list, i));
    Py_XDECREF(list);
    room->scheme.seeds = room->seeds;
    return error;
}

static int take_scheme(seenset_options *options, struct sp_options_room *room,
                       const struct sp_arguments *arguments)
{
    room->scheme = (seenset_scheme_arguments){0};
    int scheme = sp_name_take(arguments->scheme, "scheme", sp_names_scheme);
    if (scheme < 0 || take_seed(room, arguments->seed) < 0 ||
        take_seeds(room, arguments->seeds) < 0 ||
        take_u32(&room->scheme.unit_bits, arguments->unit_bits, "unit_bits") <
            0)
        return -1;
    if (scheme == SEENSET_SCHEME_CALLER) {
        PyErr_SetString(PyExc_ValueError,
                        "scheme 'caller' is for programs in C, which have the "
                        "function");
        return -1;
    }
    options->scheme = (seenset_scheme)scheme;
    if (room->scheme.seed != 0 || room->scheme.seed_count != 0 ||
        room->scheme.unit_bits != 0)
        options->scheme_arguments = &room->scheme;
    return 0;
}

/* ---- all ---- */

int sp_options_make(seenset_options *options, struct sp_options_room *room,
                    const struct sp_arguments *arguments)
{
    *options = (seenset_options){0};
    if (arguments->any_rate)
        options->flags |= SEENSET_FLAG_ANY_RATE;
    if (take_names(options, arguments) < 0 ||
        take_numbers(options, arguments) < 0 ||
        take_window(options, arguments) < 0 ||
        take_scheme(options, room, arguments) < 0)
        return -1;
    int keyed = sp_secret_take(room->secret, arguments->keyed, true);
    if (keyed > 0)
        options->secret = room->secret;
    return keyed < 0 ? -1 : 0;
}
