/* polite.c - see polite.h */
#include "queue/access/polite.h"

#include <string.h>

#include "queue/access/access.h"
#include "text/options.h"

#define DEFAULT_DELAY_MS 1000

static uint64_t read_delay(arguments *state, const char *text)
{
    if (text == NULL)
        return DEFAULT_DELAY_MS;
    double ms = queue_seconds(state, "--polite", text) * 1e3;
    if (ms > (double)CRAWL_MOST_DELAY_MS)
        arguments_refuse(state, "--polite is at most 366d, not '%s'", text);
    return (uint64_t)(ms + 0.5);
}

static uint64_t read_count(arguments *state, const char *option,
                           const char *text, uint64_t most)
{
    uint64_t count = options_count(state, option, text);
    if (count < 1 || count > most)
        arguments_refuse(state, "%s is 1 to %llu, not '%s'", option,
                         (unsigned long long)most, text);
    return count;
}

static seenset_url_site_kind read_kind(arguments *state, const char *text)
{
    if (strcmp(text, "host") == 0)
        return SEENSET_URL_SITE_HOST;
    if (strcmp(text, "host-port") == 0)
        return SEENSET_URL_SITE_HOST_PORT;
    if (strcmp(text, "domain") != 0)
        arguments_refuse(state, "--by is host, host-port or domain, not '%s'",
                         text);
    return SEENSET_URL_SITE_DOMAIN;
}

int queue_polite_parse(int key, char *text, arguments *state, crawl_rules *to)
{
    switch (key) {
    case QUEUE_OPTION_POLITE:
        to->is_polite = true;
        to->delay_ms = read_delay(state, text);
        return 0;
    case QUEUE_OPTION_FROM_START:
        to->is_from_start = true;
        return 0;
    case QUEUE_OPTION_PER_HOST:
        to->per_host = (uint32_t)read_count(state, "--per-host", text,
                                            CRAWL_MOST_PER_HOST);
        return 0;
    case QUEUE_OPTION_BY:
        to->by = read_kind(state, text);
        to->is_by_given = true;
        return 0;
    case QUEUE_OPTION_HOST_BUDGET:
        to->budget = read_count(state, "--host-budget", text, UINT32_MAX);
        return 0;
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

void queue_polite_check(arguments *state, crawl_rules *to)
{
    if (!to->is_polite && (to->per_host > 0 || to->budget > 0 ||
                           to->is_by_given || to->is_from_start))
        arguments_refuse(state, "--from-start, --per-host, --by and "
                                "--host-budget need --polite");
    if (to->is_polite && to->per_host == 0)
        to->per_host = 1;
}

const seenset_queue_politeness *
queue_polite_options(const crawl_rules *from, seenset_queue_politeness *room)
{
    if (!from->is_polite)
        return NULL;
    *room = (seenset_queue_politeness){
        .by = from->by,
        .host_leases = from->per_host,
        .delay_seconds = (double)from->delay_ms / 1e3,
        .budget = from->budget,
        .flags = from->is_from_start ? SEENSET_QUEUE_DELAY_FROM_START : 0};
    return room;
}
