/*
 * stat.c - the figures of a crawl in Redis, under the names that those of
 * a folder have. What the servers do not count is "none", null in JSON.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "queue/crawl/access.h"
#include "report/stdout.h"
#include "text/units.h"

#define NO_NUMBER UINT64_MAX

typedef struct figure {
    const char *name;
    uint64_t value;
} figure;

static void print_figure(const figure *it, bool is_json)
{
    if (is_json && it->value == NO_NUMBER)
        printf("\"%s\":null,", it->name);
    else if (is_json)
        printf("\"%s\":%llu,", it->name, (unsigned long long)it->value);
    else
        printf("%-16s %s\n", it->name,
               it->value == NO_NUMBER ? "none" : units_grouped(it->value).text);
}

static void print_counts(const crawl_figures *seen, bool is_json)
{
    const figure figures[] = {
        {"pending", seen->pending + seen->delayed},
        {"leased", seen->leased},
        {"pushed", seen->seen},
        {"acked", seen->acked},
        {"dropped_as_seen", NO_NUMBER},
        {"refused", NO_NUMBER},
        {"not_url", NO_NUMBER},
        {"pending_bytes", seen->pending_bytes},
        {"set_bytes", seen->set_bytes},
        {"memory_bytes", seen->bytes},
        {"partitions", seen->partitions},
        {"with_urls", seen->made_partitions},
        {"delayed", seen->delayed},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        print_figure(&figures[i], is_json);
}

static void print_rest(const crawl_figures *seen)
{
    printf("%-16s %s\n%-16s %s\n", "promised_rate",
           seen->made_partitions > 0 ? units_as_rate(seen->fp_rate).text
                                     : "none",
           "normalise", seen->normalises ? "url" : "off");
    if (isfinite(seen->seconds_to_due))
        printf("%-16s in %s\n", "next_due",
               units_as_seconds(seen->seconds_to_due).text);
    else
        printf("%-16s never\n", "next_due");
}

static void print_rest_json(const crawl_figures *seen)
{
    if (seen->made_partitions > 0)
        printf("\"promised_rate\":%.6g,", seen->fp_rate);
    else
        fputs("\"promised_rate\":null,", stdout);
    printf("\"normalise\":\"%s\",\"format\":\"seenset-crawl\",",
           seen->normalises ? "url" : "off");
    if (isfinite(seen->seconds_to_due))
        printf("\"seconds_to_due\":%.17g}\n", seen->seconds_to_due);
    else
        fputs("\"seconds_to_due\":null}\n", stdout);
}

int queue_stat_crawl(const queue_access *access, bool is_json)
{
    crawl *it = NULL;
    crawl_figures seen;
    int status = queue_crawl_open(&it, access, NULL);
    if (status == 0)
        status = crawl_look(it, &seen);
    crawl_close(it);
    if (status != 0)
        return status;
    fputs(is_json ? "{" : "", stdout);
    print_counts(&seen, is_json);
    if (is_json)
        print_rest_json(&seen);
    else
        print_rest(&seen);
    return COMMAND_DONE;
}
