/*
 * new_secret.h - how a new set file comes to be: its secret first, then the
 * set.
 *
 * The order matters. A set without its secret is of no use to anyone, and a
 * secret without its set is found again by the next try.
 */
#ifndef NEW_SECRET_H
#define NEW_SECRET_H

#include <stdbool.h>

#include "seenset/seenset.h"

typedef struct new_secret {
    bool is_keyed;           /* --keyed: make one when there is none */
    const char *secret_path; /* --secret-file, or NULL */
    char *path;              /* where it is; new_secret_finish frees it */
    bool is_new;             /* the file was made */
    uint8_t bytes[SEENSET_SECRET_BYTES];
} new_secret;

/*
 * Finds or makes the secret of the set to be at `set_path`, if it is to have
 * one, and enters it in *options. set_path NULL: the set has no file, and the
 * secret gets none. Returns 0, or COMMAND_ERROR after a message.
 */
int new_secret_prepare(new_secret *secret, const char *set_path,
                       seenset_options *options);

/* Wipes it; if the set did not come to be, a file that was made goes too. */
void new_secret_finish(new_secret *secret, bool is_used);

#endif
