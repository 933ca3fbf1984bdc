/*
 * figures.c - what a set is and how full.
 */
#include "native/set/figures.h"

#include "native/errors.h"
#include "native/set/set.h"

#define ROW(name, kind, field, doc) SP_FIGURE(STRUCT, name, kind, field, doc)

#define STRUCT seenset_info
static const struct sp_figure info_rows[] = {
    ROW("layout", SP_LAYOUT, layout, "how its bits are arranged"),
    ROW("on_full", SP_ON_FULL, on_full, "what it does past its capacity"),
    ROW("capacity", SP_U64, capacity_items, "different keys it is made for"),
    ROW("fp_rate", SP_DOUBLE, fp_rate, "the rate promised at capacity"),
    ROW("added", SP_U64, added_items, "adds that were answered True"),
    ROW("tables", SP_U32, table_count, "tables it is made of"),
    ROW("memory_bytes", SP_U64, memory_bytes, "of the object, or the mapping"),
    ROW("is_read_only", SP_BOOL, is_read_only, "a view of a file"),
    ROW("is_keyed", SP_BOOL, is_keyed, "hashed under a secret"),
    ROW("is_at_capacity", SP_BOOL, is_at_capacity,
        "it refuses new keys now, or its rate rises"),
    ROW("counter_bits", SP_U32, counter_bits, "of layout 'counting', else 0"),
    ROW("fingerprint_bits", SP_U32, fingerprint_bits,
        "of a sealed set, else 0"),
    ROW("generations", SP_U32, window_generations, "of a window, else 0"),
    ROW("window_seconds", SP_U64, window_seconds, "of a window by age, else 0"),
    ROW("format_version", SP_U32, format_version,
        "of the file it was opened from, else 0"),
    ROW("missing", SP_U64, journal_missing_items,
        "keys it may lack at most, as its journal was not there; else 0"),
    ROW("made_fp_rate", SP_DOUBLE, made_fp_rate,
        "the rate it was made with: fp_rate is over it after some merges"),
    SP_FIGURES_END,
};
#undef STRUCT

const struct sp_figures sp_set_info = {
    "seenset.Info", "What a set is: SeenSet.info().", info_rows};

#define STRUCT seenset_stats
static const struct sp_figure stats_rows[] = {
    ROW("capacity", SP_U64, capacity_items, "different keys it is made for"),
    ROW("fp_rate", SP_DOUBLE, fp_rate, "the rate promised at capacity"),
    ROW("added", SP_U64, added_items, "adds that were answered True"),
    ROW("estimated_items", SP_DOUBLE, estimated_items,
        "different keys it probably has, from its bits"),
    ROW("current_fp_rate", SP_DOUBLE, current_fp_rate,
        "the true rate now, from its bits"),
    ROW("wrong_items", SP_DOUBLE, wrong_items,
        "expected number of new keys that were called seen"),
    ROW("fill", SP_DOUBLE, fill, "part of its bits that are set"),
    ROW("size_bits", SP_U64, size_bits, "m, of all tables"),
    ROW("set_bits", SP_U64, set_bits, "bits that are set"),
    ROW("hash_count", SP_U32, hash_count, "k, bits a key sets"),
    ROW("tables", SP_U32, table_count, "tables it is made of"),
    ROW("memory_bytes", SP_U64, memory_bytes, "of the object, or the mapping"),
    ROW("full_counters", SP_U64, full_counters,
        "of layout 'counting': full, and so never changed again"),
    ROW("is_skewed", SP_BOOL, is_skewed,
        "the bits are not spread as a good hash spreads them: no figure of "
        "them is to be trusted"),
    ROW("layout", SP_LAYOUT, layout, "how its bits are arranged"),
    ROW("is_wrong_at_least", SP_BOOL, is_wrong_at_least,
        "how many were called seen is not known, and wrong_items is the least "
        "that it can be"),
    SP_FIGURES_END,
};
#undef STRUCT

const struct sp_figures sp_set_stats = {
    "seenset.Stats", "How full a set is: SeenSet.stats().", stats_rows};

#define STRUCT seenset_overlap
static const struct sp_figure overlap_rows[] = {
    ROW("jaccard", SP_DOUBLE, jaccard, "intersection / union, 0 to 1"),
    ROW("jaccard_error", SP_DOUBLE, jaccard_error, "its standard error"),
    ROW("union_items", SP_DOUBLE, union_items, "different keys in either"),
    ROW("union_error", SP_DOUBLE, union_items_error, "its standard error"),
    ROW("intersection_items", SP_DOUBLE, intersection_items, "keys in both"),
    ROW("intersection_error", SP_DOUBLE, intersection_items_error,
        "its standard error"),
    ROW("self_items", SP_DOUBLE, a_items, "keys in this set"),
    ROW("other_items", SP_DOUBLE, b_items, "keys in the other"),
    ROW("self_only_items", SP_DOUBLE, a_only_items, "keys in this one alone"),
    ROW("other_only_items", SP_DOUBLE, b_only_items,
        "keys in the other one alone"),
    SP_FIGURES_END,
};
#undef STRUCT

const struct sp_figures sp_set_overlap = {
    "seenset.Overlap", "What two sets have in common: SeenSet.overlap().",
    overlap_rows};

int sp_set_figures_add_types(PyObject *module, struct sp_state *state)
{
    if (sp_figures_add_type(module, &sp_set_info, &state->info_type) < 0 ||
        sp_figures_add_type(module, &sp_set_stats, &state->stats_type) < 0)
        return -1;
    return sp_figures_add_type(module, &sp_set_overlap, &state->overlap_type);
}

/* ---- methods ---- */

PyObject *sp_figures_info(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_info info;
    (void)unused;
    sp_gate_ask(&self->gate);
    int error = seenset_get_info(self->set, &info, sizeof info);
    if (error != 0)
        return sp_set_raise(self, error);
    return sp_figures_make(self->state->info_type, &sp_set_info, &info);
}

PyObject *sp_figures_stats(PyObject *object, PyObject *unused)
{
    struct sp_set *self = (struct sp_set *)object;
    seenset_stats stats;
    int error;
    (void)unused;
    sp_gate_enter_to_ask(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_get_stats(self->set, &stats, sizeof stats);
    Py_END_ALLOW_THREADS
    sp_gate_leave(&self->gate);
    if (error != 0)
        return sp_set_raise(self, error);
    return sp_figures_make(self->state->stats_type, &sp_set_stats, &stats);
}

/* ---- properties ---- */

static bool get_estimate(struct sp_set *self, seenset_estimate *estimate)
{
    int error;
    sp_gate_enter_to_ask(&self->gate);
    Py_BEGIN_ALLOW_THREADS
    error = seenset_get_estimate(self->set, estimate, sizeof *estimate);
    Py_END_ALLOW_THREADS
    sp_gate_leave(&self->gate);
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
