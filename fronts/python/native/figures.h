/*
 * figures.h - a struct of the library as a named tuple.
 *
 * The rows of figures.h name each field, and say what it is and where in the
 * struct it is. So one function fills in all of them, and help() shows them.
 */
#ifndef SP_PYTHON_FIGURES_H
#define SP_PYTHON_FIGURES_H

#include "figures/figures.h"
#include "native/python.h"
#include "native/state.h"

/* How a member is shown: the kinds of figures.h. */
enum sp_figure_kind {
    SP_END,
    SP_U64,
    SP_U32,
    SP_FLAG,
    SP_REAL,
    SP_WRONG,
    SP_LAYOUT,
    SP_ON_FULL,
    SP_SCHEME,
    SP_DURABILITY,
    SP_NORMALISE,
    SP_SITE,
    SP_SLIDING,
    SP_SHARED,
    SP_SEED,
    SP_SEEDS,
    SP_QUEUE_SEEDS,
    SP_TEXT,
    SP_PRIORITIES
};

struct sp_figure {
    const char *name;
    const char *doc;
    enum sp_figure_kind kind;
    size_t offset;
};

/* A row of figures.h, of the struct that is called STRUCT; and what ends them.
 */
#define SP_FIGURE(kind, member, name, python, redis, meaning)                  \
    {python, meaning, SP_##kind, offsetof(STRUCT, member)},
#define SP_FIGURES_END                                                         \
    {                                                                          \
        NULL, NULL, SP_END, 0                                                  \
    }

struct sp_figures {
    const char *name; /* "seenset.Stats" */
    const char *doc;
    const struct sp_figure *rows; /* up to one of kind SP_END */
};

/* Puts the type into the module and *place. Returns 0, or -1 and an
 * exception. */
int sp_figures_add_type(PyObject *module, const struct sp_figures *figures,
                        PyTypeObject **place);

/* The struct at `from` as a named tuple. NULL and an exception. */
PyObject *sp_figures_make(PyTypeObject *type, const struct sp_figures *figures,
                          const void *from);

#endif
