/*
 * bench.h - what the parts of the benchmark share.
 *
 *     workload (keys)  ->  tasks (one loop each)  ->  rounds  ->  record (JSON)
 *
 * A task is one loop over one window of keys. All tasks of a group run in
 * turn, round after round, so that other work of the machine
 * slows each of them alike; the first round warms up and does not count. A loop
 * leaves a byte a key, and the bytes are counted after the clock has stopped:
 * no loop can be optimised away, and none pays for being checked.
 *
 * The benchmark looks into src/ on purpose: a limit is only a limit on the
 * very table that the library uses.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "seenset/seenset.h"

enum {
    MOST_PEERS = 16
};

typedef struct bench {
    FILE *json;
    unsigned rounds;
    bool is_quick;
    const char *folder;            /* of the programs: urls, the command */
    const char *peers[MOST_PEERS]; /* shared objects (rows/peer.h) */
    size_t peer_count;
    uint64_t items; /* of the tables of rows/; 0: the usual sizes */
    size_t figure_count;
} bench;

/* What was measured; NULL and 0 where it doesn't apply. */
typedef struct label {
    const char *subject;   /* "blocked", "limit", "libbloom" */
    const char *twin;      /* "avx2", "portable", "peer"; in rows/ only */
    const char *operation; /* "has_hash_many" */
    const char *keys;      /* "hash", "number" (8 bytes), "url55", "url56" */
    const char *answer;    /* "new", "seen", "never"; of a limit "L1", "L2" */
    uint64_t items;        /* what the table is made for */
    double fp_rate;
    size_t batch; /* keys a call; of a limit, its ring's depth */
    unsigned threads;
} label;

/* ---- keys (workload.c) ---- */

/* Keys next to each other, in the three forms that they come in. */
typedef struct window {
    size_t count;
    size_t url_bytes;
    uint64_t *numbers;
    char *urls; /* one every url_bytes + 1 bytes, ended by NUL */
    seenset_key *number_keys, *url_keys;
    uint64_t *number_hashes, *url_hashes;
} window;

/*
 * Keys for tables of `items`: `hits` are always in them, `news` are added in
 * the measured loop, `misses` never. The rest, so that a table holds `items`
 * keys when the news are in, is rest_count numbers (workload_rest).
 */
typedef struct workload {
    uint64_t items;
    uint64_t rest_count;
    const char *url_name; /* "url55" or "url56" */
    window hits, news, misses;
    uint8_t *answers; /* a byte a key */
    uint64_t *scratch;
} workload;

uint64_t workload_mix(uint64_t x);
uint64_t workload_rest(uint64_t i);
void workload_make(workload *out, uint64_t items, size_t url_bytes);
/* How many of a window's keys a slow loop takes: enough for 1e6 lines. */
size_t workload_few(const workload *load);
void workload_free(workload *load);
void *take(size_t count, size_t size_bytes); /* zeroed, or the end */

/* ---- tasks and rounds (rounds.c) ---- */

enum {
    MOST_TASKS = 512
};

typedef struct task task;
struct task {
    label label;
    void (*prepare)(const task *); /* not timed; may be NULL */
    void (*run)(const task *);
    void *subject; /* the table, or what else run works on */
    const window *keys;
    workload *load;
    size_t operations;  /* the time is divided by */
    size_t least, most; /* bytes of load->answers that must be 1 */
    bool is_cpu_time;   /* of this thread, and not of a clock on the wall */
    unsigned passes;    /* in a round, after one that does not count; 0: a
                           single one, without that */
};

typedef struct task_list {
    size_t count;
    task tasks[MOST_TASKS];
} task_list;

task *task_add(task_list *list, const task *model);
void rounds_run(bench *to, const task_list *list);

/* ---- the machine (core.c) ---- */

double now_seconds(void);
double now_cpu_seconds(void); /* that this thread was run */
int pin(void);                /* to one core; its number */
void unpin(void);             /* to all that the program was started on */
void require(bool is_right, const char *what); /* or the end */

/* ---- results (record.c) ---- */

void record_open(bench *to, const char *path, int argc, char **argv);
/* The median, least and most of values go to the file. peak_kib: 0 if none. */
void record_figure(bench *to, const label *what, const char *unit,
                   double *values, size_t count, long peak_kib);
void record_close(bench *to);

/* ---- groups ---- */

void limits_random(task_list *list, workload *load, const seenset *set);
void limits_hash(task_list *list, workload *load);
void limits_stream(bench *to);
void pages_run(bench *to);

void ours_run(bench *to, workload *load);
void ours_build(bench *to, uint64_t items);
void ours_grown(bench *to);
void ours_grown_large(bench *to); /* 1e8 keys */
void ours_inline(bench *to);
void small_run(bench *to);
void rows_run(bench *to);

/* The filter, to be freed after the rounds. */
void *libbloom_add_tasks(task_list *list, workload *load);
void libbloom_free(void *filter);

/* What a peer that keeps every key does; subject is its table. */
typedef struct exact_peer {
    const char *name, *keys;
    void (*empty)(const task *);
    void (*add)(const task *);
    void (*has)(const task *);
} exact_peer;
void exact_push(task_list *list, const exact_peer *peer, void *subject,
                workload *load);
void glib_run(bench *to, workload *load);
void khash_run(bench *to, workload *load);
void redis_run(bench *to, workload *load);
void python_run(bench *to, workload *load);

void dedup_run(bench *to);
/*
 * The limit of dedup, once: split, and split + hash, of the file at `path`.
 * Seconds of each way; returns how many ways there are here.
 */
enum {
    SPLIT_WAYS = 3
};
size_t split_round(const char *path, uint64_t lines, double *seconds);
const char *split_name(size_t number);

#endif
