/*
 * servers.h - one server, or a cluster: commands go to the masters of their
 * slots, in pipelines, and again where that is to be done.
 *
 * A cluster answers that a slot is elsewhere (MOVED), is on its way (ASK,
 * TRYAGAIN), or has no master now (CLUSTERDOWN); servers start (LOADING), and
 * connections break. All of that is tried again, with a new map of the slots,
 * until the time is over. A command whose connection broke may have been done,
 * so it has to be one that can be done twice.
 *
 * None of it takes longer than that time, or than a second where that is less:
 * one try takes as long as it takes a server that is there. A server is not
 * trusted: what is no reply, or is longer than what was asked for, is an error
 * at once, and who asked checks all else (answer.h).
 *
 * With `replicas`, WAIT follows the commands on each connection. If it breaks
 * before WAIT replied, what it replied before counts for nothing, and is done
 * again.
 */
#ifndef CRAWL_SERVERS_H
#define CRAWL_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crawl/address.h"

struct redisReply;
struct tls_setup;

typedef struct crawl_command {
    char *text; /* as it is sent; of crawl_command_set */
    size_t length;
    unsigned slot;
    struct redisReply *reply; /* NULL: none yet */
    bool is_repeated;         /* it may have been done before */
    size_t most_bytes;        /* that its reply may have */
    size_t rows;              /* that were asked for; of who made the command */
    /* of servers.c */
    int ask, sent, from;
} crawl_command;

typedef struct crawl_servers crawl_servers;

/* A reply of what is asked has that many bytes for a word at most: a number, or
 * the text of an error. Who asks for more raises most_bytes. */
#define CRAWL_LEAST_REPLY_BYTES 65536
#define CRAWL_WORD_REPLY_BYTES 512

/* Connects when there is something to do; by TLS, unless that is NULL. NULL:
 * out of memory. */
crawl_servers *crawl_servers_new(const crawl_address *address,
                                 const struct tls_setup *tls,
                                 double wait_seconds, unsigned replicas);
void crawl_servers_free(crawl_servers *servers);

/* The command of these words, for that slot. Returns 0, or -1: out of memory.
 */
int crawl_command_set(crawl_command *command, unsigned slot, size_t count,
                      const char *const *words, const size_t *lengths);
void crawl_command_free(crawl_command *command);

/*
 * Does all of them. Returns 0: each has its reply, which may be an error of the
 * command itself. Or COMMAND_ERROR after a message.
 */
int crawl_servers_run(crawl_servers *servers, crawl_command *commands,
                      size_t count);

/* From now on servers that are away are waited for so long. */
void crawl_servers_set_wait(crawl_servers *servers, double wait_seconds);

/* Which server a reply is from, "HOST:PORT". */
void crawl_servers_name(const crawl_servers *servers,
                        const crawl_command *command, char *out, size_t size);

#endif
