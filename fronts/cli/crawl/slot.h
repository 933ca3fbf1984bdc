/*
 * slot.h - slots of a Redis Cluster, and names of keys that are in them.
 *
 * A cluster shares out 16,384 slots among its masters. The slot of a key is the
 * CRC-16 of its hash tag, the text between its first braces, or else of all of
 * it
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec).
 */
#ifndef CRAWL_SLOT_H
#define CRAWL_SLOT_H

#include <stddef.h>
#include <stdint.h>

#define SLOT_COUNT 16384u

/* The slot of that text, which is a hash tag or a key without one. */
unsigned slot_of(const void *text, size_t length);

/*
 * For each slot the smallest number whose decimal digits are in it: a tag for a
 * key that is to be there. Takes some milliseconds.
 */
void slot_tags(uint32_t tags[SLOT_COUNT]);

#endif
