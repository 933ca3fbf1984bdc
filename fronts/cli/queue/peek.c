/*
 * peek.c - the item that pop would hand out now.
 */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/wait.h"
#include "queue/queue.h"
#include "queue/text/item.h"
#include "text/arguments.h"
#include "text/options.h"

typedef struct request {
    queue_access access;
    item_form form;
} request;

static const option_row peek_options[] = {
    {"data", QUEUE_OPTION_DATA, NULL, 0,
     "Print a TAB and the data after the URL"},
    {"deliveries", QUEUE_OPTION_DELIVERIES, NULL, 0,
     "Print how often it was handed out, and a TAB, before the URL"},
    QUEUE_HOST_ROW,
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print a line of JSON"},
    QUEUE_SECRET_ROW,
    QUEUE_WAIT_ROW,
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    return queue_take_column(key, &to->form)
               ? 0
               : queue_parse_access(state, key, text, &to->access);
}

static const command_syntax peek_syntax = {
    .options = peek_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Print the URL that 'seenset queue pop' would hand out now, and "
            "hand out nothing.\vThe exit status is 0, 1 if there is nothing to "
            "hand out now, and 2 after an error."};

static int print(const request *from, const seenset_queue_item *item)
{
    item_text text = {0};
    const item_facts facts = item_facts_of(item);
    if (!item_text_add(&text, &from->form, &facts))
        return queue_complain(from->access.dir, SEENSET_ENOMEM);
    fwrite(text.bytes, 1, text.size, stdout);
    free(text.bytes);
    return COMMAND_DONE;
}

int queue_peek(int argc, char **argv)
{
    request from = {.access = {.options.flags = SEENSET_QUEUE_MUST_EXIST,
                               .wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS}};
    seenset_queue *queue;
    seenset_queue_item item = {0};
    int status;
    arguments_parse(&peek_syntax, argc, argv, &from);
    if (queue_open(&queue, &from.access, NULL) != 0)
        return COMMAND_ERROR;
    int result = seenset_queue_peek(queue, &item);
    if (result < 0)
        status = queue_complain(from.access.dir, result);
    else
        status = result == 1 ? print(&from, &item) : COMMAND_NOTHING;
    seenset_queue_item_free(&item);
    return queue_close(queue, from.access.dir, status);
}
