/*
 * main.c - the command `seenset`: the table of commands, and help.
 *
 * A command is one function in the file of its name. This file finds it, runs
 * it and makes sure that everything it printed was written.
 *
 *     commands/  one file a command, and what a few of them share: commands
 *                that go through keys (key_command, key_source), commands that
 *                combine sets (combine), checks of a set that exists already
 *                (wanted_set)
 *     foreign/   files of other systems: opened by name, keys as their columns
 *                have them; check/: how full they are, and a verdict
 *     sets/      set files: opened and saved (setfile), locked (lock), their
 *                secrets (secret, new_secret); a set and a batch of keys
 *                (set_batch, add_stage)
 *     stream/    lines in, lines out, on several threads: see stream/batch.h
 *     system/    what an operating system is asked for (system/start.h)
 *     text/      the words of a command line (arguments, options), and
 *                numbers with units (units)
 *     report/    what is printed: messages (complain), tables and JSON
 *                (report), the progress bar, pictures and plots; the rate of
 *                a set, measured (audit)
 *
 * The command includes the public headers of the library and its own files.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "built_with.h"
#include "command.h"
#include "guide.h"
#include "report/complain.h"
#include "report/stdout.h"
#include "seenset/seenset.h"
#include "system/start.h"
#include "text/guess.h"

typedef struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"dedup", "print each line the first time it is seen", command_dedup},
    {"new", "make an empty set file", command_new},
    {"add", "add keys to a set file", command_add},
    {"has", "print the keys that a set file has seen", command_has},
    {"remove", "remove keys from a set file that counts copies",
     command_remove},
    {"count", "print how often each key is in a set file that counts",
     command_count},
    {"info", "show what a set file is and how full it is", command_info},
    {"check", "check the size and the rate of filters, of other systems too",
     command_check},
    {"verify", "check set files for damage", command_verify},
    {"compact", "fold the journals of set files into them", command_compact},
    {"merge", "make the union of set files", command_merge},
    {"intersect", "make the intersection of set files", command_intersect},
    {"convert", "write a filter in the file of another system",
     command_convert},
    {"overlap", "estimate what two set files have in common, and what not",
     command_overlap},
    {"similarity", "the similarity of two set files, in short",
     command_similarity},
    {"diff", "another name of overlap", command_overlap},
    {"seal", "make the smallest kind of set, of all its keys at once",
     command_seal},
    {"rekey", "make a set under a new secret, from its keys", command_rekey},
    {"rename", "give a set file another name, with its secret", command_rename},
    {"plan", "find the size of a set for a number of keys", command_plan},
    {"queue", "a to-visit queue for crawlers that survives crashes",
     command_queue},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_help(FILE *out)
{
    fputs("Usage: seenset COMMAND [OPTION...]\n"
          "Have I seen this before? An answer from a small amount of "
          "memory.\n\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-11s %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "  help [COMMAND]   this text, or a command's options\n"
          "  help guide       what one wants to do, and the line that does it\n"
          "  --version        the version, and what it was built with\n\n"
          "Drop the repeated lines of a stream:   seenset dedup < in > out\n"
          "Remember the lines from run to run:    "
          "seenset dedup --set seen.set < in > out\n",
          out);
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* Calls a command. argv[0] becomes its name in usage messages. */
static int run_command(const command *found, int argc, char **argv)
{
    char title[32];
    snprintf(title, sizeof title, "seenset %s", found->name);
    argv[0] = title;
    int status = found->run(argc, argv);
    if (status == COMMAND_ERROR) {
        stdout_expect_short();
        return status;
    }
    return stdout_flush() == COMMAND_DONE ? status : COMMAND_ERROR;
}

static int run_named(int argc, char **argv)
{
    const command *found = find_command(argv[0]);
    if (found != NULL)
        return run_command(found, argc, argv);
    guess made = {0};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        guess_try(&made, argv[0], strlen(argv[0]), "", commands[i].name);
    complain("%s: no such command%s%s 'seenset help' lists them", argv[0],
             made.text, made.text[0] != '\0' ? "?" : ";");
    return COMMAND_ERROR;
}

/* help, help guide, help COMMAND, help queue SUBCOMMAND */
static int run_help(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stdout);
        return stdout_flush();
    }
    if (argc == 2 && strcmp(argv[1], "guide") == 0) {
        guide_print(stdout);
        return stdout_flush();
    }
    bool is_queue = strcmp(argv[1], "queue") == 0;
    if (argc > (is_queue ? 3 : 2)) {
        complain("help %s: one COMMAND at a time, not also '%s'", argv[1],
                 argv[is_queue ? 3 : 2]);
        return COMMAND_ERROR;
    }
    char help_option[] = "--help";
    char *help_argv[] = {argv[1], help_option, NULL, NULL};
    if (argc == 3) {
        help_argv[1] = argv[2];
        help_argv[2] = help_option;
    }
    return run_named(argc, help_argv);
}

static int is_one_of(const char *word, const char *a, const char *b,
                     const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

int main(int argc, char **argv)
{
    if (start_process(&argc, &argv) != 0 || stdout_check_at_exit() != 0)
        return COMMAND_ERROR;
    if (argc < 2) {
        print_help(stdout);
        return stdout_flush();
    }
    if (is_one_of(argv[1], "help", "--help", "-h"))
        return run_help(argc - 1, argv + 1);
    if (is_one_of(argv[1], "version", "--version", "-V")) {
        if (argc > 2) {
            complain("%s takes no argument, not '%s'", argv[1], argv[2]);
            return COMMAND_ERROR;
        }
        printf("seenset %s\n", seenset_version());
        built_with_print(stdout);
        return stdout_flush();
    }
    return run_named(argc - 1, argv + 1);
}
