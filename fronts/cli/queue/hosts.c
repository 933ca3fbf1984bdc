/*
 * hosts.c - the hosts of a polite queue, those with the most first.
 *
 * The library has them by the number of URLs that are pending. By another
 * figure all are gathered and sorted here.
 */
#define _GNU_SOURCE /* reallocarray */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/access/polite.h"
#include "queue/access/wait.h"
#include "queue/queue.h"
#include "queue/text/host.h"
#include "report/stdout.h"
#include "text/arguments.h"
#include "text/options.h"

enum {
    DEFAULT_COUNT = 10
};

typedef enum order {
    BY_PENDING,
    BY_LEASED,
    BY_DONE,
    BY_NEXT
} order;

typedef struct request {
    queue_access access;
    size_t count;
    bool is_all, is_json;
    order by;
} request;

static const option_row hosts_options[] = {
    {"count", 'n', "COUNT", 0, "Print COUNT hosts (default 10)"},
    {"all", QUEUE_OPTION_ALL, NULL, 0, "Print all hosts"},
    {"by", QUEUE_OPTION_BY, "FIGURE", 0,
     "Print those first that have the most pending (default), leased or done, "
     "or whose next time is the latest: next"},
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print a line of JSON for each host"},
    QUEUE_SECRET_ROW,
    QUEUE_WAIT_ROW,
    {0}};

static order read_order(arguments *state, const char *text)
{
    static const char *const names[] = {"pending", "leased", "done", "next"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i]) == 0)
            return (order)i;
    arguments_refuse(state, "--by is pending, leased, done or next, not '%s'",
                     text);
    return BY_PENDING;
}

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    switch (key) {
    case 'n':
        to->count = (size_t)options_count(state, "-n", text);
        return 0;
    case QUEUE_OPTION_ALL:
        to->is_all = true;
        return 0;
    case QUEUE_OPTION_BY:
        to->by = read_order(state, text);
        return 0;
    case QUEUE_OPTION_JSON:
        to->is_json = true;
        return 0;
    default:
        return queue_parse_access(state, key, text, &to->access);
    }
}

static const command_syntax hosts_syntax = {
    .options = hosts_options,
    .parser = parse_option,
    .operands = "DIR",
    .text = "Print hosts of the polite queue in DIR: those with the most URLs "
            "that are pending.\vThe columns are the URLs that are pending, "
            "leased and done (- without a budget: they are not counted), the "
            "seconds until the host may be asked, and "
            "the host, with TABs between them."};

/* ---- gathering ---- */

/* A host, with a name of its own. */
typedef struct kept {
    seenset_queue_host host;
    double rank; /* the higher come first */
} kept;

typedef struct gathering {
    const request *from;
    kept *hosts;
    size_t count, room;
} gathering;

static double rank_of(order by, const seenset_queue_host *host)
{
    switch (by) {
    case BY_LEASED:
        return (double)host->leased_items;
    case BY_DONE:
        return (double)host_done(host);
    case BY_NEXT:
        return host->seconds_to_ready;
    default:
        return (double)host->pending_items;
    }
}

static bool make_room(gathering *all)
{
    size_t room = all->room == 0 ? 256 : all->room * 2;
    if (all->count < all->room)
        return true;
    kept *moved = reallocarray(all->hosts, room, sizeof *moved);
    if (moved == NULL)
        return false;
    all->hosts = moved;
    all->room = room;
    return true;
}

/* Ends the walk if there is no memory. */
static int gather(void *context, const seenset_queue_host *host)
{
    gathering *all = context;
    char *name = malloc(host->name_len + 1);
    if (name == NULL || !make_room(all)) {
        free(name);
        return 1;
    }
    memcpy(name, host->name, host->name_len);
    name[host->name_len] = '\0';
    kept *next = &all->hosts[all->count++];
    *next = (kept){.host = *host, .rank = rank_of(all->from->by, host)};
    next->host.name = name;
    return 0;
}

/* Hosts with the same figure are in the order of their names. */
static int compare(const void *a, const void *b)
{
    const kept *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return strcmp(x->host.name, y->host.name);
}

/* ---- printing ---- */

static void print_all(const gathering *all)
{
    const request *from = all->from;
    for (size_t i = 0; i < all->count; i++) {
        if (!from->is_all && i == from->count)
            break;
        if (from->is_json)
            host_print_json(&all->hosts[i].host);
        else
            host_print_line(&all->hosts[i].host);
    }
}

static int list(gathering *all, seenset_queue *queue)
{
    const request *from = all->from;
    bool is_top = from->by == BY_PENDING && !from->is_all;
    int result =
        seenset_queue_list_hosts(queue, is_top ? from->count : 0, gather, all);
    if (result == SEENSET_EUNSUPPORTED)
        return host_complain_not_polite(from->access.dir);
    if (result != SEENSET_OK)
        return queue_complain(from->access.dir,
                              result > 0 ? SEENSET_ENOMEM : result);
    if (all->count > 0)
        qsort(all->hosts, all->count, sizeof *all->hosts, compare);
    print_all(all);
    return stdout_flush();
}

static void free_all(const gathering *all)
{
    for (size_t i = 0; i < all->count; i++)
        free((void *)(uintptr_t)all->hosts[i].host.name);
    free(all->hosts);
}

int queue_hosts(int argc, char **argv)
{
    request from = {.access = {.options.flags = SEENSET_QUEUE_MUST_EXIST,
                               .wait_seconds = QUEUE_WAIT_DEFAULT_SECONDS},
                    .count = DEFAULT_COUNT};
    seenset_queue *queue;
    arguments_parse(&hosts_syntax, argc, argv, &from);
    gathering all = {.from = &from};
    if (queue_open(&queue, &from.access, NULL) != 0)
        return COMMAND_ERROR;
    int status = list(&all, queue);
    free_all(&all);
    return queue_close(queue, from.access.dir, status);
}
