/*
 * secret.c - see secret.h.
 */
#define _GNU_SOURCE /* strndup */
#include "queue/access/secret.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "queue/queue.h"
#include "report/complain.h"
#include "sets/new_secret.h"
#include "sets/secret.h"

/* A queue that exists has its secret. If its file is missing, the one that is
 * made here is to be refused by the queue, and gets no file. */
static bool needs_no_file(const new_secret *secret, const char *name)
{
    if (!secret->is_keyed || !queue_is_at(name))
        return false;
    char *path = secret->secret_path == NULL ? secret_path_of(name)
                                             : strdup(secret->secret_path);
    bool is_missing = path != NULL && access(path, F_OK) != 0;
    free(path);
    return is_missing;
}

/* Does a queue have the secret, or may it? Another process may have read a
 * secret that was made here, and be making the queue with it. */
static bool is_used(const char *name, int error)
{
    return error == SEENSET_OK || queue_is_at(name) ||
           (error == SEENSET_EINUSE && access(name, F_OK) == 0);
}

/* The call with the secret that *secret asks for; without one, if none. */
static int run_with(new_secret *secret, const char *name,
                    const seenset_options *set, queue_secret_call *call,
                    void *context)
{
    seenset_options options = *set;
    const char *file_of = needs_no_file(secret, name) ? NULL : name;
    int error = 1;
    if (new_secret_prepare(secret, file_of, &options) == 0)
        error = call(context, &options);
    new_secret_finish(secret, is_used(name, error));
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
