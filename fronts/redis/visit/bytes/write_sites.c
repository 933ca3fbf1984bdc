/* write_sites.c - the hosts of a partition as bytes; see bytes.h */
#include "visit/bytes/bytes.h"
#include "visit/bytes/pieces.h"

static void put_rules(sr_pieces *to, const sr_rules *rules)
{
    sr_put_number(to, rules->delay_ms, 8);
    sr_put_number(to, rules->budget, 8);
    sr_put_number(to, rules->per_host, 4);
    sr_put_number(to, rules->give_up, 4);
    sr_put_number(to, rules->by, 4);
    sr_put_number(to, rules->is_from_start, 4);
}

static void put_own(sr_pieces *to, const sr_own *own)
{
    sr_put_number(to, own->block_until_ms, 8);
    sr_put_number(to, own->unblocked_ms, 8);
    sr_put_number(to, own->delay_ms, 8);
    sr_put_number(to, own->budget, 8);
    sr_put_number(to, own->name_len, 4);
    sr_put(to, own->name, own->name_len);
}

static void put_line(sr_pieces *to, const sr_line *line)
{
    uint64_t len = line->len - line->at;
    if (line->packed != NULL)
        sr_put_items(to, line->packed);
    else
        sr_put_block(to, line->bytes + line->at, len, len, line->items);
}

static void put_host(sr_pieces *to, const sr_sites *sites, uint32_t number)
{
    const ss_host_row *row = ss_turns_host(&sites->turns, number);
    const sr_line *line = sr_sites_line(sites, number);
    sr_put_number(to, row->hash, 8);
    sr_put_number(to, row->ready_ms, 8);
    sr_put_number(to, ss_turns_lead(&sites->turns, number), 4);
    sr_put_number(to, line->taken, 4);
    sr_put_number(to, line->done, 4);
    sr_put_number(to, line->failed, 4);
    sr_put_number(to, line->refused, 4);
    sr_put_number(to,
                  (line->own != NULL ? SR_HOST_HAS_OWN : 0u) |
                      (line->packed != NULL ? SR_HOST_IS_PACKED : 0u),
                  4);
    if (line->own != NULL)
        put_own(to, line->own);
    put_line(to, line);
}

static bool is_written(const sr_sites *sites, uint32_t number)
{
    const ss_host_row *row = ss_turns_host(&sites->turns, number);
    return row->place != SS_HOST_UNUSED && !sr_sites_is_blank(row);
}

void sr_put_sites(sr_pieces *to, const sr_sites *sites)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < sites->turns.all.used; i++)
        count += is_written(sites, i);
    put_rules(to, &sites->rules);
    sr_put_number(to, sites->refused, 8);
    sr_put_number(to, count, 8);
    for (uint32_t i = 0; i < sites->turns.all.used; i++) {
        if (is_written(sites, i))
            put_host(to, sites, i);
    }
}
