/*
 * address.h - where a crawl in Redis is:
 * redis://[[USER]:PASSWORD@]HOST[:PORT]/NAME, or rediss:// by TLS
 */
#ifndef CRAWL_ADDRESS_H
#define CRAWL_ADDRESS_H

#include <stdbool.h>

enum {
    ADDRESS_ROOM = 256
};

typedef struct crawl_address {
    char user[ADDRESS_ROOM], password[ADDRESS_ROOM]; /* "": none */
    char host[ADDRESS_ROOM];
    int port;
    bool is_tls;
    char name[ADDRESS_ROOM]; /* of the crawl's own key */
} crawl_address;

/* Does the argument of a queue's command name a crawl, and not a folder? */
bool crawl_is_address(const char *text);

/* Returns 0, or COMMAND_ERROR after a message. */
int crawl_read_address(const char *text, crawl_address *out);

/* The address for messages: without the password. */
void crawl_shown_address(const crawl_address *address, char *out,
                         unsigned long size);

#endif
