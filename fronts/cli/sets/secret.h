/*
 * secret.h - the secrets of keyed sets, each in a file of its own.
 *
 * A secret file has 32 hexadecimal digits and a newline. Only its owner may
 * read it; a file that others can read is refused, since a secret that leaked
 * does not protect. The secret is never printed, and never written to other
 * files.
 */
#ifndef SECRET_H
#define SECRET_H

#include <stdbool.h>

#include "seenset/seenset.h"

/* The name of the file with a set's secret, FILE.secret, to be freed. Symbolic
 * links are followed. NULL after a message. */
char *secret_path_of(const char *set_path);

/*
 * Reads the secret of the set called `name`. Returns 0, or COMMAND_ERROR after
 * a message. The caller wipes it with secret_wipe.
 */
int secret_read(const char *path, const char *name,
                uint8_t secret[SEENSET_SECRET_BYTES]);
void secret_wipe(uint8_t secret[SEENSET_SECRET_BYTES]);

/*
 * Makes a new secret in a new file of mode 0600. If a file of that name exists,
 * reads its secret instead. *is_made: the file is new. Returns as secret_read.
 */
int secret_make(const char *path, const char *name,
                uint8_t secret[SEENSET_SECRET_BYTES], bool *is_made);

/*
 * Copies the secret of the set at `in_path` to where the set at `out_path`
 * looks for it. `given` is --secret-file, or NULL; if given, there is nothing
 * to do. Returns as secret_read.
 */
int secret_carry(const char *in_path, const char *given, const char *out_path);

#endif
