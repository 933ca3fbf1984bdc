/*
 * json_walk.c - see json_walk.h.
 */
#include "fields/json_walk.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int json_walk_init(json_walk *walk, const json_paths *paths)
{
    *walk = (json_walk){.paths = paths};
    walk->traces = calloc(paths->count, sizeof *walk->traces);
    return walk->traces != NULL ? 0 : -1;
}

void json_walk_free(json_walk *walk)
{
    free(walk->traces);
    free(walk->levels);
    free(walk->text);
    *walk = (json_walk){0};
}

void json_walk_clear(json_walk *walk)
{
    walk->depth = 0;
    walk->used = 0;
    walk->root_count = 0;
    memset(walk->traces, 0, walk->paths->count * sizeof *walk->traces);
}

static bool is_step(const json_step *step, const char *name, size_t len,
                    size_t index)
{
    if (name == NULL)
        return step->name == NULL && step->index == index;
    return step->name != NULL && step->name_len == len &&
           memcmp(step->name, name, len) == 0;
}

/* The next value of the innermost container has this name, or this index. */
static void take_step(json_walk *walk, const char *name, size_t len,
                      size_t index)
{
    size_t done = walk->depth - 1;
    for (size_t i = 0; i < walk->paths->count; i++) {
        const json_path *path = &walk->paths->items[i];
        json_trace *trace = &walk->traces[i];
        if (trace->matched < done)
            continue;
        trace->matched = done;
        if (done == path->step_count ||
            !is_step(&path->steps[done], name, len, index))
            continue;
        trace->matched++;
        trace->found = JSON_FOUND_NOTHING; /* the last of a name counts */
    }
}

/* A value begins. */
static void enter_value(json_walk *walk)
{
    if (walk->depth == 0) {
        walk->root_count++;
        return;
    }
    json_level *level = &walk->levels[walk->depth - 1];
    if (level->is_array)
        take_step(walk, NULL, 0, level->index++);
}

static bool is_at_end(const json_walk *walk, size_t i)
{
    size_t step_count = walk->paths->items[i].step_count;
    return walk->traces[i].matched == walk->depth && step_count == walk->depth;
}

/* Returns false if there is not enough memory. */
static bool keep(json_walk *walk, json_trace *trace, const char *text,
                 size_t len)
{
    if (len > walk->room - walk->used) {
        if (len > SIZE_MAX / 4 - walk->used)
            return false;
        size_t room = 2 * (walk->used + len) + 64;
        char *grown = realloc(walk->text, room);
        if (grown == NULL)
            return false;
        walk->text = grown;
        walk->room = room;
    }
    if (len > 0)
        memcpy(walk->text + walk->used, text, len);
    trace->found = JSON_FOUND_SCALAR;
    trace->start = walk->used;
    walk->used += len;
    trace->end = walk->used;
    return true;
}

bool json_walk_name(json_walk *walk, const char *name, size_t len)
{
    take_step(walk, name, len, 0);
    return true;
}

bool json_walk_scalar(json_walk *walk, const char *text, size_t len)
{
    bool has_room = true;
    enter_value(walk);
    for (size_t i = 0; has_room && i < walk->paths->count; i++)
        if (is_at_end(walk, i))
            has_room = keep(walk, &walk->traces[i], text, len);
    return has_room;
}

bool json_walk_begin(json_walk *walk, bool is_array)
{
    enter_value(walk);
    for (size_t i = 0; i < walk->paths->count; i++)
        if (is_at_end(walk, i))
            walk->traces[i].found = JSON_FOUND_CONTAINER;
    if (walk->depth == walk->level_room) {
        size_t room = 2 * walk->level_room + 16;
        json_level *grown = realloc(walk->levels, room * sizeof *grown);
        if (grown == NULL)
            return false;
        walk->levels = grown;
        walk->level_room = room;
    }
    walk->levels[walk->depth++] = (json_level){.is_array = is_array};
    return true;
}

bool json_walk_end(json_walk *walk)
{
    walk->depth--;
    for (size_t i = 0; i < walk->paths->count; i++)
        if (walk->traces[i].matched > walk->depth)
            walk->traces[i].matched = walk->depth;
    return true;
}
