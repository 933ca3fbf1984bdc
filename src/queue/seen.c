/* seen.c - the set of a queue, and the hashes that are not in it yet */
#include "queue/seen.h"

#include <math.h>

#include "seenset/info.h"

void ss_seen_free(ss_seen *seen, const ss_memory *memory)
{
    seenset_free(seen->set);
    ss_in_flight_free(&seen->in_flight[0], memory);
    ss_in_flight_free(&seen->in_flight[1], memory);
}

int ss_seen_add(ss_seen *seen, const uint64_t *hashes, size_t count,
                size_t *done)
{
    for (*done = 0; *done < count; *done += 1) {
        int answer = seenset_add_hash(seen->set, hashes[*done]);
        if (answer < 0 && answer != SEENSET_EFULL)
            return answer;
        seen->added_items += answer == 1;
    }
    return SEENSET_OK;
}

/* ---- in flight ---- */

static int add_durable(ss_seen *seen, ss_in_flight *table)
{
    size_t done;
    int error = ss_seen_add(seen, table->hashes, table->durable_count, &done);
    if (done > 0)
        ss_in_flight_drop_first(table, done);
    return error;
}

int ss_seen_add_durable(ss_seen *seen)
{
    int error = add_durable(seen, &seen->in_flight[0]);
    return error != SEENSET_OK ? error : add_durable(seen, &seen->in_flight[1]);
}

bool ss_seen_is_in_flight(const ss_seen *seen, uint64_t hash)
{
    return ss_in_flight_has(&seen->in_flight[1 - seen->filling], hash) ||
           ss_in_flight_has(&seen->in_flight[seen->filling], hash);
}

bool ss_seen_is_full(const ss_seen *seen)
{
    return seen->refuses && seen->added_items + seen->in_flight[0].count +
                                    seen->in_flight[1].count >=
                                seen->capacity_items;
}

int ss_seen_reserve(ss_seen *seen, const ss_memory *memory, size_t more)
{
    int error = ss_seen_add_durable(seen);
    if (error != SEENSET_OK)
        return error;
    return ss_in_flight_reserve(&seen->in_flight[seen->filling], memory, more)
               ? SEENSET_OK
               : SEENSET_ENOMEM;
}

void ss_seen_join_group(ss_seen *seen, uint64_t hash)
{
    ss_in_flight_add(&seen->in_flight[seen->filling], hash);
}

void ss_seen_start_group(ss_seen *seen)
{
    seen->filling = 1 - seen->filling;
}

void ss_seen_end_sync(ss_seen *seen)
{
    ss_in_flight *synced = &seen->in_flight[1 - seen->filling];
    synced->durable_count = synced->count;
    (void)add_durable(seen, synced); /* else later: a push needs it */
}

void ss_seen_roll_back(ss_seen *seen)
{
    ss_in_flight_clear(&seen->in_flight[seen->filling]);
}

/* ---- numbers ---- */

uint64_t ss_seen_memory_bytes(const ss_seen *seen)
{
    const ss_in_flight *a = &seen->in_flight[0], *b = &seen->in_flight[1];
    return (a->room + b->room) * sizeof *a->hashes +
           (a->table_room + b->table_room) * sizeof *a->table;
}

/*
 * A new URL gets to a table past all older ones, each of which may take it for
 * seen. `older` is the chance that any of them does: of the URLs that were
 * offered to this table, added / (1 - older) had to be offered to the set.
 */
double ss_seen_expect_wrong(const ss_seen_tables *tables)
{
    double wrong = 0.0, log_missed = 0.0; /* by every older table */
    for (uint32_t i = 0; i < tables->count; i++) {
        uint64_t added = tables->at[i].added_items;
        uint64_t size_bits = tables->at[i].size_bits;
        uint32_t hash_count = tables->at[i].hash_count;
        double older = -expm1(log_missed);
        double own = seenset_plan_wrong_items(tables->layout, added, size_bits,
                                              hash_count);
        wrong += (own + (double)added * older) / (1.0 - older);
        log_missed += log1p(-seenset_plan_fp_rate(tables->layout, added,
                                                  size_bits, hash_count));
    }
    return wrong;
}

/* ---- what the set reports ---- */

static seenset_info info_of(const ss_seen *seen)
{
    seenset_info info;
    (void)seenset_get_info(seen->set, &info, sizeof info);
    return info;
}

void ss_seen_init(ss_seen *seen)
{
    const seenset_info info = info_of(seen);
    seen->capacity_items = info.capacity_items;
    seen->added_items = info.added_items;
    seen->refuses = info.on_full == SEENSET_ON_FULL_REFUSE;
}

void ss_seen_list_tables(const ss_seen *seen, ss_seen_tables *out)
{
    const seenset_info info = info_of(seen);
    out->layout = info.layout;
    out->count = 0;
    while (out->count < info.table_count && out->count < SS_SEEN_MAX_TABLES) {
        seenset_table_info table;
        (void)seenset_get_table_info(seen->set, out->count, &table,
                                     sizeof table);
        out->at[out->count].added_items = table.added_items;
        out->at[out->count].size_bits = table.size_bits;
        out->at[out->count++].hash_count = table.hash_count;
    }
}

uint64_t ss_seen_set_bytes(const ss_seen *seen)
{
    return info_of(seen).memory_bytes;
}
