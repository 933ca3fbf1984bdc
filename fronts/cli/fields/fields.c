/*
 * fields.c - see fields.h.
 */
#include "fields/fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields/header.h"

bool fields_are_used(const fields *from)
{
    return from->list != NULL || from->time_list != NULL || from->is_csv ||
           from->style.ignores_case;
}

static fields *of_format(const lines_format *format)
{
    return (fields *)(uintptr_t)format;
}

static size_t split_records(const lines_format *format, unsigned *state,
                            const char *data, size_t size, size_t *ends,
                            size_t room)
{
    const column_style *style = &of_format(format)->style;
    return style->kernels->split(style->separator, style->delimiter, state,
                                 data, size, ends, room);
}

/* Adds a rule for the columns as they are selected now. NULL: no memory. */
static column_rule *add_columns(fields *from)
{
    column_rule *rule =
        column_rule_new(&from->style, &from->selected, &from->time);
    if (rule == NULL)
        return NULL;
    rule->next = from->columns;
    from->columns = rule;
    return rule;
}

static void refuse_memory(lines_format *format)
{
    (void)snprintf(format->wrong, sizeof format->wrong, "%s", strerror(ENOMEM));
}

/* The header is printed unless it is the same as the first one. Returns 0, or
 * -1. */
static int mark_header(fields *from, batch *first, const char *text,
                       size_t size)
{
    bool is_again = from->header != NULL && from->header_bytes == size &&
                    memcmp(from->header, text, size) == 0;
    first->header = is_again ? BATCH_HEADER_HIDDEN : BATCH_HEADER_PRINTED;
    if (from->header != NULL)
        return 0;
    from->header = malloc(size + 1);
    if (from->header == NULL)
        return -1;
    memcpy(from->header, text, size);
    from->header_bytes = size;
    return 0;
}

/* The first line of a file is its header. */
static const batch_rule *begin_file(lines_format *format, batch *first)
{
    fields *from = of_format(format);
    selection_text wrong = {""};
    const char *text = batch_text(first);
    size_t size = first->ends[0];
    if (text == NULL || mark_header(from, first, text, size) != 0) {
        refuse_memory(format);
        return NULL;
    }
    bool is_known =
        from->columns != NULL &&
        (!from->selected.has_names || first->header == BATCH_HEADER_HIDDEN);
    int error = header_resolve(&from->selected, text, size,
                               from->style.delimiter, &wrong);
    (void)snprintf(format->wrong, sizeof format->wrong, "%s", wrong.text);
    if (error == -1)
        return NULL;
    column_rule *rule = error == 0 ? from->columns : NULL;
    if (error == 0 && !is_known)
        rule = add_columns(from);
    if (rule == NULL)
        refuse_memory(format);
    return rule != NULL ? &rule->base : NULL;
}

/* The rule of a file whose header is not known, since it is never closed. */
static int extract_nothing(const batch_rule *rule, batch *keys)
{
    (void)rule;
    forms_refuse(keys->fields, 0, "a quote in it is never closed");
    return 0;
}

static const batch_rule unknown = {.extract = extract_nothing};

/* Returns 0, or -1 and errno. */
static int make_rule(fields *from)
{
    if (from->is_json) {
        from->json.base = (batch_rule){.extract = json_extract,
                                       .missing = from->style.missing,
                                       .has_times = from->time.is_used};
        from->json.time = from->time;
        from->json.ignores_case = from->style.ignores_case;
        from->format.rule = &from->json.base;
        return 0;
    }
    from->format.rule = &unknown;
    if (from->selected.has_names)
        return 0;
    column_rule *rule = add_columns(from);
    if (rule != NULL)
        from->format.rule = &rule->base;
    return rule != NULL ? 0 : -1;
}

int fields_attach(fields *from, lines *reader)
{
    if (!fields_are_used(from))
        return 0;
    if (from->is_csv)
        from->format.split = split_records;
    if (from->is_csv && !from->has_no_header)
        from->format.begin = begin_file;
    reader->format = &from->format;
    return make_rule(from);
}

const batch_rule *fields_word_rule(const fields *from)
{
    return from->format.rule;
}

void fields_free(fields *from)
{
    column_rule_free(from->columns);
    selection_free(&from->selected);
    json_paths_free(&from->json.paths);
    free(from->header);
    from->columns = NULL;
    from->header = NULL;
}
