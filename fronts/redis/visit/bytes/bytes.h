/*
 * bytes.h - a partition as bytes: what is saved, sent, logged and copied.
 *
 *     8 bytes   "SEENVST1"; "SEENVST2" if a lease was handed out 0 times: it
 * was given back untried u64       limit, in bytes u64       the next number of
 * a lease u64       the length of the set's file, and then that file u64 how
 * many blocks; the first is the head, the last the tail each:     u64 length,
 * u64 length when unpacked, u64 items, and its bytes; equal lengths: it is not
 * packed. The head and the tail never are, and may be empty u64       how many
 * leases, sorted by their numbers each:     u64 number, u64 time in ms, u32
 * times handed out, u32 flags: 1 it is out, and then its item (item.h)
 *     u64       the sum of all before it: of each 64 KiB, as
 * key/persist_parts.h
 *
 * "SEENVST3" has rules for hosts, and a lease 0 times or more. After the set:
 *
 *     u64       the usual delay in ms
 *     u64       the budget, 0: none
 *     u32       at most so many out of a host
 *     u32       give up after so many hand-outs, 0: never
 *     u32       by: 0 host, 1 host and port, 2 domain
 *     u32       flags: 1 delays begin with the hand-out
 *     u64       URLs beyond a budget
 *     u64       how many hosts; each:
 *         u64   hash of its name
 *         u64   ready, in ms
 *         u32   how far its turn is after the clock
 *         u32   taken, done, failed, refused: four of these
 *         u32   flags: 1 it has settings, 2 packed blocks
 *         with settings: u64 blocked until, ready without, delay, budget (all
 * bits: the usual), u32 length of the name, and that
 *         its items, as blocks above; without packed blocks: one, not packed
 *
 * The blocks of the partition follow, of which the head and tail alone are
 * there, and empty. A lease has the flags 2, its time has come, and 4, it is
 * dead, as well, and before its item the u64 hash of its host.
 *
 * Numbers are little-endian. A reader checks all of it before a key gets the
 * partition: every block is unpacked, and every item in it is read.
 */
#ifndef SEENSET_REDIS_VISIT_BYTES_BYTES_H
#define SEENSET_REDIS_VISIT_BYTES_BYTES_H

#include "visit/partition/visit.h"

#define SR_VISIT_MAGIC "SEENVST1"
#define SR_VISIT_MAGIC_2 "SEENVST2" /* a lease may be of 0 times */
#define SR_VISIT_MAGIC_3 "SEENVST3" /* rules for hosts */

enum {
    SR_VISIT_BLOCK_HEAD_BYTES = 24,
    SR_VISIT_LEASE_HEAD_BYTES = 24,
    SR_LEASE_IS_OUT = 1,
    SR_LEASE_IS_DUE = 2,
    SR_LEASE_IS_DEAD = 4,
    SR_HOST_HAS_OWN = 1,
    SR_HOST_IS_PACKED = 2
};

/* Hands over all bytes, in pieces of 64 KiB. write returns 0. */
void sr_visit_write(const sr_visit *visit, seenset_write_function *write,
                    void *context);

uint64_t sr_visit_total_bytes(const sr_visit *visit);

/* Stores sr_visit_total_bytes of them. */
void sr_visit_write_bytes(const sr_visit *visit, uint8_t *bytes);

/*
 * Makes a partition of its bytes. Returns 0, SEENSET_ECORRUPT or
 * SEENSET_ENOMEM. *reason, if not NULL, says what is damaged.
 */
int sr_visit_open(sr_visit **out, const uint8_t *bytes, size_t len,
                  const char **reason);

/* A copy, by way of its bytes; or NULL: no memory. */
sr_visit *sr_visit_copy(const sr_visit *visit);

#endif
