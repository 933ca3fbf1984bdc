/*
 * new_secret.c - see new_secret.h.
 */
#define _GNU_SOURCE /* strdup, unlink */
#include "sets/new_secret.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "report/complain.h"
#include "sets/secret.h"
#include "sets/setfile.h"

static int make_without_file(new_secret *secret)
{
    if (seenset_make_secret(secret->bytes) == 0)
        return 0;
    complain("the system gives no random bytes: %s", strerror(errno));
    return COMMAND_ERROR;
}

static int find_in_file(new_secret *secret, const char *set_path)
{
    if (secret->secret_path == NULL)
        secret->path = secret_path_of(set_path);
    else if ((secret->path = strdup(secret->secret_path)) == NULL)
        complain("%s: %s", set_path, strerror(errno));
    if (secret->path == NULL)
        return COMMAND_ERROR;
    if (setfile_is_same(secret->path, set_path)) {
        complain("%s: the set and its secret are two files; give "
                 "--secret-file another name",
                 set_path);
        return COMMAND_ERROR;
    }
    if (!secret->is_keyed)
        return secret_read(secret->path, set_path, secret->bytes);
    return secret_make(secret->path, set_path, secret->bytes, &secret->is_new);
}

int new_secret_prepare(new_secret *secret, const char *set_path,
                       seenset_options *options)
{
    if (!secret->is_keyed && secret->secret_path == NULL)
        return 0;
    int status = set_path == NULL ? make_without_file(secret)
                                  : find_in_file(secret, set_path);
    if (status == 0)
        options->secret = secret->bytes;
    return status;
}

void new_secret_finish(new_secret *secret, bool is_used)
{
    if (secret->is_new && !is_used)
        unlink(secret->path);
    secret_wipe(secret->bytes);
    free(secret->path);
    *secret = (new_secret){0};
}
