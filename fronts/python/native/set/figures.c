/*
 * figures.c - what a set is and how full.
 */
#include "native/set/figures.h"

#include "native/errors.h"
#include "native/set/set.h"

#define STRUCT seenset_info
static const struct sp_figure info_rows[] = {FIGURES_INFO(SP_FIGURE)
                                                 SP_FIGURES_END};
#undef STRUCT

const struct sp_figures sp_set_info = {
    "seenset.Info", "What a set is: SeenSet.info().", info_rows};

#define STRUCT seenset_stats
static const struct sp_figure stats_rows[] = {FIGURES_STATS(SP_FIGURE)
                                                  SP_FIGURES_END};
#undef STRUCT

const struct sp_figures sp_set_stats = {
    "seenset.Stats", "How full a set is: SeenSet.stats().", stats_rows};

#define STRUCT seenset_estimate
static const struct sp_figure estimate_rows[] = {FIGURES_ESTIMATE(SP_FIGURE)
                                                     SP_FIGURES_END};
#undef STRUCT

static const struct sp_figures estimate_figures = {
    "seenset.Estimate", "How full a set is, at once: SeenSet.estimate().",
    estimate_rows};

#define STRUCT seenset_table_info
static const struct sp_figure table_rows[] = {FIGURES_TABLE(SP_FIGURE)
                                                  SP_FIGURES_END};
#undef STRUCT

static const struct sp_figures table_figures = {
    "seenset.Table", "One of the tables of a set: SeenSet.tables().",
    table_rows};

#define STRUCT seenset_uniformity
static const struct sp_figure uniformity_rows[] = {FIGURES_UNIFORMITY(SP_FIGURE)
                                                       SP_FIGURES_END};
#undef STRUCT

static const struct sp_figures uniformity_figures = {
    "seenset.Uniformity",
    "How evenly the bits of a set are spread: SeenSet.uniformity().",
    uniformity_rows};

#define STRUCT seenset_overlap
static const struct sp_figure overlap_rows[] = {FIGURES_OVERLAP(SP_FIGURE)
                                                    SP_FIGURES_END};
#undef STRUCT

const struct sp_figures sp_set_overlap = {
    "seenset.Overlap", "What two sets have in common: SeenSet.overlap().",
    overlap_rows};

int sp_set_figures_add_types(PyObject *module, struct sp_state *state)
{
    const struct {
        const struct sp_figures *figures;
        PyTypeObject **place;
    } types[] = {{&sp_set_info, &state->info_type},
                 {&sp_set_stats, &state->stats_type},
                 {&estimate_figures, &state->estimate_type},
                 {&table_figures, &state->table_type},
                 {&uniformity_figures, &state->uniformity_type},
                 {&sp_set_overlap, &state->overlap_type}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (sp_figures_add_type(module, types[i].figures, types[i].place) < 0)
            return -1;
    return 0;
}

/* ---- methods ---- */

/* Returns 0, or -1 and an exception. */
static int get_info(struct sp_set *self, seenset_info *info)
{
    sp_gate_ask(&self->gate);
    int error = seenset_get_info(self->set, info, sizeof *info);
    if (error == 0)
        return 0;
    sp_set_raise(self, error);
    return -1;
}

PyObject *sp_figures_info(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_info info;
    (void)unused;
    if (get_info(self, &info) < 0)
        return NULL;
    return sp_figures_make(self->state->info_type, &sp_set_info, &info);
}

PyObject *sp_figures_sizeof(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_info info;
    (void)unused;
    if (get_info(self, &info) < 0)
        return NULL;
    return PyLong_FromUnsignedLongLong(sizeof *self + info.memory_bytes);
}

/* Figures that read the bits, without the GIL: other threads may ask too. */
typedef int figures_call(const seenset *set, void *out);

static int read_figures(struct sp_set *self, figures_call *call, void *out)
{
    int error;
    sp_gate_enter_to_ask(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    error = call(self->set, out);
    Py_END_ALLOW_THREADS
    sp_gate_leave(&self->gate);
    return error;
}

static PyObject *show(struct sp_set *self, figures_call *call, void *out,
                      PyTypeObject *type, const struct sp_figures *figures)
{
    int error = read_figures(self, call, out);
    return error != 0 ? sp_set_raise(self, error)
                      : sp_figures_make(type, figures, out);
}

static int read_stats(const seenset *set, void *out)
{
    return seenset_get_stats(set, out, sizeof(seenset_stats));
}

static int read_estimate(const seenset *set, void *out)
{
    return seenset_get_estimate(set, out, sizeof(seenset_estimate));
}

static int read_uniformity(const seenset *set, void *out)
{
    return seenset_get_uniformity(set, out, sizeof(seenset_uniformity));
}

PyObject *sp_figures_stats(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_stats stats;
    (void)unused;
    return show(self, read_stats, &stats, self->state->stats_type,
                &sp_set_stats);
}

PyObject *sp_figures_estimate(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_estimate estimate;
    (void)unused;
    return show(self, read_estimate, &estimate, self->state->estimate_type,
                &estimate_figures);
}

PyObject *sp_figures_uniformity(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_uniformity uniformity;
    (void)unused;
    return show(self, read_uniformity, &uniformity,
                self->state->uniformity_type, &uniformity_figures);
}

static PyObject *table_of(struct sp_set *self, uint32_t number)
{
    seenset_table_info table;
    int error = seenset_get_table_info(self->set, number, &table, sizeof table);
    if (error != 0)
        return sp_set_raise(self, error);
    return sp_figures_make(self->state->table_type, &table_figures, &table);
}

PyObject *sp_figures_tables(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_info info;
    (void)unused;
    sp_gate_ask(&self->gate);
    int error = seenset_get_info(self->set, &info, sizeof info);
    if (error != 0)
        return sp_set_raise(self, error);
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list != NULL && i < info.table_count; i++) {
        PyObject *table = table_of(self, i);
        if (table == NULL || PyList_Append(list, table) < 0)
            Py_CLEAR(list);
        Py_XDECREF(table);
    }
    return list;
}

/* ---- properties ---- */

static bool get_estimate(struct sp_set *self, seenset_estimate *estimate)
{
    int error = read_figures(self, read_estimate, estimate);
    if (error != 0)
        sp_set_raise(self, error);
    return error == 0;
}

static PyObject *get_estimated_items(PyObject *object, void *unused)
{
    seenset_estimate estimate;
    (void)unused;
    if (!get_estimate((struct sp_set *)object, &estimate))
        return NULL;
    return PyFloat_FromDouble(estimate.estimated_items);
}

static PyObject *get_wrong_items(PyObject *object, void *unused)
{
    seenset_estimate estimate;
    (void)unused;
    if (!get_estimate((struct sp_set *)object, &estimate))
        return NULL;
    return PyFloat_FromDouble(estimate.wrong_items);
}

static PyObject *get_current_fp_rate(PyObject *object, void *unused)
{
    seenset_estimate estimate;
    (void)unused;
    if (!get_estimate((struct sp_set *)object, &estimate))
        return NULL;
    return PyFloat_FromDouble(estimate.current_fp_rate);
}

static PyObject *get_capacity(PyObject *object, void *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_info info;
    (void)unused;
    sp_gate_ask(&self->gate);
    int error = seenset_get_info(self->set, &info, sizeof info);
    if (error != 0)
        return sp_set_raise(self, error);
    return PyLong_FromUnsignedLongLong(info.capacity_items);
}

static PyObject *get_secret(PyObject *object, void *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    (void)unused;
    if (!self->is_keyed)
        return Py_NewRef(Py_None);
    return PyBytes_FromStringAndSize((const char *)self->secret,
                                     SEENSET_SECRET_BYTES);
}

PyGetSetDef sp_figures_properties[] = {
    {"capacity", get_capacity, NULL,
     "For how many different keys it is planned, as info().capacity.", NULL},
    {"estimated_items", get_estimated_items, NULL,
     "How many different keys it probably has. Reads a part of its bits.",
     NULL},
    {"wrong_items", get_wrong_items, NULL,
     "Expected number of new keys that were called seen by mistake. Of a set\n"
     "that is too full it is not known, and this is the least that it can be:\n"
     "stats().is_wrong_at_least.",
     NULL},
    {"current_fp_rate", get_current_fp_rate, NULL,
     "Its false-positive rate as it is now.", NULL},
    {"secret", get_secret, NULL,
     "The 16 bytes that a keyed set is hashed under; None if it is not keyed.\n"
     "No file has them: keep them to open the set again.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyObject *sp_figures_repr(PyObject *object)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_info info;
    char numbers[64];
    sp_gate_ask(&self->gate);
    if (seenset_get_info(self->set, &info, sizeof info) != 0)
        return PyUnicode_FromString("<SeenSet without a set>");
    PyOS_snprintf(numbers, sizeof numbers, "capacity=%llu, fp_rate=%g",
                  (unsigned long long)info.capacity_items, info.fp_rate);
    return PyUnicode_FromFormat(
        "<SeenSet %s, layout='%s', on_full='%s', %llu added>", numbers,
        seenset_layout_name(info.layout), seenset_on_full_name(info.on_full),
        (unsigned long long)info.added_items);
}
