/*
 * new_secret.h - the secret of a set that is being made.
 *
 * It is made and saved before the set (commands/new_file.h says why).
 */
#ifndef NEW_SECRET_H
#define NEW_SECRET_H

#include <stdbool.h>

#include "seenset/seenset.h"

typedef struct new_secret {
    bool is_keyed;           /* --keyed: make one when there is none */
    const char *secret_path; /* --secret-file, or NULL */
    char *path;              /* of its file; new_secret_finish frees it */
    bool is_new;             /* the file was made */
    uint8_t bytes[SEENSET_SECRET_BYTES];
} new_secret;

/*
 * Reads or makes the secret of the new set at `set_path`, if it is to have one,
 * and enters it in *options. set_path NULL: neither the set nor the secret has
 * a file. Returns 0, or COMMAND_ERROR after a message.
 */
int new_secret_prepare(new_secret *secret, const char *set_path,
                       seenset_options *options);

/* Wipes it. If the set was not made (is_used false), removes the file that was
 * made for its secret. */
void new_secret_finish(new_secret *secret, bool is_used);

#endif
