/* host.c - see text/host.h */
#include "queue/text/host.h"

#include <math.h>
#include <stdio.h>

#include "command.h"
#include "report/complain.h"
#include "report/json.h"
#include "text/units.h"

/* Are its URLs counted? Only if it has a budget. */
static bool is_counted(const seenset_queue_host *host)
{
    return host->budget != SEENSET_QUEUE_ANY_BUDGET;
}

uint64_t host_done(const seenset_queue_host *host)
{
    uint64_t left = host->pending_items + host->leased_items;
    return host->taken_items > left ? host->taken_items - left : 0;
}

void host_print_line(const seenset_queue_host *host)
{
    printf("%llu\t%llu\t", (unsigned long long)host->pending_items,
           (unsigned long long)host->leased_items);
    if (is_counted(host))
        printf("%llu", (unsigned long long)host_done(host));
    else
        putchar('-');
    printf("\t%.0f\t", ceil(host->seconds_to_ready));
    fwrite(host->name, 1, host->name_len, stdout);
    putchar('\n');
}

static void print_count(const char *name, uint64_t value)
{
    printf("%-16s %s\n", name, units_grouped(value).text);
}

/* A delay may be a part of a second. */
static void print_seconds(const char *name, double seconds)
{
    if (seconds < 60)
        printf("%-16s %g s\n", name, seconds);
    else
        printf("%-16s %s\n", name, units_as_seconds(seconds).text);
}

void host_print(const seenset_queue_host *host)
{
    print_count("pending", host->pending_items);
    print_count("leased", host->leased_items);
    if (is_counted(host)) {
        print_count("done", host_done(host));
        print_count("taken", host->taken_items);
        print_count("budget", host->budget);
    } else {
        printf("%-16s any\n", "budget");
    }
    print_seconds("delay", host->delay_seconds);
    if (host->seconds_to_ready > 0)
        printf("%-16s in %s\n", "next",
               units_as_seconds(host->seconds_to_ready).text);
    else
        printf("%-16s now\n", "next");
}

void host_print_json(const seenset_queue_host *host)
{
    json out = json_start(stdout, true);
    out.is_tight = true;
    json_text(&out, "host", host->name);
    json_count(&out, "pending_items", host->pending_items);
    json_count(&out, "leased_items", host->leased_items);
    if (is_counted(host)) {
        json_count(&out, "done_items", host_done(host));
        json_count(&out, "taken_items", host->taken_items);
        json_count(&out, "budget", host->budget);
    } else {
        json_null(&out, "done_items");
        json_null(&out, "taken_items");
        json_null(&out, "budget");
    }
    json_real(&out, "delay_seconds", host->delay_seconds);
    json_real(&out, "seconds_to_ready", host->seconds_to_ready);
    json_bool(&out, "has_settings", host->has_settings);
    json_end(&out);
}

int host_complain_not_polite(const char *dir)
{
    complain("%s: the queue is not polite, so it has no hosts; 'seenset queue "
             "remake --polite' makes a polite one of it",
             dir);
    return COMMAND_ERROR;
}
