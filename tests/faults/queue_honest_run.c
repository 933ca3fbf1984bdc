/* queue_honest_run.c - the right answers, and the judge; see queue_honest.h */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue_honest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "queue_model.h"

typedef struct answer {
    int result;
    uint64_t digest;
} answer;

/* What a queue holds, as the next process that opens it finds it. */
typedef struct holding {
    int verified, error;        /* of verify and of the opening */
    uint32_t out[HONEST_URLS];  /* is handed out: its data's length, plus 1 */
    int8_t pushed[HONEST_URLS]; /* what pushing it again answers */
} holding;

struct honest_oracle {
    const honest_script *script;
    honest_step steps[HONEST_STEPS];
    int count;
    disk *base;      /* where the steps begin */
    honest_run left; /* what is known of what was done before */
    answer answers[HONEST_STEPS];
    holding holdings[HONEST_STEPS + 1]; /* before each step, and at the end */
    int safe[HONEST_STEPS + 1]; /* the holding that no kill undoes by then */
};

/* ---- what a queue holds ---- */

static void drain(holding *of, seenset_queue *queue)
{
    seenset_queue_item item = {0};
    uint64_t next = 0;
    int result;
    while ((result = seenset_queue_pop(queue, &item)) == 1) {
        int number = model_number(item.url, item.url_len);
        if (number < 0) /* the one that is no URL, where all bytes will do */
            number = HONEST_URLS - 1;
        if (item.number < next || of->out[number] != 0)
            of->error = SEENSET_EDAMAGED;
        next = item.number + 1;
        of->out[number] = (uint32_t)item.data_len + 1;
    }
    if (result < 0)
        of->error = result;
    seenset_queue_item_free(&item);
}

/* Uses the disk up. */
static void look(holding *of, disk *on)
{
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {
        .durability = SEENSET_QUEUE_DURABILITY_NONE, .must_exist = 1};
    memset(of, 0, sizeof *of);
    of->verified = ss_queue_verify(disk_io(on), DISK_FOLDER, NULL);
    of->error = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options);
    if (of->error == SEENSET_OK) {
        drain(of, queue);
        for (int i = 0; i < HONEST_URLS; i++) {
            char url[32];
            model_url(i, url);
            of->pushed[i] =
                (int8_t)seenset_queue_push(queue, url, strlen(url), NULL, 0);
        }
        if (seenset_queue_close(queue) != SEENSET_OK)
            of->error = SEENSET_EIO;
    }
    disk_free(on);
}

static bool is_equal(const holding *a, const holding *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Of each URL, what either of both holds. */
static bool is_between(const holding *a, const holding *b, const holding *got)
{
    for (int i = 0; i < HONEST_URLS; i++)
        if ((got->out[i] != a->out[i] && got->out[i] != b->out[i]) ||
            (got->pushed[i] != a->pushed[i] && got->pushed[i] != b->pushed[i]))
            return false;
    return got->error == a->error && got->verified == a->verified;
}

/* What was pushed and acked there, is here. */
static bool has_all_of(const holding *got, const holding *safe)
{
    for (int i = 0; i < HONEST_URLS; i++)
        if (safe->pushed[i] == 0 &&
            (got->pushed[i] != 0 || (safe->out[i] == 0 && got->out[i] != 0)))
            return false;
    return got->error == safe->error && got->verified == safe->verified;
}

/* ---- the right answers ---- */

/* Is all there that was pushed, and comes out what was not acked? */
static bool is_true(const holding *of, const honest_run *run)
{
    for (int i = 0; i < HONEST_URLS; i++)
        if ((run->is_pushed[i] && of->pushed[i] != 0) ||
            (of->out[i] != 0) != (run->is_pushed[i] && !run->is_acked[i]))
            return false;
    return of->error == SEENSET_OK && of->verified == SEENSET_OK;
}

static int flatten(honest_step *flat, const honest_step *steps)
{
    int count = 0;
    for (; steps->call != NULL; steps++) {
        for (int i = 0; i < (steps->times == 0 ? 1 : steps->times); i++) {
            assert_in_range(count, 0, HONEST_STEPS - 1);
            flat[count++] = *steps;
        }
    }
    return count;
}

static answer make(honest_run *run, const honest_step *step)
{
    answer of;
    run->digest = 0;
    errno = 0;
    of.result = step->call(run, step->count);
    of.digest = run->digest;
    return of;
}

static bool is_each(const honest_oracle *oracle)
{
    return oracle->script->options->durability == SEENSET_QUEUE_DURABILITY_EACH;
}

/* Is all durable behind this call? */
static bool is_barrier(honest_call *call)
{
    return call == honest_sync || call == honest_checkpoint ||
           call == honest_close || call == honest_open || call == honest_repair;
}

static void make_base(honest_oracle *oracle)
{
    honest_run run = {.on = disk_new(), .options = *oracle->script->options};
    test_memory_init(&run.memory);
    int count = flatten(oracle->steps, oracle->script->before);
    for (int i = 0; i < count; i++)
        assert_true(make(&run, &oracle->steps[i]).result >= 0);
    oracle->base = disk_copy(run.on);
    oracle->left.next_url = run.next_url;
    memcpy(oracle->left.is_pushed, run.is_pushed, sizeof run.is_pushed);
    memcpy(oracle->left.is_acked, run.is_acked, sizeof run.is_acked);
    assert_int_equal(seenset_queue_close(run.queue), SEENSET_OK);
    seenset_queue_item_free(&run.item);
    disk_free(run.on);
    if (oracle->script->spoil != NULL)
        oracle->script->spoil(oracle->base);
}

static void begin(honest_run *run, const honest_oracle *oracle)
{
    *run = oracle->left;
    run->on = disk_copy(oracle->base);
    run->options = *oracle->script->options;
    test_memory_init(&run->memory);
}

honest_oracle *honest_new(const honest_script *script)
{
    honest_oracle *oracle = calloc(1, sizeof *oracle);
    honest_run run;
    holding durable;
    assert_non_null(oracle);
    oracle->script = script;
    bool is_known = script->spoil == NULL &&
                    (is_each(oracle) || script->before->call == NULL);
    make_base(oracle);
    begin(&run, oracle);
    oracle->count = flatten(oracle->steps, script->steps);
    look(&oracle->holdings[0], disk_copy(run.on));
    for (int i = 0; i < oracle->count; i++) {
        oracle->answers[i] = make(&run, &oracle->steps[i]);
        assert_int_not_equal(oracle->answers[i].result, HONEST_LIE);
        look(&oracle->holdings[i + 1], disk_copy(run.on));
        bool is_safe = is_each(oracle) || is_barrier(oracle->steps[i].call);
        oracle->safe[i + 1] = is_safe ? i + 1 : oracle->safe[i];
        look(&durable, disk_platters(run.on));
        assert_true(!is_safe || is_equal(&durable, &oracle->holdings[i + 1]));
        if (is_safe && is_known)
            assert_true(is_true(&durable, &run));
    }
    assert_null(run.queue);
    seenset_queue_item_free(&run.item);
    assert_int_equal(run.memory.live_blocks, 0);
    assert_int_equal(disk_open_files(run.on), 0);
    disk_free(run.on);
    return oracle;
}

void honest_free(honest_oracle *oracle)
{
    disk_free(oracle->base);
    free(oracle);
}

/* ---- the judge ---- */

enum {
    PLANTED_ERRNO = EIO
};

typedef struct trial {
    const honest_oracle *oracle;
    honest_fault fault;
    honest_run run;
    int step;
    bool was_hit; /* before this step */
    bool is_over;
    honest_verdict verdict;
} trial;

static void arm(trial *of)
{
    const honest_fault *fault = &of->fault;
    if (fault->is_memory) {
        of->run.memory.fail_at = (size_t)fault->at;
        of->run.memory.is_lasting = fault->is_lasting;
    } else {
        *disk_faults_of(of->run.on) =
            (disk_faults){.fail_at = fault->at,
                          .error = PLANTED_ERRNO,
                          .is_lasting = fault->is_lasting,
                          .is_short = fault->is_short,
                          .is_lost = fault->is_lost};
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

/* May have done a part when it fails; made again it tells of the rest. */
static bool is_partial(honest_call *call)
{
    return call == honest_open || call == honest_close ||
           call == honest_push_many || call == honest_push_lines ||
           call == honest_ack_many || call == honest_repair;
}

static bool is_right(const trial *of, answer got)
{
    const answer *right = &of->oracle->answers[of->step];
    return got.result == right->result && got.digest == right->digest;
}

/* A call failed: the queue is as before it, or as after it. */
static void check_holding(trial *of)
{
    holding got;
    const honest_oracle *oracle = of->oracle;
    const holding *before = &oracle->holdings[of->step], *after = before + 1;
    honest_call *call = oracle->steps[of->step].call;
    bool is_fine;
    if (call == honest_repair || before->error != SEENSET_OK)
        return; /* half mended or half made, it is neither */
    look(&got, disk_copy(of->run.on));
    if (!is_each(oracle))
        is_fine = has_all_of(&got, &oracle->holdings[oracle->safe[of->step]]);
    else if (is_partial(call))
        is_fine = is_between(before, after, &got);
    else
        is_fine = is_equal(before, &got) || is_equal(after, &got);
    if (!is_fine)
        wrong(of, "a call that failed left something else");
}

/* A sync failed: nobody may be told anything but that. */
static void check_poison(trial *of)
{
    const seenset_queue_entry push = {"http://u/", 9, NULL, 0};
    const uint64_t lease = 1;
    seenset_queue *queue = of->run.queue;
    const int answers[] = {
        seenset_queue_sync(queue),
        seenset_queue_push(queue, "http://u/", 9, NULL, 0),
        seenset_queue_push_many(queue, &push, 1, NULL),
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
    return error == SEENSET_EIO && saved_errno == PLANTED_ERRNO;
}

static void make_again(trial *of)
{
    const honest_step *step = &of->oracle->steps[of->step];
    answer got = make(&of->run, step);
    if (is_partial(step->call))
        got.digest = of->oracle->answers[of->step].digest;
    if (!is_right(of, got))
        wrong(of, "a call that failed cannot be made again");
}

static void judge_failure(trial *of, answer got, int saved_errno)
{
    seenset_queue *queue = of->run.queue;
    disarm(of);
    if (!of->verdict.is_hit || !is_error_right(of, got.result, saved_errno)) {
        wrong(of, "an answer that is neither right nor the error");
        return;
    }
    of->verdict.is_told = true;
    bool is_closing = of->oracle->steps[of->step].call == honest_close;
    bool is_poisoned = queue != NULL && queue->durability.poison_errno != 0;
    if (queue != NULL && !is_poisoned && disk_sync_failed(of->run.on))
        wrong(of, "a sync failed, and the queue goes on");
    if (is_poisoned) {
        check_poison(of);
        return;
    }
    check_holding(of);
    of->is_over |= is_closing;
    if (!of->is_over)
        make_again(of);
}

static void judge_right(trial *of)
{
    holding got;
    if (!of->verdict.is_hit || of->was_hit)
        return;
    if (is_each(of->oracle) && !of->fault.is_memory) {
        look(&got, disk_platters(of->run.on));
        if (!is_equal(&got, &of->oracle->holdings[of->step + 1]))
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
    answer got = make(&of->run, &of->oracle->steps[of->step]);
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
    holding got;
    const honest_oracle *oracle = of->oracle;
    disarm(of);
    if (!of->is_over) {
        look(&got, disk_copy(of->run.on));
        if (!is_equal(&got, &oracle->holdings[oracle->count]))
            wrong(of, "the queue holds something else in the end");
    }
    (void)seenset_queue_close(of->run.queue);
    seenset_queue_item_free(&of->run.item);
    if (of->run.memory.live_blocks != 0)
        wrong(of, "memory stays behind");
    if (disk_open_files(of->run.on) != 0)
        wrong(of, "a descriptor stays behind");
    disk_free(of->run.on);
}

honest_verdict honest_judge(const honest_oracle *oracle, honest_fault fault)
{
    trial of = {.oracle = oracle, .fault = fault};
    begin(&of.run, oracle);
    arm(&of);
    for (; of.step < oracle->count && !of.is_over; of.step++)
        judge_step(&of);
    judge_end(&of);
    return of.verdict;
}
