/*
 * secret.c - see secret.h.
 */
#define _GNU_SOURCE /* strndup */
#include "queue/secret.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/complain.h"
#include "sets/new_secret.h"
#include "sets/secret.h"

/* The call with the secret that *secret asks for; without one, if none. */
static int run_with(new_secret *secret, const char *name,
                    const seenset_options *set, queue_secret_call *call,
                    void *context)
{
    seenset_options options = *set;
    int error = 1;
    if (new_secret_prepare(secret, name, &options) == 0)
        error = call(context, &options);
    new_secret_finish(secret, error == SEENSET_OK);
    return error;
}

static int run_default(const char *name, const seenset_options *set,
                       queue_secret_call *call, void *context)
{
    char *path = secret_path_of(name);
    new_secret secret = {.secret_path = path};
    int error = path == NULL ? 1 : run_with(&secret, name, set, call, context);
    free(path);
    return error;
}

char *queue_name_of(const char *dir)
{
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/')
        length--;
    return strndup(dir, length);
}

int queue_secret_run(const queue_secret *secret, const char *dir,
                     const seenset_options *set, queue_secret_call *call,
                     void *context)
{
    char *name = queue_name_of(dir);
    if (name == NULL) {
        complain("%s: %s", dir, strerror(errno));
        return 1;
    }
    bool is_given = secret->is_keyed || secret->path != NULL;
    new_secret given = {.is_keyed = secret->is_keyed,
                        .secret_path = secret->path};
    int error = run_with(&given, name, set, call, context);
    if (error == SEENSET_ESECRET && !is_given)
        error = run_default(name, set, call, context);
    free(name);
    return error;
}
