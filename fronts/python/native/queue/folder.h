/*
 * folder.h - the folder of a queue: checked and repaired.
 */
#ifndef SP_PYTHON_QUEUE_FOLDER_H
#define SP_PYTHON_QUEUE_FOLDER_H

#include <seenset/queue.h>

#include "native/figures.h"

/* Raises an error of a call on a folder, with what is known of its place. path
 * may be NULL. Returns NULL. */
PyObject *sp_folder_raise(const struct sp_state *state, int error,
                          const seenset_queue_report *report, PyObject *path);

PyObject *sp_folder_verify(PyObject *type, PyObject *args, PyObject *kwargs);
PyObject *sp_folder_repair(PyObject *type, PyObject *args, PyObject *kwargs);

extern const struct sp_figures sp_folder_report; /* of seenset_queue_report */

#endif
