/*
 * rules.h - the rules by which a crawl is polite: when a host may be asked.
 *
 * They are written in the crawl's key after all else, so that older clients,
 * which would make partitions without them, refuse the crawl, and each
 * partition is made with them:
 *
 *     ... polite 1000 per-host 1 by host budget 0 [from start]
 */
#ifndef CRAWL_RULES_H
#define CRAWL_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seenset/url.h"

enum {
    CRAWL_RULES_ROOM = 100,
    CRAWL_MOST_PER_HOST = 65535
};

#define CRAWL_MOST_DELAY_MS (UINT64_C(366) * 24 * 3600 * 1000)

typedef struct crawl_rules {
    bool is_polite;     /* not: the rest counts for nothing */
    uint64_t delay_ms;  /* from the end of a lease to the next of the host; */
    bool is_from_start; /* or from the hand-out */
    uint64_t budget;    /* URLs of a host; 0: any number */
    uint32_t per_host;  /* out at a time */
    seenset_url_site_kind by;
    bool is_by_given; /* as an option: it is not written */
} crawl_rules;

/* The name of a kind, as the module has it. */
const char *crawl_rules_kind(const crawl_rules *rules);

/* Writes them as text with a NUL; nothing if the crawl is not polite. */
void crawl_rules_write(const crawl_rules *rules, char out[CRAWL_RULES_ROOM]);

/* Reads what was written. Returns whether it is that. */
bool crawl_rules_read(crawl_rules *rules, const char *text, size_t length);

bool crawl_rules_are_equal(const crawl_rules *a, const crawl_rules *b);

#endif
