/*
 * queue_peers.h - what people keep a crawler's queue in today. Each takes all
 * URLs, drops those it saw before, keeps the rest in order, and returns pushes
 * a second; 0 if it is not installed.
 */
#ifndef QUEUE_PEERS_H
#define QUEUE_PEERS_H

#include <stddef.h>

enum {
    BENCH_URL_BYTES = 50
};

typedef struct bench_urls {
    char *bytes; /* back to back */
    size_t count;
} bench_urls;

static inline const char *bench_url(const bench_urls *urls, size_t i)
{
    return urls->bytes + i * BENCH_URL_BYTES;
}

double bench_sqlite(const bench_urls *urls);
double bench_redis(const bench_urls *urls);
double bench_scrapy(const bench_urls *urls);

#endif
