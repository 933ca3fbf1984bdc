/*
 * fuzz_options.c - any words at all, as the arguments of any command.
 *
 * The whole command is linked in, its main() under another name. Each command
 * hands its words to arguments_parse, which here is the one below: it lets the
 * command's parser look at every word, and then goes back to the fuzzer instead
 * of to the command. So no file is ever touched. Only `plan`, which calculates
 * and prints, goes on. What would end the program, an arguments_refuse or the
 * end of a help, ends the parser's call instead.
 *
 * Every word is also read as a number of each kind, and what is read is held
 * against how it is written again.
 */
#include "harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/arguments.h"
#include "text/units.h"

enum {
    MOST_WORDS = 16
};

int seenset_main(int argc, char **argv);
void __real_arguments_parse(const command_syntax *syntax, int argc, char **argv,
                            void *input);
void __wrap_arguments_parse(const command_syntax *syntax, int argc, char **argv,
                            void *input);
int __wrap_atexit(void (*function)(void));
_Noreturn void __wrap_arguments_exit(int status);
_Noreturn void __wrap_arguments_refuse(const arguments *state,
                                       const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What the functions that stand in for others have to know. */
static struct {
    arguments_parser *parser; /* the command's own */
    jmp_buf refused;          /* out of that parser */
    bool is_parsing;          /* that parser runs */
    jmp_buf parsed;           /* out of the command */
    bool goes_on;             /* the command may run */
} call;

/* ---- in place of the command's own functions ---- */

void __wrap_arguments_exit(int status)
{
    fuzz_must(status == 0, "only a refusal ends with another status");
    longjmp(call.parsed, 1);
}

void __wrap_arguments_refuse(const arguments *state, const char *format, ...)
{
    char text[512];
    va_list values;
    (void)state;
    va_start(values, format);
    fuzz_must(vsnprintf(text, sizeof text, format, values) > 0,
              "a usage error has a text");
    va_end(values);
    longjmp(call.is_parsing ? call.refused : call.parsed, 1);
}

static int guarded_parser(int key, char *word, arguments *state)
{
    int error = ARGUMENTS_UNKNOWN;
    call.is_parsing = true;
    if (setjmp(call.refused) == 0)
        error = call.parser(key, word, state);
    call.is_parsing = false;
    return error;
}

/* The command looks at its output when the process ends: not at the fuzzer's.
 */
int __wrap_atexit(void (*function)(void))
{
    (void)function;
    return 0;
}

void __wrap_arguments_parse(const command_syntax *syntax, int argc, char **argv,
                            void *input)
{
    command_syntax guarded = *syntax;
    call.parser = syntax->parser;
    guarded.parser = guarded_parser;
    __real_arguments_parse(&guarded, argc, argv, input);
    if (!call.goes_on)
        longjmp(call.parsed, 1);
}

/* ---- words as numbers ---- */

/* 2,000 and 2_000 as 2000, in memory of its own. */
static char *without_groups(const char *word)
{
    char *plain = malloc(strlen(word) + 1), *to = plain;
    fuzz_must(plain != NULL, "there is memory for a word");
    for (; *word != '\0'; word++)
        if (*word != ',' && *word != '_')
            *to++ = *word;
    *to = '\0';
    return plain;
}

static void check_count(const char *word, uint64_t count)
{
    uint64_t again = 0;
    char *to;
    fuzz_must(count > 0, "a count is 1 at least");
    fuzz_must(units_read_count(units_grouped(count).text, &again) == NULL &&
                  again + FUZZ_IS_PLANTED == count,
              "a count that is written is read again");
    char *plain = without_groups(word);
    long double value = strtold(plain, &to);
    const char *letters = "kKmMgGtT", *unit = strchr(letters, *to);
    long double step = to[0] != '\0' && to[1] == 'i' ? 1024 : 1000;
    if (*to != '\0' && unit != NULL)
        for (long i = 0; i <= (unit - letters) / 2; i++)
            value *= step;
    fuzz_must(fabsl(value - (long double)count) <= value * 1e-17L,
              "a count is the number written");
    free(plain);
}

static void check_rate(double rate)
{
    char text[64];
    double again = 0;
    fuzz_must(rate > 0 && rate < 1, "a rate is between 0 and 1");
    snprintf(text, sizeof text, "%.17g", rate);
    /* what is smaller has no exact text */
    fuzz_must(rate < 1e-300 || (units_read_rate(text, &again) == NULL &&
                                again <= rate && again >= rate),
              "a rate that is written is read again");
    (void)units_as_rate(rate);
}

static void check_numbers(const char *word)
{
    uint64_t count = 77, bits = 77, window = 77;
    double rate = -77, real = -77;
    units_window kind = UNITS_UNSAID;
    bool is_count = units_read_count(word, &count) == NULL;
    bool is_bits = units_read_bits(word, &bits) == NULL;
    bool is_rate = units_read_rate(word, &rate) == NULL;
    bool is_real = units_read_real(word, &real) == NULL;
    bool is_window = units_read_window(word, &window, &kind) == NULL;
    fuzz_must((is_count || count == 77) && (is_bits || bits == 77) &&
                  (is_rate || rate < -76) && (is_real || real < -76) &&
                  (is_window || window == 77),
              "what is refused stores nothing");
    if (is_count)
        check_count(word, count);
    if (is_rate)
        check_rate(rate);
    fuzz_must(!is_count || !is_bits || bits == 8 * count,
              "a size in bytes is eight times as many bits");
    fuzz_must(!is_window || window > 0, "a window is 1 at least");
    fuzz_must(!is_real || real >= 0, "a real number is not negative");
    fuzz_must(!is_count || !is_window || kind == UNITS_SECONDS ||
                  window == count,
              "a window of lines is a count");
    (void)units_in_words(bits);
    (void)units_as_bytes(bits);
    (void)units_as_seconds((double)window);
}

/* ---- words ---- */

/* Each word in memory of its own, of exactly its size. */
static char *copy_word(const uint8_t *bytes, size_t len)
{
    char *word = malloc(len + 1);
    fuzz_must(word != NULL, "there is memory for a word");
    memcpy(word, bytes, len);
    word[len] = '\0';
    return word;
}

static int take_words(fuzz_bytes *from, char *words[MOST_WORDS + 1])
{
    int count = 0;
    words[count++] = copy_word((const uint8_t *)"seenset", 7);
    while (from->left > 0 && count < MOST_WORDS) {
        const uint8_t *end = memchr(from->at, '\n', from->left);
        size_t len = end == NULL ? from->left : (size_t)(end - from->at), given;
        char *word = copy_word(fuzz_take(from, len, &given), len);
        (void)fuzz_number(from, 1);
        words[count++] = word;
    }
    words[count] = NULL;
    return count;
}

/* What the command prints goes there. */
static FILE *nowhere(void)
{
    static FILE *opened;
    if (opened == NULL)
        opened = fopen("/dev/null", "w");
    fuzz_must(opened != NULL, "there is a /dev/null");
    return opened;
}

static void run_quietly(int count, char **words)
{
    FILE *const out = stdout, *const err = stderr;
    stdout = stderr = nowhere();
    if (setjmp(call.parsed) == 0) {
        int status = seenset_main(count, words);
        fuzz_must(status >= 0 && status <= 2, "a command ends with 0, 1 or 2");
    }
    stdout = out;
    stderr = err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    char *words[MOST_WORDS + 1], *kept[MOST_WORDS + 1];
    fuzz_bytes from = {data, size_bytes};
    int count = take_words(&from, words);
    for (int i = 1; i < count; i++)
        check_numbers(words[i]);
    memcpy(kept, words, sizeof kept); /* words are moved, main() changes one */
    call.goes_on = count > 1 && strcmp(words[1], "plan") == 0;
    run_quietly(count, words);
    for (int i = 0; i < count; i++)
        free(kept[i]);
    return 0;
}
