/*
 * item.h - a URL that is to be visited, as bytes.
 *
 *     number   the URL's length
 *     number   0: no data; else their length and 1
 *     the URL, and the data
 *
 * A number has seven bits in each byte, the least significant first, and the
 * eighth says that another byte follows. Most items so have two bytes beside
 * their own.
 */
#ifndef SEENSET_REDIS_VISIT_PARTITION_ITEM_H
#define SEENSET_REDIS_VISIT_PARTITION_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SR_ITEM_MOST_BYTES = 1 << 20, /* of a URL, and of its data */
    SR_ITEM_HEAD_BYTES = 8        /* both numbers, at most */
};

typedef struct sr_item {
    const uint8_t *url, *data;
    uint32_t url_len, data_len;
    bool has_data;
} sr_item;

/* Room that is enough for the item. */
size_t sr_item_room(const sr_item *item);

/* Writes the item, and returns its length. */
size_t sr_item_write(uint8_t *bytes, const sr_item *item);

/* Writes both numbers alone, and returns their length. */
size_t sr_item_write_head(uint8_t *bytes, const sr_item *item);

/* Reads the first item of len bytes, which it then points into. Returns its
 * length; 0: there is not a whole item. */
size_t sr_item_read(const uint8_t *bytes, size_t len, sr_item *item);

#endif
