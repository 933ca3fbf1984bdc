/*
 * arguments.c - words become options and operands as a command's rows have
 * them, whatever getopt_long of the C library does with their order; and the
 * help that is printed from the same rows.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream, setenv */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/arguments.h"
#include "text/help.h"

enum {
    KEY_WAIT = 0x100,
    KEY_LONG,
    KEY_SECRET,
    MOST_WORDS = 16
};

static const option_row rows[] = {
    {"null", '0', NULL, 0, "Lines end with NUL"},
    {"count", 'n', "N", 0, "Print at most N items"},
    {NULL, 0, NULL, 0, "More:"},
    {"wait", KEY_WAIT, "SECONDS", OPTION_VALUE_OPTIONAL, "Wait"},
    {NULL, 'k', "K", 0, "Bits that a key sets"},
    {"a-name-so-long-that-it-ends-late", KEY_LONG, NULL, 0,
     "The words of this text fill the line to column 79: the other words of it "
     "are below"},
    {"secret", KEY_SECRET, NULL, OPTION_HIDDEN, "Not in the help"},
    {0}};

/* What the parser was called with, as text; and how the call ended. */
static struct {
    char text[1024];
    bool is_greedy; /* the first operand takes those that follow */
    jmp_buf ended;
    int status;
} said;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
    size_t length = strlen(said.text);
    va_list values;
    va_start(values, format);
    vsnprintf(said.text + length, sizeof said.text - length, format, values);
    va_end(values);
}

/* In place of text/refuse.c, which ends the program. */
void arguments_exit(int status)
{
    said.status = status;
    longjmp(said.ended, 1);
}

void arguments_refuse(const arguments *state, const char *format, ...)
{
    size_t length = strlen(said.text);
    va_list values;
    va_start(values, format);
    vsnprintf(said.text + length, sizeof said.text - length, format, values);
    va_end(values);
    assert_string_equal(state->argv[0], "seenset x");
    arguments_exit(2);
}

static int parse(int key, char *text, arguments *state)
{
    switch (key) {
    case ARGUMENTS_WORD:
        say(" %s", text);
        if (said.is_greedy)
            for (; state->next < state->argc; state->next++)
                say("+%s", state->argv[state->next]);
        return 0;
    case ARGUMENTS_NONE:
        say(" none");
        return 0;
    case ARGUMENTS_END:
        say(state->are_quoted ? " quoted" : " end");
        return 0;
    case ARGUMENTS_GOOD:
        return ARGUMENTS_UNKNOWN;
    case KEY_WAIT:
        if (text == NULL && state->next < state->argc)
            say(" (%s follows)", state->argv[state->next]);
        say(" wait=%s", text == NULL ? "" : text);
        return 0;
    default:
        if (key < 0x80)
            say(" %c=%s", key, text == NULL ? "" : text);
        else
            say(" %x=%s", (unsigned)key, text == NULL ? "" : text);
        return 0;
    }
}

static const command_syntax syntax = {
    .options = rows,
    .parser = parse,
    .operands = "DIR [LEASE...]",
    .text = "Above.\vBelow, in a text that is longer than a line, so that it "
            "goes on in another one."};

static void parse_or_end(int argc, char **argv)
{
    said.text[0] = '\0';
    said.status = -1;
    if (setjmp(said.ended) == 0)
        arguments_parse(&syntax, argc, argv, NULL);
}

/* Parses words with a blank between them. Returns what was said. */
static const char *parse_words(const char *words)
{
    static char copy[256];
    char name[] = "seenset x", *argv[MOST_WORDS + 1] = {name};
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    parse_or_end(argc, argv);
    return said.text;
}

static void words_are_options_and_operands(void **state)
{
    static const char *const each[][2] = {
        {"", " none end"},
        {"a b c", " a b c end"},
        {"a -n 5 b --null c", " n=5 0= a b c end"},
        {"-0n5 a", " 0= n=5 a end"},
        {"-0n 5 a", " 0= n=5 a end"},
        {"--count=5 - -k3 -", " n=5 k=3 - - end"},
        {"a --wait 5 b", " (5 follows) wait= a 5 b end"},
        {"--wait=7 a --wait", " wait=7 wait= a end"},
        {"a -0 -- -n b", " 0= a -n b quoted"},
        {"-n=5 --", " n==5 none quoted"},
        {"a -- --", " a -- quoted"},
        {"--secret", " 102= none end"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
        assert_string_equal(parse_words(each[i][0]), each[i][1]);
    said.is_greedy = true;
    assert_string_equal(parse_words("a -0 b c"), " 0= a+b+c end");
    said.is_greedy = false;
}

static void words_after_an_operand_are_none_in_posix(void **state)
{
    (void)state;
    assert_int_equal(setenv("POSIXLY_CORRECT", "1", 1), 0);
    assert_string_equal(parse_words("-0 a -n 5"), " 0= a -n 5 end");
    assert_string_equal(parse_words("-0 -- a -n"), " 0= a -n quoted");
    assert_int_equal(unsetenv("POSIXLY_CORRECT"), 0);
    assert_string_equal(parse_words("-0 a -n 5"), " 0= n=5 a end");
}

/* Nothing is parsed before all words were checked. */
static void words_that_are_wrong_are_refused(void **state)
{
    static const char *const each[][2] = {
        {"-0 --nul", "unrecognized option '--nul'; did you mean --null?"},
        {"-0z", "invalid option -- 'z'"},
        {"-wait", "unrecognized option '-wait'; did you mean --wait?"},
        {"-0n", "option requires an argument -- 'n'"},
        {"a --count", "option '--count' requires an argument"},
        {"--null=x", "option '--null' doesn't allow an argument"},
        {"--help=x", "option '--help' doesn't allow an argument"},
        {"--wait=", "--wait '': its SECONDS is empty"},
        {"-n 1 --count 2", "-n is given twice, as '1' and '2'; leave one out"},
        {"-k -0",
         "-k takes a K, and '-0' is an option; write -k-0 if it is meant"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        assert_string_equal(parse_words(each[i][0]), each[i][1]);
        assert_int_equal(said.status, 2);
    }
}

/* ---- the help ---- */

static const char help[] =
    "Usage: seenset x [OPTION...] DIR [LEASE...]\n"
    "Above.\n"
    "\n"
    "  -0, --null                 Lines end with NUL\n"
    "  -n, --count=N              Print at most N items\n"
    "\n"
    " More:\n"
    "      --a-name-so-long-that-it-ends-late\n"
    "                             "
    "The words of this text fill the line to column 79:\n"
    "                             the other words of it are below\n"
    "  -k K                       Bits that a key sets\n"
    "      --wait[=SECONDS]       Wait\n"
    "\n"
    "  -?, --help                 Give this help list\n"
    "      --usage                Give a short usage message\n"
    "  -V, --version              Print program version\n"
    "\n"
    "Below, in a text that is longer than a line, so that it goes on in "
    "another "
    "one.\n";

static const char usage[] =
    "Usage: seenset x [-0?V] [-n N] [-k K] [--null] [--count=N]\n"
    "            [--a-name-so-long-that-it-ends-late] [--wait[=SECONDS]] "
    "[--help]\n"
    "            [--usage] [--version] DIR [LEASE...]\n";

typedef void printer(FILE *out, const command_syntax *syntax, const char *name);

static void check_printed(printer *print, const char *wanted)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(out, &syntax, "seenset x");
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, wanted);
    free(text);
}

static void help_shows_the_rows_in_groups(void **state)
{
    (void)state;
    check_printed(help_print, help);
    check_printed(help_print_usage, usage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_options_and_operands),
        cmocka_unit_test(words_after_an_operand_are_none_in_posix),
        cmocka_unit_test(words_that_are_wrong_are_refused),
        cmocka_unit_test(help_shows_the_rows_in_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
