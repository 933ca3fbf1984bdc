/*
 * queue_honest.c - no error of the disk or of memory becomes a success.
 *
 * Scripts that together make every call of a queue, and crawls at random, are
 * judged by queue_honest.h for every operation of the disk that fails, once or
 * until it was reported twice, or does half of its work, and for every
 * allocation that fails.
 *
 *     test_queue_honest [n]      1 by default; else each fault is tried at
 *                                each n-th place only, and none is planted
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "queue_honest.h"

/* ---- the test ---- */

static void tell(const honest_script *script, honest_fault fault,
                 const honest_verdict *verdict)
{
    fail_msg("%s: %s %ld, errno %d%s%s: step %d gives %d: %s", script->name,
             fault.is_memory ? "allocation" : "operation", fault.at,
             fault.error, fault.is_lasting ? ", lasting" : "",
             fault.is_short ? ", short" : "", verdict->step, verdict->result,
             verdict->wrong);
}

/* How often it was told, of every n-th place where it can happen. */
static long fail_everywhere(const honest_oracle *oracle,
                            const honest_script *script, honest_fault fault,
                            long stride)
{
    long told = 0;
    for (fault.at = 1;; fault.at += stride) {
        honest_verdict verdict = honest_judge(oracle, fault);
        if (verdict.wrong != NULL)
            tell(script, fault, &verdict);
        if (!verdict.is_hit)
            return told;
        told += verdict.is_told;
    }
}

/* The errno makes no difference, but that the caller is told it, and that what
 * a signal interrupted may be made again. */
static const honest_fault faults[] = {{.error = EIO},
                                      {.error = EINTR},
                                      {.error = ENOSPC, .is_lasting = true},
                                      {.is_memory = true},
                                      {.is_memory = true, .is_lasting = true},
                                      {.is_short = true},
                                      {.is_short = true, .is_lasting = true},
                                      {.is_half = true}};

/* Half a read or write is no error: what is left is read or written next. Of
 * places that are far apart a kind of fault may meet none where it is told. */
static void judge_script(const honest_script *script, long stride)
{
    long all = 0;
    honest_oracle *oracle = honest_new(script);
    for (size_t i = 0; i < TEST_COUNT(faults); i++) {
        long told = fail_everywhere(oracle, script, faults[i], stride);
        print_message("%s: told %ld times\n", script->name, told);
        assert_true(faults[i].is_short ? told == 0 : told > 1 || stride > 1);
        all += told;
    }
    assert_true(all > 1);
    honest_free(oracle);
}

static bool is_of_urls(const honest_script *script)
{
    return script->options->normalise == SEENSET_QUEUE_NORMALISE_URL;
}

static void scripts_report_each_fault(void **state)
{
    for (size_t i = 0; i < honest_script_count; i++)
        if (!is_of_urls(&honest_scripts[i]) || test_has_urls())
            judge_script(&honest_scripts[i], *(const long *)*state);
}

static void crawls_report_each_fault(void **state)
{
    for (int i = 0; i < HONEST_CRAWLS; i++) {
        honest_step steps[HONEST_CRAWL_STEPS];
        const honest_script script = honest_crawl(i, steps);
        judge_script(&script, *(const long *)*state);
    }
}

/* ---- planted ---- */

typedef struct tally {
    long caught, missed;
    long by_power; /* caught in what a power cut leaves */
} tally;

static tally catch_everywhere(const honest_script *script, honest_fault fault)
{
    tally count = {0};
    honest_oracle *oracle = honest_new(script);
    for (fault.at = 1;; fault.at++) {
        honest_verdict verdict = honest_judge(oracle, fault);
        if (!verdict.is_hit)
            break;
        count.caught += verdict.wrong != NULL;
        count.missed += verdict.is_told && verdict.wrong == NULL;
        count.by_power +=
            verdict.wrong != NULL && strstr(verdict.wrong, "power cut") != NULL;
    }
    honest_free(oracle);
    return count;
}

/* A call that failed gives the right answer instead: what it should have done
 * is missing later. Only checkpoints, closing and verifying leave no trace in
 * what a queue holds. */
static void hidden_errors_are_caught(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        tally count = catch_everywhere(&honest_scripts[i],
                                       (honest_fault){.is_hidden = true});
        print_message("%ld caught, %ld missed\n", count.caught, count.missed);
        assert_true(count.caught > 60);
    }
}

/* What was answered before a call fails is not on the platters. */
static void lying_syncs_are_caught(void **state)
{
    (void)state;
    tally count =
        catch_everywhere(&honest_scripts[0], (honest_fault){.is_lying = true});
    print_message("%ld caught by a power cut\n", count.by_power);
    assert_true(count.by_power > 20);
}

/* Half of a group is in the log, cannot be removed, and the queue goes on. */
static void groups_that_stay_are_caught(void **state)
{
    (void)state;
    long caught = 0;
    honest_fault fault = {.is_half = true, .is_forgiven = true};
    honest_verdict verdict = {.is_hit = true};
    honest_oracle *oracle = honest_new(&honest_scripts[0]);
    for (fault.at = 1; verdict.is_hit; fault.at++) {
        verdict = honest_judge(oracle, fault);
        caught += verdict.wrong != NULL &&
                  strstr(verdict.wrong, "not removed") != NULL;
    }
    honest_free(oracle);
    print_message("%ld caught\n", caught);
    assert_true(caught > 5);
}

static void meddling_is_caught(void **state)
{
    (void)state;
    honest_oracle *oracle = honest_new(&honest_scripts[0]);
    const honest_fault fault = {.is_meddling = true};
    assert_non_null(honest_judge(oracle, fault).wrong);
    honest_free(oracle);
}

static void lost_writes_are_caught(void **state)
{
    (void)state;
    tally count =
        catch_everywhere(&honest_scripts[0], (honest_fault){.is_lost = true});
    print_message("%ld caught\n", count.caught);
    assert_true(count.caught > 20);
}

int main(int argc, char **argv)
{
    long stride = argc > 1 ? atol(argv[1]) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(scripts_report_each_fault, &stride),
        cmocka_unit_test_prestate(crawls_report_each_fault, &stride)};
    const struct CMUnitTest planted[] = {
        cmocka_unit_test(hidden_errors_are_caught),
        cmocka_unit_test(lost_writes_are_caught),
        cmocka_unit_test(lying_syncs_are_caught),
        cmocka_unit_test(groups_that_stay_are_caught),
        cmocka_unit_test(meddling_is_caught)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (stride == 1)
        failed += cmocka_run_group_tests(planted, NULL, NULL);
    return failed;
}
