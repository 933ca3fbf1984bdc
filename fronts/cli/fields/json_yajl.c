/*
 * json_yajl.c - json.h by the parser yajl.
 *
 * One parser reads line after line, as values in a row, each with a newline
 * after it. No JSON string holds one. So the line was whole if there was no
 * mistake up to there, one value began, and no container is open. After a
 * mistake the parser is thrown away.
 *
 * Invalid UTF-8 is taken as it is. Half a surrogate pair (\ud800) has no bytes
 * in UTF-8, and the parser would make the same byte of each. So such lines are
 * not taken for JSON.
 */
#include "fields/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "fields/json_walk.h"
#include "fields/make_key.h"

/* What a batch keeps for its rule. */
typedef struct json_scratch {
    json_walk walk;
    yajl_handle parser; /* NULL: none yet, or the last one was thrown away */
    key_value *values;
    bool is_full; /* there was not enough memory */
} json_scratch;

bool json_is_there(void)
{
    return true;
}

/* ---- what the parser reports ---- */

/* The parser goes on if this returns 1. */
static int go_on(json_scratch *scratch, bool has_room)
{
    scratch->is_full = scratch->is_full || !has_room;
    return has_room ? 1 : 0;
}

static int take_scalar(json_scratch *scratch, const char *text, size_t len)
{
    return go_on(scratch, json_walk_scalar(&scratch->walk, text, len));
}

static int on_null(void *context)
{
    return take_scalar(context, "null", 4);
}

static int on_boolean(void *context, int value)
{
    return value != 0 ? take_scalar(context, "true", 4)
                      : take_scalar(context, "false", 5);
}

static int on_number(void *context, const char *text, size_t len)
{
    return take_scalar(context, text, len);
}

static int on_string(void *context, const unsigned char *text, size_t len)
{
    return take_scalar(context, (const char *)text, len);
}

static int on_name(void *context, const unsigned char *name, size_t len)
{
    json_scratch *scratch = context;
    return go_on(scratch,
                 json_walk_name(&scratch->walk, (const char *)name, len));
}

static int on_object(void *context)
{
    json_scratch *scratch = context;
    return go_on(scratch, json_walk_begin(&scratch->walk, false));
}

static int on_array(void *context)
{
    json_scratch *scratch = context;
    return go_on(scratch, json_walk_begin(&scratch->walk, true));
}

static int on_end(void *context)
{
    json_scratch *scratch = context;
    return go_on(scratch, json_walk_end(&scratch->walk));
}

static const yajl_callbacks callbacks = {.yajl_null = on_null,
                                         .yajl_boolean = on_boolean,
                                         .yajl_number = on_number,
                                         .yajl_string = on_string,
                                         .yajl_start_map = on_object,
                                         .yajl_map_key = on_name,
                                         .yajl_end_map = on_end,
                                         .yajl_start_array = on_array,
                                         .yajl_end_array = on_end};

/* ---- scratch ---- */

static void drop_parser(json_scratch *scratch)
{
    if (scratch->parser != NULL)
        yajl_free(scratch->parser);
    scratch->parser = NULL;
}

static void free_scratch(void *memory)
{
    json_scratch *scratch = memory;
    drop_parser(scratch);
    json_walk_free(&scratch->walk);
    free(scratch->values);
    free(scratch);
}

/* NULL and errno if there is not enough memory. */
static json_scratch *get_scratch(const json_rule *rule, batch *keys)
{
    if (keys->scratch != NULL)
        return keys->scratch;
    json_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL)
        return NULL;
    scratch->values = calloc(rule->paths.count, sizeof *scratch->values);
    if (scratch->values == NULL ||
        json_walk_init(&scratch->walk, &rule->paths) != 0) {
        free_scratch(scratch);
        errno = ENOMEM;
        return NULL;
    }
    keys->scratch = scratch;
    keys->free_scratch = free_scratch;
    return scratch;
}

static bool has_parser(json_scratch *scratch)
{
    if (scratch->parser != NULL)
        return true;
    scratch->parser = yajl_alloc(&callbacks, NULL, scratch);
    if (scratch->parser == NULL)
        return false;
    return yajl_config(scratch->parser, yajl_allow_multiple_values, 1) != 0 &&
           yajl_config(scratch->parser, yajl_dont_validate_strings, 1) != 0;
}

/* ---- lines ---- */

/* The value of \uXXXX at text, which has `size` bytes; 0: it is not one. */
static unsigned read_escape(const char *text, size_t size)
{
    unsigned value = 0;
    if (size < 6 || text[0] != '\\' || text[1] != 'u')
        return 0;
    for (size_t i = 2; i < 6; i++) {
        unsigned char digit = (unsigned char)text[i];
        unsigned low = (digit | 0x20u) - 'a';
        value = 16 * value + (low < 6 ? low + 10 : digit - (unsigned)'0');
    }
    return value & 0xffff;
}

/* Has the line an escape that is half of a pair? */
static bool has_half_pair(const char *text, size_t size)
{
    const char *end = text + size;
    while ((text = memchr(text, '\\', (size_t)(end - text))) != NULL) {
        size_t left = (size_t)(end - text);
        unsigned value = read_escape(text, left);
        bool is_high = value >= 0xd800 && value < 0xdc00;
        if (value >= 0xdc00 && value < 0xe000)
            return true;
        if (is_high) {
            unsigned low = read_escape(text + 6, left - 6);
            if (low < 0xdc00 || low >= 0xe000)
                return true;
        }
        text += is_high ? 12 : left < 2 ? 1 : 2;
    }
    return false;
}

static bool parse(json_scratch *scratch, const char *text, size_t size)
{
    return yajl_parse(scratch->parser, (const unsigned char *)text, size) ==
           yajl_status_ok;
}

/* Reads a line, which a separator follows. Returns whether it is one JSON
 * value.
 */
static bool read_line(json_scratch *scratch, const char *text, size_t size)
{
    bool has_newline = text[size] == '\n';
    json_walk_clear(&scratch->walk);
    if (!has_parser(scratch)) {
        scratch->is_full = true;
        return false;
    }
    bool is_right = parse(scratch, text, size + (has_newline ? 1 : 0)) &&
                    (has_newline || parse(scratch, "\n", 1)) &&
                    scratch->walk.depth == 0 && scratch->walk.root_count == 1;
    if (!is_right)
        drop_parser(scratch);
    return is_right && !has_half_pair(text, size);
}

/* How many of the paths are of the key: with a time, all but the last. */
static size_t key_paths(const json_rule *rule)
{
    return rule->paths.count - (rule->time.is_used ? 1 : 0);
}

/* The values of a line that was read. False: one is missing. */
static bool take_values(const json_rule *rule, json_scratch *scratch,
                        forms *into, size_t line)
{
    const json_walk *walk = &scratch->walk;
    for (size_t i = 0; i < rule->paths.count; i++) {
        const json_trace *trace = &walk->traces[i];
        if (trace->found != JSON_FOUND_SCALAR) {
            forms_refuse(into, line,
                         trace->found == JSON_FOUND_NOTHING
                             ? rule->paths.items[i].missing
                             : rule->paths.items[i].container);
            return false;
        }
        size_t len = trace->end - trace->start;
        scratch->values[i].len = len;
        scratch->values[i].data = len > 0 ? walk->text + trace->start : "";
    }
    return true;
}

/* The time of a line, if the rule wants it. False: it has none. */
static bool take_time(const json_rule *rule, const json_scratch *scratch,
                      batch *keys, size_t line)
{
    if (!rule->time.is_used)
        return true;
    const key_value *value = &scratch->values[key_paths(rule)];
    const char *wrong =
        time_field_read(&rule->time, keys->latest_time, value->data, value->len,
                        &keys->times[line]);
    if (wrong != NULL)
        forms_refuse(keys->fields, line, wrong);
    return wrong == NULL;
}

/* Returns 0, or -1 and errno. */
static int add_line(const json_rule *rule, json_scratch *scratch, batch *keys,
                    size_t line, const char *text)
{
    size_t start = batch_start(keys, line);
    if (!read_line(scratch, text + start, keys->ends[line] - start)) {
        forms_refuse(keys->fields, line, "it is not one JSON value");
        errno = ENOMEM;
        return scratch->is_full ? -1 : 0;
    }
    if (!take_values(rule, scratch, keys->fields, line) ||
        !take_time(rule, scratch, keys, line))
        return 0;
    if (key_paths(rule) > 0)
        return make_key(keys->fields, line, scratch->values, key_paths(rule),
                        rule->ignores_case);
    const key_value whole = {text + start, keys->ends[line] - start};
    return make_key(keys->fields, line, &whole, 1, rule->ignores_case);
}

int json_extract(const batch_rule *base, batch *keys)
{
    const json_rule *rule = (const json_rule *)(const void *)base;
    json_scratch *scratch = get_scratch(rule, keys);
    keys->latest_time = rule->time.is_used ? time_field_latest() : 0;
    const char *text = batch_text(keys);
    int error = scratch == NULL || text == NULL ? -1 : 0;
    for (size_t i = 0; error == 0 && i < keys->count; i++)
        error = add_line(rule, scratch, keys, i, text);
    return error;
}
