/*
 * dedup.c - the command beside what people use today, on the same lines.
 *
 * The lines come from bench/urls, lie in the page cache, and go to standard
 * input; the output goes to /dev/null. All commands run in turn, round after
 * round; time is by the wall clock, memory the most that was resident. First,
 * outside the rounds, the outputs of awk and of the command are compared.
 */
#define _GNU_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hash/xxh3.h"

typedef struct command {
    const char *name;
    const char *shell; /* "exec ..." keeps the shell out of the way */
    unsigned threads;
    bool is_kept; /* is it there? */
    double *seconds;
    long peak_kib;
} command;

/* The number of lines was known, or guessed far too low: then the size of the
 * file helps, and a pipe has none. */
#define DEDUP_GUESSED "exec seenset dedup -n 1000 -p "
#define DEDUP "exec seenset dedup -n $n -p "
#define PIPED "cat | seenset dedup --threads 1 -p 1% "
static const char awk_program[] = "exec mawk \"!seen[\\$0]++\"";
static const char python_program[] =
    "exec python3 -c \"import sys; sys.stdout.buffer.writelines("
    "dict.fromkeys(sys.stdin.buffer))\"";

enum {
    COMMAND_COUNT = 14
};
static const command commands[COMMAND_COUNT] = {
    {"wc -l", "exec wc -l", 1, true, NULL, 0},
    {"dedup -p 1%", DEDUP "1% --threads 1", 1, true, NULL, 0},
    {"dedup -p 1e-6", DEDUP "1e-6 --threads 1", 1, true, NULL, 0},
    {"dedup -p 1e-9", DEDUP "1e-9 --threads 1", 1, true, NULL, 0},
    {"dedup -p 1% --threads 2", DEDUP "1% --threads 2", 2, true, NULL, 0},
    {"dedup -p 1e-6 --threads 2", DEDUP "1e-6 --threads 2", 2, true, NULL, 0},
    {"dedup -p 1e-9 --threads 2", DEDUP "1e-9 --threads 2", 2, true, NULL, 0},
    {"dedup -n 1000 -p 1%", DEDUP_GUESSED "1% --threads 1", 1, true, NULL, 0},
    {"dedup -n 1000 -p 1e-6", DEDUP_GUESSED "1e-6 --threads 1", 1, true, NULL,
     0},
    {"dedup -p 1%, from a pipe", PIPED "-n $n", 2, true, NULL, 0},
    {"dedup -n 1000 -p 1%, from a pipe", PIPED "-n 1000", 2, true, NULL, 0},
    {"sort -u", "exec sort -u", 2, true, NULL, 0},
    {"mawk !seen[$0]++", awk_program, 1, true, NULL, 0},
    {"python3 dict.fromkeys", python_program, 1, true, NULL, 0},
};

static pid_t start(const char *shell, const char *input, int output)
{
    pid_t child = fork();
    require(child >= 0, "cannot start a command");
    if (child > 0)
        return child;
    int from = open(input, O_RDONLY);
    if (from < 0 || dup2(from, 0) < 0 || dup2(output, 1) < 0)
        _exit(126);
    close(from);
    execl("/bin/sh", "sh", "-c", shell, (char *)NULL);
    _exit(127);
}

static long read_kib(const char *path)
{
    long kib = 0;
    FILE *file = fopen(path, "r");
    if (file != NULL && fscanf(file, "%ld", &kib) != 1)
        kib = 0;
    if (file != NULL)
        fclose(file);
    return kib;
}

/*
 * Runs a command to its end; false if it failed. It is started by `peak`,
 * which is small: the kernel counts what a process was before it became
 * another program, and this one is large.
 */
static bool run_one(command *work, const char *input, double *seconds)
{
    const char *kib_path = getenv("kib"); /* set_environment */
    char shell[1024];
    snprintf(shell, sizeof shell, "exec peak \"$kib\" sh -c '%s'", work->shell);
    int nowhere = open("/dev/null", O_WRONLY);
    int status = 0;
    if (work->threads > 1)
        unpin();
    double begin = now_seconds();
    pid_t child = start(shell, input, nowhere);
    require(waitpid(child, &status, 0) == child, "a command was lost");
    *seconds = now_seconds() - begin;
    if (work->threads > 1)
        (void)pin();
    close(nowhere);
    long kib = read_kib(kib_path);
    if (kib > work->peak_kib)
        work->peak_kib = kib;
    return status == 0;
}

/* XXH3 of all that a command writes. */
static uint64_t digest(const char *shell, const char *input)
{
    static char block[1 << 16];
    XXH3_state_t *state = XXH3_createState();
    int ends[2];
    require(state != NULL && pipe(ends) == 0, "no pipe");
    (void)XXH3_64bits_reset(state);
    pid_t child = start(shell, input, ends[1]);
    close(ends[1]);
    ssize_t got;
    while ((got = read(ends[0], block, sizeof block)) > 0)
        (void)XXH3_64bits_update(state, block, (size_t)got);
    close(ends[0]);
    int status = 0;
    require(waitpid(child, &status, 0) == child && status == 0,
            "a command failed");
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash;
}

static void compare_outputs(bench *to, const char *input, uint64_t lines)
{
    unpin();
    bool is_same = digest("exec seenset dedup -n $n -p 1e-9", input) ==
                   digest(awk_program, input);
    (void)pin();
    label what = {.subject = "dedup -p 1e-9",
                  .operation = "same output as awk",
                  .items = lines};
    double value = is_same;
    record_figure(to, &what, "yes or no", &value, 1, 0);
    if (!is_same)
        fputs("bench: dedup -p 1e-9 and awk differ\n", stderr);
}

/* Finds out what is there, on no input: peers as slow as these need no
 * warming, and the lines are in the page cache by then. */
static void try_all(command *all)
{
    int quiet = open("/dev/null", O_WRONLY);
    int loud = dup(2);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        double seconds;
        (void)dup2(quiet, 2);
        all[i].is_kept = run_one(&all[i], "/dev/null", &seconds);
        (void)dup2(loud, 2);
        all[i].peak_kib = 0;
        if (!all[i].is_kept)
            fprintf(stderr, "bench: left out: %s\n", all[i].name);
    }
    close(quiet);
    close(loud);
}

static void record_splits(bench *to, const double *splits, size_t ways,
                          uint64_t lines)
{
    double *values = take(to->rounds, sizeof *values);
    for (size_t i = 0; i < ways; i++) {
        for (unsigned round = 0; round < to->rounds; round++)
            values[round] = splits[round * SPLIT_WAYS + i];
        label what = {.subject = "limit",
                      .operation = split_name(i),
                      .keys = "lines",
                      .items = lines};
        record_figure(to, &what, "s", values, to->rounds, 0);
    }
    free(values);
}

static void record_command(bench *to, command *work, uint64_t lines)
{
    label what = {.subject = work->name,
                  .operation = "command",
                  .keys = "lines",
                  .items = lines,
                  .threads = work->threads};
    if (work->is_kept)
        record_figure(to, &what, "s", work->seconds, to->rounds,
                      work->peak_kib);
    free(work->seconds);
}

static void run_rounds(bench *to, command *all, const char *input,
                       uint64_t lines)
{
    double *splits = take((size_t)to->rounds * SPLIT_WAYS, sizeof *splits);
    size_t ways = split_round(input, lines, splits); /* warms up */
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        all[i].seconds = take(to->rounds, sizeof(double));
    for (unsigned round = 0; round < to->rounds; round++) {
        (void)split_round(input, lines, splits + round * SPLIT_WAYS);
        for (size_t i = 0; i < COMMAND_COUNT; i++)
            if (all[i].is_kept)
                require(run_one(&all[i], input, &all[i].seconds[round]),
                        all[i].name);
    }
    record_splits(to, splits, ways, lines);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        record_command(to, &all[i], lines);
    free(splits);
}

/* The input is made once and kept beside the programs. */
static void make_input(const bench *to, const char *path, uint64_t lines)
{
    char shell[4096];
    struct stat info;
    snprintf(shell, sizeof shell,
             "'%s/urls' %llu > '%s.part' && "
             "mv '%s.part' '%s'",
             to->folder, (unsigned long long)lines, path, path, path);
    if (stat(path, &info) != 0)
        require(system(shell) == 0, "cannot make the lines");
}

/* seenset, as built, is found first; every peer works on bytes. */
static void set_environment(const bench *to, uint64_t lines)
{
    char text[1024];
    const char *path = getenv("PATH");
    snprintf(text, sizeof text, "%s:%s/..:%s", to->folder, to->folder,
             path != NULL ? path : "/usr/bin:/bin");
    (void)setenv("PATH", text, 1);
    (void)setenv("LC_ALL", "C", 1);
    snprintf(text, sizeof text, "%llu", (unsigned long long)(lines / 2));
    (void)setenv("n", text, 1);
    snprintf(text, sizeof text, "%s/peak.kib", to->folder);
    (void)setenv("kib", text, 1);
}

void dedup_run(bench *to)
{
    uint64_t lines = to->is_quick ? 2000000 : 20000000;
    char path[600];
    command all[COMMAND_COUNT];
    memcpy(all, commands, sizeof all);
    snprintf(path, sizeof path, "%s/urls-%llu.txt", to->folder,
             (unsigned long long)lines);
    make_input(to, path, lines);
    set_environment(to, lines);
    try_all(all);
    compare_outputs(to, path, lines);
    run_rounds(to, all, path, lines);
}
