/*
 * by_host.h - what the commands do in a partition that has rules for hosts.
 *
 * Whatever changes such a partition settles first what ended by the clock
 * (partition/sites.h), so each effect has the time at which it was done:
 *
 *     VISIT.EFFECT key HOSTPOP now due first hosts
 *     VISIT.EFFECT key HOSTACK now due first numbers
 *     VISIT.EFFECT key HOSTNACK now due first numbers
 *     VISIT.EFFECT key HOSTUNTRIED now due first numbers
 *     VISIT.EFFECT key HOSTAGAIN now due first numbers
 *     VISIT.EFFECT key HOSTEXTEND now due first numbers
 *     VISIT.EFFECT key REVIVE now due first numbers
 *     VISIT.EFFECT key HOSTPUSH hosts url [DATA d] ...
 *     VISIT.EFFECT key REFUSED hosts
 *     VISIT.EFFECT key HOST name delay budget blocked-until
 *
 * now and due are in ms since 1970, first is the next number of a lease,
 * numbers are leases and hosts are hashes, 8 bytes each, little-endian. HOSTPOP
 * handed out the first item of each host named, in that order. -1 is the usual
 * delay or budget, and 0 no block. POP without anything to hand out has an
 * effect, too, if something ended: the list is then empty.
 */
#ifndef SEENSET_REDIS_VISIT_BY_HOST_BY_HOST_H
#define SEENSET_REDIS_VISIT_BY_HOST_BY_HOST_H

#include "visit/batch.h"
#include "visit/numbers.h"

/* What becomes of a lease. */
typedef enum sr_ending {
    SR_END_ACK,
    SR_END_NACK,
    SR_END_UNTRIED,
    SR_END_AGAIN, /* it is done, and will be visited again */
    SR_END_EXTEND,
    SR_END_REVIVE /* of a dead one */
} sr_ending;

/* VISIT.PUSH, VISIT.POP, and VISIT.ACK and the like. ms: the delay of NACK, the
 * lease of EXTEND, the time of AGAIN, or 0. Each replies. */
int sr_push_by_host(const sr_visit_target *target, const sr_batch *batch);
int sr_pop_by_host(const sr_visit_target *target, uint64_t count,
                   uint64_t lease_ms);
int sr_end_by_host(const sr_visit_target *target, const sr_numbers *numbers,
                   sr_ending ending, uint64_t ms);

/* VISIT.PEEK, up to so many rows. */
int sr_peek_by_host(const sr_visit_target *target, uint64_t count);

/* Whether a lease may end so, and doing it. Only SR_END_REVIVE can fail, with
 * SEENSET_ENOMEM. */
bool sr_ending_may_be(const sr_visit *visit, const sr_lease *lease,
                      sr_ending ending);
int sr_ending_do(sr_visit *visit, sr_lease *lease, sr_ending ending,
                 uint64_t now_ms, uint64_t due_ms);

/* Adds the URLs whose hosts are known, and each is new. Returns 0 or
 * SEENSET_ENOMEM: then some were not added. */
int sr_push_known(sr_visit *visit, const sr_batch *batch,
                  const sr_numbers *hosts);

/* Does what an effect says, if its word is one of those above. Returns NULL, or
 * the error's text. */
const char *sr_effect_by_host(const sr_visit_target *target,
                              const RedisModuleString *word,
                              RedisModuleString **argv, int argc);

#endif
