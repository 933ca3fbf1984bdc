/*
 * figures.c - how a queue is doing.
 */
#include "native/errors.h"
#include "native/queue/folder.h"
#include "native/queue/queue.h"
#include "native/set/figures.h"

#define STRUCT seenset_queue_stats
static const struct sp_figure counts_rows[] = {FIGURES_QUEUE_COUNTS(SP_FIGURE)
                                                   SP_FIGURES_END};
static const struct sp_figure stats_rows[] = {FIGURES_QUEUE(SP_FIGURE)
                                                  SP_FIGURES_END};
#undef STRUCT

static const struct sp_figures counts_figures = {
    "seenset.Counts", "Items of a queue: Queue.counts().", counts_rows};

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
