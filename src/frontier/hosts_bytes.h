/*
 * hosts_bytes.h - what a state has of hosts: what does not follow from the log
 * that is left.
 *
 *      0  number of hosts (8)
 *      8  of each: hash of its name (8); the time from which it may be asked
 *         in ms of the steady clock, or 0 (8); URLs taken for its budget (8);
 *         delay of its own in ms, or 2^64 - 1 (8); budget of its own, 2^64 - 1:
 *         any, or 0 (8); length of its name, which is there if it has one of
 *         these (4); name
 *
 * Those that may be asked, have no settings and are not counted are left out.
 */
#ifndef SS_FRONTIER_HOSTS_BYTES_H
#define SS_FRONTIER_HOSTS_BYTES_H

#include "frontier/frontier.h"

/* How many bytes, as of a time. */
size_t ss_hosts_bytes_count(const ss_frontier *frontier, uint64_t now_ms);

void ss_hosts_bytes_write(const ss_frontier *frontier, uint64_t now_ms,
                          uint8_t *bytes);

/* Are they whole, and no more than that? */
bool ss_hosts_bytes_are_sound(const uint8_t *bytes, size_t size_bytes);

/* A time of the clock by which they were written, as one of now. */
typedef uint64_t ss_hosts_bytes_carry(const void *context, uint64_t ready_ms);

/* Adds the hosts of sound bytes. Returns 0 or SEENSET_ENOMEM. */
int ss_hosts_bytes_read(ss_frontier *frontier, const uint8_t *bytes,
                        ss_hosts_bytes_carry *carry, const void *context);

#endif
