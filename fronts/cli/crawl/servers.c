/* servers.c - see servers.h */
#define _GNU_SOURCE /* nanosleep */
#include "crawl/servers.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "crawl/nodes.h"
#include "crawl/wire.h"
#include "report/complain.h"
#include "stream/clock.h"

#define FIRST_PAUSE_SECONDS 0.01
#define LONGEST_PAUSE_SECONDS 0.5
#define LEAST_TRY_SECONDS 1.0

enum {
    NONE = -1,
    MOST_REPLICA_MILLISECONDS = 10000 /* that WAIT waits */
};

struct crawl_servers {
    crawl_nodes nodes;
    char shown[3 * ADDRESS_ROOM];
    char trouble[4 * ADDRESS_ROOM]; /* what was replied last */
    double wait_seconds;
    unsigned replicas;
    int replica_ms; /* that WAIT waits for them */
};

crawl_servers *crawl_servers_new(const crawl_address *address,
                                 const struct tls_setup *tls,
                                 double wait_seconds, unsigned replicas)
{
    crawl_servers *servers = calloc(1, sizeof *servers);
    if (servers == NULL)
        return NULL;
    crawl_nodes_init(&servers->nodes, address, tls);
    crawl_shown_address(address, servers->shown, sizeof servers->shown);
    servers->wait_seconds = wait_seconds;
    servers->replicas = replicas;
    return servers;
}

void crawl_servers_set_wait(crawl_servers *servers, double wait_seconds)
{
    servers->wait_seconds = wait_seconds;
}

void crawl_servers_name(const crawl_servers *servers,
                        const crawl_command *command, char *out, size_t size)
{
    const crawl_node *node = &servers->nodes.all[command->from];
    snprintf(out, size, "%.255s:%d", node->host, node->port);
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
    command->most_bytes =
        CRAWL_LEAST_REPLY_BYTES + count * CRAWL_WORD_REPLY_BYTES;
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
    wire_show(servers->trouble, sizeof servers->trouble, text);
}

/* If the trouble of the nodes would come again, it is the last: returns
 * COMMAND_ERROR after a message, else 0. */
static int take_trouble(crawl_servers *servers)
{
    note_trouble(servers, servers->nodes.trouble);
    if (!servers->nodes.is_final)
        return 0;
    complain("%s: %s", servers->shown, servers->trouble);
    return COMMAND_ERROR;
}

static int refuse(const crawl_servers *servers, int node, const char *what)
{
    crawl_command from = {.from = node};
    char name[2 * ADDRESS_ROOM], shown[ADDRESS_ROOM];
    crawl_servers_name(servers, &from, name, sizeof name);
    wire_show(shown, sizeof shown, what);
    complain("%s: the server at %s answered what a crawl does not: %s",
             servers->shown, name, shown);
    return COMMAND_ERROR;
}

/* ---- sending ---- */

/* Returns COMMAND_ERROR after a message. */
static int no_memory(const crawl_servers *servers)
{
    complain("%s: out of memory", servers->shown);
    return COMMAND_ERROR;
}

static int send_one(crawl_servers *servers, crawl_command *command)
{
    crawl_nodes *nodes = &servers->nodes;
    int node = command->ask != NONE ? command->ask
                                    : crawl_nodes_find(nodes, command->slot);
    wire *to = node == NONE || nodes->all[node].is_away
                   ? NULL
                   : crawl_nodes_connect(nodes, node);
    if (to == NULL) {
        if (node != NONE)
            nodes->all[node].is_away = true;
        nodes->is_known = false;
        command->ask = NONE;
        return take_trouble(servers);
    }
    if ((command->ask != NONE && wire_append_words(to, "ASKING") != 0) ||
        wire_append(to, command->text, command->length) != 0)
        return no_memory(servers);
    command->sent = node;
    nodes->all[node].sent_count++;
    nodes->all[node].most_bytes += command->most_bytes;
    return 0;
}

/* WAIT replies before the time is over. */
static void append_wait(crawl_servers *servers, wire *to)
{
    double left = servers->nodes.until - clock_steady_seconds();
    double ms = left * 1e3 * 0.9;
    servers->replica_ms = !(ms > 1) ? 1
                          : ms < MOST_REPLICA_MILLISECONDS
                              ? (int)ms
                              : MOST_REPLICA_MILLISECONDS;
    (void)wire_append_words(to, "WAIT %u %d", servers->replicas,
                            servers->replica_ms);
}

/* Sends to all before a reply is read, so that they work at once. A connection
 * that breaks here is found broken when replies are read. */
static int send_all(crawl_servers *servers, crawl_command *commands,
                    size_t count)
{
    crawl_nodes *nodes = &servers->nodes;
    int status = 0;
    for (size_t i = 0; i < nodes->count; i++) {
        nodes->all[i].sent_count = 0;
        nodes->all[i].most_bytes = CRAWL_LEAST_REPLY_BYTES;
        nodes->all[i].is_away = false;
    }
    for (size_t i = 0; status == 0 && i < count; i++)
        if (commands[i].reply == NULL)
            status = send_one(servers, &commands[i]);
    for (size_t i = 0; status == 0 && i < nodes->count; i++) {
        crawl_node *node = &nodes->all[i];
        if (node->sent_count > 0 && servers->replicas > 0)
            append_wait(servers, &node->wire);
        if (node->sent_count > 0)
            (void)wire_send(&node->wire, nodes->until);
    }
    return status;
}

/* ---- receiving ---- */

static bool begins(const redisReply *reply, const char *word)
{
    return reply->type == REDIS_REPLY_ERROR &&
           strncmp(reply->str, word, strlen(word)) == 0;
}

/* Keeps a reply, or goes where it points. */
static int take_reply(crawl_servers *servers, int node, crawl_command *command,
                      redisReply *reply)
{
    crawl_nodes *nodes = &servers->nodes;
    bool is_moved = begins(reply, "MOVED "), is_asked = begins(reply, "ASK ");
    int status = 0;
    command->ask = NONE;
    command->from = node;
    if (!is_moved && !is_asked && !crawl_is_passing(reply)) {
        command->reply = reply;
        return 0;
    }
    note_trouble(servers, reply->str);
    if (is_moved || is_asked) {
        int to = crawl_nodes_of_redirection(nodes, reply->str, node, is_moved);
        command->ask = is_asked ? to : NONE;
        status = to == NONE ? refuse(servers, node, reply->str) : 0;
    } else {
        nodes->is_known = false;
    }
    freeReplyObject(reply);
    return status;
}

/* The next reply of a node, or NULL: it broke. */
static redisReply *receive(crawl_servers *servers, int at)
{
    crawl_node *node = &servers->nodes.all[at];
    return wire_receive(&node->wire, servers->nodes.until, &node->most_bytes);
}

/* After its connection broke: what it was to do is done again. Returns
 * COMMAND_ERROR after a message if it broke by what is not a reply. */
static int forget(crawl_servers *servers, int node, crawl_command *commands,
                  size_t count, bool with_replies)
{
    crawl_nodes_note_broken(&servers->nodes, node);
    for (size_t i = 0; i < count; i++) {
        crawl_command *command = &commands[i];
        if (command->sent != node || (command->reply != NULL && !with_replies))
            continue;
        freeReplyObject(command->reply);
        command->reply = NULL;
        command->is_repeated = true;
        command->ask = NONE;
    }
    crawl_nodes_drop(&servers->nodes, node);
    return take_trouble(servers);
}

static int take_wait(crawl_servers *servers, int node, crawl_command *commands,
                     size_t count)
{
    redisReply *reply = receive(servers, node);
    if (reply == NULL)
        return forget(servers, node, commands, count, true);
    long long had = reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
    bool is_error = reply->type == REDIS_REPLY_ERROR;
    freeReplyObject(reply);
    if (had < 0 && !is_error)
        return refuse(servers, node, "no number of replicas");
    if (had >= (long long)servers->replicas)
        return 0;
    complain("%s: only %lld of %u replicas have acknowledged the writes after "
             "%g seconds; run the command again when they are back",
             servers->shown, had < 0 ? 0 : had, servers->replicas,
             servers->replica_ms / 1e3);
    return COMMAND_ERROR;
}

static int receive_from(crawl_servers *servers, int node,
                        crawl_command *commands, size_t count)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < count; i++) {
        crawl_command *command = &commands[i];
        if (command->sent != node || command->reply != NULL)
            continue;
        redisReply *asking = NULL, *reply = NULL;
        bool is_broken =
            command->ask != NONE && (asking = receive(servers, node)) == NULL;
        freeReplyObject(asking);
        if (!is_broken)
            reply = receive(servers, node);
        if (reply == NULL)
            return forget(servers, node, commands, count,
                          servers->replicas > 0);
        status = take_reply(servers, node, command, reply);
    }
    return status != 0 || servers->replicas == 0
               ? status
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
    if (!nodes->is_known && crawl_nodes_refresh(nodes) != 0)
        return take_trouble(servers);
    for (size_t i = 0; i < count; i++)
        if (commands[i].reply == NULL)
            commands[i].sent = NONE;
    int status = send_all(servers, commands, count);
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->all[i].sent_count == 0)
            continue;
        if (status == 0)
            status = receive_from(servers, (int)i, commands, count);
        if (status != 0)
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
    double begin = clock_steady_seconds();
    double until = begin + servers->wait_seconds;
    double pause = 0;
    servers->nodes.until = servers->wait_seconds > LEAST_TRY_SECONDS
                               ? until
                               : begin + LEAST_TRY_SECONDS;
    servers->nodes.is_final = false;
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
