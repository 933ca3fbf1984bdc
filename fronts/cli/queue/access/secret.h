/*
 * secret.h - the secret of a keyed queue, in a file beside its folder.
 *
 * The file is DIR.secret, or that of --secret-file. A queue that is not keyed
 * needs none, so the default file is only read once the queue has asked for a
 * secret.
 */
#ifndef QUEUE_ACCESS_SECRET_H
#define QUEUE_ACCESS_SECRET_H

#include <stdbool.h>

#include "seenset/seenset.h"

typedef struct queue_secret {
    const char *path; /* --secret-file, or NULL */
    bool is_keyed;    /* --keyed: one is made if there is none */
} queue_secret;

#define QUEUE_SECRET_ROW                                                       \
    {                                                                          \
        "secret-file", OPTION_SECRET_FILE, "S", 0,                             \
            "The secret of a keyed queue is in S (default: DIR.secret)"        \
    }

/* The name of a queue's folder without a slash at its end, which DIR.secret is
 * named after. To be freed; NULL and errno. */
char *queue_name_of(const char *dir);

/* A call on the queue, with the options of its set. */
typedef int queue_secret_call(void *context, const seenset_options *set);

/*
 * Makes the call with `set` and the secret of the queue in `dir`, if it has
 * one. Returns what the call returned, or 1 after a message: the secret cannot
 * be read or made. A secret that was made for a call that failed is removed,
 * unless a queue has it: another process may have used it.
 */
int queue_secret_run(const queue_secret *secret, const char *dir,
                     const seenset_options *set, queue_secret_call *call,
                     void *context);

#endif
