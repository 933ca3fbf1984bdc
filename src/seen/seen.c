/* seen.c - the set of a queue, and the URLs that are not in it yet */
#include "seen/seen.h"

#include "base/order.h"
#include "seenset/hash.h"
#include "set/capacity.h"

void ss_seen_free(ss_seen *seen, const ss_memory *memory)
{
    ss_url_set_free(&seen->set);
    ss_in_flight_free(&seen->in_flight[0], memory);
    ss_in_flight_free(&seen->in_flight[1], memory);
    ss_forgotten_free(&seen->forgotten, memory);
}

int ss_seen_add(ss_seen *seen, const ss_pushed *url)
{
    int answer = ss_url_set_add(&seen->set, url);
    if (answer < 0 && answer != SEENSET_EFULL)
        return answer;
    seen->added_items += answer == 1;
    return SEENSET_OK;
}

/* ---- in flight ---- */

static int add_durable(ss_seen *seen, ss_in_flight *table)
{
    size_t done = 0;
    int error = SEENSET_OK;
    while (done < table->durable_count) {
        const ss_pushed url = ss_in_flight_at(table, done);
        error = ss_seen_add(seen, &url);
        if (error != SEENSET_OK)
            break;
        done++;
    }
    if (done > 0)
        ss_in_flight_drop_first(table, done);
    return error;
}

int ss_seen_add_durable(ss_seen *seen)
{
    int error = add_durable(seen, &seen->in_flight[0]);
    return error != SEENSET_OK ? error : add_durable(seen, &seen->in_flight[1]);
}

bool ss_seen_is_in_flight(const ss_seen *seen, const ss_pushed *url)
{
    return ss_in_flight_has(&seen->in_flight[1 - seen->filling], url) ||
           ss_in_flight_has(&seen->in_flight[seen->filling], url);
}

/* The hash by which a URL is forgotten: the same in each handle. */
static uint64_t forgotten_hash(const ss_seen *seen, const ss_pushed *url)
{
    return seen->set.needs_urls ? seenset_hash(url->url, url->url_len)
                                : url->hash;
}

bool ss_seen_is_forgotten(const ss_seen *seen, const ss_pushed *url)
{
    return seen->forgotten.count > 0 &&
           ss_forgotten_has(&seen->forgotten, forgotten_hash(seen, url));
}

void ss_seen_forget(ss_seen *seen, const ss_pushed *url)
{
    (void)ss_forgotten_add(&seen->forgotten, forgotten_hash(seen, url));
}

bool ss_seen_remember(ss_seen *seen, const ss_pushed *url)
{
    return seen->forgotten.count > 0 &&
           ss_forgotten_remove(&seen->forgotten, forgotten_hash(seen, url));
}

bool ss_seen_is_full(const ss_seen *seen)
{
    return seen->refuses && seen->added_items + seen->in_flight[0].count +
                                    seen->in_flight[1].count >=
                                seen->capacity_items;
}

int ss_seen_reserve(ss_seen *seen, const ss_memory *memory, size_t more,
                    size_t more_bytes)
{
    int error = ss_seen_add_durable(seen);
    if (error != SEENSET_OK)
        return error;
    bool has_room = ss_in_flight_reserve(&seen->in_flight[seen->filling],
                                         memory, more, more_bytes) &&
                    (seen->forgotten.count == 0 ||
                     ss_forgotten_reserve(&seen->forgotten, memory, more));
    return has_room ? SEENSET_OK : SEENSET_ENOMEM;
}

void ss_seen_join_group(ss_seen *seen, const ss_pushed *url)
{
    ss_in_flight_add(&seen->in_flight[seen->filling], url);
}

void ss_seen_start_group(ss_seen *seen)
{
    seen->filling = 1 - seen->filling;
    ss_forgotten_start_group(&seen->forgotten);
}

void ss_seen_end_sync(ss_seen *seen)
{
    ss_in_flight *synced = &seen->in_flight[1 - seen->filling];
    synced->durable_count = synced->count;
    (void)add_durable(seen, synced); /* else later: a push needs it */
}

void ss_seen_roll_back(ss_seen *seen, uint64_t group)
{
    ss_in_flight_clear(&seen->in_flight[seen->filling]);
    ss_forgotten_roll_back(&seen->forgotten);
    seen->returned_end = ss_lower(seen->returned_end, group);
}

/* ---- numbers ---- */

uint64_t ss_seen_memory_bytes(const ss_seen *seen)
{
    return ss_in_flight_memory_bytes(&seen->in_flight[0]) +
           ss_in_flight_memory_bytes(&seen->in_flight[1]) +
           ss_forgotten_memory_bytes(&seen->forgotten);
}

/* ---- what the set reports ---- */

void ss_seen_init(ss_seen *seen)
{
    const seenset_info info = ss_url_set_info(&seen->set);
    seen->capacity_items = info.capacity_items;
    seen->added_items = info.added_items;
    seen->refuses = info.on_full == SEENSET_ON_FULL_REFUSE;
    for (int i = 0; i < 2; i++)
        seen->in_flight[i].keeps_urls = seen->set.needs_urls;
}

int ss_seen_take_state(const ss_seen *seen, uint64_t most_bytes,
                       ss_set_state *state)
{
    if (seen->set.filter != NULL)
        return ss_figures_take(seen->set.filter, most_bytes, state);
    *state = (ss_set_state){.info = ss_url_set_info(&seen->set)};
    return SEENSET_OK;
}

void ss_seen_watch_capacity(ss_seen *seen, const seenset_options *options)
{
    if (seen->set.filter != NULL)
        ss_capacity_watch(seen->set.filter, options->at_capacity,
                          options->at_capacity_context);
}

void ss_seen_tell_capacity(ss_seen *seen)
{
    if (seen->set.filter != NULL)
        ss_capacity_tell(seen->set.filter);
}

uint64_t ss_seen_set_bytes(const ss_seen *seen)
{
    return ss_url_set_info(&seen->set).memory_bytes;
}
