/*
 * secret.h - the secrets of keyed sets, each in a file of its own.
 *
 * A secret file holds 32 hexadecimal digits and a newline. Only its owner may
 * read it: one that others can read is refused, since a secret that leaked
 * protects nothing. The secret is never printed, and goes into no other file.
 */
#ifndef SECRET_H
#define SECRET_H

#include <stdbool.h>

#include "seenset/seenset.h"

/* The file beside a set that has its secret, FILE.secret, with symbolic links
 * followed; or NULL after a message. To be freed. */
char *secret_path_of(const char *set_path);

/*
 * Reads the secret of the set called `name`. Returns 0, or COMMAND_ERROR after
 * a message. The caller wipes it with secret_wipe.
 */
int secret_read(const char *path, const char *name,
                uint8_t secret[SEENSET_SECRET_BYTES]);
void secret_wipe(uint8_t secret[SEENSET_SECRET_BYTES]);

/*
 * Makes a new secret in a new file of mode 0600, or reads the one that a file
 * of that name has. *is_made tells which. Returns as secret_read.
 */
int secret_make(const char *path, const char *name,
                uint8_t secret[SEENSET_SECRET_BYTES], bool *is_made);

/*
 * Makes sure that the set at `out_path` finds the secret of the one at
 * `in_path` beside it. `given` is --secret-file, or NULL; if it is given there
 * is nothing to do. Returns as secret_read.
 */
int secret_carry(const char *in_path, const char *given, const char *out_path);

#endif
