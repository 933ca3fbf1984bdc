/*
 * item.h - items as lines of text, or as lines of JSON.
 *
 * A line of text has those of these columns that are asked for, with a TAB
 * between them. URLs and data are bytes, and printed as they are:
 *
 *     LEASE STATE SECONDS PRIORITY DELIVERIES HOST URL DATA
 *
 * STATE, SECONDS and PRIORITY are asked for together. An item without a lease
 * has "-" there, and so has one without a host. JSON has the item's number,
 * too, and all but what is not known of it. Its texts are UTF-8, so bytes that
 * are not become U+FFFD; the bytes themselves are then in another member, in
 * base64: "url_base64", "data_base64".
 */
#ifndef QUEUE_TEXT_ITEM_H
#define QUEUE_TEXT_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seenset/queue.h"

typedef struct item_facts {
    uint64_t number, lease; /* lease 0: none */
    uint32_t deliveries, priority;
    bool has_no_number;            /* in a crawl in Redis */
    const char *state;             /* a word */
    double seconds;                /* until its lease or delay ends */
    const void *url, *data, *host; /* host NULL: the queue is not polite */
    size_t url_len, data_len, host_len;
} item_facts;

/* Which columns. */
typedef struct item_form {
    bool is_json;
    bool has_lease, has_state, has_deliveries, has_host, has_data;
} item_form;

typedef struct item_text {
    char *bytes;
    size_t size, room;
} item_text;

/* Those of an item that was popped or peeked at. */
item_facts item_facts_of(const seenset_queue_item *item);

/* Appends the line of an item. Returns false, and changes nothing: out of
 * memory. free(text->bytes) frees it. */
bool item_text_add(item_text *text, const item_form *form,
                   const item_facts *item);

#endif
