/*
 * crawl.h - a crawl in Redis or Valkey: the client of the module's VISIT.*.
 *
 * A crawl has P partitions, each a key of its own with the set, the pending
 * URLs and the leases (docs/redis.md). P is chosen when the crawl is made, and
 * is written in the key that has the crawl's name, where each client reads it.
 * A host is in one partition, so its order is kept, and so are two URLs that
 * are one:
 *
 *     partition   seenset_hash(host in lower case) mod P; a crawl that is
 *                 polite by domain takes the domain in place of the host
 *     slot        of partition i: floor((2 i + 1) * 16384 / (2 P))
 *     key         NAME:{TAG}, TAG the smallest number that is in the slot
 *
 * So the keys are spread evenly over the slots, and over the masters of a
 * cluster. A lease here is the number of the partition's lease times P, and the
 * partition. Items come in order from each partition, and not from all of them.
 *
 * A connection that breaks is made again, and its commands are sent again. So a
 * push whose reply was lost answers "seen" for what it made new, a pop leaves
 * items under leases that nobody has until they end, and an ack is not told
 * from one that was done before. Nothing is lost by it.
 *
 * Servers are not trusted: a reply is checked against what was asked before
 * anything of it is used (answer.h), and neither the time nor the memory that
 * one takes is the server's choice (wire.h).
 */
#ifndef CRAWL_CRAWL_H
#define CRAWL_CRAWL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crawl/rules.h"
#include "crawl/tls.h"
#include "seenset/queue.h"

enum {
    CRAWL_DEFAULT_PARTITIONS = 1024,
    CRAWL_MOST_PARTITIONS = 16384
};

typedef struct crawl crawl;

/* From must_exist on, they are of a new one, and zeros are defaults. An old one
 * with other partitions, or without the normal form that is asked for, is an
 * error, and so is one with other rules than those that are asked for; the
 * capacity and the rate of an old one stay as they are. */
typedef struct crawl_options {
    const char *address;
    double wait_seconds; /* while servers are away */
    unsigned replicas;   /* that must have acknowledged; 0: do not wait */
    bool must_exist;
    uint32_t partitions;
    uint64_t capacity_items; /* of all partitions */
    double fp_rate;
    bool normalises;
    crawl_rules rules; /* of hosts */
    tls_options tls;   /* of an address that begins with rediss:// */
} crawl_options;

/* These return 0, or COMMAND_ERROR after a message. */

int crawl_open(crawl **out, const crawl_options *options);
void crawl_close(crawl *it);

/* From now on servers that are away are waited for so long. */
void crawl_set_wait(crawl *it, double wait_seconds);

/* Beside the answers of seenset_queue_push_many: the host has all the URLs that
 * its budget allows. */
#define CRAWL_ANSWER_SPENT SEENSET_ANSWER_OVER_BUDGET

/*
 * Pushes URLs, and writes answers as seenset_queue_push_many. REFUSED: the
 * partition takes its limit of bytes. With a normal form, NOT_A_URL too.
 */
int crawl_push(crawl *it, const seenset_queue_entry *entries, size_t count,
               uint8_t *answers);

typedef struct crawl_item {
    uint64_t lease;
    uint32_t deliveries;
    const char *url, *data; /* data: NULL if there is none */
    size_t url_len, data_len;
} crawl_item;

/* Returns 0 to go on. After another value it is not called again. */
typedef int crawl_take(void *context, const crawl_item *item);

/*
 * Hands out up to `wanted` items; what `take` refuses, and what comes after, is
 * given back.
 */
int crawl_pop(crawl *it, size_t wanted, uint64_t lease_ms, crawl_take *take,
              void *context);

/* How they are given back: when they are due, whether that they were handed
 * out counts for nothing, and whether they were visited, so that all counting
 * begins again. */
typedef struct crawl_back {
    uint64_t delay_ms;
    bool is_untried, is_visited;
} crawl_back;

/* Acks them, or gives them back as visited. *missing becomes how many of them
 * are not leases (any more). */
int crawl_ack(crawl *it, const uint64_t *leases, size_t count,
              const crawl_back *how, size_t *missing);

/* Gives them back. */
int crawl_nack(crawl *it, const uint64_t *leases, size_t count,
               const crawl_back *how, size_t *missing);

typedef struct crawl_figures {
    uint64_t partitions, made_partitions; /* made: something was pushed */
    uint64_t pending, leased, delayed;    /* delayed: given back */
    uint64_t seen, acked;
    uint64_t pending_bytes, set_bytes, bytes;
    double fp_rate;        /* promised: the largest of the partitions */
    double seconds_to_due; /* infinite: none */
    bool normalises;
} crawl_figures;

int crawl_look(crawl *it, crawl_figures *out);

#endif
