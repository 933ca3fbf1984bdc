/* slot.c - see slot.h */
#include "crawl/slot.h"

#include <stdio.h>
#include <string.h>

/* CRC-16/XMODEM: polynomial 0x1021, from 0, no reflection. */
static uint16_t crc16(const uint8_t *bytes, size_t length)
{
    unsigned crc = 0;
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
        crc &= 0xffff;
    }
    return (uint16_t)crc;
}

unsigned slot_of(const void *text, size_t length)
{
    return crc16(text, length) % SLOT_COUNT;
}

void slot_tags(uint32_t tags[SLOT_COUNT])
{
    unsigned left = SLOT_COUNT;
    char digits[16];
    memset(tags, 0xff, SLOT_COUNT * sizeof *tags);
    for (uint32_t tag = 0; left > 0; tag++) {
        int length = snprintf(digits, sizeof digits, "%u", (unsigned)tag);
        unsigned slot = slot_of(digits, (size_t)length);
        if (tags[slot] == UINT32_MAX) {
            tags[slot] = tag;
            left--;
        }
    }
}
