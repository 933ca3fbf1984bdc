/* queue_honest_judge.c - a script with a fault; see queue_honest.h */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue_honest_parts.h"

#include <errno.h>

/* ---- the judge ---- */

typedef struct trial {
    const honest_oracle *oracle;
    honest_fault fault;
    honest_run run;
    int step;
    bool was_hit; /* before this step */
    bool is_over;
    honest_verdict verdict;
} trial;

static int planted_errno(const honest_fault *fault)
{
    return fault->error == 0 ? EIO : fault->error;
}

static void arm(trial *of)
{
    const honest_fault *fault = &of->fault;
    if (fault->is_memory) {
        of->run.memory.fail_at = (size_t)fault->at;
        of->run.memory.is_lasting = fault->is_lasting;
    } else {
        *disk_faults_of(of->run.on) =
            (disk_faults){.fail_at = fault->at,
                          .error = planted_errno(fault),
                          .is_lasting = fault->is_lasting,
                          .is_short = fault->is_short,
                          .is_half = fault->is_half,
                          .is_lost = fault->is_lost,
                          .log_lies = fault->is_lying};
    }
}

/* From now on the machine is sound; what has been hit stays known. */
static void disarm(trial *of)
{
    *disk_faults_of(of->run.on) = (disk_faults){.fail_at = 0};
    of->run.memory.fail_at = 0;
}

static bool is_hit(const trial *of)
{
    return of->verdict.is_hit ||
           (of->fault.is_memory ? (long)of->run.memory.calls >= of->fault.at
                                : disk_operations(of->run.on) >= of->fault.at);
}

static void wrong(trial *of, const char *what)
{
    if (of->verdict.wrong == NULL)
        of->verdict.wrong = what;
    of->verdict.step = of->step;
    of->is_over = true;
}

/* May have done a part when it fails; called again it reports the rest. */
static bool is_partial(honest_call *call)
{
    return call == honest_open || call == honest_close ||
           call == honest_push_many || call == honest_push_lines ||
           call == honest_ack_many || call == honest_repair;
}

static bool is_right(const trial *of, honest_answer got)
{
    const honest_answer *right = &of->oracle->answers[of->step];
    return got.result == right->result && got.digest == right->digest;
}

/* Is the queue as before the call, or as after it? */
static bool is_before_or_after(const trial *of, const honest_holding *got)
{
    const honest_oracle *oracle = of->oracle;
    const honest_holding *before = &oracle->holdings[of->step],
                         *after = before + 1;
    if (!honest_is_each(oracle))
        return honest_has_all_of(got,
                                 &oracle->holdings[oracle->safe[of->step]]);
    if (is_partial(oracle->steps[of->step].call))
        return honest_is_between(before, after, got);
    return honest_is_equal(before, got) || honest_is_equal(after, got);
}

/* A call failed. The next program must find what was there, whether this one
 * was killed or the power went. */
static void check_holding(trial *of)
{
    honest_holding got;
    const honest_oracle *oracle = of->oracle;
    if (oracle->steps[of->step].call == honest_repair ||
        oracle->holdings[of->step].error != SEENSET_OK)
        return; /* half mended or half made, it is neither */
    honest_look(&got, oracle, disk_copy(of->run.on));
    if (!is_before_or_after(of, &got))
        wrong(of, "a call that failed left something else");
    honest_look(&got, oracle, disk_image(of->run.on, (uint64_t)of->fault.at));
    if (!is_before_or_after(of, &got))
        wrong(of, "a call that failed and a power cut left something else");
}

/* A sync failed: nobody may be told anything but that. */
static void check_poison(trial *of)
{
    const seenset_queue_entry push = {.url = "http://u/", .url_len = 9};
    const uint64_t lease = 1;
    seenset_queue *queue = of->run.queue;
    const int answers[] = {
        seenset_queue_sync(queue),
        seenset_queue_push(queue, "http://u/", 9, NULL, 0),
        seenset_queue_push_many(queue, &push, 1, NULL, NULL),
        seenset_queue_pop(queue, &of->run.item),
        seenset_queue_ack(queue, lease),
        seenset_queue_ack_many(queue, &lease, 1),
        seenset_queue_checkpoint(queue),
        seenset_queue_close(queue),
    };
    of->run.queue = NULL;
    of->is_over = true;
    for (size_t i = 0; i < TEST_COUNT(answers); i++)
        if (answers[i] != SEENSET_EPOISONED)
            wrong(of, "a sync failed, and a later call forgets it");
    check_holding(of);
}

/* Is it the error that was planted, or what follows from an earlier one? */
static bool is_error_right(const trial *of, int error, int saved_errno)
{
    if (of->fault.is_short || of->fault.is_lost)
        return false;
    if (of->fault.is_memory)
        return error == SEENSET_ENOMEM;
    if (error == SEENSET_EPOISONED)
        return of->was_hit;
    return error == SEENSET_EIO && saved_errno == planted_errno(&of->fault);
}

/* A call that did a part before it failed answers for the rest now. */
static bool is_right_again(const trial *of, honest_answer got)
{
    if (is_partial(of->oracle->steps[of->step].call))
        got.digest = of->oracle->answers[of->step].digest;
    return is_right(of, got);
}

/* The call once more, while everything still fails. Returns whether it was done
 * all the same, as what does without the disk or memory may be. */
static bool make_in_vain(trial *of)
{
    honest_answer got = honest_make(&of->run, &of->oracle->steps[of->step]);
    int saved_errno = errno;
    bool is_done = is_right_again(of, got);
    if (!is_done && !is_error_right(of, got.result, saved_errno))
        wrong(of, "a call that fails twice gives another answer");
    return is_done;
}

static void make_again(trial *of)
{
    honest_answer got = honest_make(&of->run, &of->oracle->steps[of->step]);
    if (!is_right_again(of, got))
        wrong(of, "a call that failed cannot be made again");
}

static bool is_poisoned(const trial *of)
{
    const seenset_queue *queue = of->run.queue;
    return queue != NULL && queue->durability.poison_errno != 0;
}

/* The call failed as it should. Is the queue still good? */
static void judge_rest(trial *of)
{
    bool is_closing = of->oracle->steps[of->step].call == honest_close;
    if (of->fault.is_forgiven && of->run.queue != NULL)
        of->run.queue->durability.poison_errno = 0;
    bool is_done = of->fault.is_lasting && !is_closing && !is_poisoned(of) &&
                   make_in_vain(of);
    disarm(of);
    if (is_poisoned(of)) {
        check_poison(of);
        return;
    }
    if (of->run.queue != NULL && disk_sync_failed(of->run.on))
        wrong(of, "a sync failed, and the queue goes on");
    if (of->run.queue != NULL && disk_truncation_failed(of->run.on))
        wrong(of, "a group is not removed, and the queue goes on");
    check_holding(of);
    of->is_over |= is_closing;
    if (!of->is_over && !is_done)
        make_again(of);
}

static void judge_failure(trial *of, honest_answer got, int saved_errno)
{
    if (of->verdict.is_hit && is_error_right(of, got.result, saved_errno)) {
        of->verdict.is_told = true;
        judge_rest(of);
    } else {
        disarm(of);
        wrong(of, "an answer that is neither right nor the error");
    }
}

/* Must the call have reported that an operation failed? Others may leave for
 * later what is due, such as a checkpoint, and an opening or a repair a file
 * that is not needed any more. An operation that was interrupted is made again. */
static bool is_silent(const trial *of)
{
    honest_call *call = of->oracle->steps[of->step].call;
    const disk *on = of->run.on;
    bool may_leave = call == honest_open || call == honest_repair;
    bool is_strict = (may_leave && !disk_removal_failed(on)) ||
                     call == honest_verify || call == honest_pop ||
                     call == honest_sync;
    return is_strict && of->fault.error != EINTR && disk_has_failed(on);
}

static void judge_right(trial *of)
{
    honest_holding got;
    if (!of->verdict.is_hit || of->was_hit)
        return;
    if (is_silent(of))
        wrong(of, "an operation failed, and nobody is told");
    if (honest_is_each(of->oracle) && !of->fault.is_memory) {
        honest_look(&got, of->oracle, disk_platters(of->run.on));
        if (!honest_is_equal(&got, &of->oracle->holdings[of->step + 1]))
            wrong(of, "an answer that is not on the platters");
    }
    if (of->run.queue != NULL && disk_sync_failed(of->run.on)) {
        disarm(of);
        of->step++; /* this one was done */
        check_poison(of);
    }
}

static void judge_step(trial *of)
{
    of->was_hit = of->verdict.is_hit;
    honest_answer got = honest_make(&of->run, &of->oracle->steps[of->step]);
    int saved_errno = errno;
    of->verdict.result = got.result;
    of->verdict.is_hit = is_hit(of);
    if (of->fault.is_hidden && got.result < 0 && of->verdict.is_hit &&
        !is_right(of, got)) {
        of->verdict.is_told = true;
        disarm(of);
        got = of->oracle->answers[of->step];
    }
    if (is_right(of, got))
        judge_right(of);
    else
        judge_failure(of, got, saved_errno);
}

static void judge_end(trial *of)
{
    honest_holding got;
    const honest_oracle *oracle = of->oracle;
    disarm(of);
    if (!of->is_over) {
        honest_look(&got, oracle, disk_copy(of->run.on));
        if (!honest_is_equal(&got, &oracle->holdings[oracle->count]))
            wrong(of, "the queue holds something else in the end");
    }
    (void)seenset_queue_close(of->run.queue);
    seenset_queue_item_free(&of->run.item);
    if (of->run.memory.live_blocks != 0)
        wrong(of, "memory is kept");
    if (disk_open_files(of->run.on) != 0)
        wrong(of, "a descriptor is kept");
    disk_free(of->run.on);
}

honest_verdict honest_judge(const honest_oracle *oracle, honest_fault fault)
{
    trial of = {.oracle = oracle, .fault = fault};
    honest_begin(&of.run, oracle);
    of.run.is_meddling = fault.is_meddling;
    arm(&of);
    for (; of.step < oracle->count && !of.is_over; of.step++)
        judge_step(&of);
    judge_end(&of);
    return of.verdict;
}
