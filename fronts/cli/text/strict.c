/*
 * strict.c - see strict.h.
 *
 * getopt_long(3) is generous: it takes the beginning of a long option for the
 * option as long as only one begins so, and `--key` would mean `--keyed` until
 * a later version has a `--keys`; and the last of two values wins. So the words
 * are checked first, in the same order and by the same rules:
 *
 *     --set=FILE  --set FILE     the next word is the value, whatever it is
 *     -p1%  -p 1%  -vp 1%        letters, the last of which may have a value
 *     --                         no options follow
 */
#include "text/strict.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "text/guess.h"
#include "text/refuse.h"
#include "text/rows.h"

typedef struct words {
    const arguments *from;
    const option_row *rows;
    int at;                        /* in from->argv */
    const char *values[ROWS_MOST]; /* of each option so far */
} words;

/* The options that every command has. */
static const char *const built_in[] = {"help", "usage", "version"};

#define BUILT_IN_COUNT (sizeof built_in / sizeof built_in[0])

static bool is_built_in(const char *word, size_t length)
{
    for (size_t i = 0; i < BUILT_IN_COUNT; i++)
        if (strlen(built_in[i]) == length &&
            memcmp(built_in[i], word, length) == 0)
            return true;
    return false;
}

bool strict_is_dashed(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

/* ---- what is not an option ---- */

/* Words of other programs, and what does it here; NULL: nothing of this
 * command. */
static const char *advice_for(const words *of, const char *word, size_t length)
{
    static const struct {
        const char *word, *advice, *option; /* which the command must have */
    } known[] = {
        {"limit", "'| head -n N' prints the first N", "delimiter"},
        {"sep", "--delimiter is the byte between two fields", "delimiter"},
        {"separator", "--delimiter is the byte between two fields",
         "delimiter"},
        {"key", "-f LIST takes a field as the key", "field"},
        {"parallel", "--threads N uses N threads", "threads"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].word) == length &&
            memcmp(known[i].word, word, length) == 0 &&
            rows_find_name(of->rows, known[i].option,
                           strlen(known[i].option)) != NULL)
            return known[i].advice;
    return NULL;
}

static void refuse_name(const words *of, const char *word, size_t length)
{
    guess made = {0};
    const char *advice = advice_for(of, word, length);
    if (advice != NULL)
        arguments_refuse(of->from, "unrecognized option '--%.*s'; %s",
                         (int)length, word, advice);
    for (const option_row *row = of->rows; !rows_end(row); row++)
        if (row->name != NULL)
            guess_try(&made, word, length, "--", row->name);
    for (size_t i = 0; i < BUILT_IN_COUNT; i++)
        guess_try(&made, word, length, "--", built_in[i]);
    arguments_refuse(of->from, "unrecognized option '--%.*s'%s%s", (int)length,
                     word, made.text, guess_end(&made));
}

/* It may be -set for --set, or -i for --ignore-case, which has no letter. */
static void refuse_letter(const words *of, char letter, const char *letters)
{
    if (rows_find_name(of->rows, letters, strlen(letters)) != NULL)
        arguments_refuse(of->from,
                         "unrecognized option '-%s'; did you mean --%s?",
                         letters, letters);
    if (letter == 'i' &&
        rows_find_name(of->rows, "ignore-case", strlen("ignore-case")) != NULL)
        arguments_refuse(of->from,
                         "invalid option -- 'i'; did you mean --ignore-case?");
    arguments_refuse(of->from, "invalid option -- '%c'", letter);
}

/* ---- values ---- */

/* "-n" or "--set". */
static const char *title(const option_row *row, char text[64])
{
    if (rows_has_letter(row))
        snprintf(text, 64, "-%c", row->key);
    else
        snprintf(text, 64, "--%s", row->name);
    return text;
}

static void take_value(words *of, const option_row *row, const char *value)
{
    char text[64];
    size_t i = (size_t)(row - of->rows);
    if (value[0] == '\0')
        arguments_refuse(of->from, "%s '': its %s is empty", title(row, text),
                         row->value);
    if (i >= ROWS_MOST)
        return;
    if (of->values[i] != NULL && strcmp(of->values[i], value) != 0)
        arguments_refuse(of->from,
                         "%s is given twice, as '%s' and '%s'; leave one out",
                         title(row, text), of->values[i], value);
    of->values[i] = value;
}

/* Is the word an option of this command? */
static bool is_option(const words *of, const char *word)
{
    if (!strict_is_dashed(word))
        return false;
    if (word[1] != '-')
        return rows_find_letter(of->rows, word[1]) != NULL;
    size_t length = strcspn(word + 2, "=");
    return is_built_in(word + 2, length) ||
           rows_find_name(of->rows, word + 2, length) != NULL;
}

/* Takes the next word as an option's value. The option is the last letter of
 * its word, `letter`, or a long name if that is '\0'. */
static void take_next(words *of, const option_row *row, char letter)
{
    char text[64];
    of->at++;
    if (of->at == of->from->argc && letter != '\0')
        arguments_refuse(of->from, "option requires an argument -- '%c'",
                         letter);
    if (of->at == of->from->argc)
        arguments_refuse(of->from, "option '--%s' requires an argument",
                         row->name);
    const char *value = of->from->argv[of->at];
    if (is_option(of, value))
        arguments_refuse(of->from,
                         "%s takes a %s, and '%s' is an option; write %s%s%s "
                         "if it is meant",
                         title(row, text), row->value, value, text,
                         rows_has_letter(row) ? "" : "=", value);
    take_value(of, row, value);
}

/* ---- word by word ---- */

static void take_long(words *of, const char *word)
{
    size_t length = strcspn(word, "=");
    bool has_value = word[length] == '=';
    const option_row *row = rows_find_name(of->rows, word, length);
    if (row == NULL && !is_built_in(word, length))
        refuse_name(of, word, length);
    else if (has_value && (row == NULL || row->value == NULL))
        arguments_refuse(of->from, "option '--%.*s' doesn't allow an argument",
                         (int)length, word);
    else if (has_value)
        take_value(of, row, word + length + 1);
    else if (row != NULL && rows_need_value(row))
        take_next(of, row, '\0');
}

static void take_letters(words *of, const char *letters)
{
    for (const char *letter = letters; *letter != '\0'; letter++) {
        const option_row *row = rows_find_letter(of->rows, *letter);
        if (row == NULL && *letter != 'V')
            refuse_letter(of, *letter, letters);
        if (row == NULL || row->value == NULL)
            continue;
        if (letter[1] != '\0')
            take_value(of, row, letter + 1);
        else if (rows_need_value(row))
            take_next(of, row, *letter);
        return;
    }
}

/* Is it -? or -h, and not a letter of the command? */
static bool asks_for_help(const words *of, const char *word)
{
    return (strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0) &&
           rows_find_letter(of->rows, word[1]) == NULL;
}

void strict_check(const arguments *from)
{
    static char help[] = "--help";
    bool is_posix = getenv("POSIXLY_CORRECT") != NULL;
    words of = {.from = from, .rows = from->syntax->options};
    for (of.at = 1; of.at < from->argc; of.at++) {
        const char *word = from->argv[of.at];
        if (strcmp(word, "--") == 0 || (!strict_is_dashed(word) && is_posix))
            return;
        if (!strict_is_dashed(word))
            continue;
        if (asks_for_help(&of, word))
            from->argv[of.at] = help;
        else if (word[1] == '-')
            take_long(&of, word + 2);
        else
            take_letters(&of, word + 1);
    }
}
