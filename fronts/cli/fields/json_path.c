/*
 * json_path.c - see json_path.h.
 */
#include "fields/json_path.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the reading is, and what went wrong. */
typedef struct reading {
    const char *option, *list, *at;
    selection_text *wrong;
} reading;

static int refuse(const reading *from, const char *why)
{
    (void)snprintf(from->wrong->text, sizeof from->wrong->text,
                   "%s '%.200s': %s, at '%.40s'", from->option, from->list, why,
                   from->at);
    return -1;
}

/* .name */
static int read_bare(reading *from, json_step *step)
{
    size_t len = strcspn(from->at, ".[],\"");
    if (len == 0)
        return refuse(from, "a name is missing after the dot");
    step->name = calloc(len + 1, 1);
    if (step->name == NULL)
        return -2;
    memcpy(step->name, from->at, len);
    step->name_len = len;
    from->at += len;
    return 0;
}

/* ["name"], from after the quote */
static int read_quoted(reading *from, json_step *step)
{
    step->name = calloc(strlen(from->at) + 1, 1);
    if (step->name == NULL)
        return -2;
    for (; *from->at != '"'; from->at++) {
        if (*from->at == '\\')
            from->at++;
        if (*from->at == '\0')
            return refuse(from, "a quote is not closed");
        step->name[step->name_len++] = *from->at;
    }
    from->at++;
    return 0;
}

/* [0] */
static int read_index(reading *from, json_step *step)
{
    if (*from->at < '0' || *from->at > '9')
        return refuse(from, "in brackets is an index such as 0, or a name in "
                            "quotes");
    for (; *from->at >= '0' && *from->at <= '9'; from->at++) {
        size_t digit = (size_t)(*from->at - '0');
        if (step->index > (SIZE_MAX - digit) / 10)
            return refuse(from, "the index is too large");
        step->index = 10 * step->index + digit;
    }
    return 0;
}

static int read_brackets(reading *from, json_step *step)
{
    int error = 0;
    from->at++;
    if (*from->at == '"') {
        from->at++;
        error = read_quoted(from, step);
    } else {
        error = read_index(from, step);
    }
    if (error == 0 && *from->at != ']')
        return refuse(from, "a bracket is not closed");
    from->at++;
    return error;
}

/* The steps of a path, up to a comma or the end. */
static int read_steps(reading *from, json_path *path)
{
    int error = 0;
    while (error == 0 && *from->at != '\0' && *from->at != ',') {
        json_step *step = &path->steps[path->step_count++];
        bool is_dot = *from->at == '.';
        from->at += is_dot ? 1 : 0;
        if (*from->at == '[')
            error = read_brackets(from, step);
        else if (is_dot)
            error = read_bare(from, step);
        else
            error = refuse(from, "a dot or a bracket is missing");
    }
    return error;
}

static int read_path(reading *from, json_path *path)
{
    const char *start = from->at;
    path->steps = calloc(strlen(start) + 1, sizeof *path->steps);
    if (path->steps == NULL)
        return -2;
    if (*start != '.')
        return refuse(from, "a path begins with a dot, as .user.id does");
    bool is_whole = start[1] == '\0' || start[1] == ',';
    from->at += is_whole ? 1 : 0;
    int error = read_steps(from, path);
    int shown = from->at - start < 60 ? (int)(from->at - start) : 60;
    (void)snprintf(path->missing, sizeof path->missing, "it has no field %.*s",
                   shown, start);
    (void)snprintf(path->container, sizeof path->container,
                   "its field %.*s is an object or array", shown, start);
    return error;
}

int json_paths_read(json_paths *out, const char *option, const char *list,
                    selection_text *wrong)
{
    reading from = {.option = option, .list = list, .at = list, .wrong = wrong};
    int error = 0;
    *out = (json_paths){.items = calloc(strlen(list) + 1, sizeof *out->items)};
    if (out->items == NULL)
        return -2;
    for (;;) {
        error = read_path(&from, &out->items[out->count++]);
        if (error != 0 || *from.at == '\0')
            break;
        from.at++;
    }
    if (error != 0)
        json_paths_free(out);
    return error;
}

int json_paths_append(json_paths *to, json_paths *tail)
{
    size_t count = to->count + tail->count;
    json_path *items = realloc(to->items, (count + 1) * sizeof *items);
    if (items == NULL)
        return -2;
    if (tail->count > 0)
        memcpy(items + to->count, tail->items, tail->count * sizeof *items);
    *to = (json_paths){.items = items, .count = count};
    free(tail->items);
    *tail = (json_paths){0};
    return 0;
}

void json_paths_free(json_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) {
        json_path *path = &paths->items[i];
        for (size_t j = 0; j < path->step_count; j++)
            free(path->steps[j].name);
        free(path->steps);
    }
    free(paths->items);
    *paths = (json_paths){0};
}
