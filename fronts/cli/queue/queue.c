/*
 * queue.c - the to-visit queue: the table of its subcommands, and help.
 */
#include "queue/queue.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "seenset/seenset.h"
#include "text/guess.h"

typedef struct subcommand {
    const char *name; /* NULL: the summary is the title of those below */
    const char *summary;
    int (*run)(int argc, char **argv);
} subcommand;

static const subcommand subcommands[] = {
    {NULL, "Crawl:", NULL},
    {"push", "append the lines of standard input that were never seen",
     queue_push},
    {"pop", "print the oldest items, each under a lease", queue_pop},
    {"ack", "end leases: their items are done", queue_ack},
    {"nack", "give leases back: their items are handed out again", queue_nack},
    {"forget", "forget URLs: the next push of them is new", queue_forget},
    {"host", "show or set what holds for a host of a polite queue", queue_host},
    {NULL, "Look:", NULL},
    {"stat", "show the figures of a queue", queue_stat},
    {"list", "print the items that are not acked, and their leases",
     queue_list},
    {"hosts", "print the hosts of a polite queue, and what they have",
     queue_hosts},
    {"peek", "print the item that pop would hand out", queue_peek},
    {"export", "print the URLs that are not acked, for the push of another",
     queue_export},
    {NULL, "Look after a queue:", NULL},
    {"plan", "compute the memory and the disk that a queue needs", queue_plan},
    {"verify", "check every byte of a queue", queue_verify},
    {"repair", "make a damaged queue usable again", queue_repair},
    {"remake", "make a new queue of one, with another size, rate or window",
     queue_remake},
    {"delete", "delete a queue and its folder", queue_delete},
};

#define ROW_COUNT (sizeof subcommands / sizeof subcommands[0])

static void print_row(const subcommand *row)
{
    if (row->name == NULL)
        printf("\n%s\n", row->summary);
    else
        printf("  %-8s %s\n", row->name, row->summary);
}

static void print_help(void)
{
    fputs("Usage: seenset queue SUBCOMMAND [OPTION...] DIR\n"
          "A crawler's to-visit queue in the folder DIR, which survives "
          "crashes.\n"
          "For push, pop, ack, nack and stat, DIR may also be a crawl in Redis "
          "that many\nmachines share: redis://HOST:PORT/NAME.\n",
          stdout);
    for (size_t i = 0; i < ROW_COUNT; i++)
        print_row(&subcommands[i]);
    fputs("\n"
          "  help [SUBCOMMAND]   this text, or a subcommand's options\n"
          "  --version           the version\n\n"
          "Crawl from a list of URLs:\n"
          "  seenset queue push crawl < urls\n"
          "  seenset queue pop -n 100 crawl > batch\n"
          "  cut -f 2 batch | xargs -n 1 curl -sO\n"
          "  seenset queue ack crawl < batch\n",
          stdout);
}

/* Calls a subcommand. argv[0] becomes its name in usage messages. */
static int run_named(int argc, char **argv)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const subcommand *row = &subcommands[i];
        char title[40];
        if (row->name == NULL || strcmp(argv[0], row->name) != 0)
            continue;
        snprintf(title, sizeof title, "seenset queue %s", row->name);
        argv[0] = title;
        return row->run(argc, argv);
    }
    guess made = {0};
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (subcommands[i].name != NULL)
            guess_try(&made, argv[0], strlen(argv[0]), "", subcommands[i].name);
    complain("queue %s: no such subcommand%s%s 'seenset queue --help' lists "
             "them",
             argv[0], made.text, made.text[0] != '\0' ? "?" : ";");
    return COMMAND_ERROR;
}

/* help, help SUBCOMMAND */
static int run_help(int argc, char **argv)
{
    char help_option[] = "--help";
    char *help_argv[] = {argv[1], help_option, NULL};
    if (argc > 2) {
        complain("queue help: one SUBCOMMAND at a time, not also '%s'",
                 argv[2]);
        return COMMAND_ERROR;
    }
    if (argc == 2)
        return run_named(2, help_argv);
    print_help();
    return COMMAND_DONE;
}

static int run_version(int argc, char **argv)
{
    if (argc > 1) {
        complain("queue %s takes no argument, not '%s'", argv[0], argv[1]);
        return COMMAND_ERROR;
    }
    printf("seenset %s\n", seenset_version());
    return COMMAND_DONE;
}

static bool is_one_of(const char *word, const char *a, const char *b,
                      const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

int command_queue(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "help") == 0)
        return run_help(argc - 1, argv + 1);
    if (argc < 2 || is_one_of(argv[1], "--help", "-?", "-h")) {
        print_help();
        return COMMAND_DONE;
    }
    if (is_one_of(argv[1], "--version", "-V", "version"))
        return run_version(argc - 1, argv + 1);
    return run_named(argc - 1, argv + 1);
}
