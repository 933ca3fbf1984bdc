/*
 * visit.h - a partition of a crawl in one key: the set of all URLs ever pushed,
 * the URLs that are pending, and those that are handed out.
 *
 * One command on one key checks, adds and enqueues, so a URL is never seen and
 * not queued, and the server moves, copies and saves all of it together. A URL
 * leaves by VISIT.ACK alone.
 *
 * Time. Only the server that a client talks to looks at its clock. What came of
 * it, the numbers and times of leases, goes to replicas and the log, by
 * VISIT.EFFECT. So a command that is run again does not depend on when.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_VISIT_H
#define SEENSET_REDIS_VISIT_PARTITION_VISIT_H

#include "key/incoming.h"
#include "visit/partition/items.h"
#include "visit/partition/known.h"
#include "visit/partition/leases.h"
#include "visit/partition/sites.h"

enum {
    SR_VISIT_MOST_COUNT = 100000 /* of one POP or PEEK */
};

#define SR_VISIT_TYPE_NAME "seenvisit"
#define SR_VISIT_DEFAULT_RATE 1e-9
#define SR_VISIT_DEFAULT_LIMIT (UINT64_C(256) << 20)
#define SR_VISIT_DEFAULT_LEASE 60000

/* How far a defragmentation has come (visit/move/move.h). */
typedef struct sr_moving {
    uint32_t part;
    bool is_inside; /* the host's own blocks were moved: */
    uint64_t at;    /* the number of a block, or of a host, */
    uint64_t block; /* and there of a block, */
    uint64_t lease; /* and after those of a lease */
} sr_moving;

typedef struct sr_visit {
    seenset *set; /* NULL: it is not loaded whole yet */
    sr_items items;
    sr_leases leases;
    sr_sites *sites; /* NULL: no rules for hosts; else all items are there */
    uint64_t limit_bytes;
    sr_incoming incoming; /* VISIT.LOAD */
    sr_known *known;      /* for INFO */
    sr_moving moving;
} sr_visit;

/* The type, once sr_visit_type_create has made it. */
RedisModuleType *sr_visit_type(void);
int sr_visit_type_create(RedisModuleCtx *ctx);

/* An empty value without a set, or NULL: no memory. */
sr_visit *sr_visit_new(void);
void sr_visit_free(sr_visit *visit);

/* Frees what `into` has, and moves all of `from` there, which is freed. What is
 * being loaded is dropped. */
void sr_visit_replace(sr_visit *into, sr_visit *from);

/* All that it takes. */
uint64_t sr_visit_bytes(const sr_visit *visit);

/* The URLs that are pending, and were not handed out yet. */
uint64_t sr_visit_pending(const sr_visit *visit);

/* The URLs that were not acknowledged, and are not dead. */
uint64_t sr_visit_count(const sr_visit *visit);

/*
 * Leases the first pending item, with the next number, for which there is room
 * in the leases. Returns 1 and the lease, 0 (none is pending) or
 * SEENSET_ENOMEM.
 */
int sr_visit_take(sr_visit *visit, uint64_t due_ms, sr_lease **lease);

#endif
