/*
 * rounds.c - runs tasks in turn, round after round, on one core.
 *
 * The first round touches every page and cache line the others will, and is
 * not counted. Which bytes a task left is checked in each round.
 */
#include "bench.h"

#include <stdlib.h>

task *task_add(task_list *list, const task *model)
{
    require(list->count < MOST_TASKS, "too many tasks");
    task *added = &list->tasks[list->count++];
    *added = *model;
    return added;
}

static size_t count_ones(const uint8_t *answers, size_t count)
{
    size_t ones = 0;
    for (size_t i = 0; i < count; i++)
        ones += answers[i] == 1;
    return ones;
}

static void check_answers(const task *work)
{
    if (work->load == NULL)
        return;
    size_t ones = count_ones(work->load->answers, work->operations);
    if (ones >= work->least && ones <= work->most)
        return;
    fprintf(stderr, "bench: %s %s %s: %zu of %zu keys\n", work->label.subject,
            work->label.operation, work->label.answer, ones, work->operations);
    require(false, "wrong answers");
}

/* Seconds of one pass over the keys. */
static double run_pass(const task *work)
{
    double (*now)(void) = work->is_cpu_time ? now_cpu_seconds : now_seconds;
    if (work->prepare != NULL)
        work->prepare(work);
    if (work->label.threads > 1)
        unpin();
    double start = now();
    work->run(work);
    double end = now();
    if (work->label.threads > 1)
        (void)pin();
    check_answers(work);
    return end - start;
}

/* Where passes are counted, one before them brings the keys and the table into
 * the cache. */
static double run_once(const task *work)
{
    double seconds = run_pass(work);
    if (work->passes == 0)
        return seconds * 1e9 / (double)work->operations;
    seconds = 0;
    for (unsigned i = 0; i < work->passes; i++)
        seconds += run_pass(work);
    return seconds * 1e9 / ((double)work->operations * work->passes);
}

void rounds_run(bench *to, const task_list *list)
{
    double *values = take(list->count * to->rounds + 1, sizeof *values);
    for (size_t i = 0; i < list->count; i++)
        (void)run_once(&list->tasks[i]);
    for (unsigned round = 0; round < to->rounds; round++)
        for (size_t i = 0; i < list->count; i++)
            values[i * to->rounds + round] = run_once(&list->tasks[i]);
    for (size_t i = 0; i < list->count; i++)
        record_figure(to, &list->tasks[i].label, "ns", values + i * to->rounds,
                      to->rounds, 0);
    free(values);
}
