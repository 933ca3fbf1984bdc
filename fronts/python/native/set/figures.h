/*
 * figures.h - what a set is and how full, as named tuples.
 */
#ifndef SP_PYTHON_SET_FIGURES_H
#define SP_PYTHON_SET_FIGURES_H

#include "native/figures.h"

extern const struct sp_figures sp_set_info;    /* of seenset_info */
extern const struct sp_figures sp_set_stats;   /* of seenset_stats */
extern const struct sp_figures sp_set_overlap; /* of seenset_overlap */

/* Makes the three types. Returns 0, or -1 and an exception. */
int sp_set_figures_add_types(PyObject *module, struct sp_state *state);

#endif
