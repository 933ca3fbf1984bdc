/* nodes.c - see nodes.h */
#include "crawl/nodes.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crawl/wire.h"
#include "stream/clock.h"

enum {
    NONE = -1,
    MOST_NODES = 4096,
    MOST_PORT = 65535,
    MOST_WORD_BYTES = 4096, /* of the reply to AUTH */
    MOST_MAP_BYTES = 64 << 20
};

/* A name or an address: nothing else is looked up. */
static bool is_host(const char *host, size_t length)
{
    static const char others[] = ".:-_%";
    if (length == 0 || length >= ADDRESS_ROOM)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = host[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && !(c >= '0' && c <= '9') &&
            memchr(others, c, sizeof others - 1) == NULL)
            return false;
    }
    return true;
}

static int add(crawl_nodes *nodes, const char *host, size_t length,
               long long port)
{
    if (!is_host(host, length) || port < 1 || port > MOST_PORT)
        return NONE;
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->all[i].port == port &&
            strlen(nodes->all[i].host) == length &&
            memcmp(nodes->all[i].host, host, length) == 0)
            return (int)i;
    if (nodes->count == MOST_NODES)
        return NONE;
    if (nodes->count == nodes->room) {
        size_t room = nodes->room == 0 ? 8 : nodes->room * 2;
        crawl_node *all = realloc(nodes->all, room * sizeof *all);
        if (all == NULL)
            return NONE;
        nodes->all = all;
        nodes->room = room;
    }
    crawl_node *node = &nodes->all[nodes->count];
    *node = (crawl_node){.port = (int)port};
    memcpy(node->host, host, length);
    return (int)nodes->count++;
}

void crawl_nodes_init(crawl_nodes *nodes, const crawl_address *address,
                      const struct tls_setup *tls)
{
    *nodes = (crawl_nodes){.address = address, .tls = tls};
}

void crawl_nodes_free(crawl_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        wire_close(&nodes->all[i].wire);
    free(nodes->all);
}

int crawl_nodes_find(const crawl_nodes *nodes, unsigned slot)
{
    return nodes->of_slot[slot];
}

void crawl_nodes_drop(crawl_nodes *nodes, int node)
{
    wire_close(&nodes->all[node].wire);
    nodes->is_known = false;
}

static int fail(crawl_nodes *nodes, const crawl_node *node, const char *why)
{
    char shown[2 * ADDRESS_ROOM];
    if (nodes->is_final) /* then that is what is to be mended */
        return -1;
    wire_show(shown, sizeof shown, why);
    snprintf(nodes->trouble, sizeof nodes->trouble, "%s port %d: %s",
             node->host, node->port, shown);
    return -1;
}

/* What is not a reply to what was asked will not be one the next time. */
static int fail_final(crawl_nodes *nodes, const crawl_node *node,
                      const char *why)
{
    char shown[2 * ADDRESS_ROOM];
    if (nodes->is_final)
        return -1;
    wire_show(shown, sizeof shown, why);
    snprintf(nodes->trouble, sizeof nodes->trouble,
             "the server at %s:%d answered what a crawl does not: %s",
             node->host, node->port, shown);
    nodes->is_final = true;
    return -1;
}

/* An error that is a server's answer: it passes, or it is to be mended. */
static int fail_reply(crawl_nodes *nodes, const crawl_node *node,
                      const redisReply *reply)
{
    if (reply->type != REDIS_REPLY_ERROR)
        return fail_final(nodes, node, "a reply of another kind");
    (void)fail(nodes, node, reply->str);
    nodes->is_final = nodes->is_final || !crawl_is_passing(reply);
    return -1;
}

void crawl_nodes_note_broken(crawl_nodes *nodes, int at)
{
    const crawl_node *node = &nodes->all[at];
    const char *why = node->wire.context->errstr;
    if (wire_is_nonsense(&node->wire))
        fail_final(nodes, node, why);
    else
        fail(nodes, node, why);
    nodes->is_final = nodes->is_final || node->wire.is_final;
}

bool crawl_is_passing(const redisReply *reply)
{
    static const char *const words[] = {"TRYAGAIN",   "CLUSTERDOWN", "LOADING",
                                        "MASTERDOWN", "NOREPLICAS",  "BUSY ",
                                        "READONLY",   "UNBLOCKED"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (reply->type == REDIS_REPLY_ERROR &&
            strncmp(reply->str, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* Sends what was appended, and waits for its reply. NULL: after `trouble`. */
static redisReply *ask_node(crawl_nodes *nodes, int at, size_t most_bytes)
{
    wire *to = &nodes->all[at].wire;
    redisReply *reply = wire_send(to, nodes->until)
                            ? wire_receive(to, nodes->until, &most_bytes)
                            : NULL;
    if (reply == NULL)
        crawl_nodes_note_broken(nodes, at);
    return reply;
}

/* Gives the password, if there is one. */
static int authenticate(crawl_nodes *nodes, int at)
{
    const crawl_address *address = nodes->address;
    wire *to = &nodes->all[at].wire;
    if (address->password[0] == '\0')
        return 0;
    if ((address->user[0] == '\0'
             ? wire_append_words(to, "AUTH %s", address->password)
             : wire_append_words(to, "AUTH %s %s", address->user,
                                 address->password)) != 0)
        return fail(nodes, &nodes->all[at], "out of memory");
    redisReply *reply = ask_node(nodes, at, MOST_WORD_BYTES);
    int result = reply == NULL ? -1
                 : reply->type == REDIS_REPLY_STATUS
                     ? 0
                     : fail_reply(nodes, &nodes->all[at], reply);
    freeReplyObject(reply);
    return result;
}

wire *crawl_nodes_connect(crawl_nodes *nodes, int at)
{
    crawl_node *node = &nodes->all[at];
    if (node->wire.context != NULL)
        return &node->wire;
    if (!(clock_steady_seconds() < nodes->until)) {
        if (nodes->trouble[0] == '\0')
            fail(nodes, node, "there was no time to connect");
        return NULL;
    }
    if (wire_connect(&node->wire, node->host, node->port, nodes->tls,
                     nodes->until)) {
        if (authenticate(nodes, at) == 0)
            return &node->wire;
    } else if (node->wire.context == NULL) {
        fail(nodes, node, "out of memory");
    } else {
        crawl_nodes_note_broken(nodes, at);
    }
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
    if (first < 0 || last < first || last >= (long long)SLOT_COUNT ||
        master->type != REDIS_REPLY_ARRAY || master->elements < 2 ||
        master->element[1]->type != REDIS_REPLY_INTEGER)
        return false;
    const redisReply *name = master->element[0];
    char own[ADDRESS_ROOM];
    memcpy(own, nodes->all[asked].host, sizeof own);
    bool is_named = name->type == REDIS_REPLY_STRING && name->len > 0 &&
                    strcmp(name->str, "?") != 0;
    int node = add(nodes, is_named ? name->str : own,
                   is_named ? (size_t)name->len : strlen(own),
                   master->element[1]->integer);
    if (node != NONE)
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
        return fail_reply(nodes, &nodes->all[asked], reply);
    if (reply->elements > SLOT_COUNT)
        return fail_final(nodes, &nodes->all[asked], "too long a map of slots");
    set_slots(nodes, 0, SLOT_COUNT - 1, NONE);
    for (size_t i = 0; i < reply->elements; i++)
        if (!take_row(nodes, reply->element[i], asked))
            return fail_final(nodes, &nodes->all[asked],
                              "a damaged map of slots");
    return reply->elements > 0
               ? 0
               : fail(nodes, &nodes->all[asked], "it has no slots yet");
}

static int ask(crawl_nodes *nodes, int node)
{
    wire *to = crawl_nodes_connect(nodes, node);
    if (to == NULL)
        return -1;
    redisReply *reply = NULL;
    if (wire_append_words(to, "CLUSTER SLOTS") == 0)
        reply = ask_node(nodes, node, MOST_MAP_BYTES);
    if (reply == NULL) {
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
    if (add(nodes, address->host, strlen(address->host), address->port) ==
        NONE) {
        snprintf(nodes->trouble, sizeof nodes->trouble,
                 "the host of the address is not one");
        nodes->is_final = true;
        return -1;
    }
    for (size_t i = 0; i < nodes->count; i++) {
        if (ask(nodes, (int)i) != 0)
            continue;
        nodes->is_known = true;
        nodes->is_final = false;
        return 0;
    }
    return -1;
}

int crawl_nodes_of_redirection(crawl_nodes *nodes, const char *text, int asked,
                               bool is_kept)
{
    const char *at = strchr(text, ' ');
    char *end, *port_end;
    if (at == NULL || at[1] < '0' || at[1] > '9')
        return NONE;
    unsigned long slot = strtoul(at + 1, &end, 10);
    const char *colon = strrchr(text, ':');
    if (slot >= SLOT_COUNT || *end != ' ' || colon == NULL || colon < end + 1)
        return NONE;
    long port = strtol(colon + 1, &port_end, 10);
    if (*port_end != '\0')
        return NONE;
    char own[ADDRESS_ROOM]; /* it need not know its own name */
    memcpy(own, nodes->all[asked].host, sizeof own);
    bool is_named = colon > end + 1 && strncmp(end + 1, "?:", 2) != 0;
    int node = add(nodes, is_named ? end + 1 : own,
                   is_named ? (size_t)(colon - end - 1) : strlen(own), port);
    if (is_kept && node != NONE)
        nodes->of_slot[slot] = node;
    return node;
}
