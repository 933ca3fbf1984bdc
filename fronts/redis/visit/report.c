/* report.c - see report.h */
#include "visit/report.h"

#include <stdio.h>
#include <string.h>

#include "visit/target.h"

enum {
    NAME_BYTES = 64 /* that are shown */
};

typedef struct figures {
    uint64_t partitions, pending, leased, given_back, dead, seen, bytes;
    uint64_t next_due_ms; /* when a lease or a delay ends first; 0: none */
} figures;

typedef struct crawl {
    char name[NAME_BYTES]; /* as it is shown */
    figures sums;
} crawl;

typedef struct report {
    figures all;
    crawl crawls[SR_REPORT_CRAWLS];
    size_t count;
} report;

/* The length of NAME in NAME:{digits}; len: the key is of another form. */
static size_t crawl_name(const char *key, size_t len)
{
    size_t at = len;
    if (len < 4 || key[len - 1] != '}')
        return len;
    for (at = len - 1; at > 0 && key[at - 1] >= '0' && key[at - 1] <= '9';)
        at--;
    return at < len - 1 && at >= 3 && key[at - 1] == '{' && key[at - 2] == ':'
               ? at - 2
               : len;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* A row's name ends at a colon, and a line at its end. */
static void show_name(const char *key, size_t len, char shown[NAME_BYTES])
{
    size_t count = crawl_name(key, len);
    if (count > NAME_BYTES - 1)
        count = NAME_BYTES - 1;
    for (size_t i = 0; i < count; i++)
        shown[i] = is_plain(key[i]) ? key[i] : '_';
    shown[count] = '\0';
}

static void add_to(figures *sums, const figures *one)
{
    sums->partitions += one->partitions;
    sums->pending += one->pending;
    sums->leased += one->leased;
    sums->given_back += one->given_back;
    sums->dead += one->dead;
    sums->seen += one->seen;
    sums->bytes += one->bytes;
    if (one->next_due_ms != 0 &&
        (sums->next_due_ms == 0 || one->next_due_ms < sums->next_due_ms))
        sums->next_due_ms = one->next_due_ms;
}

static figures figures_of(const sr_visit *visit)
{
    const sr_leases *leases = &visit->leases;
    seenset_info info = {0};
    if (visit->set != NULL)
        (void)seenset_get_info(visit->set, &info, sizeof info);
    uint64_t dead = visit->sites == NULL ? 0 : visit->sites->dead_count;
    return (figures){.partitions = 1,
                     .pending = sr_visit_pending(visit),
                     .leased = leases->out_count,
                     .given_back = leases->count - leases->out_count - dead,
                     .dead = dead,
                     .seen = info.added_items,
                     .bytes = sr_visit_bytes(visit),
                     .next_due_ms =
                         leases->heap_count == 0 ? 0 : leases->heap[0]->due_ms};
}

/* Partitions of a crawl are often next to each other: the last is first. */
static void look(void *context, const void *partition, const char *name,
                 size_t len)
{
    report *to = context;
    char shown[NAME_BYTES];
    figures one = figures_of(partition);
    add_to(&to->all, &one);
    show_name(name, len, shown);
    size_t i = to->count;
    while (i > 0 && strcmp(to->crawls[i - 1].name, shown) != 0)
        i--;
    if (i == 0) {
        if (to->count == SR_REPORT_CRAWLS)
            return;
        i = ++to->count;
        memcpy(to->crawls[i - 1].name, shown, sizeof shown);
    }
    add_to(&to->crawls[i - 1].sums, &one);
}

static void add_figures(RedisModuleInfoCtx *ctx, const figures *sums)
{
    uint64_t now = sr_visit_time(0), due = sums->next_due_ms;
    const struct {
        const char *name;
        uint64_t number;
    } rows[] = {{"partitions", sums->partitions},
                {"pending", sums->pending},
                {"leased", sums->leased},
                {"given_back", sums->given_back},
                {"dead", sums->dead},
                {"seen", sums->seen},
                {"partition_bytes", sums->bytes},
                {"next_due_ms", due},
                {"overdue_ms", due != 0 && due < now ? now - due : 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        sr_redis.info_add_number(ctx, rows[i].name, rows[i].number);
}

static void add_crawl(RedisModuleInfoCtx *ctx, const crawl *row)
{
    char name[NAME_BYTES + sizeof "crawl_"];
    snprintf(name, sizeof name, "crawl_%s", row->name);
    if (sr_redis.info_begin_dict(ctx, name) != SR_OK)
        return;
    add_figures(ctx, &row->sums);
    sr_redis.info_end_dict(ctx);
}

void sr_report_crawls(RedisModuleInfoCtx *ctx)
{
    report *found = sr_redis.try_alloc(sizeof *found);
    if (found == NULL)
        return;
    *found = (report){0};
    sr_known_each(look, found);
    add_figures(ctx, &found->all);
    if (sr_redis.info_begin_dict != NULL && sr_redis.info_end_dict != NULL) {
        sr_redis.info_add_section(ctx, "crawls");
        for (size_t i = 0; i < found->count; i++)
            add_crawl(ctx, &found->crawls[i]);
    }
    sr_redis.free(found);
}
