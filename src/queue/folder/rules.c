/* rules.c - see rules.h */
#include "queue/folder/rules.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/bits.h"
#include "base/growth.h"

enum {
    FROM_START = 1
};

bool ss_rules_are_valid(const seenset_queue_politeness *politeness)
{
    return politeness == NULL ||
           (politeness->by >= SEENSET_URL_SITE_HOST &&
            politeness->by <= SEENSET_URL_SITE_DOMAIN &&
            politeness->host_leases <= SEENSET_QUEUE_MAX_HOST_LEASES &&
            politeness->delay_seconds >= 0 &&
            politeness->delay_seconds <= SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS &&
            (politeness->flags & ~SEENSET_QUEUE_DELAY_FROM_START) == 0 &&
            politeness->reserved32 == 0 && SS_GROWTH_IS_UNUSED(politeness));
}

bool ss_rules_are_supported(const seenset_queue_politeness *politeness)
{
    size_t start, len;
    return seenset_url_site("", 0, politeness->by, &start, &len) == SEENSET_OK;
}

/* 16.1 s are 16100.000000000002 ms to a double, and mean 16100. */
uint64_t ss_rules_ms(double seconds)
{
    double ms = seconds * 1e3, nearest = round(ms);
    bool is_whole = fabs(ms - nearest) <= nearest * 1e-12;
    return (uint64_t)(is_whole ? nearest : ceil(ms));
}

ss_frontier_rules ss_rules_of(const seenset_queue_politeness *politeness)
{
    return (ss_frontier_rules){
        .delay_ms = ss_rules_ms(politeness->delay_seconds),
        .budget =
            politeness->budget == 0 ? SS_FRONTIER_ANY : politeness->budget,
        .host_leases =
            politeness->host_leases == 0 ? 1 : politeness->host_leases,
        .by = politeness->by,
        .is_from_start =
            (politeness->flags & SEENSET_QUEUE_DELAY_FROM_START) != 0};
}

seenset_queue_politeness ss_rules_as_asked(const ss_frontier_rules *rules)
{
    return (seenset_queue_politeness){
        .by = rules->by,
        .host_leases = rules->host_leases,
        .delay_seconds = (double)rules->delay_ms / 1e3,
        .budget = rules->budget == SS_FRONTIER_ANY ? 0 : rules->budget,
        .flags = rules->is_from_start ? SEENSET_QUEUE_DELAY_FROM_START : 0};
}

void ss_rules_encode(const ss_frontier_rules *rules, uint8_t *bytes)
{
    ss_bits_store(bytes, 8, rules->delay_ms);
    ss_bits_store(bytes + 8, 8, rules->budget);
    ss_bits_store(bytes + 16, 4, rules->host_leases);
    ss_bits_store(bytes + 20, 4, (uint32_t)rules->by);
    ss_bits_store(bytes + 24, 4, rules->is_from_start ? FROM_START : 0);
    ss_bits_store(bytes + 28, 4, 0);
}

bool ss_rules_decode(ss_frontier_rules *out, const uint8_t *bytes)
{
    uint64_t flags = ss_bits_load(bytes + 24, 8);
    *out = (ss_frontier_rules){
        .delay_ms = ss_bits_load(bytes, 8),
        .budget = ss_bits_load(bytes + 8, 8),
        .host_leases = (uint32_t)ss_bits_load(bytes + 16, 4),
        .by = (seenset_url_site_kind)ss_bits_load(bytes + 20, 4),
        .is_from_start = flags == FROM_START};
    return out->delay_ms <= SS_FRONTIER_MOST_DELAY_MS && out->budget > 0 &&
           out->host_leases > 0 &&
           out->host_leases <= SEENSET_QUEUE_MAX_HOST_LEASES &&
           out->by >= SEENSET_URL_SITE_HOST &&
           out->by <= SEENSET_URL_SITE_DOMAIN && flags <= FROM_START;
}

bool ss_rules_differ(const ss_frontier_rules *stored,
                     const seenset_queue_politeness *asked, char *text,
                     size_t text_bytes)
{
    static const char *const kinds[] = {"host", "host-port", "domain"};
    const ss_frontier_rules wanted = ss_rules_of(asked);
    if (stored->by != wanted.by)
        snprintf(text, text_bytes, "by: %s, not %s", kinds[stored->by],
                 kinds[wanted.by]);
    else if (stored->delay_ms != wanted.delay_ms)
        snprintf(text, text_bytes, "delay_seconds: %g, not %g",
                 (double)stored->delay_ms / 1e3, (double)wanted.delay_ms / 1e3);
    else if (stored->host_leases != wanted.host_leases)
        snprintf(text, text_bytes, "host_leases: %" PRIu32 ", not %" PRIu32,
                 stored->host_leases, wanted.host_leases);
    else if (stored->budget != wanted.budget)
        snprintf(text, text_bytes, "budget: %" PRIu64 ", not %" PRIu64,
                 ss_rules_as_asked(stored).budget, asked->budget);
    else if (stored->is_from_start != wanted.is_from_start)
        snprintf(text, text_bytes, "delay_from: %s, not %s",
                 stored->is_from_start ? "start" : "end",
                 wanted.is_from_start ? "start" : "end");
    else
        return false;
    return true;
}
