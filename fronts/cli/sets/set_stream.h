/*
 * set_stream.h - a set from a file or, where the file is "-", from standard
 * input; and the other way, to standard output.
 *
 * A pipe can be read once and from its beginning, so a set from it is a copy in
 * memory. Nothing may follow it: bytes after its end are an error, as they are
 * in a file. A file that is called "-" is "./-" here.
 */
#ifndef SET_STREAM_H
#define SET_STREAM_H

#include <stdbool.h>

#include "seenset/seenset.h"

/* Is it "-"? */
bool set_stream_is(const char *path);

/* What messages call it: "standard input", or the path. */
const char *set_stream_name(const char *path);

/*
 * As setfile_open, from standard input too: secret_path is then the only place
 * where its secret is looked for. The set was checked whole. *file_bytes, which
 * may be NULL, becomes the length of what was read; of a file it is unchanged.
 */
int set_stream_open(seenset **out, const char *path, uint32_t flags,
                    const char *secret_path, uint64_t *file_bytes);

/* As setfile_save, to standard output too, which must not be a terminal. */
int set_stream_save(const seenset *set, const char *path);

#endif
