/*
 * pair.c - two sets together.
 */
#include "native/errors.h"
#include "native/figures.h"
#include "native/set/figures.h"
#include "native/set/set.h"

/* ---- one call on two sets ---- */

typedef int pair_call(struct sp_set *first, struct sp_set *second, void *out);

static int run(struct sp_set *first, struct sp_set *second, bool changes_first,
               pair_call *call, void *out)
{
    int result;
    sp_gate_enter_both(&first->gate, &second->gate, changes_first);
    Py_BEGIN_ALLOW_THREADS
    result = call(first, second, out);
    Py_END_ALLOW_THREADS
    sp_gate_leave_both(&first->gate, &second->gate);
    return result;
}

static PyObject *raise_of_pair(const struct sp_set *first,
                               const struct sp_set *second, int error)
{
    return sp_set_raise(second->set == NULL ? second : first, error);
}

static int merge(struct sp_set *into, struct sp_set *from, void *out)
{
    (void)out;
    return seenset_merge(into->set, from->set);
}

static int intersect(struct sp_set *into, struct sp_set *from, void *out)
{
    (void)out;
    return seenset_intersect(into->set, from->set);
}

static int is_superset(struct sp_set *set, struct sp_set *other, void *out)
{
    return seenset_is_superset(set->set, other->set, out);
}

static int get_overlap(struct sp_set *a, struct sp_set *b, void *out)
{
    return seenset_get_overlap(a->set, b->set, out, sizeof(seenset_overlap));
}

/* ---- operators ---- */

/* Both operands as sets; false, and no exception, if one is another object. */
static bool are_sets(PyObject *a, PyObject *b)
{
    struct sp_state *state = sp_state_of_type(Py_TYPE(a));
    if (state == NULL) {
        PyErr_Clear();
        return false;
    }
    return sp_set_of(state, a) != NULL && sp_set_of(state, b) != NULL;
}

/* `a op= b`, which is `a` again. */
static PyObject *change(PyObject *a, PyObject *b, pair_call *call)
{
    struct sp_set *first = (struct sp_set *)a;
    struct sp_set *second = (struct sp_set *)b;
    if (!are_sets(a, b))
        return Py_NewRef(Py_NotImplemented);
    int error = run(first, second, true, call, NULL);
    if (error != 0)
        return raise_of_pair(first, second, error);
    return Py_NewRef(a);
}

/* `a op b`: a copy of `a`, changed. */
static PyObject *change_copy(PyObject *a, PyObject *b, pair_call *call)
{
    if (!are_sets(a, b))
        return Py_NewRef(Py_NotImplemented);
    PyObject *copy = sp_copy_shallow(a, NULL);
    PyObject *result = copy == NULL ? NULL : change(copy, b, call);
    Py_XDECREF(copy);
    return result;
}

PyObject *sp_pair_merged(PyObject *a, PyObject *b)
{
    return change_copy(a, b, merge);
}

PyObject *sp_pair_intersected(PyObject *a, PyObject *b)
{
    return change_copy(a, b, intersect);
}

PyObject *sp_pair_merge(PyObject *a, PyObject *b)
{
    return change(a, b, merge);
}

PyObject *sp_pair_intersect(PyObject *a, PyObject *b)
{
    return change(a, b, intersect);
}

/* ---- questions ---- */

static bool check_other(PyObject *self, PyObject *other)
{
    if (are_sets(self, other))
        return true;
    PyErr_Format(PyExc_TypeError, "the other set is a SeenSet, not %R",
                 (PyObject *)Py_TYPE(other));
    return false;
}

PyObject *sp_pair_overlap(PyObject *self, PyObject *other)
{
    struct sp_set *first = (struct sp_set *)self;
    struct sp_set *second = (struct sp_set *)other;
    seenset_overlap overlap;
    if (!check_other(self, other))
        return NULL;
    int error = run(first, second, false, get_overlap, &overlap);
    if (error != 0)
        return raise_of_pair(first, second, error);
    return sp_figures_make(first->state->overlap_type, &sp_set_overlap,
                           &overlap);
}

/* True or False, of a question whose answer is a bool. */
static PyObject *answer(struct sp_set *first, struct sp_set *second,
                        pair_call *call, bool is_wanted)
{
    bool is_so = false;
    int error = run(first, second, false, call, &is_so);
    if (error != 0)
        return raise_of_pair(first, second, error);
    return PyBool_FromLong(is_so == is_wanted);
}

PyObject *sp_pair_is_superset(PyObject *self, PyObject *other)
{
    struct sp_set *first = (struct sp_set *)self;
    struct sp_set *second = (struct sp_set *)other;
    if (!check_other(self, other))
        return NULL;
    return answer(first, second, is_superset, true);
}

/* ---- a == b, a <= b ---- */

/* a < b: b is a superset, and they differ. */
static PyObject *is_below(struct sp_set *a, struct sp_set *b)
{
    PyObject *within = answer(b, a, is_superset, true);
    if (within != Py_True)
        return within;
    Py_DECREF(within);
    return answer(a, b, sp_set_compare, false);
}

PyObject *sp_pair_compare(PyObject *a, PyObject *b, int operator)
{
    struct sp_set *first = (struct sp_set *)a;
    struct sp_set *second = (struct sp_set *)b;
    if (!are_sets(a, b))
        return Py_NewRef(Py_NotImplemented);
    switch (operator) {
    case Py_EQ:
    case Py_NE:
        return answer(first, second, sp_set_compare, operator== Py_EQ);
    case Py_LE:
        return answer(second, first, is_superset, true);
    case Py_GE:
        return answer(first, second, is_superset, true);
    case Py_LT:
        return is_below(first, second);
    default:
        return is_below(second, first);
    }
}
