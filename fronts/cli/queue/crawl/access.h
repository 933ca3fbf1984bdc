/*
 * access.h - subcommands whose queue is a crawl in Redis: its address in
 * the place of a folder, and the options that go with it.
 */
#ifndef QUEUE_CRAWL_ACCESS_H
#define QUEUE_CRAWL_ACCESS_H

#include <stdbool.h>

#include "crawl/address.h"
#include "crawl/crawl.h"
#include "queue/access/access.h"
#include "queue/access/new_queue.h"
#include "queue/text/item.h"

/* Of the help of subcommands that have it. */
#define QUEUE_CRAWL_HELP                                                       \
    " DIR may also be a crawl in Redis: redis://HOST:PORT/NAME, or by TLS "    \
    "rediss://."

#define QUEUE_REPLICAS_ROW                                                     \
    {                                                                          \
        "replicas", QUEUE_OPTION_REPLICAS, "N", 0,                             \
            "In Redis: wait until N replicas have the writes"                  \
    }

#define QUEUE_TLS_ROWS                                                         \
    {"tls-ca", QUEUE_OPTION_TLS_CA, "FILE", 0,                                 \
     "By TLS: certificates to trust, a file or a folder (default: the "        \
     "system's)"},                                                             \
        {"tls-cert", QUEUE_OPTION_TLS_CERT, "FILE", 0,                         \
         "By TLS: the certificate that this client shows"},                    \
        {"tls-key", QUEUE_OPTION_TLS_KEY, "FILE", 0,                           \
         "By TLS: the private key of that certificate"},                       \
    {                                                                          \
        "tls-name", QUEUE_OPTION_TLS_NAME, "NAME", 0,                          \
            "By TLS: the name that servers have to show (default: the host "   \
            "that is connected to)"                                            \
    }

/*
 * Opens the crawl of access->dir. made: the options of a new one; NULL: it must
 * be there. Returns 0, or COMMAND_ERROR after a message, also if an option was
 * given that is for folders alone.
 */
int queue_crawl_open(crawl **out, const queue_access *access,
                     const new_queue *made);

/* For a folder: refuses options that are for crawls in Redis alone. Returns 0,
 * or COMMAND_ERROR after a message. */
int queue_crawl_refuse(const queue_access *access);

/* Reports that an option is for folders. Returns COMMAND_ERROR. */
int queue_complain_folders_only(const char *option);

/* `queue pop` of a crawl. */
typedef struct queue_crawl_pop {
    const queue_access *access;
    uint64_t count;
    item_form form;
    bool acks, waits;
} queue_crawl_pop;

int queue_pop_crawl(const queue_crawl_pop *from);

/* `queue stat` of a crawl. */
int queue_stat_crawl(const queue_access *access, bool is_json);

#endif
