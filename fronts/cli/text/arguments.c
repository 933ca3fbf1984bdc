/*
 * arguments.c - see arguments.h.
 *
 * The C library is generous with options: it takes the beginning of a long
 * option for the option as long as only one begins so, and `--key` would mean
 * `--keyed` until a later version has a `--keys`; the last of two values wins;
 * and argp has options that the help does not show. So the words are checked
 * first, in the order and by the rules of getopt_long(3):
 *
 *     --set=FILE  --set FILE     the next word is the value, whatever it is
 *     -p1%  -p 1%  -vp 1%        letters, the last of which may have a value
 *     --                         no options follow
 *
 * Other mistakes, such as a missing value at the end, are left to argp. It
 * exits after all of them but one: if it has no memory, it returns. -h is its
 * -?, for commands without an -h of their own.
 */
#define _GNU_SOURCE /* argp */
#include "text/arguments.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "text/guess.h"

enum {
    MOST_OPTIONS = 64
}; /* of one command, whose values are compared */

typedef struct words {
    const struct argp *argp;
    struct argp_state state;          /* for argp_error */
    int at;                           /* in state.argv */
    const char *values[MOST_OPTIONS]; /* of each option so far */
} words;

/* The options that argp itself handles and that the help shows. */
static const char *const built_in[] = {"help", "usage", "version"};

#define BUILT_IN_COUNT (sizeof built_in / sizeof built_in[0])

static bool is_last(const struct argp_option *option)
{
    return option->name == NULL && option->key == 0 && option->doc == NULL;
}

static bool takes_value(const struct argp_option *option)
{
    return option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0;
}

static const struct argp_option *find_name(const words *from, const char *word,
                                           size_t length);

/* Words of other programs, and what does it here; NULL: nothing of this
 * command. */
static const char *advice_for(const words *from, const char *word,
                              size_t length)
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
            strncmp(known[i].word, word, length) == 0 &&
            find_name(from, known[i].option, strlen(known[i].option)) != NULL)
            return known[i].advice;
    return NULL;
}

static void refuse_unknown(const words *from, const char *word, size_t length)
{
    guess made = {0};
    const char *advice = advice_for(from, word, length);
    if (advice != NULL)
        argp_error(&from->state, "unrecognized option '--%.*s'; %s",
                   (int)length, word, advice);
    for (const struct argp_option *option = from->argp->options;
         option != NULL && !is_last(option); option++)
        if (option->name != NULL)
            guess_try(&made, word, length, "--", option->name);
    for (size_t i = 0; i < BUILT_IN_COUNT; i++)
        guess_try(&made, word, length, "--", built_in[i]);
    argp_error(&from->state, "unrecognized option '--%.*s'%s%s", (int)length,
               word, made.text, guess_end(&made));
}

/* ---- word by word ---- */

static bool has_name(const struct argp_option *option, const char *word,
                     size_t length)
{
    return option->name != NULL && strlen(option->name) == length &&
           strncmp(option->name, word, length) == 0;
}

static bool is_built_in(const char *word, size_t length)
{
    for (size_t i = 0; i < BUILT_IN_COUNT; i++)
        if (strlen(built_in[i]) == length &&
            strncmp(built_in[i], word, length) == 0)
            return true;
    return false;
}

static const struct argp_option *find_name(const words *from, const char *word,
                                           size_t length)
{
    for (const struct argp_option *option = from->argp->options;
         option != NULL && !is_last(option); option++)
        if (has_name(option, word, length))
            return option;
    return NULL;
}

static const struct argp_option *find_letter(const words *from, char letter)
{
    for (const struct argp_option *option = from->argp->options;
         option != NULL && !is_last(option); option++)
        if (option->key == letter)
            return option;
    return NULL;
}

static bool has_letter(const struct argp_option *option)
{
    return option->key > ' ' && option->key < 0x7f;
}

/* "-n" or "--set". */
static const char *title(const struct argp_option *option, char text[64])
{
    if (has_letter(option))
        snprintf(text, 64, "-%c", option->key);
    else
        snprintf(text, 64, "--%s", option->name);
    return text;
}

static void take_value(words *from, const struct argp_option *option,
                       const char *value)
{
    char text[64];
    size_t i = (size_t)(option - from->argp->options);
    if (i >= MOST_OPTIONS)
        return;
    if (value[0] == '\0')
        argp_error(&from->state, "%s '': its %s is empty", title(option, text),
                   option->arg);
    if (from->values[i] != NULL && strcmp(from->values[i], value) != 0)
        argp_error(&from->state,
                   "%s is given twice, as '%s' and '%s'; leave one out",
                   title(option, text), from->values[i], value);
    from->values[i] = value;
}

/* Is the word an option of this command? */
static bool is_option(const words *from, const char *word)
{
    if (word[0] != '-' || word[1] == '\0')
        return false;
    if (word[1] != '-')
        return find_letter(from, word[1]) != NULL;
    size_t length = strcspn(word + 2, "=");
    return is_built_in(word + 2, length) ||
           find_name(from, word + 2, length) != NULL;
}

/* The next word is the value of an option that has none in its own word. */
static void take_next(words *from, const struct argp_option *option)
{
    char text[64];
    from->at++;
    if (from->at == from->state.argc)
        return;
    const char *value = from->state.argv[from->at];
    if (is_option(from, value))
        argp_error(&from->state,
                   "%s takes a %s, and '%s' is an option; write %s%s%s if it "
                   "is meant",
                   title(option, text), option->arg, value, text,
                   has_letter(option) ? "" : "=", value);
    take_value(from, option, value);
}

static void take_long(words *from, const char *word)
{
    size_t length = strcspn(word, "=");
    if (is_built_in(word, length))
        return;
    const struct argp_option *option = find_name(from, word, length);
    if (option == NULL)
        refuse_unknown(from, word, length);
    else if (option->arg != NULL && word[length] == '=')
        take_value(from, option, word + length + 1);
    else if (takes_value(option))
        take_next(from, option);
}

/* -h where no option has that letter. */
static void take_help(words *from)
{
    static char help[] = "-?";
    if (find_letter(from, 'h') == NULL)
        from->state.argv[from->at] = help;
}

/* An unknown letter is left to argp, unless the word is -set for --set, or -i
 * for --ignore-case, which has no letter. */
static void take_letters(words *from, const char *letters)
{
    for (const char *letter = letters; *letter != '\0'; letter++) {
        const struct argp_option *option = find_letter(from, *letter);
        if (option == NULL && find_name(from, letters, strlen(letters)) != NULL)
            argp_error(&from->state,
                       "unrecognized option '-%s'; did you mean --%s?", letters,
                       letters);
        if (option == NULL && *letter == 'i' &&
            find_name(from, "ignore-case", strlen("ignore-case")) != NULL)
            argp_error(&from->state,
                       "invalid option -- 'i'; did you mean --ignore-case?");
        if (option == NULL)
            return;
        if (option->arg == NULL)
            continue;
        if (letter[1] != '\0')
            take_value(from, option, letter + 1);
        else if (takes_value(option))
            take_next(from, option);
        return;
    }
}

static void look_through(words *from)
{
    bool is_posix = getenv("POSIXLY_CORRECT") != NULL;
    for (from->at = 1; from->at < from->state.argc; from->at++) {
        const char *word = from->state.argv[from->at];
        bool is_dashed = word[0] == '-' && word[1] != '\0';
        if (strcmp(word, "--") == 0 || (!is_dashed && is_posix))
            return;
        if (strcmp(word, "-h") == 0)
            take_help(from);
        else if (is_dashed && word[1] == '-')
            take_long(from, word + 2);
        else if (is_dashed)
            take_letters(from, word + 1);
    }
}

void arguments_parse(const struct argp *argp, int argc, char **argv,
                     void *input)
{
    words from = {.argp = argp,
                  .state = {.root_argp = argp,
                            .argc = argc,
                            .argv = argv,
                            .name = argv[0],
                            .err_stream = stderr,
                            .out_stream = stdout}};
    look_through(&from);
    /* argp ends each help with a note on short and long options: not here. */
    (void)setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    error_t error = argp_parse(argp, argc, argv, 0, NULL, input);
    if (error != 0) { /* nothing was read of the words: there is no memory */
        complain("the options cannot be read: %s", strerror(error));
        exit(COMMAND_ERROR);
    }
}
