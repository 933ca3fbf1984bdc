/*
 * queue.h - the type Queue: a seenset_queue that Python owns.
 *
 * Calls on an open queue may run at once, so each releases the GIL; close waits
 * for them. Its methods are in several files: queue.c (its life), queue/push.c,
 * queue/pop.c (items and leases), queue/each.c (iteration), queue/hosts.c,
 * queue/figures.c; queue/options.c has the keywords by which one is opened,
 * folder.c checks and repairs a folder that is not open, and queue/look.c reads
 * one that others may have open.
 */
#ifndef SP_PYTHON_QUEUE_QUEUE_H
#define SP_PYTHON_QUEUE_QUEUE_H

#include <seenset/queue.h>
#include <sys/types.h>

#include "native/gate.h"
#include "native/python.h"
#include "native/state.h"

struct sp_queue {
    PyObject ob_base;
    seenset_queue *queue; /* NULL: closed */
    struct sp_gate gate;
    struct sp_state *state;
    PyObject *path; /* as it was given; None: in memory */
    pid_t opened_by;
    uint8_t secret[SEENSET_SECRET_BYTES];
    bool is_keyed;
};

/* Before a call without the GIL: false, and a ValueError, if it is closed, or a
 * RuntimeError in a process that was forked since it was opened. */
bool sp_queue_enter(struct sp_queue *self);
void sp_queue_leave(struct sp_queue *self);

/* Raises an error of a call on an open queue. Returns NULL. */
PyObject *sp_queue_raise(const struct sp_queue *self, int error);

/* Makes the types. Returns 0, or -1 and an exception. */
int sp_queue_add_types(PyObject *module, struct sp_state *state);

/* ---- methods, by file ---- */

PyObject *sp_queue_push(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *sp_queue_push_many(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *sp_queue_forget(PyObject *self, PyObject *url);

PyObject *sp_queue_pop(PyObject *self, PyObject *unused);
PyObject *sp_queue_peek(PyObject *self, PyObject *unused);
PyObject *sp_queue_pop_many(PyObject *self, PyObject *count);
PyObject *sp_queue_ack(PyObject *self, PyObject *item);
PyObject *sp_queue_ack_or_again(PyObject *self, PyObject *args,
                                PyObject *kwargs);
PyObject *sp_queue_ack_many(PyObject *self, PyObject *items);
PyObject *sp_queue_nack(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *sp_queue_extend(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *sp_queue_make_item(const struct sp_state *state,
                             const seenset_queue_item *item);
int sp_queue_add_item_type(PyObject *module, struct sp_state *state);

PyObject *sp_queue_set_host(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *sp_queue_get_host(PyObject *self, PyObject *host);
PyObject *sp_queue_list_hosts(PyObject *self, PyObject *args, PyObject *kwargs);
int sp_queue_add_host_type(PyObject *module, struct sp_state *state);

PyObject *sp_queue_each(PyObject *self);
int sp_queue_add_each_type(PyObject *module, struct sp_state *state);

PyObject *sp_queue_stats(PyObject *self, PyObject *unused);
PyObject *sp_queue_counts(PyObject *self, PyObject *unused);
PyObject *sp_queue_set_stats(PyObject *self, PyObject *unused);
PyObject *sp_queue_set_info(PyObject *self, PyObject *unused);
PyObject *sp_queue_make_stats(const struct sp_state *state,
                              const seenset_queue_stats *stats);
int sp_queue_add_figures_types(PyObject *module, struct sp_state *state);

PyObject *sp_queue_look(PyObject *type, PyObject *args, PyObject *kwargs);
PyObject *sp_queue_look_items(PyObject *type, PyObject *args, PyObject *kwargs);

#endif
