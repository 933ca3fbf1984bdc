/*
 * columns.c - see columns.h.
 *
 * The kernels list the fields of a group of lines, and then keys are made of
 * them. One field of a delimited line is a key as it is, where it is.
 */
#include "fields/columns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields/csv.h"
#include "fields/make_key.h"

#define GROUP_LINES ((size_t)256)

static bool is_empty_record(const char *text, size_t size)
{
    return size == 0 || (size == 1 && text[0] == '\r');
}

/* ---- the rule ---- */

static int compare_columns(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

static size_t place_of(const column_rule *rule, size_t column)
{
    size_t place = 0;
    while (rule->wanted[place] != column)
        place++;
    return place;
}

/* Sorts what is wanted, once each, and says where each field then is. */
static void order_columns(column_rule *rule, const selection *fields)
{
    for (size_t i = 0; i < fields->count; i++)
        rule->wanted[i] = fields->items[i].column;
    qsort(rule->wanted, fields->count, sizeof *rule->wanted, compare_columns);
    for (size_t i = 0; i < fields->count; i++)
        if (i == 0 || rule->wanted[i] != rule->wanted[i - 1])
            rule->wanted[rule->wanted_count++] = rule->wanted[i];
    for (size_t i = 0; i < fields->count; i++)
        rule->order[i] = place_of(rule, fields->items[i].column);
}

static void word_reasons(column_rule *rule, const selection *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        const selected *item = &fields->items[i];
        size_t room = sizeof rule->reasons[i];
        if (item->name == NULL)
            (void)snprintf(rule->reasons[i], room, "it has no field %zu",
                           item->column + 1);
        else
            (void)snprintf(rule->reasons[i], room, "it has no field %zu (%.*s)",
                           item->column + 1,
                           item->name_len < 40 ? (int)item->name_len : 40,
                           item->name);
    }
}

static int extract(const batch_rule *base, batch *keys);

column_rule *column_rule_new(const column_style *style, const selection *fields,
                             const time_field *time)
{
    column_rule *rule = calloc(1, sizeof *rule);
    if (rule == NULL)
        return NULL;
    rule->base = (batch_rule){.extract = extract,
                              .missing = style->missing,
                              .has_times = time->is_used};
    rule->style = *style;
    rule->time = *time;
    rule->count = fields->count;
    rule->key_count = fields->count - (time->is_used ? 1 : 0);
    rule->order = calloc(fields->count + 1, sizeof *rule->order);
    rule->reasons = calloc(fields->count + 1, sizeof *rule->reasons);
    rule->wanted = calloc(fields->count + 1, sizeof *rule->wanted);
    if (rule->order == NULL || rule->reasons == NULL || rule->wanted == NULL) {
        column_rule_free(rule);
        errno = ENOMEM;
        return NULL;
    }
    order_columns(rule, fields);
    word_reasons(rule, fields);
    if (fields->count == 1 && rule->key_count == 1 && rule->wanted[0] == 0 &&
        !style->is_csv)
        rule->base.delimiter = style->delimiter;
    return rule;
}

void column_rule_free(column_rule *rule)
{
    while (rule != NULL) {
        column_rule *next = rule->next;
        free(rule->order);
        free(rule->reasons);
        free(rule->wanted);
        free(rule);
        rule = next;
    }
}

/* ---- keys ---- */

/* What a batch keeps for its rules: the spans of a group of lines, and the
 * values of one line. */
typedef struct column_scratch {
    size_t room; /* fields of a line */
    field_span *spans;
    key_value *values;
} column_scratch;

static void free_scratch(void *memory)
{
    column_scratch *scratch = memory;
    free(scratch->spans);
    free(scratch->values);
    free(scratch);
}

/* Returns 0, or -1 and errno. */
static int make_scratch(batch *keys, size_t room)
{
    column_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL)
        return -1;
    keys->scratch = scratch;
    keys->free_scratch = free_scratch;
    scratch->room = room;
    scratch->spans = calloc(room, GROUP_LINES * sizeof *scratch->spans);
    scratch->values = calloc(room, sizeof *scratch->values);
    return scratch->spans != NULL && scratch->values != NULL ? 0 : -1;
}

static column_scratch *get_scratch(batch *keys, size_t field_count)
{
    column_scratch *scratch = keys->scratch;
    if (scratch == NULL)
        return make_scratch(keys, field_count) == 0 ? keys->scratch : NULL;
    /* It is only incomplete after an error, which ends the work. */
    return scratch->room >= field_count ? scratch : NULL;
}

/* The bytes of a field, without the CR of the end of its record. */
static size_t field_bytes(const column_rule *rule, const char *text,
                          field_span span, size_t line_end)
{
    size_t len = span.end - span.start;
    bool is_last = span.end == line_end && rule->style.is_csv;
    if (is_last && rule->style.separator == '\n' && len > 0 &&
        text[span.start + len - 1] == '\r')
        len--;
    return len;
}

/* Appends one quoted value. Returns 0, or -1 and errno. */
static int add_unquoted(const column_rule *rule, forms *into, size_t number,
                        const char *text, size_t len)
{
    if (forms_reserve(into, len) != 0)
        return -1;
    char *key = into->text + into->used;
    size_t bytes = csv_value(text, len, key);
    if (rule->style.ignores_case)
        make_key_fold(key, bytes);
    forms_take(into, number, bytes);
    return 0;
}

/*
 * Takes the quotes off the values, into the text of `into` after what is used
 * and after the room for the key. Returns 0, or -1 and errno.
 */
static int unquote(const column_rule *rule, forms *into, key_value *values)
{
    size_t bytes = 0, at = 0;
    for (size_t i = 0; i < rule->key_count; i++)
        bytes += values[i].len + NETSTRING_BYTES;
    if (forms_reserve(into, 2 * bytes) != 0)
        return -1;
    char *free_text = into->text + into->used + bytes;
    for (size_t i = 0; i < rule->key_count; i++) {
        char *value = free_text + at;
        values[i].len = csv_value(values[i].data, values[i].len, value);
        values[i].data = value;
        at += values[i].len;
    }
    return 0;
}

/* The time of a line, if the rule wants it. Returns NULL, or why there is
 * none. */
static const char *take_time(const column_rule *rule, batch *keys, size_t line,
                             const key_value *values)
{
    char unquoted[128];
    if (!rule->time.is_used)
        return NULL;
    key_value value = values[rule->key_count];
    if (value.len > sizeof unquoted)
        return rule->time.no_time;
    if (rule->style.is_csv) {
        value.len = csv_value(value.data, value.len, unquoted);
        value.data = unquoted;
    }
    return time_field_read(&rule->time, keys->latest_time, value.data,
                           value.len, &keys->times[line]);
}

/* Makes the key of one value or several. Returns 0, or -1. */
static int put_key(const column_rule *rule, forms *into, size_t line,
                   key_value *values)
{
    if (rule->style.is_csv && rule->key_count == 1)
        return add_unquoted(rule, into, line, values[0].data, values[0].len);
    if (rule->style.is_csv && unquote(rule, into, values) != 0)
        return -1;
    return make_key(into, line, values, rule->key_count,
                    rule->style.ignores_case);
}

/* Appends the key of a line whose fields are known. Returns 0, or -1. */
static int add_key(const column_rule *rule, batch *keys, size_t line,
                   const char *text, const field_span *spans)
{
    column_scratch *scratch = keys->scratch;
    for (size_t i = 0; i < rule->count; i++) {
        field_span span = spans[rule->order[i]];
        if (span.start == SIZE_MAX) {
            forms_refuse(keys->fields, line, rule->reasons[i]);
            return 0;
        }
        scratch->values[i].data = text + span.start;
        scratch->values[i].len =
            field_bytes(rule, text, span, keys->ends[line]);
    }
    const char *wrong = take_time(rule, keys, line, scratch->values);
    if (wrong != NULL) {
        forms_refuse(keys->fields, line, wrong);
        return 0;
    }
    if (rule->key_count > 0)
        return put_key(rule, keys->fields, line, scratch->values);
    size_t start = batch_start(keys, line);
    const key_value whole = {text + start, keys->ends[line] - start};
    return make_key(keys->fields, line, &whole, 1, rule->style.ignores_case);
}

/* The same if the field is the key as it is. */
static void point_at_key(const column_rule *rule, batch *keys, size_t line,
                         field_span span)
{
    if (span.start == SIZE_MAX)
        forms_refuse(keys->fields, line, rule->reasons[0]);
    else
        forms_point(keys->fields, line, span.start, span.end);
}

static bool is_in_place(const column_rule *rule)
{
    return rule->count == 1 && rule->key_count == 1 && !rule->style.is_csv &&
           !rule->style.ignores_case;
}

/* Lines first..first+count-1, whose fields are known. */
static int add_group(const column_rule *rule, batch *keys, const char *text,
                     size_t first, size_t count)
{
    const column_scratch *scratch = keys->scratch;
    const field_span *spans = scratch->spans;
    int error = 0;
    for (size_t i = first; error == 0 && i < first + count; i++) {
        size_t start = batch_start(keys, i);
        keys->is_divided = keys->is_divided || spans[0].end != keys->ends[i];
        if (is_in_place(rule))
            point_at_key(rule, keys, i, spans[0]);
        else if (rule->style.is_csv &&
                 is_empty_record(text + start, keys->ends[i] - start))
            forms_refuse(keys->fields, i, "it is empty");
        else
            error = add_key(rule, keys, i, text, spans);
        spans += rule->wanted_count;
    }
    return error;
}

static int extract_fields(const column_rule *rule, batch *keys,
                          const char *text, size_t first)
{
    const field_search search = {.data = text,
                                 .line_ends = keys->ends,
                                 .delimiter = rule->style.delimiter,
                                 .wanted = rule->wanted,
                                 .wanted_count = rule->wanted_count};
    column_scratch *scratch = get_scratch(keys, rule->count);
    if (scratch == NULL) {
        errno = ENOMEM;
        return -1;
    }
    field_finder *find = rule->style.is_csv ? rule->style.kernels->csv
                                            : rule->style.kernels->delimited;
    keys->is_divided = rule->base.delimiter == 0;
    int error = 0;
    for (size_t i = first; error == 0 && i < keys->count; i += GROUP_LINES) {
        size_t left = keys->count - i;
        size_t count = left < GROUP_LINES ? left : GROUP_LINES;
        find(&search, i, count, scratch->spans);
        error = add_group(rule, keys, text, i, count);
    }
    return error;
}

/* The keys are whole lines. */
static int extract_lines(const column_rule *rule, batch *keys, const char *text,
                         size_t first)
{
    int error = 0;
    for (size_t i = first; error == 0 && i < keys->count; i++) {
        size_t start = batch_start(keys, i);
        key_value line = {text + start, keys->ends[i] - start};
        if (rule->style.ignores_case)
            error = make_key(keys->fields, i, &line, 1, true);
        else
            forms_point(keys->fields, i, start, keys->ends[i]);
    }
    return error;
}

static int extract(const batch_rule *base, batch *keys)
{
    const column_rule *rule = (const column_rule *)(const void *)base;
    size_t first = keys->header == BATCH_HEADER_NONE ? 0 : 1;
    keys->latest_time = rule->time.is_used ? time_field_latest() : 0;
    if (keys->is_unclosed) {
        forms_refuse(keys->fields, 0, "a quote in it is never closed");
        return 0;
    }
    const char *text = batch_text(keys);
    if (text == NULL)
        return -1;
    bool is_line = rule->count == 0 && !rule->style.ignores_case;
    keys->fields->base = is_line || is_in_place(rule) ? text : NULL;
    return rule->count == 0 ? extract_lines(rule, keys, text, first)
                            : extract_fields(rule, keys, text, first);
}
