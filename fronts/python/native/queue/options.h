/*
 * options.h - the keywords by which a queue is opened.
 */
#ifndef SP_PYTHON_QUEUE_OPTIONS_H
#define SP_PYTHON_QUEUE_OPTIONS_H

#include <seenset/queue.h>

#include "native/options.h"

/* The keywords as a call got them. Start from {0}: NULL is not given. */
struct sp_queue_arguments {
    PyObject *path;
    struct sp_arguments set;
    int exact;
    PyObject *normalise;
    const char *durability;
    PyObject *interval;
    PyObject *lease;
    int must_exist;
    int keep_leases;
    PyObject *segment_bytes;
    PyObject *snapshot_bytes;
    PyObject *polite;
    PyObject *per_host;
    const char *by;
    PyObject *host_budget;
    int from_start;
};

/* False and an exception. */
bool sp_queue_arguments_parse(struct sp_queue_arguments *given, PyObject *args,
                              PyObject *kwargs);

/* Fills in all of *options but the set. If the queue is to be polite, they then
 * point to *rules. Returns 0, or -1 and an exception. */
int sp_queue_options_take(seenset_queue_options *options,
                          seenset_queue_politeness *rules,
                          const struct sp_queue_arguments *given);

/* Seconds of a delay or a block: 0 to `most`. NULL and None leave *seconds as
 * it is. Returns 1 (given), 0, or -1 and an exception that names `what`. */
int sp_queue_seconds_take(double *seconds, PyObject *object, double most,
                          const char *what);

/* A budget: at least 1, or math.inf for any number of URLs. As above. */
int sp_queue_budget_take(uint64_t *budget, PyObject *object, const char *what);

#endif
