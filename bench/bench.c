/*
 * bench.c - measures seenset, the machine's limits and its peers in one run.
 *
 *     bench [--quick] [--only GROUP] [--peer FILE]... [--items N]
 *         RESULTS.json
 *
 * --quick: tables of 1e6 and 1e7, two million lines, three rounds, not five;
 * under two minutes.
 * GROUP: tables, grown, inline, small, build, pages, peers or dedup; or one
 * that runs by its name only: grown8, sets that grew to 1e8 keys, and rows, all
 * layouts and twins in one table, with each FILE, a peer (rows/peer.h), and
 * with tables of N keys only.
 *
 * What the figures mean is in docs/lab/speed.md; report.py makes tables of
 * them and plot.py pictures.
 */
#include "bench.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

static void run_tables(bench *to)
{
    static const uint64_t items[] = {1000000, 10000000, 100000000};
    unsigned rounds = to->rounds;
    for (size_t i = 0; i < (to->is_quick ? 2u : 3u); i++) {
        workload load;
        workload_make(&load, items[i], items[i] <= 1000000 ? 55 : 56);
        to->rounds = items[i] <= 1000000 ? 3 * rounds : rounds;
        ours_run(to, &load);
        to->rounds = rounds;
        workload_free(&load);
    }
}

static void run_build(bench *to)
{
    ours_build(to, 10000000);
    if (!to->is_quick)
        ours_build(to, 100000000);
}

static void run_pages(bench *to)
{
    limits_stream(to);
    pages_run(to);
}

/* A quarter of a workload are news: the peers' tables hold a million keys. */
static void run_peers(bench *to)
{
    workload load;
    workload_make(&load, 4000000, 55);
    glib_run(to, &load);
    khash_run(to, &load);
    redis_run(to, &load);
    python_run(to, &load);
    workload_free(&load);
}

typedef struct group {
    const char *name;
    void (*run)(bench *);
    bool is_asked; /* runs where its name is given only */
} group;

static const group groups[] = {
    {"pages", run_pages, false},    {"tables", run_tables, false},
    {"grown", ours_grown, false},   {"grown8", ours_grown_large, true},
    {"inline", ours_inline, false}, {"small", small_run, false},
    {"build", run_build, false},    {"peers", run_peers, false},
    {"dedup", dedup_run, false},    {"rows", rows_run, true}};

static void run_groups(bench *to, const char *only)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        bool is_named = only != NULL && strcmp(only, groups[i].name) == 0;
        if (only == NULL ? groups[i].is_asked : !is_named)
            continue;
        double start = now_seconds();
        groups[i].run(to);
        fprintf(stderr, "bench: %-6s %4.0f s\n", groups[i].name,
                now_seconds() - start);
    }
}

static int usage(void)
{
    fputs("usage: bench [--quick] [--only GROUP] [--peer FILE]... "
          "[--items N] RESULTS.json\n",
          stderr);
    return 2;
}

/* Reads an option that has a value. Returns false if none has that name. */
static bool read_option(bench *to, const char **only, const char *name,
                        const char *value)
{
    if (value == NULL)
        return false;
    if (strcmp(name, "--only") == 0)
        *only = value;
    else if (strcmp(name, "--peer") == 0 && to->peer_count < MOST_PEERS)
        to->peers[to->peer_count++] = value;
    else if (strcmp(name, "--items") == 0)
        to->items = strtoull(value, NULL, 10);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    const char *only = NULL, *path = NULL;
    bench to = {.rounds = 5};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            to.is_quick = true;
        else if (read_option(&to, &only, argv[i], argv[i + 1]))
            i++;
        else if (argv[i][0] != '-' && path == NULL)
            path = argv[i];
        else
            return usage();
    }
    if (path == NULL)
        return usage();
    if (to.is_quick)
        to.rounds = 3;
    char self[512];
    snprintf(self, sizeof self, "%s", argv[0]);
    to.folder = dirname(self);
    record_open(&to, path, argc, argv);
    fprintf(stderr, "bench: on core %d\n", pin());
    run_groups(&to, only);
    record_close(&to);
    return 0;
}
