/*
 * figures.c - how a queue is doing.
 */
#include "native/errors.h"
#include "native/queue/folder.h"
#include "native/queue/queue.h"
#include "native/set/figures.h"

#define ROW(name, kind, field, doc)                                            \
    SP_FIGURE(seenset_queue_stats, name, kind, field, doc)

/* What is counted, and so is there at once. */
#define COUNT_ROWS                                                             \
    ROW("pending", SP_U64, pending_items, "not acked, and not leased now"),    \
        ROW("leased", SP_U64, leased_items, "under a lease"),                  \
        ROW("delayed", SP_U64, delayed_items,                                  \
            "of the pending: given back with a delay that has not ended"),     \
        ROW("pushed", SP_U64, pushed_items, "ever answered True"),             \
        ROW("acked", SP_U64, acked_items, "ever acked")

static const struct sp_figure counts_rows[] = {
    COUNT_ROWS,
    SP_FIGURES_END,
};

static const struct sp_figures counts_figures = {
    "seenset.Counts", "Items of a queue: Queue.counts().", counts_rows};

static const struct sp_figure stats_rows[] = {
    COUNT_ROWS,
    ROW("dropped", SP_U64, dropped_items, "answered False: seen"),
    ROW("refused", SP_U64, refused_items, "refused, as the set is full"),
    ROW("not_urls", SP_U64, not_url_items, "refused, as it normalises"),
    ROW("forgotten", SP_U64, forgotten_items,
        "URLs that were forgotten, and not pushed since"),
    ROW("wrong_items", SP_DOUBLE, wrong_items,
        "expected number of new URLs that were dropped by mistake"),
    ROW("seconds_to_full", SP_DOUBLE, seconds_to_full,
        "until its set is at capacity, at the rate so far"),
    ROW("seconds_to_due", SP_DOUBLE, seconds_to_due,
        "until the next lease or delay ends"),
    ROW("durability", SP_DURABILITY, durability, "each, interval or none"),
    ROW("normalise", SP_NORMALISE, normalise, "off or url"),
    ROW("log_bytes", SP_U64, log_bytes, "size of the log"),
    ROW("segments", SP_U64, segment_count, "files of the log"),
    ROW("unsynced_bytes", SP_U64, unsynced_bytes,
        "of the log, not yet known to be durable"),
    ROW("torn_bytes", SP_U64, torn_bytes,
        "cut off the log's end when it was opened"),
    ROW("failed_checkpoints", SP_U64, failed_checkpoints,
        "since it was opened; tried again later"),
    ROW("memory_bytes", SP_U64, memory_bytes, "of the whole queue"),
    ROW("by_priority", SP_LANES, priority_items,
        "items not acked of each priority, 0 to 9"),
    ROW("is_wrong_at_least", SP_BOOL, is_wrong_at_least,
        "how many were dropped by mistake is not known, and wrong_items is the "
        "least that it can be"),
    SP_FIGURES_END,
};

static const struct sp_figures stats_figures = {
    "seenset.QueueStats", "How a queue is doing: Queue.stats().", stats_rows};

int sp_queue_add_figures_types(PyObject *module, struct sp_state *state)
{
    if (sp_figures_add_type(module, &counts_figures, &state->counts_type) < 0 ||
        sp_figures_add_type(module, &stats_figures, &state->queue_stats_type) <
            0)
        return -1;
    return sp_figures_add_type(module, &sp_folder_report, &state->report_type);
}

typedef int figures_call(seenset_queue *queue, void *out);

static int get_stats(seenset_queue *queue, void *out)
{
    return seenset_queue_get_stats(queue, out, sizeof(seenset_queue_stats));
}

static int get_set_stats(seenset_queue *queue, void *out)
{
    return seenset_queue_get_set_stats(queue, out, sizeof(seenset_stats));
}

static int get_set_info(seenset_queue *queue, void *out)
{
    return seenset_queue_get_set_info(queue, out, sizeof(seenset_info));
}

static PyObject *run(PyObject *object, figures_call *call, void *out,
                     PyTypeObject *type, const struct sp_figures *figures)
{
    struct sp_queue *self = (struct sp_queue *)object;
    int error;
    if (!sp_queue_enter(self))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    error = call(self->queue, out);
    Py_END_ALLOW_THREADS
    sp_queue_leave(self);
    if (error != 0)
        return sp_queue_raise(self, error);
    return sp_figures_make(type, figures, out);
}

PyObject *sp_queue_stats(PyObject *self, PyObject *unused)
{
    const struct sp_state *state = ((struct sp_queue *)self)->state;
    seenset_queue_stats stats;
    (void)unused;
    return run(self, get_stats, &stats, state->queue_stats_type,
               &stats_figures);
}

PyObject *sp_queue_make_stats(const struct sp_state *state,
                              const seenset_queue_stats *stats)
{
    return sp_figures_make(state->queue_stats_type, &stats_figures, stats);
}

PyObject *sp_queue_counts(PyObject *self, PyObject *unused)
{
    const struct sp_state *state = ((struct sp_queue *)self)->state;
    seenset_queue_stats stats;
    (void)unused;
    return run(self, get_stats, &stats, state->counts_type, &counts_figures);
}

PyObject *sp_queue_set_stats(PyObject *self, PyObject *unused)
{
    const struct sp_state *state = ((struct sp_queue *)self)->state;
    seenset_stats stats;
    (void)unused;
    return run(self, get_set_stats, &stats, state->stats_type, &sp_set_stats);
}

PyObject *sp_queue_set_info(PyObject *self, PyObject *unused)
{
    const struct sp_state *state = ((struct sp_queue *)self)->state;
    seenset_info info;
    (void)unused;
    return run(self, get_set_info, &info, state->info_type, &sp_set_info);
}
