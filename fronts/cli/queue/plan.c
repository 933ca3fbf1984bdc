/*
 * plan.c - what a queue will need, before it is made.
 *
 * The set grows to N URLs and is in memory whole; its file is as large, and
 * two are kept. The log has a record for each item that is not acked, and all
 * that came after the older of the two sets. So with N URLs of which P are
 * pending, each of U bytes with its data, and L of them under a lease:
 *
 *     memory = set(N) + 1 MiB + 100 L
 *     log    = (24 + U) P, and at most 2 max(256 MiB, 2 set(N)) more, but no
 *              more than (24 + U + 32) N, all that was ever written
 *     disk   = log + 3 set(N) + 2 (368 + 32 L): a third set while it is written
 *     open   = the bytes of a set, and of the log after it, at 1 GB/s
 *
 * A crawl in Redis has the pending URLs in memory as well, and packs them by
 * zstd; at most they take U + 12 bytes each.
 */
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "queue/access/access.h"
#include "queue/queue.h"
#include "report/complain.h"
#include "seenset/plan.h"
#include "text/arguments.h"
#include "text/options.h"
#include "text/units.h"

enum {
    RECORD_BYTES = 24, /* of a push: header and the length of the URL */
    ACK_BYTES = 32,    /* of an ack alone */
    LEASE_BYTES = 100, /* in memory */
    ENTRY_BYTES = 32,  /* in a state */
    STATE_BYTES = 368,
    REDIS_ITEM_BYTES = 12
};

#define HANDLE_BYTES ((double)(1 << 20))
#define LEAST_SNAPSHOT_BYTES 268435456.0
#define OPEN_BYTES_PER_SECOND 1e9
#define MOST_OF_MEMORY 0.8 /* that one program should take */
#define DEFAULT_URL_BYTES 70
#define DEFAULT_FP_RATE 1e-6

typedef struct request {
    uint64_t items, pending, leased, url_bytes, memory_bits;
    double fp_rate;
    bool is_json;
} request;

static const option_row plan_options[] = {
    {"capacity", 'n', "N", 0, "URLs that will ever be seen (default 1M)"},
    {"rate", 'p', "P", 0,
     "The chance that a new URL is dropped as seen (default 1e-6)"},
    {"url-bytes", QUEUE_OPTION_URL_BYTES, "U", 0,
     "Bytes of a URL and its data (default 70)"},
    {"pending", QUEUE_OPTION_PENDING, "N", 0,
     "URLs that wait at once (default: all)"},
    {"leased", QUEUE_OPTION_LEASED, "N", 0,
     "Items under a lease at once (default 1k)"},
    {"memory", QUEUE_OPTION_MEMORY, "SIZE", 0,
     "Memory of the machine (default: of this one)"},
    {"json", QUEUE_OPTION_JSON, NULL, 0, "Print one JSON object"},
    {0}};

static int parse_option(int key, char *text, arguments *state)
{
    request *to = state->input;
    switch (key) {
    case 'n':
        to->items = options_count(state, "-n", text);
        return 0;
    case 'p':
        to->fp_rate = options_rate(state, "-p", text);
        return 0;
    case QUEUE_OPTION_URL_BYTES:
        to->url_bytes = options_count(state, "--url-bytes", text);
        return 0;
    case QUEUE_OPTION_PENDING:
        to->pending = options_count(state, "--pending", text);
        return 0;
    case QUEUE_OPTION_LEASED:
        to->leased = options_count(state, "--leased", text);
        return 0;
    case QUEUE_OPTION_MEMORY:
        to->memory_bits = options_bits(state, "--memory", text);
        return 0;
    case QUEUE_OPTION_JSON:
        to->is_json = true;
        return 0;
    case ARGUMENTS_END:
        if (to->pending == 0)
            to->pending = to->items;
        if (to->pending > to->items)
            arguments_refuse(state, "--pending must be at most -n, here %s",
                             units_grouped(to->items).text);
        if (to->url_bytes > SEENSET_QUEUE_MAX_ITEM_BYTES)
            arguments_refuse(state, "--url-bytes must be at most %u",
                             SEENSET_QUEUE_MAX_ITEM_BYTES);
        return 0;
    default:
        return ARGUMENTS_UNKNOWN;
    }
}

static const command_syntax plan_syntax = {
    .options = plan_options,
    .parser = parse_option,
    .text = "Print what a queue will need: memory, disk, and time to open it."
            "\vNothing is made. The formulas are in docs/queue.md."};

typedef struct needs {
    double set, memory, log, log_most, disk_most, seconds, redis;
    double machine; /* its memory */
} needs;

static double lower(double a, double b)
{
    return a < b ? a : b;
}

static needs needs_of(const request *from, double set)
{
    double leased = (double)from->leased;
    double record = RECORD_BYTES + (double)from->url_bytes;
    double snapshot =
        2 * set > LEAST_SNAPSHOT_BYTES ? 2 * set : LEAST_SNAPSHOT_BYTES;
    double ever = (record + ACK_BYTES) * (double)from->items;
    needs out = {.set = set,
                 .memory = set + HANDLE_BYTES + LEASE_BYTES * leased,
                 .log = record * (double)from->pending,
                 .machine = (double)from->memory_bits / 8};
    out.log_most = lower(out.log + 2 * snapshot, ever);
    out.disk_most =
        out.log_most + 3 * set + 2 * (STATE_BYTES + ENTRY_BYTES * leased);
    out.seconds = (set + lower(snapshot, ever)) / OPEN_BYTES_PER_SECOND;
    out.redis = set + (REDIS_ITEM_BYTES + (double)from->url_bytes) *
                          (double)from->pending;
    return out;
}

static bool fits(double bytes, const needs *in)
{
    return bytes <= MOST_OF_MEMORY * in->machine;
}

static const char *front_of(const needs *of)
{
    return fits(of->memory, of) ? "folder" : "redis";
}

static void print_json(const request *from, const needs *of)
{
    printf("{\"capacity_items\":%llu,\"fp_rate\":%.17g,\"url_bytes\":%llu,"
           "\"pending_items\":%llu,\"leased_items\":%llu,",
           (unsigned long long)from->items, from->fp_rate,
           (unsigned long long)from->url_bytes,
           (unsigned long long)from->pending, (unsigned long long)from->leased);
    printf("\"set_bytes\":%.0f,\"memory_bytes\":%.0f,\"log_bytes\":%.0f,"
           "\"most_log_bytes\":%.0f,\"most_disk_bytes\":%.0f,"
           "\"seconds_to_open\":%.3f,\"redis_memory_bytes\":%.0f,"
           "\"front\":\"%s\"}\n",
           of->set, of->memory, of->log, of->log_most, of->disk_most,
           of->seconds, of->redis, front_of(of));
}

static void print_bytes(const char *name, double bytes, const char *what)
{
    printf("%-15s  %s%s\n", name, units_as_bytes((uint64_t)bytes).text, what);
}

static void print_front(const needs *of)
{
    const char *memory = units_as_bytes((uint64_t)of->machine).text;
    if (fits(of->memory, of))
        printf("front            a folder: its memory fits into %s\n", memory);
    else
        printf("front            a crawl in Redis, on several machines: %s do "
               "not hold the set\n",
               memory);
}

static void print_text(const request *from, const needs *of)
{
    printf("urls             %s ever, %s pending, of %s bytes\n",
           units_grouped(from->items).text, units_grouped(from->pending).text,
           units_grouped(from->url_bytes).text);
    print_bytes("memory", of->memory, "");
    print_bytes("  set", of->set, "");
    print_bytes("disk", of->disk_most, " at most");
    print_bytes("  log", of->log, " of what is pending");
    print_bytes("  log, at most", of->log_most, "");
    printf("time to open     %s at most, at 1 GB a second\n",
           units_as_seconds(of->seconds).text);
    print_bytes("in Redis", of->redis, " of memory at most, in all");
    print_front(of);
}

/* The memory of this machine, in bits. */
static uint64_t machine_bits(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page * 8 : 0;
}

int queue_plan(int argc, char **argv)
{
    request from = {.items = 1000000,
                    .leased = 1000,
                    .url_bytes = DEFAULT_URL_BYTES,
                    .memory_bits = machine_bits(),
                    .fp_rate = DEFAULT_FP_RATE};
    seenset_plan_growth set;
    arguments_parse(&plan_syntax, argc, argv, &from);
    const seenset_plan first = {.capacity_items = from.items,
                                .fp_rate = from.fp_rate};
    int error = seenset_plan_grown(&first, from.items, &set, sizeof set);
    if (error != SEENSET_OK) {
        complain("queue plan: a set of %s URLs at %s: %s; choose a smaller -n "
                 "or a larger -p",
                 units_grouped(from.items).text,
                 units_as_rate(from.fp_rate).text, seenset_strerror(error));
        return COMMAND_ERROR;
    }
    const needs found = needs_of(&from, (double)set.memory_bytes);
    if (from.is_json)
        print_json(&from, &found);
    else
        print_text(&from, &found);
    return COMMAND_DONE;
}
