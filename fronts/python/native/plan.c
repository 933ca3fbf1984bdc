/*
 * plan.c - how large a set has to be.
 */
#include "native/calls.h"

#include <seenset/seenset.h>

#include "native/convert.h"
#include "native/errors.h"
#include "native/names.h"

#define STRUCT seenset_plan
static const struct sp_figure rows[] = {FIGURES_PLAN(SP_FIGURE) SP_FIGURES_END};
#undef STRUCT

const struct sp_figures sp_plan_figures = {
    "seenset.Plan", "How large a set is: seenset.plan().", rows};

static int take_plan(seenset_plan *plan, PyObject *const *numbers,
                     const char *layout_name)
{
    uint64_t hash_count = 0;
    int name = sp_name_take(layout_name, "layout", sp_names_layout);
    if (name < 0 || sp_count_take(&plan->capacity_items, numbers[0], "n") < 0 ||
        sp_count_take(&plan->size_bits, numbers[2], "m") < 0 ||
        sp_count_take(&hash_count, numbers[3], "k") < 0)
        return -1;
    plan->layout = (seenset_layout)name;
    plan->hash_count =
        hash_count > UINT32_MAX ? UINT32_MAX : (uint32_t)hash_count;
    if (numbers[1] == Py_None)
        return 0;
    plan->fp_rate = PyFloat_AsDouble(numbers[1]);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *sp_plan(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"n", "p", "m", "k", "layout", NULL};
    struct sp_state *state = PyModule_GetState(module);
    PyObject *numbers[4] = {Py_None, Py_None, Py_None, Py_None};
    const char *layout_name = NULL;
    seenset_plan plan = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO$OOs:plan",
                                     SP_NAMES(names), &numbers[0], &numbers[1],
                                     &numbers[2], &numbers[3], &layout_name) ||
        take_plan(&plan, numbers, layout_name) < 0)
        return NULL;
    int error = seenset_plan_solve(&plan);
    struct sp_error_place place = {0};
    if (error == SEENSET_EINVAL)
        place.reason = "give n and p, or two or more of n, p, m and k, each in "
                       "its range: n from 1 to 2**53, p between 0 and 1";
    if (error != 0)
        return sp_errors_raise(state, error, &place);
    return sp_figures_make(state->plan_type, &sp_plan_figures, &plan);
}
