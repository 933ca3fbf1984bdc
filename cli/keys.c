/*
 * keys.c - see keys.h.
 */
#include "keys.h"

#include <errno.h>
#include <string.h>

#include "command.h"

int keys_init(keys *from, char **arguments, char separator)
{
    bool has_arguments = arguments != NULL && arguments[0] != NULL;
    *from = (keys){.arguments = has_arguments ? arguments : NULL};
    int error = lines_init(&from->input, separator);
    if (error == 0 && !has_arguments)
        error = lines_open(&from->input, "-");
    if (error == 0)
        return 0;
    complain("%s: %s", keys_name(from), strerror(errno));
    lines_free(&from->input);
    return COMMAND_ERROR;
}

void keys_free(keys *from)
{
    lines_free(&from->input);
}

const char *keys_name(const keys *from)
{
    return from->arguments != NULL ? "arguments" : "standard input";
}

static int next_arguments(keys *from, batch *out)
{
    out->count = 0;
    out->first_number = from->given + 1;
    out->is_terminated = false;
    for (; *from->arguments != NULL && out->count < BATCH_ROOM;
         from->arguments++) {
        const char *word = *from->arguments;
        out->keys[out->count++] =
            (seenset_key){.data = word, .len = strlen(word)};
    }
    from->given += out->count;
    return out->count > 0;
}

int keys_next(keys *from, batch *out)
{
    if (from->arguments != NULL)
        return next_arguments(from, out);
    int got = lines_next(&from->input, out);
    if (got < 0)
        complain("standard input: %s", strerror(errno));
    return got;
}

bool keys_would_wait(const keys *from)
{
    return from->arguments == NULL && lines_would_wait(&from->input);
}
