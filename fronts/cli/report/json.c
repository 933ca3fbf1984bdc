/*
 * json.c - see json.h.
 */
#include "report/json.h"

#include <math.h>

#include "text/utf8.h"

json json_start(FILE *out, bool is_line)
{
    fputc('{', out);
    return (json){.out = out, .is_line = is_line};
}

void json_end(json *to)
{
    fputs(to->is_line ? "}\n" : "\n}\n", to->out);
}

static void print_text(FILE *out, const char *text);

/* What comes before a value: a comma, a line, a name. */
static void begin(json *to, const char *name)
{
    bool is_own_line = !to->is_line && to->depth == 0;
    bool is_tight = to->is_tight || to->depth > 1;
    if (to->has_some)
        fputc(',', to->out);
    if (is_own_line)
        fputs("\n  ", to->out);
    else if (to->has_some && !is_tight)
        fputc(' ', to->out);
    to->has_some = true;
    if (name == NULL)
        return;
    print_text(to->out, name);
    fputs(is_tight ? ":" : ": ", to->out);
}

void json_open(json *to, const char *name, char bracket)
{
    begin(to, name);
    fputc(bracket, to->out);
    to->depth++;
    to->has_some = false;
}

void json_close(json *to, char bracket)
{
    fputc(bracket, to->out);
    to->depth--;
    to->has_some = true;
}

void json_count(json *to, const char *name, uint64_t value)
{
    begin(to, name);
    fprintf(to->out, "%llu", (unsigned long long)value);
}

void json_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    else
        fputs("null", out);
}

void json_real(json *to, const char *name, double value)
{
    begin(to, name);
    json_number(to->out, value);
}

void json_rounded(json *to, const char *name, double value)
{
    begin(to, name);
    fprintf(to->out, "%.6g", value);
}

void json_bool(json *to, const char *name, bool value)
{
    begin(to, name);
    fputs(value ? "true" : "false", to->out);
}

void json_null(json *to, const char *name)
{
    begin(to, name);
    fputs("null", to->out);
}

void json_text(json *to, const char *name, const char *text)
{
    begin(to, name);
    print_text(to->out, text);
}

/* File names are bytes and JSON is UTF-8; bytes that are not UTF-8 become
 * U+FFFD. */
static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text != '\0') {
        size_t length = utf8_length(text, UTF8_MOST_BYTES);
        unsigned char first = (unsigned char)*text;
        if (length == 0)
            fputs("\\ufffd", out);
        else if (first < 0x20 || first == 0x7f)
            fprintf(out, "\\u%04x", first);
        else if (first == '"' || first == '\\')
            fprintf(out, "\\%c", first);
        else
            fwrite(text, 1, length, out);
        text += length == 0 ? 1 : length;
    }
    fputc('"', out);
}
