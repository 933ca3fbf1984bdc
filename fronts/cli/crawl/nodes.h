/*
 * nodes.h - the servers that are known, the connections to them, and which of
 * them has each slot.
 */
#ifndef CRAWL_NODES_H
#define CRAWL_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "crawl/address.h"
#include "crawl/slot.h"
#include "crawl/wire.h"

struct redisReply;
struct tls_setup;

typedef struct crawl_node {
    char host[ADDRESS_ROOM];
    int port;
    wire wire;
    size_t sent_count; /* of a round */
    size_t most_bytes; /* likewise: of all replies to them */
    bool is_away;      /* likewise: it could not be connected to */
} crawl_node;

typedef struct crawl_nodes {
    crawl_node *all; /* the first is that of the address */
    size_t count, room;
    const crawl_address *address;
    const struct tls_setup *tls;    /* NULL: in clear */
    int of_slot[SLOT_COUNT];        /* -1: none */
    bool is_known;                  /* else of_slot is to be asked for */
    double until;                   /* no call waits longer */
    char trouble[4 * ADDRESS_ROOM]; /* what failed last */
    bool is_final; /* it would fail again: a wrong password, and the like */
} crawl_nodes;

/* The address and the setup, which may be NULL, are kept, not copied. */
void crawl_nodes_init(crawl_nodes *nodes, const crawl_address *address,
                      const struct tls_setup *tls);
void crawl_nodes_free(crawl_nodes *nodes);

/* The node of a slot, or -1. */
int crawl_nodes_find(const crawl_nodes *nodes, unsigned slot);

/* Its connection, which is made if there is none; or NULL, and `trouble`. */
wire *crawl_nodes_connect(crawl_nodes *nodes, int node);

/* Closes a connection that broke, and has the map asked for again. */
void crawl_nodes_drop(crawl_nodes *nodes, int node);

/* Asks any of them for the map. Returns 0, or -1 and `trouble`. */
int crawl_nodes_refresh(crawl_nodes *nodes);

/* Notes what the server of a connection that failed did. What is no reply is
 * final. */
void crawl_nodes_note_broken(crawl_nodes *nodes, int node);

/* The node of "MOVED 7 host:port" or "ASK 7 host:port", which `asked` replied;
 * -1: it is damaged, or out of memory. With `is_kept` the slot is that node's
 * from now on. */
int crawl_nodes_of_redirection(crawl_nodes *nodes, const char *text, int asked,
                               bool is_kept);

/* Does a server reply such an error for a moment only? */
bool crawl_is_passing(const struct redisReply *reply);

#endif
