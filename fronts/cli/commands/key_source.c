/*
 * key_source.c - see key_source.h.
 */
#include "commands/key_source.h"

#include <errno.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"

/* The name of the input in messages: its file, "standard input" or
 * "arguments". */
static const char *name_of(const key_source *from)
{
    if (from->arguments != NULL)
        return "arguments";
    return strcmp(from->path, "-") == 0 ? "standard input" : from->path;
}

int key_source_init(key_source *from, char **arguments, const char *path,
                    char separator, fields *which)
{
    bool has_arguments = arguments != NULL && arguments[0] != NULL;
    *from = (key_source){.arguments = has_arguments ? arguments : NULL,
                         .path = path != NULL ? path : "-",
                         .fields = which};
    int error = lines_init(&from->input, separator);
    if (error == 0)
        error = fields_attach(which, &from->input);
    if (error == 0 && !has_arguments)
        error = lines_open(&from->input, from->path);
    if (error == 0)
        return 0;
    complain("%s: %s", name_of(from), strerror(errno));
    lines_free(&from->input);
    return COMMAND_ERROR;
}

void key_source_free(key_source *from)
{
    lines_free(&from->input);
    fields_free(from->fields);
}

/* Copies a word into the batch, followed by the separator. */
static int put_word(batch *out, const char *word, size_t len, char separator)
{
    if (batch_reserve(out, out->used + len + 1) != 0)
        return -1;
    memcpy(out->data + out->used, word, len);
    out->used += len;
    out->data[out->used] = separator;
    out->ends[out->count++] = out->used++;
    return 0;
}

/* Fills a batch. Only a word alone in its batch may make the batch grow. */
static int next_arguments(key_source *from, batch *out)
{
    batch_clear(out);
    out->unit = "key";
    out->rule = fields_word_rule(from->fields);
    out->first_number = from->given + 1;
    for (; *from->arguments != NULL && out->count < BATCH_LINES;
         from->arguments++) {
        size_t len = strlen(*from->arguments);
        if (out->count > 0 && len >= out->room - out->used)
            break;
        if (put_word(out, *from->arguments, len, from->input.separator) != 0)
            return -1;
    }
    from->given += out->count;
    return out->count > 0;
}

int key_source_next(key_source *from, batch *out)
{
    int got = from->arguments != NULL ? next_arguments(from, out)
                                      : lines_next(&from->input, out);
    if (got < 0)
        complain("%s: %s", name_of(from),
                 lines_error(&from->input, errno).text);
    out->input = name_of(from);
    return got;
}

bool key_source_would_wait(const key_source *from)
{
    return from->arguments == NULL && lines_would_wait(&from->input);
}
