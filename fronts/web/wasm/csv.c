/*
 * csv.c - see csv.h.
 *
 * Between two bytes that matter (a delimiter and a newline, or a quote) there
 * are often many that do not. The search for the next one looks at 16 bytes at
 * a time where there is SIMD.
 */
#include "wasm/csv.h"

#include <string.h>

#include "wasm/find.h"

/* The end of the text between quotes that begins at `from`: its last quote, or
 * `end`. */
static const uint8_t *quoted_end(const uint8_t *from, const uint8_t *end)
{
    for (;;) {
        const uint8_t *quote = find_byte(from, end, '"');
        if (quote == end || quote + 1 == end || quote[1] != '"')
            return quote;
        from = quote + 2;
    }
}

/* A quote that is the last byte may be half of two, so the record is open. */
static const uint8_t *field_end(const uint8_t *from, const uint8_t *end,
                                uint8_t delimiter, csv_record *out)
{
    if (from < end && *from == '"') {
        from = quoted_end(from + 1, end);
        out->is_open = from == end;
        if (from < end)
            from++;
    }
    return find_either(from, end, delimiter, '\n');
}

static csv_field make_field(const uint8_t *from, const uint8_t *to,
                            const uint8_t *end)
{
    bool is_last = to == end || *to == '\n';
    size_t size = (size_t)(to - from);
    if (is_last && size > 0 && to[-1] == '\r')
        size--;
    return (csv_field){
        .at = from, .size = size, .is_quoted = size > 0 && *from == '"'};
}

const uint8_t *csv_next(const uint8_t *from, const uint8_t *end,
                        uint8_t delimiter, csv_record *out)
{
    const uint8_t *to = field_end(from, end, delimiter, out);
    out->field = make_field(from, to, end);
    if (to < end && *to == delimiter)
        return to + 1;
    out->end = to == end ? end : to + 1;
    return NULL;
}

csv_record csv_read(const uint8_t *from, const uint8_t *end, uint8_t delimiter,
                    uint32_t column, bool is_last)
{
    csv_record out = {0};
    for (uint32_t number = 0;; number++) {
        const uint8_t *to = field_end(from, end, delimiter, &out);
        if (to == end && !is_last)
            return (csv_record){.is_open = out.is_open};
        if (number == column)
            out.field = make_field(from, to, end);
        if (to == end || *to == '\n') {
            out.end = to == end ? end : to + 1;
            return out;
        }
        from = to + 1;
    }
}

bool csv_is_plain(const csv_field *field, csv_field *plain)
{
    *plain = *field;
    if (!field->is_quoted)
        return true;
    if (field->size < 2 || field->at[field->size - 1] != '"')
        return false;
    plain->at++;
    plain->size -= 2;
    return memchr(plain->at, '"', plain->size) == NULL;
}

size_t csv_decode(const csv_field *field, uint8_t *to)
{
    const uint8_t *at = field->at;
    const uint8_t *end = at + field->size;
    uint8_t *start = to;
    bool is_inside = field->is_quoted;
    at += is_inside ? 1 : 0;
    for (; at < end; at++) {
        bool is_quote = is_inside && *at == '"';
        bool is_two = is_quote && at + 1 < end && at[1] == '"';
        if (is_quote && !is_two)
            is_inside = false;
        else
            *to++ = *at;
        at += is_two ? 1 : 0;
    }
    return (size_t)(to - start);
}
