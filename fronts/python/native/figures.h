/*
 * figures.h - a struct of the library as a named tuple.
 *
 * A table names each field, says what it is and where in the struct it is. So
 * one function fills in all of them, and help() shows every field.
 */
#ifndef SP_PYTHON_FIGURES_H
#define SP_PYTHON_FIGURES_H

#include "native/python.h"
#include "native/state.h"

/* How a field is shown. */
enum sp_figure_kind {
    SP_END,
    SP_U64,
    SP_U32,
    SP_BOOL, /* a bool */
    SP_DOUBLE,
    SP_LAYOUT, /* an enum, by its name */
    SP_ON_FULL,
    SP_DURABILITY,
    SP_NORMALISE,
    SP_TEXT, /* an array of char, to its NUL */
    SP_LANES /* a uint64_t for each priority of a queue: a tuple */
};

struct sp_figure {
    const char *name;
    const char *doc;
    enum sp_figure_kind kind;
    size_t offset;
};

/* A row, for a field of the struct; and what ends the rows. */
#define SP_FIGURE(type, name, kind, field, doc)                                \
    {                                                                          \
        name, doc, kind, offsetof(type, field)                                 \
    }
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
