/*
 * reader.h - bytes of a partition that came from outside: what its readers
 * share. The first thing that is wrong stays the reason, and after it nothing
 * is read.
 */
#ifndef SEENSET_REDIS_VISIT_BYTES_READER_H
#define SEENSET_REDIS_VISIT_BYTES_READER_H

#include "visit/partition/visit.h"

typedef struct sr_reader {
    const uint8_t *at, *end;
    const char *reason;   /* NULL: all is well so far */
    uint64_t least_times; /* that a lease has if it is not out */
    bool has_sites;
} sr_reader;

/* Remembers the reason. Returns SEENSET_ECORRUPT. */
int sr_damaged(sr_reader *from, const char *reason);

/* The next len bytes, or NULL: fewer are left. */
const uint8_t *sr_take(sr_reader *from, uint64_t len);

/* A number of so many bytes; 0 if fewer are left. */
uint64_t sr_take_number(sr_reader *from, size_t size_bytes);

/* These return 0, SEENSET_ECORRUPT or SEENSET_ENOMEM. */

/* A block that is not packed. */
int sr_read_raw(sr_reader *from, sr_raw *raw);

/* How many blocks, and those: a head, packed ones, a tail. */
int sr_read_items(sr_reader *from, sr_items *items);

/* The rules and the hosts. */
int sr_read_sites(sr_reader *from, sr_sites **sites);

/* A lease that was read takes its place at its host. */
int sr_place_lease(sr_reader *from, sr_sites *sites, sr_lease *lease);

#endif
