/* servers.c - see servers.h */
#define _GNU_SOURCE /* nanosleep, struct timeval */
#include "crawl/servers.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "crawl/nodes.h"
#include "report/complain.h"
#include "stream/clock.h"

#define FIRST_PAUSE_SECONDS 0.01
#define LONGEST_PAUSE_SECONDS 0.5

enum {
    NONE = -1,
    MOST_REPLICA_MILLISECONDS = 10000 /* that WAIT waits */
};

struct crawl_servers {
    crawl_nodes nodes;
    char shown[3 * ADDRESS_ROOM];
    char trouble[2 * ADDRESS_ROOM]; /* what was replied last */
    double wait_seconds;
    unsigned replicas;
    int replica_ms; /* that WAIT waits for them */
};

crawl_servers *crawl_servers_new(const crawl_address *address,
                                 double wait_seconds, unsigned replicas)
{
    crawl_servers *servers = calloc(1, sizeof *servers);
    if (servers == NULL)
        return NULL;
    crawl_nodes_init(&servers->nodes, address);
    crawl_shown_address(address, servers->shown, sizeof servers->shown);
    servers->wait_seconds = wait_seconds;
    servers->replicas = replicas;
    servers->replica_ms = wait_seconds * 1e3 < MOST_REPLICA_MILLISECONDS
                              ? (int)(wait_seconds * 1e3) + 1
                              : MOST_REPLICA_MILLISECONDS;
    return servers;
}

void crawl_servers_free(crawl_servers *servers)
{
    if (servers == NULL)
        return;
    crawl_nodes_free(&servers->nodes);
    free(servers);
}

int crawl_command_set(crawl_command *command, unsigned slot, size_t count,
                      const char *const *words, const size_t *lengths)
{
    *command = (crawl_command){.slot = slot, .ask = NONE, .sent = NONE};
    /* hiredis writes to neither of them */
    int length = redisFormatCommandArgv(&command->text, (int)count,
                                        (const char **)words, lengths);
    if (length < 0)
        return -1;
    command->length = (size_t)length;
    return 0;
}

void crawl_command_free(crawl_command *command)
{
    redisFreeCommand(command->text);
    freeReplyObject(command->reply);
    *command = (crawl_command){0};
}

static void note_trouble(crawl_servers *servers, const char *text)
{
    snprintf(servers->trouble, sizeof servers->trouble, "%s", text);
}

/* ---- sending ---- */

static int send_one(crawl_servers *servers, crawl_command *command)
{
    crawl_nodes *nodes = &servers->nodes;
    int node = command->ask != NONE ? command->ask
                                    : crawl_nodes_find(nodes, command->slot);
    redisContext *context = node == NONE || nodes->all[node].is_away
                                ? NULL
                                : crawl_nodes_connect(nodes, node);
    if (context == NULL) {
        if (node != NONE)
            nodes->all[node].is_away = true;
        note_trouble(servers, nodes->trouble);
        nodes->is_known = false;
        command->ask = NONE;
        return 0;
    }
    if (command->ask != NONE && redisAppendCommand(context, "ASKING") != 0)
        return -1;
    if (redisAppendFormattedCommand(context, command->text, command->length) !=
        REDIS_OK)
        return -1;
    command->sent = node;
    nodes->all[node].sent_count++;
    return 0;
}

/* Sends to all before a reply is read, so that they work at once. */
static int send_all(crawl_servers *servers, crawl_command *commands,
                    size_t count)
{
    crawl_nodes *nodes = &servers->nodes;
    for (size_t i = 0; i < nodes->count; i++) {
        nodes->all[i].sent_count = 0;
        nodes->all[i].is_away = false;
    }
    for (size_t i = 0; i < count; i++)
        if (commands[i].reply == NULL && send_one(servers, &commands[i]) != 0)
            return -1;
    for (size_t i = 0; i < nodes->count; i++) {
        crawl_node *node = &nodes->all[i];
        if (node->sent_count > 0 && servers->replicas > 0)
            redisAppendCommand(node->context, "WAIT %u %d", servers->replicas,
                               servers->replica_ms);
        int done = node->sent_count == 0;
        while (!done && redisBufferWrite(node->context, &done) == REDIS_OK)
            ;
    }
    return 0;
}

/* ---- receiving ---- */

static bool begins(const redisReply *reply, const char *word)
{
    return reply->type == REDIS_REPLY_ERROR &&
           strncmp(reply->str, word, strlen(word)) == 0;
}

static bool is_passing(const redisReply *reply)
{
    static const char *const words[] = {"TRYAGAIN",   "CLUSTERDOWN", "LOADING",
                                        "MASTERDOWN", "NOREPLICAS",  "BUSY ",
                                        "READONLY",   "UNBLOCKED"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (begins(reply, words[i]))
            return true;
    return false;
}

/* Keeps a reply, or goes where it points. */
static void take_reply(crawl_servers *servers, crawl_command *command,
                       redisReply *reply)
{
    crawl_nodes *nodes = &servers->nodes;
    bool is_moved = begins(reply, "MOVED "), is_asked = begins(reply, "ASK ");
    command->ask = NONE;
    if (!is_moved && !is_asked && !is_passing(reply)) {
        command->reply = reply;
        return;
    }
    note_trouble(servers, reply->str);
    if (is_asked)
        command->ask = crawl_nodes_of_redirection(nodes, reply->str, false);
    else if (is_moved)
        (void)crawl_nodes_of_redirection(nodes, reply->str, true);
    else
        nodes->is_known = false;
    freeReplyObject(reply);
}

/* The next reply on a connection, or NULL: it broke. */
static redisReply *receive(redisContext *context)
{
    void *reply = NULL;
    if (context->err != 0 || redisGetReply(context, &reply) != REDIS_OK)
        return NULL;
    return reply;
}

/* After its connection broke: what it was to do is done again. */
static void forget(crawl_servers *servers, int node, crawl_command *commands,
                   size_t count, bool with_replies)
{
    for (size_t i = 0; i < count; i++) {
        crawl_command *command = &commands[i];
        if (command->sent != node || (command->reply != NULL && !with_replies))
            continue;
        freeReplyObject(command->reply);
        command->reply = NULL;
        command->is_repeated = true;
        command->ask = NONE;
    }
    note_trouble(servers, "the connection was lost");
    crawl_nodes_drop(&servers->nodes, node);
}

static int take_wait(crawl_servers *servers, int node, crawl_command *commands,
                     size_t count)
{
    redisReply *reply = receive(servers->nodes.all[node].context);
    if (reply == NULL) {
        forget(servers, node, commands, count, true);
        return 0;
    }
    long long had = reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
    freeReplyObject(reply);
    if (had >= (long long)servers->replicas)
        return 0;
    complain("%s: only %lld of %u replicas have what was done, after %g "
             "seconds; do it again when they are back",
             servers->shown, had, servers->replicas, servers->replica_ms / 1e3);
    return COMMAND_ERROR;
}

static int receive_from(crawl_servers *servers, int node,
                        crawl_command *commands, size_t count)
{
    redisContext *context = servers->nodes.all[node].context;
    for (size_t i = 0; i < count; i++) {
        crawl_command *command = &commands[i];
        if (command->sent != node || command->reply != NULL)
            continue;
        redisReply *asking = NULL, *reply = NULL;
        bool is_broken =
            command->ask != NONE && (asking = receive(context)) == NULL;
        freeReplyObject(asking);
        if (!is_broken)
            reply = receive(context);
        if (reply == NULL) {
            forget(servers, node, commands, count, servers->replicas > 0);
            return 0;
        }
        take_reply(servers, command, reply);
    }
    return servers->replicas == 0 ? 0
                                  : take_wait(servers, node, commands, count);
}

/* ---- again and again ---- */

static size_t count_left(const crawl_command *commands, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        left += commands[i].reply == NULL;
    return left;
}

/* Returns 0, or COMMAND_ERROR after a message. */
static int do_round(crawl_servers *servers, crawl_command *commands,
                    size_t count)
{
    crawl_nodes *nodes = &servers->nodes;
    int status = 0;
    if (!nodes->is_known && crawl_nodes_refresh(nodes) != 0) {
        note_trouble(servers, nodes->trouble);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        if (commands[i].reply == NULL)
            commands[i].sent = NONE;
    if (send_all(servers, commands, count) != 0) {
        complain("%s: out of memory", servers->shown);
        return COMMAND_ERROR;
    }
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->all[i].sent_count == 0)
            continue;
        if (status == 0)
            status = receive_from(servers, (int)i, commands, count);
        else
            crawl_nodes_drop(nodes, (int)i); /* replies that nobody reads */
    }
    for (size_t i = 0; i < count; i++)
        if (commands[i].reply != NULL)
            commands[i].sent = NONE;
    return status;
}

static void pause_for(double seconds)
{
    struct timespec time = {.tv_nsec = (long)(seconds * 1e9)};
    (void)nanosleep(&time, NULL);
}

/* The first time at once: a slot that has moved costs no pause. */
int crawl_servers_run(crawl_servers *servers, crawl_command *commands,
                      size_t count)
{
    double until = clock_steady_seconds() + servers->wait_seconds;
    double pause = 0;
    for (;;) {
        int status = do_round(servers, commands, count);
        if (status != 0 || count_left(commands, count) == 0)
            return status;
        if (!(clock_steady_seconds() < until))
            break;
        pause_for(pause);
        pause = pause == 0 ? FIRST_PAUSE_SECONDS : pause * 2;
        if (pause > LONGEST_PAUSE_SECONDS)
            pause = LONGEST_PAUSE_SECONDS;
    }
    complain("%s: %s; given up after %g seconds", servers->shown,
             servers->trouble, servers->wait_seconds);
    return COMMAND_ERROR;
}
