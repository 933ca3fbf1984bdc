/*
 * polite_source.h - what a crawl asks for its next page: a polite queue, or a
 * heap of all hosts.
 *
 * The heap is the best that can be done with everything in memory: of the hosts
 * that have pages and of which none is out, the one that has been ready for the
 * longest comes first (Heydon and Najork, "Mercator", 1999). It knows nothing
 * of the queue. Both are at the times that they are given.
 */
#ifndef POLITE_SOURCE_H
#define POLITE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "queue_model.h"

#define POLITE_NEVER UINT64_MAX

/* One page, out. */
typedef struct polite_page {
    uint32_t host;
    uint64_t lease;
} polite_page;

typedef struct polite_source polite_source;

/* Times are in ns, and never go back. */
struct polite_source {
    void (*push)(polite_source *it, uint32_t host);
    bool (*pop)(polite_source *it, uint64_t now_ns, polite_page *page);
    void (*done)(polite_source *it, uint64_t now_ns, const polite_page *page);
    void (*block)(polite_source *it, uint64_t now_ns, uint32_t host,
                  uint64_t until_ns);
    uint64_t (*next_ns)(polite_source *it, uint64_t now_ns); /* or NEVER */
    void (*close)(polite_source *it);
};

/* Of hosts 0 to host_count - 1 with these delays; `usual_ms` of a queue is that
 * of all. waits: a delay is so many times as long, which is the planted fault.
 */
polite_source *polite_source_queue(const uint64_t *delays_ms,
                                   uint32_t host_count, uint64_t usual_ms,
                                   double waits);
polite_source *polite_source_heap(const uint64_t *delays_ms,
                                  uint32_t host_count);

#endif
