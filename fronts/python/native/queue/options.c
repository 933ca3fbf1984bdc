/*
 * options.c - the keywords by which a queue is opened.
 */
#include "native/queue/options.h"

#include <math.h>

#include "native/convert.h"
#include "native/names.h"

bool sp_queue_arguments_parse(struct sp_queue_arguments *given, PyObject *args,
                              PyObject *kwargs)
{
    static const char *const names[] = {
        "path",           "capacity",   "fp_rate",     SP_SET_NAMES,
        "exact",          "normalise",  "durability",  "interval",
        "lease",          "must_exist", "keep_leases", "segment_bytes",
        "snapshot_bytes", "polite",     "per_host",    "by",
        "host_budget",    "from_start", NULL};
    *given = (struct sp_queue_arguments){.path = Py_None};
    return PyArg_ParseTupleAndKeywords(
        args, kwargs, "|OOO$" SP_SET_FORMAT "pOzOOppOOOOzOp:Queue",
        SP_NAMES(names), &given->path, &given->set.capacity,
        &given->set.fp_rate, SP_SET_PLACES(&given->set), &given->exact,
        &given->normalise, &given->durability, &given->interval, &given->lease,
        &given->must_exist, &given->keep_leases, &given->segment_bytes,
        &given->snapshot_bytes, &given->polite, &given->per_host, &given->by,
        &given->host_budget, &given->from_start);
}

/* NULL and None leave it at 0, the default; 0 itself is not one. */
static int take_seconds(double *seconds, PyObject *object, const char *what)
{
    if (object == NULL || object == Py_None)
        return 0;
    if (sp_seconds_take(seconds, object) < 0)
        return -1;
    if (*seconds > 0)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "%s is a number of seconds over 0, or a timedelta, not %R",
                 what, object);
    return -1;
}

static int take_normalise(seenset_queue_options *options, PyObject *object)
{
    if (object == NULL || object == Py_None)
        return 0;
    int is_true = PyObject_IsTrue(object);
    if (is_true < 0)
        return -1;
    options->normalise =
        is_true ? SEENSET_QUEUE_NORMALISE_URL : SEENSET_QUEUE_NORMALISE_OFF;
    return 0;
}

/* ---- hosts ---- */

int sp_queue_seconds_take(double *seconds, PyObject *object, double most,
                          const char *what)
{
    double given = 0;
    if (object == NULL || object == Py_None)
        return 0;
    if (sp_seconds_take(&given, object) < 0)
        return -1;
    if (!(given >= 0 && given <= most)) {
        PyErr_Format(PyExc_ValueError,
                     "%s is a number of seconds from 0 to %llu, or a "
                     "timedelta, not %R",
                     what, (unsigned long long)most, object);
        return -1;
    }
    *seconds = given;
    return 1;
}

int sp_queue_budget_take(uint64_t *budget, PyObject *object, const char *what)
{
    uint64_t given = 0;
    if (object == NULL || object == Py_None)
        return 0;
    if (PyFloat_Check(object) && PyFloat_AsDouble(object) == INFINITY) {
        *budget = SEENSET_QUEUE_ANY_BUDGET;
        return 1;
    }
    if (sp_count_take(&given, object, what) < 0)
        return -1;
    if (given == 0) {
        PyErr_Format(PyExc_ValueError, "%s is at least 1, or math.inf, not %R",
                     what, object);
        return -1;
    }
    *budget = given;
    return 1;
}

static int take_per_host(seenset_queue_politeness *rules, PyObject *object)
{
    uint64_t count = 1;
    if (sp_count_take(&count, object, "per_host") < 0)
        return -1;
    if (count < 1 || count > SEENSET_QUEUE_MAX_HOST_LEASES) {
        PyErr_Format(PyExc_ValueError, "per_host is 1 to %u, not %R",
                     SEENSET_QUEUE_MAX_HOST_LEASES, object);
        return -1;
    }
    rules->host_leases = (uint32_t)count;
    return 0;
}

static int take_rules(seenset_queue_politeness *rules,
                      const struct sp_queue_arguments *given)
{
    int by = sp_name_take(given->by, "by", sp_names_site);
    rules->delay_seconds = 1;
    if (by < 0 || take_per_host(rules, given->per_host) < 0 ||
        sp_queue_budget_take(&rules->budget, given->host_budget,
                             "host_budget") < 0)
        return -1;
    if (given->polite != Py_True &&
        sp_queue_seconds_take(&rules->delay_seconds, given->polite,
                              SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS,
                              "polite") < 0)
        return -1;
    if (rules->budget == SEENSET_QUEUE_ANY_BUDGET)
        rules->budget = 0;
    rules->by = by == 0
                    ? SEENSET_URL_SITE_HOST
                    : (seenset_url_site_kind)(SEENSET_URL_SITE_HOST + by - 1);
    rules->flags = given->from_start ? SEENSET_QUEUE_DELAY_FROM_START : 0;
    return 0;
}

static bool is_given(PyObject *object)
{
    return object != NULL && object != Py_None;
}

/* polite False is as None; 0 is a delay. */
static int take_politeness(seenset_queue_options *options,
                           seenset_queue_politeness *rules,
                           const struct sp_queue_arguments *given)
{
    if (is_given(given->polite) && given->polite != Py_False) {
        *rules = (seenset_queue_politeness){0};
        options->politeness = rules;
        return take_rules(rules, given);
    }
    if (!is_given(given->per_host) && given->by == NULL &&
        !is_given(given->host_budget) && !given->from_start)
        return 0;
    PyErr_SetString(PyExc_ValueError,
                    "per_host, by, host_budget and from_start need polite");
    return -1;
}

/* ---- all ---- */

int sp_queue_options_take(seenset_queue_options *options,
                          seenset_queue_politeness *rules,
                          const struct sp_queue_arguments *given)
{
    int durability =
        sp_name_take(given->durability, "durability", sp_names_durability);
    if (durability < 0 || take_normalise(options, given->normalise) < 0 ||
        take_seconds(&options->interval_seconds, given->interval, "interval") <
            0 ||
        take_seconds(&options->lease_seconds, given->lease, "lease") < 0 ||
        sp_count_take(&options->segment_bytes, given->segment_bytes,
                      "segment_bytes") < 0 ||
        sp_count_take(&options->snapshot_bytes, given->snapshot_bytes,
                      "snapshot_bytes") < 0 ||
        take_politeness(options, rules, given) < 0)
        return -1;
    options->durability = (seenset_queue_durability)durability;
    options->flags = (given->exact ? SEENSET_QUEUE_EXACT : 0) |
                     (given->must_exist ? SEENSET_QUEUE_MUST_EXIST : 0) |
                     (given->keep_leases ? SEENSET_QUEUE_KEEP_LEASES : 0);
    return 0;
}
