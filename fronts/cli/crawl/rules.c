/* rules.c - see rules.h */
#include "crawl/rules.h"

#include <stdio.h>
#include <string.h>

#define FORM " polite %11llu per-host %5u by %8s budget %10llu%n"
#define FROM_START " from start" /* else from the end */

static const char *const kinds[] = {"host", "hostport", "domain"};

const char *crawl_rules_kind(const crawl_rules *rules)
{
    return kinds[rules->by];
}

void crawl_rules_write(const crawl_rules *rules, char out[CRAWL_RULES_ROOM])
{
    out[0] = '\0';
    if (rules->is_polite)
        snprintf(out, CRAWL_RULES_ROOM,
                 " polite %llu per-host %u by %s budget %llu%s",
                 (unsigned long long)rules->delay_ms, (unsigned)rules->per_host,
                 crawl_rules_kind(rules), (unsigned long long)rules->budget,
                 rules->is_from_start ? FROM_START : "");
}

static bool read_kind(const char *name, seenset_url_site_kind *kind)
{
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(name, kinds[i]) != 0)
            continue;
        *kind = (seenset_url_site_kind)i;
        return true;
    }
    return false;
}

bool crawl_rules_read(crawl_rules *rules, const char *text, size_t length)
{
    unsigned long long delay = 0, budget = 0;
    unsigned per_host = 0;
    char by[9] = "";
    int end = 0;
    if (length == 0) {
        *rules = (crawl_rules){0};
        return true;
    }
    int found = sscanf(text, FORM, &delay, &per_host, by, &budget, &end);
    bool is_from_start = found == 4 && strcmp(text + end, FROM_START) == 0;
    end += is_from_start ? (int)strlen(FROM_START) : 0;
    if (found != 4 || (size_t)end != length || delay > CRAWL_MOST_DELAY_MS ||
        per_host < 1 || per_host > CRAWL_MOST_PER_HOST || budget > UINT32_MAX)
        return false;
    *rules = (crawl_rules){.is_polite = true,
                           .delay_ms = delay,
                           .is_from_start = is_from_start,
                           .budget = budget,
                           .per_host = per_host};
    return read_kind(by, &rules->by);
}

bool crawl_rules_are_equal(const crawl_rules *a, const crawl_rules *b)
{
    return a->is_polite == b->is_polite && a->delay_ms == b->delay_ms &&
           a->budget == b->budget && a->per_host == b->per_host &&
           a->by == b->by && a->is_from_start == b->is_from_start;
}
