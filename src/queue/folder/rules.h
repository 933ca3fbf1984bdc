/*
 * rules.h - the politeness of a queue: from options, to the manifest and back.
 *
 *     in the manifest, 32 bytes
 *      0  delay in ms (8)                    20  what a host is (4)
 *      8  budget, or 2^64 - 1: any (8)       24  1: delays from the start (4)
 *     16  leases of a host at a time (4)     28  zero (4)
 */
#ifndef SS_QUEUE_FOLDER_RULES_H
#define SS_QUEUE_FOLDER_RULES_H

#include "frontier/frontier.h"
#include "seenset/queue.h"

enum {
    SS_RULES_BYTES = 32
};

/* Is it in range? NULL is. */
bool ss_rules_are_valid(const seenset_queue_politeness *politeness);

/* Can this library keep them? By domain only with libpsl. */
bool ss_rules_are_supported(const seenset_queue_politeness *politeness);

ss_frontier_rules ss_rules_of(const seenset_queue_politeness *politeness);

/* The options that ask for such rules. */
seenset_queue_politeness ss_rules_as_asked(const ss_frontier_rules *rules);

/* The milliseconds of a time in seconds, rounded up. */
uint64_t ss_rules_ms(double seconds);

void ss_rules_encode(const ss_frontier_rules *rules, uint8_t *bytes);

/* False: there are no such rules. */
bool ss_rules_decode(ss_frontier_rules *out, const uint8_t *bytes);

/* The first that differs, as "delay_seconds: 2, not 1"; false: none does. */
bool ss_rules_differ(const ss_frontier_rules *stored,
                     const seenset_queue_politeness *asked, char *text,
                     size_t text_bytes);

#endif
