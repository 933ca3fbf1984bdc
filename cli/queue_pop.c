/*
 * queue_pop.c - handing out, and taking back: pop, ack, nack.
 */
#define _GNU_SOURCE /* argp */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "queue.h"

enum {
    LEASES_AT_ONCE = 1024
};

typedef struct request {
    const char *dir;
    char **words; /* leases; NULL: from standard input */
    seenset_queue_options options;
    uint64_t count;
    double delay_seconds;
    bool has_data, acks;
} request;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    request *to = state->input;
    switch (key) {
    case 'n':
        to->count = options_count(state, "-n", text);
        return 0;
    case QUEUE_OPTION_ACK:
        to->acks = true;
        return 0;
    case QUEUE_OPTION_DATA:
        to->has_data = true;
        return 0;
    case QUEUE_OPTION_LEASE:
        to->options.lease_seconds = queue_seconds(state, "--lease", text);
        return 0;
    case QUEUE_OPTION_DELAY:
        to->delay_seconds = queue_seconds(state, "--delay", text);
        return 0;
    case ARGP_KEY_ARG:
        if (to->dir != NULL)
            to->words = options_rest(state);
        else
            to->dir = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which DIR?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- pop ---- */

static const struct argp_option pop_options[] = {
    {"count", 'n', "COUNT", 0, "At most so many (1)", 0},
    {"ack", QUEUE_OPTION_ACK, NULL, 0,
     "Once they are printed they are done: print no lease", 0},
    {"data", QUEUE_OPTION_DATA, NULL, 0, "Print a TAB and the data, too", 0},
    {"lease", QUEUE_OPTION_LEASE, "SECONDS", 0,
     "Handed out again after so long (60)", 0},
    {0}};

static const struct argp pop_argp = {
    .options = pop_options,
    .parser = parse_option,
    .args_doc = "DIR",
    .doc = "Print the oldest items of the queue in DIR, each as its lease, a "
           "TAB and its URL.\vThe exit status is 0 if something was printed, "
           "1 if there is nothing to hand out, and 2 after an error."};

static void print_item(const request *from, const seenset_item *item)
{
    if (!from->acks)
        printf("%llu\t", (unsigned long long)item->lease);
    fwrite(item->url, 1, item->url_len, stdout);
    if (from->has_data) {
        putchar('\t');
        fwrite(item->data, 1, item->data_len, stdout);
    }
    putchar('\n');
}

/* What was printed went out; only then is it done. */
static int finish(const request *from, seenset_queue *queue,
                  const uint64_t *leases, size_t count)
{
    if (command_flush() != COMMAND_DONE)
        return COMMAND_ERROR;
    if (!from->acks || count == 0)
        return 0;
    int error = seenset_queue_ack_many(queue, leases, count);
    return error == SEENSET_OK ? 0 : queue_complain(from->dir, error);
}

static int pop_all(const request *from, seenset_queue *queue)
{
    uint64_t leases[LEASES_AT_ONCE], done = 0;
    seenset_item item = {0};
    int result = 1, status = 0;
    while (status == 0 && result == 1 && done < from->count) {
        size_t count = 0;
        while (count < LEASES_AT_ONCE && done < from->count &&
               (result = seenset_queue_pop(queue, &item)) == 1) {
            print_item(from, &item);
            leases[count++] = item.lease;
            done++;
        }
        status = finish(from, queue, leases, count);
    }
    seenset_item_free(&item);
    if (result < 0)
        return queue_complain(from->dir, result);
    if (status == 0 && done == 0)
        return COMMAND_NOTHING;
    return status;
}

int queue_pop(int argc, char **argv)
{
    request from = {.count = 1, .options = {.must_exist = 1}};
    seenset_queue *queue;
    argp_parse(&pop_argp, argc, argv, 0, NULL, &from);
    if (queue_open(&queue, from.dir, from.options) != 0)
        return COMMAND_ERROR;
    return queue_close(queue, from.dir, pop_all(&from, queue));
}

/* ---- ack and nack ---- */

static const struct argp ack_argp = {
    .parser = parse_option,
    .args_doc = "DIR [LEASE...]",
    .doc = "End leases: their items are done and never handed out again. The "
           "leases are the arguments or, without any, what the lines of "
           "standard input begin with."};

static const struct argp_option nack_options[] = {
    {"delay", QUEUE_OPTION_DELAY, "SECONDS", 0, "But not before so long (0)",
     0},
    {0}};

static const struct argp nack_argp = {
    .options = nack_options,
    .parser = parse_option,
    .args_doc = "DIR [LEASE...]",
    .doc = "Give leases back: their items are handed out again. The leases "
           "are the arguments or, without any, what the lines of standard "
           "input begin with."};

/* A number, up to the end or a TAB. */
static int read_lease(const char *text, uint64_t *lease)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno == 0 && text[0] >= '0' && text[0] <= '9' &&
        strchr("\t\n", *end) != NULL) {
        *lease = value;
        return 0;
    }
    complain("'%.*s' is no lease", (int)strcspn(text, "\t\n"), text);
    return COMMAND_ERROR;
}

typedef int end_leases(const request *from, seenset_queue *queue,
                       const uint64_t *leases, size_t count);

static int ack_some(const request *from, seenset_queue *queue,
                    const uint64_t *leases, size_t count)
{
    int error = seenset_queue_ack_many(queue, leases, count);
    return error == SEENSET_OK ? 0 : queue_complain(from->dir, error);
}

static int nack_some(const request *from, seenset_queue *queue,
                     const uint64_t *leases, size_t count)
{
    int status = 0;
    for (size_t i = 0; i < count; i++) {
        int error = seenset_queue_nack(queue, leases[i], from->delay_seconds);
        if (error != SEENSET_OK)
            status = queue_complain(from->dir, error);
    }
    return status;
}

static int end_words(const request *from, seenset_queue *queue, end_leases *how)
{
    int status = 0;
    for (char **word = from->words; *word != NULL; word++) {
        uint64_t lease;
        if (read_lease(*word, &lease) != 0 || how(from, queue, &lease, 1) != 0)
            status = COMMAND_ERROR;
    }
    return status;
}

static int end_lines(const request *from, seenset_queue *queue, end_leases *how)
{
    uint64_t leases[LEASES_AT_ONCE];
    size_t count = 0, room = 0;
    char *line = NULL;
    int status = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (read_lease(line, &leases[count]) != 0)
            status = COMMAND_ERROR;
        else if (++count == LEASES_AT_ONCE) {
            if (how(from, queue, leases, count) != 0)
                status = COMMAND_ERROR;
            count = 0;
        }
    }
    free(line);
    if (count > 0 && how(from, queue, leases, count) != 0)
        status = COMMAND_ERROR;
    return status;
}

static int run(const request *from, end_leases *how)
{
    seenset_queue *queue;
    if (queue_open(&queue, from->dir, from->options) != 0)
        return COMMAND_ERROR;
    int status = from->words != NULL ? end_words(from, queue, how)
                                     : end_lines(from, queue, how);
    return queue_close(queue, from->dir, status);
}

int queue_ack(int argc, char **argv)
{
    request from = {.options = {.must_exist = 1}};
    argp_parse(&ack_argp, argc, argv, 0, NULL, &from);
    return run(&from, ack_some);
}

int queue_nack(int argc, char **argv)
{
    request from = {.options = {.must_exist = 1}};
    argp_parse(&nack_argp, argc, argv, 0, NULL, &from);
    return run(&from, nack_some);
}
