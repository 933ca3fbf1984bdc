/*
 * python.c - Python's set of strings, measured by Python itself.
 *
 * A short program gets the same URLs through a pipe, one a line, and prints
 * nanoseconds a key for each round. set(keys) is its fastest way to add, and
 * map(seen.__contains__, keys) to ask; the strings of each round are new ones,
 * so that no hash is remembered from the round before.
 */
#define _GNU_SOURCE
#include "bench.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] =
    "import sys, time, gc\n"
    "rounds = int(sys.argv[1])\n"
    "data = sys.stdin.read().split('\\n')[:-1]\n"
    "n = len(data) // 2\n"
    "gc.disable()\n"
    "clock = time.perf_counter_ns\n"
    "fresh = lambda part: [str(key.encode(), 'ascii')"
    " for key in part]\n"
    "for _ in range(rounds + 1):\n"
    "    new, hit, miss = fresh(data[:n]), fresh(data[:n]), fresh(data[n:])\n"
    "    t0 = clock()\n"
    "    seen = set(new)\n"
    "    t1 = clock()\n"
    "    hits = sum(map(seen.__contains__, hit))\n"
    "    t2 = clock()\n"
    "    misses = sum(map(seen.__contains__, miss))\n"
    "    t3 = clock()\n"
    "    assert (len(seen), hits, misses) == (n, n, 0)\n"
    "    print((t1 - t0) / n, (t2 - t1) / n, (t3 - t2) / n)\n";

typedef struct python {
    pid_t child;
    FILE *to, *from;
} python;

static bool start(python *p, unsigned rounds)
{
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0)
        return false;
    p->child = fork();
    if (p->child == 0) {
        char count[16];
        snprintf(count, sizeof count, "%u", rounds);
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execlp("python3", "python3", "-c", program, count, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    p->to = fdopen(in[1], "w");
    p->from = fdopen(out[0], "r");
    return p->child > 0 && p->to != NULL && p->from != NULL;
}

static void send_urls(FILE *to, const window *keys)
{
    for (size_t i = 0; i < keys->count; i++)
        fprintf(to, "%s\n", (const char *)keys->url_keys[i].data);
}

static bool read_rounds(FILE *from, double *values[3], unsigned rounds)
{
    double warm[3];
    if (fscanf(from, "%lf %lf %lf", &warm[0], &warm[1], &warm[2]) != 3)
        return false;
    for (unsigned i = 0; i < rounds; i++)
        if (fscanf(from, "%lf %lf %lf", &values[0][i], &values[1][i],
                   &values[2][i]) != 3)
            return false;
    return true;
}

static void record(bench *to, const workload *load, double *values[3])
{
    static const char *const operations[] = {"add", "has", "has"};
    static const char *const answers[] = {"new", "seen", "never"};
    for (int i = 0; i < 3; i++) {
        label what = {.subject = "Python set",
                      .operation = operations[i],
                      .keys = load->url_name,
                      .answer = answers[i],
                      .items = load->news.count,
                      .batch = load->news.count};
        record_figure(to, &what, "ns", values[i], to->rounds, 0);
    }
}

void python_run(bench *to, workload *load)
{
    if (system("python3 -c '' 2>/dev/null") != 0) {
        fputs("bench: Python is left out: it is not installed\n", stderr);
        return;
    }
    python p = {0};
    double *values[3];
    for (int i = 0; i < 3; i++)
        values[i] = take(to->rounds, sizeof **values);
    require(start(&p, to->rounds), "cannot start Python");
    send_urls(p.to, &load->news);
    send_urls(p.to, &load->misses);
    fclose(p.to);
    require(read_rounds(p.from, values, to->rounds), "Python said nothing");
    fclose(p.from);
    (void)waitpid(p.child, NULL, 0);
    record(to, load, values);
    for (int i = 0; i < 3; i++)
        free(values[i]);
}
