/*
 * errors.h - an error of the library as a Python exception.
 *
 *     SeensetError               .name "EFULL", .code -5, .reason, .file,
 *       FullError                .offset: None where they say nothing
 *       RateError, ...
 *       InvalidError             a ValueError, too
 *       FormatError              .file, .offset and .reason
 *         VersionError
 *         DamagedError           ECORRUPT and EDAMAGED
 *           TruncatedError
 *
 * Two errors are Python's own: ENOMEM is a MemoryError, and EIO an OSError with
 * its errno. seenset/error.h has what each means.
 */
#ifndef SP_PYTHON_ERRORS_H
#define SP_PYTHON_ERRORS_H

#include "native/python.h"
#include "native/state.h"

/* What is known of an error beside its code. Zero and NULL are "nothing". */
struct sp_error_place {
    PyObject *path;     /* what the call was given: for an OSError, and where
                           `file` is in */
    const char *file;   /* in the folder `path`; "": the path itself */
    const char *reason; /* one line; "": none */
    const char *advice; /* what to do, after the reason */
    uint64_t offset;
    bool has_offset;
};

/* Makes the exceptions and puts them into the module. Returns 0 or -1. */
int sp_errors_add(PyObject *module, struct sp_state *state);

/* Raises what stands for an error of the library. place may be NULL. errno is
 * that of the call. Returns NULL. */
PyObject *sp_errors_raise(const struct sp_state *state, int error,
                          const struct sp_error_place *place);

#endif
