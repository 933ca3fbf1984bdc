/* polite.h - the options by which a new queue, or crawl in Redis, is polite */
#ifndef QUEUE_ACCESS_POLITE_H
#define QUEUE_ACCESS_POLITE_H

#include "crawl/rules.h"
#include "seenset/queue_options.h"
#include "text/arguments.h"

#define QUEUE_OPTION_POLITE 0x21b
#define QUEUE_OPTION_PER_HOST 0x21c
#define QUEUE_OPTION_BY 0x21d
#define QUEUE_OPTION_HOST_BUDGET 0x21e
#define QUEUE_OPTION_NOT_POLITE 0x224
#define QUEUE_OPTION_FROM_START 0x229

/* Rows of a table of options. */
#define QUEUE_POLITE_ROWS                                                      \
    {"polite", QUEUE_OPTION_POLITE, "TIME", OPTION_VALUE_OPTIONAL,             \
     "Ask a host again TIME (default 1s) after its last URL was done"},        \
        {"from-start", QUEUE_OPTION_FROM_START, NULL, 0,                       \
         "With --polite: that TIME counts from when a URL is handed out"},     \
        {"per-host", QUEUE_OPTION_PER_HOST, "N", 0,                            \
         "With --polite: up to N URLs of a host at a time (default 1)"},       \
        {"by", QUEUE_OPTION_BY, "KIND", 0,                                     \
         "With --polite: hosts are host (default), host-port or domain"},      \
    {                                                                          \
        "host-budget", QUEUE_OPTION_HOST_BUDGET, "N", 0,                       \
            "With --polite: take up to N URLs of a host, and refuse others"    \
    }

/* Reads one of these options. Returns 0, or ARGUMENTS_UNKNOWN. */
int queue_polite_parse(int key, char *text, arguments *state, crawl_rules *to);

/* At the end: what needs --polite has it. */
void queue_polite_check(arguments *state, crawl_rules *to);

/* The same as a queue in a folder takes it: *room, or NULL if it is not
 * polite. */
const seenset_queue_politeness *
queue_polite_options(const crawl_rules *from, seenset_queue_politeness *room);

#endif
