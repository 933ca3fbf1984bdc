/*
 * syntax.h - what a command line may have: rows of options, and a parser.
 *
 * The parser is called with a key and a text, in this order:
 *
 *     for each option     its key, and its value or NULL
 *     for each operand    ARGUMENTS_WORD, the word; the parser may take more of
 *                         the words, by moving `next`
 *     no operand          ARGUMENTS_NONE, NULL
 *     after all words     ARGUMENTS_END, NULL: what does not fit together is
 *                         refused here
 *     and then            ARGUMENTS_GOOD, NULL
 *
 * It returns 0, or ARGUMENTS_UNKNOWN if it has no use for the key.
 */
#ifndef TEXT_SYNTAX_H
#define TEXT_SYNTAX_H

#include <stdbool.h>

#define ARGUMENTS_UNKNOWN 1

enum { /* keys that no option has */
    ARGUMENTS_WORD = -1,
    ARGUMENTS_NONE = -2,
    ARGUMENTS_END = -3,
    ARGUMENTS_GOOD = -4
};

enum { /* flags of a row */
    OPTION_VALUE_OPTIONAL = 1,
    OPTION_HIDDEN = 2 /* not in the help */
};

/*
 * An option, or, without a name and a key, the title of the options below it.
 * The last row of a table is all zeros.
 */
typedef struct option_row {
    const char *name;  /* without --; NULL: it has a letter only */
    int key;           /* a letter, or a number over 0xff */
    const char *value; /* what the help calls its value; NULL: it has none */
    int flags;
    const char *text; /* for the help */
} option_row;

typedef struct arguments arguments;

typedef int arguments_parser(int key, char *text, arguments *state);

typedef struct command_syntax {
    const option_row *options;
    arguments_parser *parser;
    const char *operands; /* for the help: "FILE..."; NULL: none */
    const char *text;     /* for the help, above the options; below them what
                             follows a \v */
} command_syntax;

/* The words of a command, for its parser. */
struct arguments {
    const command_syntax *syntax;
    void *input; /* of the caller of arguments_parse */
    char **argv; /* argv[0]: the command, for messages */
    int argc;
    int next;        /* in argv, of the word that follows */
    bool are_quoted; /* the operands come after a -- */
};

#endif
