/*
 * arguments.c - see arguments.h.
 *
 * The words have been checked, so getopt_long(3) only takes them apart: it is
 * asked about words that begin with a dash, and always to stop at others ("+").
 * Those are the operands. They are moved to the front of argv, which has room
 * there once words were read, and are parsed last. So operands between options
 * depend neither on how the C library reorders words, nor on whether it looks
 * for POSIXLY_CORRECT: libraries differ in both.
 */
#include "text/arguments.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "seenset/seenset.h"
#include "text/help.h"
#include "text/rows.h"
#include "text/strict.h"

enum { /* keys of the options that every command has */
    KEY_HELP = 0x1000,
    KEY_USAGE,
    KEY_VERSION
};

/* A table of rows as getopt_long reads it. */
typedef struct getopt_table {
    struct option names[ROWS_MOST + 4];
    char letters[3 * ROWS_MOST + 4];
    size_t name_count, letter_count;
} getopt_table;

static void add_name(getopt_table *to, const char *name, int has_value, int key)
{
    to->names[to->name_count++] = (struct option){name, has_value, NULL, key};
}

/* n, n: or n:: */
static void add_letter(getopt_table *to, char letter, int has_value)
{
    to->letters[to->letter_count++] = letter;
    for (int i = 0; i < has_value; i++)
        to->letters[to->letter_count++] = ':';
}

static int has_value(const option_row *row)
{
    if (row->value == NULL)
        return no_argument;
    return rows_need_value(row) ? required_argument : optional_argument;
}

static void make_table(getopt_table *to, const option_row *rows)
{
    memset(to, 0, sizeof *to);
    to->letters[to->letter_count++] = '+';
    for (int i = 0; i < ROWS_MOST && !rows_end(&rows[i]); i++) {
        if (rows[i].name != NULL)
            add_name(to, rows[i].name, has_value(&rows[i]), rows[i].key);
        if (rows_has_letter(&rows[i]))
            add_letter(to, (char)rows[i].key, has_value(&rows[i]));
    }
    add_name(to, "help", no_argument, KEY_HELP);
    add_name(to, "usage", no_argument, KEY_USAGE);
    add_name(to, "version", no_argument, KEY_VERSION);
    if (rows_find_letter(rows, 'V') == NULL)
        add_letter(to, 'V', no_argument);
}

/* An option that every command has: prints, and ends the program. */
static void take_built_in(const arguments *from, int key)
{
    if (key == KEY_HELP)
        help_print(stdout, from->syntax, from->argv[0]);
    else if (key == KEY_USAGE)
        help_print_usage(stdout, from->syntax, from->argv[0]);
    else
        printf("seenset %s\n", seenset_version());
    arguments_exit(COMMAND_DONE);
}

static bool is_built_in(const arguments *from, int key)
{
    bool is_letter =
        key == 'V' && rows_find_letter(from->syntax->options, 'V') == NULL;
    return is_letter || key == KEY_HELP || key == KEY_USAGE ||
           key == KEY_VERSION;
}

/*
 * Takes the next word, which begins with a dash, or the next letter in it.
 * Returns false if it is --, after which there are no options.
 */
static bool take_dashed(arguments *from, const getopt_table *table)
{
    const char *word = from->argv[optind];
    int key =
        getopt_long(from->argc, from->argv, table->letters, table->names, NULL);
    from->next = optind;
    if (key == -1)
        return false;
    if (is_built_in(from, key))
        take_built_in(from, key);
    else if (from->syntax->parser(key, optarg, from) != 0)
        arguments_refuse(from, "'%s' cannot be read", word);
    return true;
}

/* getopt_long then begins with the first word, whatever it read before. An
 * index of 0 has that effect in every library that has the function, and a call
 * without words has no other. */
static void begin_getopt(char **argv)
{
    static const struct option none = {NULL, 0, NULL, 0};
    opterr = 0;
    optind = 0;
    (void)getopt_long(1, argv, "+", &none, NULL);
    optind = 1;
}

/* Takes the options. The operands then are argv[1] to argv[argc - 1]. */
static void take_options(arguments *from)
{
    bool is_posix = getenv("POSIXLY_CORRECT") != NULL;
    int kept = 1;
    getopt_table table;
    make_table(&table, from->syntax->options);
    begin_getopt(from->argv);
    while (optind < from->argc) {
        char *word = from->argv[optind];
        if (strict_is_dashed(word)) {
            from->are_quoted = !take_dashed(from, &table);
            if (from->are_quoted)
                break;
        } else if (is_posix) {
            break;
        } else {
            from->argv[kept++] = word;
            optind++;
        }
    }
    while (optind < from->argc)
        from->argv[kept++] = from->argv[optind++];
    from->argv[kept] = NULL;
    from->argc = kept;
}

static void take_operands(arguments *from)
{
    arguments_parser *parse = from->syntax->parser;
    for (from->next = 1; from->next < from->argc;) {
        char *word = from->argv[from->next++];
        if (parse(ARGUMENTS_WORD, word, from) != 0)
            arguments_refuse(from, "Too many arguments");
    }
    if (from->argc == 1)
        (void)parse(ARGUMENTS_NONE, NULL, from);
    (void)parse(ARGUMENTS_END, NULL, from);
    (void)parse(ARGUMENTS_GOOD, NULL, from);
}

void arguments_parse(const command_syntax *syntax, int argc, char **argv,
                     void *input)
{
    arguments from = {
        .syntax = syntax, .input = input, .argv = argv, .argc = argc};
    strict_check(&from);
    take_options(&from);
    take_operands(&from);
}
