/*
 * queue_push.c - lines of standard input into the queue.
 *
 * What one read(2) brings is one batch with one wait for the disk: a slow
 * writer gets an answer to each line, a fast one pays a sync for thousands.
 *
 * The reader is not that of lines.h, which takes lines of any length: an item
 * of a queue has a longest length, and input without an end of line is refused
 * as soon as that is passed, in memory that is fixed.
 */
#define _GNU_SOURCE /* argp */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "options.h"
#include "queue.h"

enum {
    BLOCK_BYTES = 256 << 10,
    LONGEST_BYTES = SEENSET_QUEUE_MAX_ITEM_BYTES + 2,
    PUSHES_AT_ONCE = 4096
};

typedef struct request {
    const char *dir;
    seenset_queue_options options;
    bool has_data, is_verbose;
} request;

static const struct argp_option push_options[] = {
    {"capacity", 'n', "COUNT", 0, "A new queue: distinct URLs to plan for", 0},
    {"rate", 'p', "RATE", 0,
     "A new queue: chance that a new URL is dropped as seen", 0},
    {"on-full", QUEUE_OPTION_ON_FULL, "POLICY", 0,
     "A new queue: at its capacity, grow (default), degrade or refuse", 0},
    {"normalise", QUEUE_OPTION_NORMALISE, "HOW", 0,
     "A new queue: off, or url for one spelling of each URL", 0},
    {"durability", QUEUE_OPTION_DURABILITY, "WHEN", 0,
     "Sync each batch (the default), at an interval, or none", 0},
    {"data", QUEUE_OPTION_DATA, NULL, 0,
     "What follows the first TAB of a line is data, handed out with the URL",
     0},
    {"verbose", 'v', NULL, 0, "Print NEW or SEEN, a TAB and the URL", 0},
    {0}};

static seenset_normalise read_normalise(struct argp_state *state,
                                        const char *text)
{
    if (strcmp(text, "url") == 0)
        return SEENSET_NORMALISE_URL;
    if (strcmp(text, "off") != 0)
        argp_error(state, "--normalise is off or url, not '%s'", text);
    return SEENSET_NORMALISE_OFF;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    request *to = state->input;
    switch (key) {
    case 'n':
        to->options.set.capacity_items = options_count(state, "-n", text);
        return 0;
    case 'p':
        to->options.set.fp_rate = options_rate(state, "-p", text);
        return 0;
    case QUEUE_OPTION_ON_FULL:
        to->options.set.on_full = options_on_full(state, text);
        return 0;
    case QUEUE_OPTION_NORMALISE:
        to->options.normalise = read_normalise(state, text);
        return 0;
    case QUEUE_OPTION_DURABILITY:
        to->options.durability = queue_durability(state, text);
        return 0;
    case QUEUE_OPTION_DATA:
        to->has_data = true;
        return 0;
    case 'v':
        to->is_verbose = true;
        return 0;
    default:
        return queue_one_dir(state, key, text, &to->dir);
    }
}

static const struct argp push_argp = {
    .options = push_options,
    .parser = parse_option,
    .args_doc = "DIR",
    .doc = "Append the lines of standard input that were never seen to the "
           "queue in DIR, which is made if it is not there."};

/* The line as a URL and, if asked for, data. */
static seenset_push split(const request *from, const char *line, size_t length)
{
    seenset_push push = {line, length, NULL, 0};
    const char *tab = from->has_data ? memchr(line, '\t', length) : NULL;
    if (tab != NULL) {
        push.url_len = (size_t)(tab - line);
        push.data = tab + 1;
        push.data_len = length - push.url_len - 1;
    }
    return push;
}

static void print_answers(const seenset_push *pushes, const uint8_t *answers,
                          size_t count)
{
    static const char *const names[] = {"SEEN", "NEW", "REFUSED", "NOTURL"};
    for (size_t i = 0; i < count; i++) {
        printf("%s\t", names[answers[i]]);
        fwrite(pushes[i].url, 1, pushes[i].url_len, stdout);
        putchar('\n');
    }
}

/* What was refused is said once, at the end, by its number. */
typedef struct refusals {
    unsigned long long full, not_url;
} refusals;

static int push_batch(const request *from, seenset_queue *queue,
                      const seenset_push *pushes, size_t count, refusals *none)
{
    uint8_t answers[PUSHES_AT_ONCE];
    int error = seenset_queue_push_many(queue, pushes, count, answers);
    if (error != SEENSET_OK && error != SEENSET_EFULL && error != SEENSET_EURL)
        return queue_complain(from->dir, error);
    for (size_t i = 0; i < count; i++) {
        none->full += answers[i] == SEENSET_REFUSED;
        none->not_url += answers[i] == SEENSET_NOT_A_URL;
    }
    if (!from->is_verbose)
        return 0;
    print_answers(pushes, answers, count);
    return command_flush();
}

static bool is_long(const seenset_push *push)
{
    return push->url_len + push->data_len > SEENSET_QUEUE_MAX_ITEM_BYTES;
}

static int complain_long(const request *from)
{
    complain("%s: a line is longer than %u bytes", from->dir,
             SEENSET_QUEUE_MAX_ITEM_BYTES);
    return COMMAND_ERROR;
}

/*
 * Pushes the whole lines among `size` bytes, or those before one that is too
 * long; *used becomes their bytes.
 */
static int push_lines(const request *from, seenset_queue *queue,
                      const char *bytes, size_t size, size_t *used,
                      refusals *none)
{
    seenset_push pushes[PUSHES_AT_ONCE];
    size_t count = 0, at = 0;
    int status = 0;
    bool has_long = false;
    const char *end;
    while (status == 0 && !has_long &&
           (end = memchr(bytes + at, '\n', size - at)) != NULL) {
        size_t length = (size_t)(end - bytes) - at;
        pushes[count] = split(from, bytes + at, length);
        has_long = is_long(&pushes[count]);
        count += !has_long;
        at += length + 1;
        if (count == PUSHES_AT_ONCE) {
            status = push_batch(from, queue, pushes, count, none);
            count = 0;
        }
    }
    *used = at;
    if (status == 0 && count > 0)
        status = push_batch(from, queue, pushes, count, none);
    return status == 0 && has_long ? complain_long(from) : status;
}

/* Reads to the end; block has room for a block and the longest line. */
static int push_all(const request *from, seenset_queue *queue, char *block,
                    refusals *none)
{
    size_t held = 0, used;
    for (;;) {
        ssize_t got = read(STDIN_FILENO, block + held, BLOCK_BYTES);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            complain("standard input: %s", strerror(errno));
            return COMMAND_ERROR;
        }
        held += (size_t)got;
        if (got == 0 && held > 0)
            block[held++] = '\n';
        int status = push_lines(from, queue, block, held, &used, none);
        if (status != 0 || got == 0)
            return status;
        held -= used;
        memmove(block, block + used, held);
        if (held >= LONGEST_BYTES)
            return complain_long(from);
    }
}

static int run(const request *from, seenset_queue *queue)
{
    refusals none = {0, 0};
    char *block = malloc(BLOCK_BYTES + LONGEST_BYTES + 1);
    if (block == NULL)
        return queue_complain(from->dir, SEENSET_ENOMEM);
    int status = push_all(from, queue, block, &none);
    free(block);
    if (none.not_url > 0)
        complain("%s: %llu lines were no URL and were left out", from->dir,
                 none.not_url);
    if (none.full > 0)
        complain("%s: %llu new URLs were refused: the set is full", from->dir,
                 none.full);
    return none.not_url + none.full > 0 ? COMMAND_ERROR : status;
}

int queue_push(int argc, char **argv)
{
    request from = {0};
    seenset_queue *queue;
    argp_parse(&push_argp, argc, argv, 0, NULL, &from);
    if (queue_open(&queue, from.dir, from.options) != 0)
        return COMMAND_ERROR;
    return queue_close(queue, from.dir, run(&from, queue));
}
