/*
 * list.c - the items of a queue, without a lease: list and export.
 *
 * Neither takes the lock; others may work meanwhile.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/queue.h"
#include "queue/text/item.h"
#include "report/complain.h"
#include "report/stdout.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct request {
    queue_access access;
    item_form form;
    uint64_t count; /* 0: all */
    bool has_priority;
    uint32_t priority;
} request;

#define COUNT_ROW                                                              \
    {                                                                          \
        "count", 'n', "COUNT", 0, "Print at most COUNT items (default: all)"   \
    }

#define PRIORITY_ROW                                                           \
    {                                                                          \
        "priority", QUEUE_OPTION_PRIORITY, "P", 0,                             \
            "Only items of this priority, 0 to 9"                              \
    }

#define DATA_ROW                                                               \
    {                                                                          \
        "data", QUEUE_OPTION_DATA, NULL, 0,                                    \
            "Print a TAB and the data after each URL"                          \
    }

static const option_row list_options[] = {
    COUNT_ROW,
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print a line of JSON for each item"},
    DATA_ROW,
    PRIORITY_ROW,
    QUEUE_SECRET_ROW,
    {0}};

static const option_row export_options[] = {
    COUNT_ROW, DATA_ROW, PRIORITY_ROW, QUEUE_SECRET_ROW, {0}};

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    switch (key) {
    case 'n':
        to->count = options_count(state, "-n", text);
        return 0;
    case QUEUE_OPTION_PRIORITY:
        to->has_priority = true;
        to->priority = queue_priority(state, text);
        return 0;
    default:
        return queue_take_column(key, &to->form)
                   ? 0
                   : queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax list_syntax = {
    .options = list_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Print the items of the queue in DIR that are not acked, the "
            "highest priority first and of each the oldest first. No lease is "
            "taken, and others may use the queue.\vThe columns are the lease "
            "or -, waiting, leased or delayed, the seconds until that ends, "
            "the priority, how often the item was handed out, and the URL, "
            "with TABs between them. So 'seenset queue nack DIR' takes lines "
            "of leased items."};

static const command_syntax export_syntax = {
    .options = export_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Print the URLs of the queue in DIR that are not acked, such that "
            "'seenset queue push' of another queue takes them: the highest "
            "priority first, and of each the oldest first. No lease is taken, "
            "and others may use the queue.\vWhat cannot be a line of push is "
            "left out, and the exit status is 2: a URL with a newline, and "
            "with --data also one with a TAB and data with a newline."};

/* ---- printing ---- */

typedef struct listing {
    const request *from;
    bool is_export;
    item_text text; /* of one item */
    uint64_t printed, left_out;
    bool is_short; /* of memory */
    seenset_queue_report report;
} listing;

static const char *state_word(seenset_queue_item_state state)
{
    switch (state) {
    case SEENSET_QUEUE_ITEM_LEASED:
        return "leased";
    case SEENSET_QUEUE_ITEM_DELAYED:
        return "delayed";
    default:
        return "waiting";
    }
}

static bool has_byte(const void *bytes, size_t size, char byte)
{
    return size > 0 && memchr(bytes, byte, size) != NULL;
}

/* Would push read the line as this item? */
static bool is_line(const listing *now, const seenset_queue_listed *item)
{
    bool has_data = now->from->form.has_data;
    return !has_byte(item->url, item->url_len, '\n') &&
           !(has_data && (has_byte(item->url, item->url_len, '\t') ||
                          has_byte(item->data, item->data_len, '\n')));
}

static int print_item(listing *now, const seenset_queue_listed *item)
{
    const item_facts facts = {.number = item->number,
                              .lease = item->lease,
                              .deliveries = item->deliveries,
                              .priority = item->priority,
                              .state = state_word(item->state),
                              .seconds = item->seconds,
                              .url = item->url,
                              .url_len = item->url_len,
                              .data = item->data,
                              .data_len = item->data_len};
    now->text.size = 0;
    now->is_short = !item_text_add(&now->text, &now->from->form, &facts);
    if (now->is_short)
        return COMMAND_ERROR;
    now->printed++;
    return fwrite(now->text.bytes, 1, now->text.size, stdout) == now->text.size
               ? 0
               : COMMAND_ERROR; /* stdout_flush() says why */
}

/* Anything but 0 ends the walk. */
static int visit(void *context, const seenset_queue_listed *item)
{
    listing *now = context;
    const request *from = now->from;
    if (from->has_priority && item->priority != from->priority)
        return 0;
    if (from->count != 0 && now->printed == from->count)
        return COMMAND_NOTHING;
    if (!now->is_export || is_line(now, item))
        return print_item(now, item);
    now->left_out++;
    return 0;
}

static int look_with(void *context, const seenset_options *set)
{
    listing *now = context;
    const seenset_queue_options options = {.set = set, .report = &now->report};
    return seenset_queue_look_list(now->from->access.dir, &options, visit, now);
}

static int run(listing *now)
{
    const queue_access *access = &now->from->access;
    int error = queue_secret_run(&access->secret, access->dir, &access->set,
                                 look_with, now);
    free(now->text.bytes);
    if (now->is_short)
        return queue_complain(access->dir, SEENSET_ENOMEM);
    if (error < 0 || (error > 0 && now->printed == 0))
        return queue_complain_opening(access->dir, error, &now->report);
    if (now->left_out > 0) {
        complain("%s: %llu item%s left out that cannot be a line", access->dir,
                 (unsigned long long)now->left_out,
                 now->left_out == 1 ? " was" : "s were");
        return COMMAND_ERROR;
    }
    return stdout_flush();
}

int queue_list(int argc, char **argv)
{
    request from = {
        .form = {.has_lease = true, .has_state = true, .has_deliveries = true}};
    arguments_parse(&list_syntax, argc, argv, &from);
    listing now = {.from = &from};
    return run(&now);
}

int queue_export(int argc, char **argv)
{
    request from = {0};
    arguments_parse(&export_syntax, argc, argv, &from);
    listing now = {.from = &from, .is_export = true};
    return run(&now);
}
