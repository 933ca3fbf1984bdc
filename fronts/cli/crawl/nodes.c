/* nodes.c - see nodes.h */
#define _GNU_SOURCE /* struct timeval */
#include "crawl/nodes.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum {
    NONE = -1,
    CONNECT_SECONDS = 2,
    REPLY_SECONDS = 15 /* more than WAIT waits */
};

static int add(crawl_nodes *nodes, const char *host, size_t length, int port)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->all[i].port == port &&
            strlen(nodes->all[i].host) == length &&
            memcmp(nodes->all[i].host, host, length) == 0)
            return (int)i;
    if (nodes->count == nodes->room) {
        size_t room = nodes->room == 0 ? 8 : nodes->room * 2;
        crawl_node *all = realloc(nodes->all, room * sizeof *all);
        if (all == NULL)
            return NONE;
        nodes->all = all;
        nodes->room = room;
    }
    if (length >= ADDRESS_ROOM)
        return NONE;
    crawl_node *node = &nodes->all[nodes->count];
    *node = (crawl_node){.port = port};
    memcpy(node->host, host, length);
    return (int)nodes->count++;
}

void crawl_nodes_init(crawl_nodes *nodes, const crawl_address *address)
{
    *nodes = (crawl_nodes){.address = address};
}

void crawl_nodes_free(crawl_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        redisFree(nodes->all[i].context);
    free(nodes->all);
}

int crawl_nodes_find(const crawl_nodes *nodes, unsigned slot)
{
    return nodes->of_slot[slot];
}

void crawl_nodes_drop(crawl_nodes *nodes, int node)
{
    redisFree(nodes->all[node].context);
    nodes->all[node].context = NULL;
    nodes->is_known = false;
}

static int fail(crawl_nodes *nodes, const crawl_node *node, const char *why)
{
    snprintf(nodes->trouble, sizeof nodes->trouble, "%s port %d: %s",
             node->host, node->port, why);
    return -1;
}

/* Gives the password, if there is one. */
static int authenticate(crawl_nodes *nodes, crawl_node *node)
{
    const crawl_address *address = nodes->address;
    redisContext *context = node->context;
    if (address->password[0] == '\0')
        return 0;
    redisReply *reply =
        address->user[0] == '\0'
            ? redisCommand(context, "AUTH %s", address->password)
            : redisCommand(context, "AUTH %s %s", address->user,
                           address->password);
    int result = reply == NULL ? fail(nodes, node, context->errstr)
                 : reply->type == REDIS_REPLY_ERROR
                     ? fail(nodes, node, reply->str)
                     : 0;
    freeReplyObject(reply);
    return result;
}

redisContext *crawl_nodes_connect(crawl_nodes *nodes, int at)
{
    crawl_node *node = &nodes->all[at];
    const struct timeval most = {.tv_sec = CONNECT_SECONDS};
    const struct timeval longest = {.tv_sec = REPLY_SECONDS};
    if (node->context != NULL)
        return node->context;
    node->context = redisConnectWithTimeout(node->host, node->port, most);
    if (node->context == NULL || node->context->err != 0)
        fail(nodes, node,
             node->context == NULL ? "out of memory" : node->context->errstr);
    else if (redisSetTimeout(node->context, longest) != REDIS_OK)
        fail(nodes, node, node->context->errstr);
    else if (authenticate(nodes, node) == 0)
        return node->context;
    crawl_nodes_drop(nodes, at);
    return NULL;
}

/* ---- the map ---- */

static void set_slots(crawl_nodes *nodes, long long first, long long last,
                      int node)
{
    for (long long slot = first; slot <= last; slot++)
        nodes->of_slot[slot] = node;
}

/* A row: first slot, last slot, and its master: host, port. An empty host is
 * that of the server that was asked. */
static bool take_row(crawl_nodes *nodes, const redisReply *row, int asked)
{
    if (row->type != REDIS_REPLY_ARRAY || row->elements < 3 ||
        row->element[0]->type != REDIS_REPLY_INTEGER ||
        row->element[1]->type != REDIS_REPLY_INTEGER)
        return false;
    long long first = row->element[0]->integer, last = row->element[1]->integer;
    const redisReply *master = row->element[2];
    if (first < 0 || last >= (long long)SLOT_COUNT ||
        master->type != REDIS_REPLY_ARRAY || master->elements < 2 ||
        master->element[1]->type != REDIS_REPLY_INTEGER)
        return false;
    const redisReply *name = master->element[0];
    char own[ADDRESS_ROOM];
    memcpy(own, nodes->all[asked].host, sizeof own);
    bool is_named = name->type == REDIS_REPLY_STRING && name->len > 0;
    const char *host = is_named ? name->str : own;
    int node = add(nodes, host, is_named ? (size_t)name->len : strlen(own),
                   (int)master->element[1]->integer);
    set_slots(nodes, first, last, node);
    return node != NONE;
}

static int take_map(crawl_nodes *nodes, const redisReply *reply, int asked)
{
    bool is_alone = reply->type == REDIS_REPLY_ERROR &&
                    strstr(reply->str, "cluster support disabled") != NULL;
    if (is_alone) {
        set_slots(nodes, 0, SLOT_COUNT - 1, asked);
        return 0;
    }
    if (reply->type != REDIS_REPLY_ARRAY)
        return fail(nodes, &nodes->all[asked],
                    reply->type == REDIS_REPLY_ERROR ? reply->str
                                                     : "no map of the slots");
    set_slots(nodes, 0, SLOT_COUNT - 1, NONE);
    for (size_t i = 0; i < reply->elements; i++)
        if (!take_row(nodes, reply->element[i], asked))
            return fail(nodes, &nodes->all[asked], "a damaged map of slots");
    return reply->elements > 0
               ? 0
               : fail(nodes, &nodes->all[asked], "it has no slots yet");
}

static int ask(crawl_nodes *nodes, int node)
{
    redisContext *context = crawl_nodes_connect(nodes, node);
    if (context == NULL)
        return -1;
    redisReply *reply = redisCommand(context, "CLUSTER SLOTS");
    if (reply == NULL) {
        fail(nodes, &nodes->all[node], context->errstr);
        crawl_nodes_drop(nodes, node);
        return -1;
    }
    int result = take_map(nodes, reply, node);
    freeReplyObject(reply);
    return result;
}

/* The one that was asked first last time may be away for long. */
int crawl_nodes_refresh(crawl_nodes *nodes)
{
    const crawl_address *address = nodes->address;
    if (add(nodes, address->host, strlen(address->host), address->port) == NONE)
        return -1;
    for (size_t i = 0; i < nodes->count; i++) {
        if (ask(nodes, (int)i) != 0)
            continue;
        nodes->is_known = true;
        return 0;
    }
    return -1;
}

int crawl_nodes_of_redirection(crawl_nodes *nodes, const char *text,
                               bool is_kept)
{
    const char *at = strchr(text, ' ');
    char *end;
    if (at == NULL)
        return NONE;
    unsigned long slot = strtoul(at + 1, &end, 10);
    const char *colon = strrchr(text, ':');
    if (slot >= SLOT_COUNT || *end != ' ' || colon == NULL || colon < end + 1)
        return NONE;
    int port = atoi(colon + 1);
    int node = add(nodes, end + 1, (size_t)(colon - end - 1), port);
    if (is_kept && node != NONE)
        nodes->of_slot[slot] = node;
    if (is_kept && colon == end + 1)
        nodes->is_known = false; /* it does not know its own name */
    return node;
}
