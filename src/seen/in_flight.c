/* in_flight.c - a small exact set of URLs that remembers their order */
#include "seen/in_flight.h"

#include "base/array.h"
#include "hash/xxh3.h"

void ss_in_flight_free(ss_in_flight *in_flight, const ss_memory *memory)
{
    ss_memory_free(memory, in_flight->urls, in_flight->room,
                   sizeof *in_flight->urls);
    ss_memory_free(memory, in_flight->table, in_flight->table_room,
                   sizeof *in_flight->table);
    ss_memory_free(memory, in_flight->bytes, in_flight->byte_room, 1);
    *in_flight = (ss_in_flight){.keeps_urls = in_flight->keeps_urls};
}

static bool is_url(const ss_in_flight *in_flight, uint32_t slot,
                   const ss_pushed *url)
{
    const ss_flying *here = &in_flight->urls[slot - 1];
    if (here->hash != url->hash)
        return false;
    return !in_flight->keeps_urls ||
           (here->url_len == url->url_len &&
            (url->url_len == 0 ||
             memcmp(in_flight->bytes + here->at, url->url, url->url_len) == 0));
}

/* Where a URL is in the table, or the empty place where it would be. */
static size_t find(const ss_in_flight *in_flight, const ss_pushed *url)
{
    size_t place = (size_t)ss_hash_range(url->hash, in_flight->table_room);
    while (in_flight->table[place] != 0 &&
           !is_url(in_flight, in_flight->table[place], url))
        place = place + 1 == in_flight->table_room ? 0 : place + 1;
    return place;
}

ss_pushed ss_in_flight_at(const ss_in_flight *in_flight, size_t i)
{
    const ss_flying *url = &in_flight->urls[i];
    return (ss_pushed){.hash = url->hash,
                       .seconds = url->seconds,
                       .url = in_flight->keeps_urls ? in_flight->bytes + url->at
                                                    : NULL,
                       .url_len = url->url_len};
}

/* Of a URL that is there twice, the table has the first. */
static void set_first(ss_in_flight *in_flight, const ss_pushed *url,
                      uint32_t slot)
{
    size_t place = find(in_flight, url);
    if (in_flight->table[place] == 0)
        in_flight->table[place] = slot;
}

static bool reserve_table(ss_in_flight *in_flight, const ss_memory *memory,
                          size_t wanted)
{
    if (wanted * 2 <= in_flight->table_room)
        return true;
    size_t room = wanted * 4;
    uint32_t *table = ss_memory_alloc(memory, room, sizeof *table);
    if (table == NULL)
        return false;
    ss_memory_free(memory, in_flight->table, in_flight->table_room,
                   sizeof *table);
    in_flight->table = table;
    in_flight->table_room = room;
    for (size_t i = 0; i < in_flight->count; i++) {
        const ss_pushed url = ss_in_flight_at(in_flight, i);
        set_first(in_flight, &url, (uint32_t)i + 1);
    }
    return true;
}

static bool reserve_bytes(ss_in_flight *in_flight, const ss_memory *memory,
                          size_t more_bytes)
{
    void *bytes = in_flight->bytes;
    if (!in_flight->keeps_urls)
        return true;
    /* one more, so that there is an address even of the empty URL */
    if (!ss_array_reserve(memory, &bytes, &in_flight->byte_room,
                          in_flight->byte_count + more_bytes + 1, 1))
        return false;
    in_flight->bytes = bytes;
    return true;
}

bool ss_in_flight_reserve(ss_in_flight *in_flight, const ss_memory *memory,
                          size_t more, size_t more_bytes)
{
    void *urls = in_flight->urls;
    uint64_t wanted = (uint64_t)in_flight->count + more;
    if (wanted >= UINT32_MAX || !reserve_bytes(in_flight, memory, more_bytes) ||
        !reserve_table(in_flight, memory, (size_t)wanted) ||
        !ss_array_reserve(memory, &urls, &in_flight->room, (size_t)wanted,
                          sizeof *in_flight->urls))
        return false;
    in_flight->urls = urls;
    return true;
}

bool ss_in_flight_has(const ss_in_flight *in_flight, const ss_pushed *url)
{
    return in_flight->count > 0 && in_flight->table[find(in_flight, url)] != 0;
}

void ss_in_flight_add(ss_in_flight *in_flight, const ss_pushed *url)
{
    ss_flying *last = &in_flight->urls[in_flight->count++];
    *last = (ss_flying){.hash = url->hash, .seconds = url->seconds};
    if (in_flight->keeps_urls) {
        last->at = in_flight->byte_count;
        last->url_len = url->url_len;
        in_flight->byte_count += url->url_len;
        if (url->url_len > 0)
            memmove(in_flight->bytes + last->at, url->url, url->url_len);
    }
    set_first(in_flight, url, (uint32_t)in_flight->count);
}

/* Removes the last one. */
static void drop_last(ss_in_flight *in_flight)
{
    const ss_pushed url = ss_in_flight_at(in_flight, in_flight->count - 1);
    uint32_t *slot = &in_flight->table[find(in_flight, &url)];
    if (*slot == in_flight->count)
        *slot = 0;
    in_flight->count--;
    in_flight->byte_count -= url.url_len;
}

void ss_in_flight_clear(ss_in_flight *in_flight)
{
    while (in_flight->count > in_flight->durable_count)
        drop_last(in_flight);
}

/* All are removed, and those that stay are added again, each at or before the
 * place where it was. */
void ss_in_flight_drop_first(ss_in_flight *in_flight, size_t count)
{
    size_t all = in_flight->count;
    size_t durable_count = in_flight->durable_count - count;
    in_flight->durable_count = 0;
    ss_in_flight_clear(in_flight);
    for (size_t i = count; i < all; i++) {
        const ss_pushed url = ss_in_flight_at(in_flight, i);
        ss_in_flight_add(in_flight, &url);
    }
    in_flight->durable_count = durable_count;
}

uint64_t ss_in_flight_memory_bytes(const ss_in_flight *in_flight)
{
    return in_flight->room * sizeof *in_flight->urls +
           in_flight->table_room * sizeof *in_flight->table +
           in_flight->byte_room;
}
