/*
 * open.c - a partition from its bytes; see bytes.h.
 *
 * The bytes may come from anybody. Each length is compared with what is left,
 * memory is taken for what is there, and a block may claim no more than a block
 * can be. The sum finds accidents; all that is checked beside it holds against
 * a forger who has computed the sum.
 */
#include <string.h>

#include "key/persist_parts.h"
#include "server/memory.h"
#include "visit/bytes/bytes.h"
#include "visit/bytes/reader.h"

static int read_set(sr_reader *from, sr_visit *visit)
{
    uint64_t len = sr_take_number(from, 8);
    const uint8_t *bytes = sr_take(from, len);
    if (from->reason != NULL)
        return SEENSET_ECORRUPT;
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .allocator = &sr_allocator};
    int error = seenset_open_bytes(&visit->set, bytes, (size_t)len, &options);
    seenset_info info;
    if (error == 0 &&
        (seenset_get_info(visit->set, &info, sizeof info) != 0 ||
         info.on_full != SEENSET_ON_FULL_GROW || info.counter_bits != 0))
        return sr_damaged(from, "its set is of another kind");
    if (error == SEENSET_ENOMEM || error == 0)
        return error;
    return sr_damaged(from, "its set is damaged");
}

typedef struct lease_head {
    uint64_t number, due_ms, times, flags, host;
    sr_item item;
} lease_head;

/* Out, or not; and with hosts also due, or dead. */
static bool are_flags(const sr_reader *from, uint64_t flags)
{
    return flags <= SR_LEASE_IS_OUT ||
           (from->has_sites &&
            (flags == SR_LEASE_IS_DEAD ||
             (flags | SR_LEASE_IS_OUT) == (SR_LEASE_IS_DUE | SR_LEASE_IS_OUT)));
}

static int take_lease(sr_reader *from, lease_head *head)
{
    head->number = sr_take_number(from, 8);
    head->due_ms = sr_take_number(from, 8);
    head->times = sr_take_number(from, 4);
    head->flags = sr_take_number(from, 4);
    head->host = from->has_sites ? sr_take_number(from, 8) : 0;
    size_t len = from->reason != NULL
                     ? 0
                     : sr_item_read(from->at, (size_t)(from->end - from->at),
                                    &head->item);
    from->at += len;
    bool is_out = (head->flags & SR_LEASE_IS_OUT) != 0;
    bool is_time = !from->has_sites || head->due_ms <= INT64_MAX;
    return len > 0 && is_time && are_flags(from, head->flags) &&
                   head->times >= (is_out ? 1 : from->least_times)
               ? 0
               : sr_damaged(from, "a lease is damaged");
}

/* Numbers grow, and are below the next one. */
static int read_lease(sr_reader *from, sr_visit *visit, uint64_t *last)
{
    lease_head head;
    sr_leases *leases = &visit->leases;
    if (take_lease(from, &head) != 0 || head.number <= *last ||
        head.number >= leases->next_number)
        return sr_damaged(from, "the number of a lease is damaged");
    *last = head.number;
    int error = sr_leases_reserve(leases, 1);
    const uint64_t *host = from->has_sites ? &head.host : NULL;
    sr_lease *lease = error == 0 ? sr_lease_new(&head.item, host) : NULL;
    if (lease == NULL)
        return SEENSET_ENOMEM;
    lease->number = head.number;
    lease->due_ms = head.due_ms;
    lease->times = (uint32_t)head.times;
    lease->is_out = (head.flags & SR_LEASE_IS_OUT) != 0;
    lease->place = (head.flags & SR_LEASE_IS_DUE) != 0    ? SR_LEASE_DUE
                   : (head.flags & SR_LEASE_IS_DEAD) != 0 ? SR_LEASE_DEAD
                                                          : SR_LEASE_TIMED;
    sr_leases_put(leases, lease);
    return from->has_sites ? sr_place_lease(from, visit->sites, lease) : 0;
}

static int read_leases(sr_reader *from, sr_visit *visit)
{
    uint64_t count = sr_take_number(from, 8), last = 0;
    int error = from->reason == NULL ? 0 : SEENSET_ECORRUPT;
    for (uint64_t i = 0; error == 0 && i < count; i++)
        error = read_lease(from, visit, &last);
    return error;
}

static int check_sum(sr_reader *from)
{
    uint64_t sum = 0;
    if ((uint64_t)(from->end - from->at) < 8 + 8)
        return sr_damaged(from, "it ends too early");
    const uint8_t *end = from->end - 8;
    for (const uint8_t *at = from->at; at < end; at += SR_CHUNK_BYTES) {
        size_t left = (size_t)(end - at);
        size_t len = left < SR_CHUNK_BYTES ? left : SR_CHUNK_BYTES;
        sum = sr_sum(sum, at, len);
        if (len == left)
            break;
    }
    sr_reader last = {.at = end, .end = from->end};
    from->end = end;
    from->has_sites = memcmp(from->at, SR_VISIT_MAGIC_3, 8) == 0;
    from->least_times =
        from->has_sites || memcmp(from->at, SR_VISIT_MAGIC_2, 8) == 0 ? 0 : 1;
    if (from->least_times > 0 && memcmp(from->at, SR_VISIT_MAGIC, 8) != 0)
        return sr_damaged(from, "it is not a partition, or of a newer version");
    from->at += 8;
    return sr_take_number(&last, 8) == sum
               ? 0
               : sr_damaged(from, "the sum is wrong");
}

static int read_all(sr_reader *from, sr_visit *visit)
{
    int error = check_sum(from);
    if (error != 0)
        return error;
    visit->limit_bytes = sr_take_number(from, 8);
    visit->leases.next_number = sr_take_number(from, 8);
    if (from->reason != NULL || visit->limit_bytes > INT64_MAX ||
        visit->leases.next_number == 0 ||
        visit->leases.next_number > SR_LEASE_MOST_NUMBER)
        return sr_damaged(from, "its head is damaged");
    error = read_set(from, visit);
    if (error == 0 && from->has_sites)
        error = sr_read_sites(from, &visit->sites);
    if (error == 0)
        error = sr_read_items(from, &visit->items);
    if (error == 0 && from->has_sites && sr_items_count(&visit->items) > 0)
        return sr_damaged(from, "it has items without a host");
    if (error == 0)
        error = read_leases(from, visit);
    if (error == 0 && from->at != from->end)
        return sr_damaged(from, "there is more after its end");
    return error;
}

int sr_visit_open(sr_visit **out, const uint8_t *bytes, size_t len,
                  const char **reason)
{
    sr_reader from = {.at = bytes, .end = bytes + len};
    sr_visit *visit = sr_visit_new();
    if (visit == NULL)
        return SEENSET_ENOMEM;
    int error = read_all(&from, visit);
    if (error == 0) {
        *out = visit;
        return 0;
    }
    sr_visit_free(visit);
    if (reason != NULL)
        *reason = from.reason == NULL ? "" : from.reason;
    return error;
}
