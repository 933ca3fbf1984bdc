/* hosts_bytes.c - see hosts_bytes.h */
#include "frontier/hosts_bytes.h"

#include <string.h>

#include "base/bits.h"

enum {
    COUNT_BYTES = 8,
    AT_DELAY = 24,
    AT_NAME_LEN = 40,
    HOST_BYTES = 44
};

/* Is there anything to be remembered? */
static bool is_needed(const ss_frontier *frontier, uint32_t number,
                      uint64_t now_ms)
{
    const ss_host_row *row = ss_turns_host(&frontier->turns, number);
    return row->place != SS_HOST_UNUSED &&
           (row->ready_ms > now_ms ||
            ss_frontier_own(frontier, number) != NULL ||
            ss_frontier_taken(frontier, number) > 0);
}

size_t ss_hosts_bytes_count(const ss_frontier *frontier, uint64_t now_ms)
{
    const ss_host_table *all = &frontier->turns.all;
    size_t bytes = COUNT_BYTES;
    for (uint32_t i = 0; i < all->used; i++) {
        if (!is_needed(frontier, i, now_ms))
            continue;
        const ss_host_own *own = ss_frontier_own(frontier, i);
        bytes += HOST_BYTES + (own == NULL ? 0 : own->name_len);
    }
    return bytes;
}

static uint8_t *write_host(const ss_frontier *frontier, uint32_t number,
                           uint64_t now_ms, uint8_t *bytes)
{
    const ss_host_row *row = ss_turns_host(&frontier->turns, number);
    ss_host_own *own = ss_frontier_own(frontier, number);
    size_t name_len = own == NULL ? 0 : own->name_len;
    ss_bits_store(bytes, 8, row->hash);
    ss_bits_store(bytes + 8, 8, row->ready_ms > now_ms ? row->ready_ms : 0);
    ss_bits_store(bytes + 16, 8, ss_frontier_taken(frontier, number));
    ss_bits_store(bytes + AT_DELAY, 8,
                  own == NULL ? SS_FRONTIER_USUAL : own->delay_ms);
    ss_bits_store(bytes + 32, 8, own == NULL ? 0 : own->budget);
    ss_bits_store(bytes + AT_NAME_LEN, 4, name_len);
    if (name_len > 0)
        memcpy(bytes + HOST_BYTES, ss_host_own_name(own), name_len);
    return bytes + HOST_BYTES + name_len;
}

void ss_hosts_bytes_write(const ss_frontier *frontier, uint64_t now_ms,
                          uint8_t *bytes)
{
    const ss_host_table *all = &frontier->turns.all;
    uint8_t *next = bytes + COUNT_BYTES;
    uint64_t count = 0;
    for (uint32_t i = 0; i < all->used; i++) {
        if (!is_needed(frontier, i, now_ms))
            continue;
        next = write_host(frontier, i, now_ms, next);
        count++;
    }
    ss_bits_store(bytes, COUNT_BYTES, count);
}

bool ss_hosts_bytes_are_sound(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < COUNT_BYTES)
        return false;
    size_t left = size_bytes - COUNT_BYTES;
    const uint8_t *next = bytes + COUNT_BYTES;
    for (uint64_t i = ss_bits_load(bytes, COUNT_BYTES); i > 0; i--) {
        if (left < HOST_BYTES)
            return false;
        size_t name_len = (size_t)ss_bits_load(next + AT_NAME_LEN, 4);
        uint64_t delay_ms = ss_bits_load(next + AT_DELAY, 8);
        if (name_len > left - HOST_BYTES ||
            (delay_ms > SS_FRONTIER_MOST_DELAY_MS &&
             delay_ms != SS_FRONTIER_USUAL))
            return false;
        left -= HOST_BYTES + name_len;
        next += HOST_BYTES + name_len;
    }
    return left == 0;
}

/* Its settings, if it has any. 0 or SEENSET_ENOMEM. */
static int read_own(ss_frontier *frontier, uint32_t number,
                    const uint8_t *bytes)
{
    uint64_t delay_ms = ss_bits_load(bytes + AT_DELAY, 8);
    uint64_t budget = ss_bits_load(bytes + 32, 8);
    if (delay_ms == SS_FRONTIER_USUAL && budget == 0)
        return SEENSET_OK;
    ss_host_own *own =
        ss_frontier_make_own(frontier, bytes + HOST_BYTES,
                             (size_t)ss_bits_load(bytes + AT_NAME_LEN, 4));
    if (own == NULL || ss_frontier_need_rest(frontier, number) != SEENSET_OK) {
        ss_frontier_free_own(frontier, own);
        return SEENSET_ENOMEM;
    }
    own->delay_ms = delay_ms;
    own->budget = budget;
    ss_frontier_set_own(frontier, number, own);
    return SEENSET_OK;
}

int ss_hosts_bytes_read(ss_frontier *frontier, const uint8_t *bytes,
                        ss_hosts_bytes_carry *carry, const void *context)
{
    const uint8_t *next = bytes + COUNT_BYTES;
    for (uint64_t i = ss_bits_load(bytes, COUNT_BYTES); i > 0; i--) {
        uint32_t number;
        uint64_t ready_ms = ss_bits_load(next + 8, 8);
        if (ss_frontier_need(frontier, ss_bits_load(next, 8), &number) !=
                SEENSET_OK ||
            read_own(frontier, number, next) != SEENSET_OK ||
            ss_frontier_set_taken(frontier, number,
                                  ss_bits_load(next + 16, 8)) != SEENSET_OK)
            return SEENSET_ENOMEM;
        if (ready_ms > 0)
            ss_frontier_not_before(frontier, number, carry(context, ready_ms));
        next += HOST_BYTES + ss_bits_load(next + AT_NAME_LEN, 4);
    }
    return SEENSET_OK;
}
