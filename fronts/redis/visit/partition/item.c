/* item.c - see item.h */
#include "visit/partition/item.h"

#include <string.h>

size_t sr_item_room(const sr_item *item)
{
    return SR_ITEM_HEAD_BYTES + (size_t)item->url_len + item->data_len;
}

static uint8_t *write_number(uint8_t *at, uint32_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

size_t sr_item_write_head(uint8_t *bytes, const sr_item *item)
{
    uint8_t *at = write_number(bytes, item->url_len);
    at = write_number(at, item->has_data ? item->data_len + 1 : 0);
    return (size_t)(at - bytes);
}

size_t sr_item_write(uint8_t *bytes, const sr_item *item)
{
    uint8_t *at = bytes + sr_item_write_head(bytes, item);
    if (item->url_len > 0)
        memcpy(at, item->url, item->url_len);
    at += item->url_len;
    if (item->data_len > 0)
        memcpy(at, item->data, item->data_len);
    return (size_t)(at - bytes) + item->data_len;
}

/* A number of at most 4 bytes; returns what follows it, or NULL. */
static const uint8_t *read_number(const uint8_t *at, const uint8_t *end,
                                  uint32_t *number)
{
    *number = 0;
    for (int shift = 0; shift < 28 && at < end; shift += 7) {
        *number |= (uint32_t)(*at & 127) << shift;
        if (*at++ < 128)
            return at;
    }
    return NULL;
}

size_t sr_item_read(const uint8_t *bytes, size_t len, sr_item *item)
{
    const uint8_t *end = bytes + len, *at;
    uint32_t url_len, data;
    at = read_number(bytes, end, &url_len);
    at = at == NULL ? NULL : read_number(at, end, &data);
    if (at == NULL || url_len > SR_ITEM_MOST_BYTES ||
        data > SR_ITEM_MOST_BYTES + 1)
        return 0;
    uint32_t data_len = data == 0 ? 0 : data - 1;
    if ((size_t)url_len + data_len > (size_t)(end - at))
        return 0;
    *item = (sr_item){.url = at,
                      .data = at + url_len,
                      .url_len = url_len,
                      .data_len = data_len,
                      .has_data = data != 0};
    return (size_t)(at - bytes) + url_len + data_len;
}
