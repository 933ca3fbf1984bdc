/*
 * help.c - see help.h.
 *
 *     Usage: seenset dedup [OPTION...] [FILE...]
 *     The text above.
 *
 *      What is a repeat:                          the title of a group
 *       -d, --delimiter=C          With -f: ...   texts begin in column 29
 *           --csv                  ...            names in column 6
 */
#include "text/help.h"

#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "text/rows.h"

enum {
    WIDTH = 79,
    NAME_COLUMN = 6,
    TEXT_COLUMN = 29,
    USAGE_COLUMN = 12
};

/* Lines of at most WIDTH columns. */
typedef struct sheet {
    FILE *out;
    size_t column; /* where the line ends */
    size_t indent; /* of words that begin a line */
    bool has_word; /* the line has one, that began there */
} sheet;

static void indent_to(sheet *to, size_t column)
{
    for (; to->column < column; to->column++)
        fputc(' ', to->out);
}

static void end_line(sheet *to)
{
    fputc('\n', to->out);
    to->column = 0;
    to->has_word = false;
}

/* Puts a word, or words that stay together, in the next line if there is no
 * room in this one. */
static void put_word(sheet *to, const char *word, size_t length)
{
    if (to->has_word && to->column + 1 + length > WIDTH)
        end_line(to);
    indent_to(to, to->has_word ? to->column + 1 : to->indent);
    fwrite(word, 1, length, to->out);
    to->column += length;
    to->has_word = true;
}

/* Puts all words of a text. A newline in it begins a line. */
static void put_text(sheet *to, const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        size_t word = 0;
        while (text + word < end && text[word] != ' ' && text[word] != '\n')
            word++;
        if (word > 0)
            put_word(to, text, word);
        text += word;
        if (text < end && *text++ == '\n')
            end_line(to);
    }
}

static void put_format(sheet *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of a short text. */
static void put_format(sheet *to, const char *format, ...)
{
    char text[256];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (length > 0 && (size_t)length < sizeof text)
        put_text(to, text, (size_t)length);
}

/* ---- the rows, in order ---- */

/* Rows that are shown, group after group. */
typedef struct shown {
    const option_row *rows[ROWS_MOST];
    int groups[ROWS_MOST]; /* of each row; 0: before the first title */
    size_t count;
} shown;

static int first_letter(const option_row *row)
{
    return rows_has_letter(row) ? row->key : row->name[0];
}

/* In a group, by the alphabet: --csv, then -c, --count, then -d. */
static bool is_before(const option_row *a, const option_row *b)
{
    int by_letter = tolower(first_letter(a)) - tolower(first_letter(b));
    if (by_letter != 0 || rows_has_letter(a) != rows_has_letter(b))
        return by_letter != 0 ? by_letter < 0 : rows_has_letter(b);
    return a->name != NULL && b->name != NULL && strcmp(a->name, b->name) < 0;
}

static void show(shown *all, const option_row *row, int group)
{
    size_t at = all->count++;
    for (; at > 0 && all->groups[at - 1] == group &&
           is_before(row, all->rows[at - 1]);
         at--) {
        all->rows[at] = all->rows[at - 1];
        all->groups[at] = group;
    }
    all->rows[at] = row;
    all->groups[at] = group;
}

static void find_shown(shown *all, const option_row *rows)
{
    int group = 0;
    all->count = 0;
    for (const option_row *row = rows; !rows_end(row) && all->count < ROWS_MOST;
         row++)
        if (rows_is_title(row))
            group++;
        else if ((row->flags & OPTION_HIDDEN) == 0)
            show(all, row, group);
}

/* The title of a group, or NULL. */
static const char *find_title(const option_row *rows, int group)
{
    for (const option_row *row = rows; !rows_end(row); row++)
        if (rows_is_title(row) && --group == 0)
            return row->text;
    return NULL;
}

/* ---- the help ---- */

static const option_row built_in[] = {
    {"help", '?', NULL, 0, "Give this help list"},
    {"usage", 0, NULL, 0, "Give a short usage message"},
    {"version", 'V', NULL, 0, "Print program version"},
    {0}};

/* [=SECONDS] of --wait, and [SECONDS] of -w. */
static void put_value(sheet *to, const option_row *row, const char *between)
{
    bool is_optional = !rows_need_value(row);
    if (row->value != NULL)
        to->column +=
            (size_t)fprintf(to->out, "%s%s%s%s", is_optional ? "[" : "",
                            between, row->value, is_optional ? "]" : "");
}

static void put_option(sheet *to, const option_row *row)
{
    indent_to(to, 2);
    if (rows_has_letter(row))
        to->column += (size_t)fprintf(to->out, "-%c", row->key);
    if (row->name == NULL) {
        put_value(to, row, rows_need_value(row) ? " " : "");
        return;
    }
    if (rows_has_letter(row))
        to->column += (size_t)fprintf(to->out, ", ");
    indent_to(to, NAME_COLUMN);
    to->column += (size_t)fprintf(to->out, "--%s", row->name);
    put_value(to, row, "=");
}

static void put_row(sheet *to, const option_row *row)
{
    put_option(to, row);
    if (to->column > TEXT_COLUMN + 3)
        end_line(to);
    else if (to->column >= TEXT_COLUMN)
        indent_to(to, to->column + 2);
    to->indent = TEXT_COLUMN;
    indent_to(to, TEXT_COLUMN);
    put_text(to, row->text, strlen(row->text));
    to->indent = 0;
    end_line(to);
}

static void put_title(sheet *to, const char *title)
{
    to->indent = 1;
    put_text(to, title, strlen(title));
    to->indent = 0;
    end_line(to);
}

static void put_rows(sheet *to, const option_row *rows)
{
    shown all;
    int group = 0;
    find_shown(&all, rows);
    for (size_t i = 0; i < all.count; i++) {
        if (all.groups[i] != group && i > 0)
            end_line(to);
        if (all.groups[i] != group)
            put_title(to, find_title(rows, all.groups[i]));
        group = all.groups[i];
        put_row(to, all.rows[i]);
    }
    if (group > 0)
        end_line(to);
    for (const option_row *row = built_in; !rows_end(row); row++)
        put_row(to, row);
}

void help_print(FILE *out, const command_syntax *syntax, const char *name)
{
    sheet to = {.out = out};
    size_t above = strcspn(syntax->text, "\v");
    put_format(&to, "Usage: %s [OPTION...] %s", name,
               syntax->operands == NULL ? "" : syntax->operands);
    end_line(&to);
    put_text(&to, syntax->text, above);
    end_line(&to);
    end_line(&to);
    put_rows(&to, syntax->options);
    if (syntax->text[above] == '\0')
        return;
    end_line(&to);
    put_text(&to, syntax->text + above + 1, strlen(syntax->text + above + 1));
    end_line(&to);
}

/* ---- the usage ---- */

/* -0zcv of all letters without a value. */
static void put_letters(sheet *to, const shown *all)
{
    char text[ROWS_MOST + 8] = "[-";
    size_t length = 2;
    for (size_t i = 0; i < all->count; i++)
        if (rows_has_letter(all->rows[i]) && all->rows[i]->value == NULL)
            text[length++] = (char)all->rows[i]->key;
    for (const option_row *row = built_in; !rows_end(row); row++)
        if (rows_has_letter(row))
            text[length++] = (char)row->key;
    text[length++] = ']';
    put_word(to, text, length);
}

static void put_letter(sheet *to, const option_row *row)
{
    char text[64];
    int length = snprintf(text, sizeof text,
                          rows_need_value(row) ? "[-%c %s]" : "[-%c[%s]]",
                          row->key, row->value);
    put_word(to, text, (size_t)length);
}

static void put_name(sheet *to, const option_row *row)
{
    if (row->name == NULL)
        return;
    if (row->value == NULL)
        put_format(to, "[--%s]", row->name);
    else if (rows_need_value(row))
        put_format(to, "[--%s=%s]", row->name, row->value);
    else
        put_format(to, "[--%s[=%s]]", row->name, row->value);
}

void help_print_usage(FILE *out, const command_syntax *syntax, const char *name)
{
    sheet to = {.out = out};
    shown all;
    find_shown(&all, syntax->options);
    put_format(&to, "Usage: %s", name);
    to.indent = USAGE_COLUMN;
    put_letters(&to, &all);
    for (size_t i = 0; i < all.count; i++)
        if (rows_has_letter(all.rows[i]) && all.rows[i]->value != NULL)
            put_letter(&to, all.rows[i]);
    for (size_t i = 0; i < all.count; i++)
        put_name(&to, all.rows[i]);
    for (const option_row *row = built_in; !rows_end(row); row++)
        put_name(&to, row);
    if (syntax->operands != NULL)
        put_text(&to, syntax->operands, strlen(syntax->operands));
    end_line(&to);
}

void help_print_hint(FILE *out, const char *name)
{
    sheet to = {.out = out};
    put_format(&to, "Try `%s --help' or `%s --usage' for more information.",
               name, name);
    end_line(&to);
}
