/*
 * queue_honest.c - no error of the disk or of memory becomes a success.
 *
 * Scripts that together make every call of a queue, each judged by
 * queue_honest.h for every operation of the disk that fails, once and until
 * it is told, or does half of its work, and for every allocation that fails.
 *
 *     test_queue_honest [n]      2 by default; 1: faults that last, too, at
 *                                every place, and not at each n-th
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "queue_honest.h"

/* A size and a number of hashes need no search for them. */
#define SET_OF_8_KIB                                                           \
    .set = &(const seenset_options)                                            \
    {                                                                          \
        .size_bits = 65536, .hash_count = 8                                    \
    }
#define SMALL_SEGMENTS .segment_bytes = 4096, .snapshot_bytes = 6000

static const seenset_queue_options each = {
    .durability = SEENSET_QUEUE_DURABILITY_EACH, SMALL_SEGMENTS, SET_OF_8_KIB};
static const seenset_queue_options later = {
    .durability = SEENSET_QUEUE_DURABILITY_NONE, SMALL_SEGMENTS, SET_OF_8_KIB};
static const seenset_queue_options growing = {
    .durability = SEENSET_QUEUE_DURABILITY_EACH,
    .segment_bytes = 4096,
    .set = &(const seenset_options){
        .capacity_items = 3, .fp_rate = 1e-3, .on_full = SEENSET_ON_FULL_GROW}};
static const seenset_queue_options refusing = {
    .durability = SEENSET_QUEUE_DURABILITY_EACH,
    .normalise = SEENSET_QUEUE_NORMALISE_URL,
    .set = &(const seenset_options){.capacity_items = 20,
                                    .fp_rate = 1e-3,
                                    .on_full = SEENSET_ON_FULL_REFUSE}};

/* ---- scripts ---- */

static const honest_step nothing[] = {{0}};

/* Several segments, two snapshots, items in all states; then killed. */
static const honest_step crawled[] = {
    {honest_open, 0, 0},       {honest_push, 60, 30},
    {honest_pop, 0, 12},       {honest_ack, 0, 8},
    {honest_checkpoint, 0, 0}, {honest_push, 50, 40},
    {honest_ack, 0, 1},        {0}};

/* The same, closed, with leases. */
static const honest_step closed[] = {
    {honest_open, 0, 0},  {honest_push, 60, 70},
    {honest_pop, 0, 12},  {honest_ack, 0, 3},
    {honest_nack, 5, 0},  {honest_push, 9, 4},
    {honest_close, 0, 0}, {0}};

static const honest_step life[] = {{honest_open, 0, 0},
                                   {honest_push, 40, 12},
                                   {honest_push_again, 3, 2},
                                   {honest_pop, 0, 6},
                                   {honest_ack, 0, 3},
                                   {honest_nack, 0, 0},
                                   {honest_pop, 0, 2},
                                   {honest_extend, 100, 0},
                                   {honest_push_many, 40, 0},
                                   {honest_pass, 61, 0},
                                   {honest_pop, 0, 7},
                                   {honest_ack_many, 5, 0},
                                   {honest_push, 3000, 3},
                                   {honest_checkpoint, 0, 0},
                                   {honest_pop, 0, 20},
                                   {honest_ack_many, 20, 0},
                                   {honest_sync, 0, 0},
                                   {honest_push, 30, 2},
                                   {honest_stats, 0, 0},
                                   {honest_close, 0, 0},
                                   {honest_verify, 0, 0},
                                   {honest_repair, 0, 0},
                                   {honest_open, 0, 0},
                                   {honest_pop, 0, 4},
                                   {honest_ack, 0, 2},
                                   {honest_close, 0, 0},
                                   {0}};

static const honest_step go_on[] = {
    {honest_open, 1, 0}, {honest_push, 40, 3}, {honest_pop, 0, 30},
    {honest_ack, 0, 4},  {honest_pass, 70, 0}, {honest_pop, 0, 12},
    {honest_ack, 0, 0},  {honest_close, 0, 0}, {honest_open, 1, 0},
    {honest_pop, 0, 1},  {honest_close, 0, 0}, {0}};

static const honest_step mend[] = {{honest_verify, 0, 0},
                                   {honest_open, 0, 0},
                                   {honest_repair, 0, 0},
                                   {honest_verify, 0, 0},
                                   {honest_open, 0, 0},
                                   {honest_push, 40, 3},
                                   {honest_pop, 0, 30},
                                   {honest_ack, 0, 0},
                                   {honest_close, 0, 0},
                                   {honest_verify, 0, 0},
                                   {0}};

/* As mend, but opening does not find it: popping may. */
static const honest_step meet[] = {{honest_verify, 0, 0}, {honest_open, 0, 0},
                                   {honest_pop, 0, 25},   {honest_stats, 0, 0},
                                   {honest_close, 0, 0},  {honest_repair, 0, 0},
                                   {honest_verify, 0, 0}, {honest_open, 0, 0},
                                   {honest_push, 40, 3},  {honest_pop, 0, 30},
                                   {honest_ack, 0, 0},    {honest_close, 0, 0},
                                   {honest_verify, 0, 0}, {0}};

static const honest_step reopen[] = {
    {honest_verify, 0, 0}, {honest_open, 0, 0},
    {honest_push, 40, 3},  {honest_pop, 0, 9},
    {honest_ack, 0, 0},    {honest_close, 0, 0},
    {honest_verify, 0, 0}, {honest_open, 0, 0},
    {honest_close, 0, 0},  {0}};

static const honest_step big[] = {{honest_open, 0, 0},
                                  {honest_push, 10, 2},
                                  {honest_push, HONEST_BIG_BYTES, 0},
                                  {honest_push, 10, 2},
                                  {honest_pop, 0, 4},
                                  {honest_nack, 0, 4},
                                  {honest_pop, 0, 5},
                                  {honest_ack_many, 4, 0},
                                  {honest_pop, 0, 2},
                                  {honest_close, 0, 0},
                                  {honest_verify, 0, 0},
                                  {0}};

static const honest_step lines[] = {{honest_open, 0, 0},
                                    {honest_push_lines, 20, 0},
                                    {honest_push, 10, 2},
                                    {honest_push_lines, 20, 0},
                                    {honest_push, 10, 2},
                                    {honest_pop, 0, 5},
                                    {honest_push_again, 1, 0},
                                    {honest_close, 0, 0},
                                    {0}};

/* ---- what is spoilt ---- */

static void flip(disk *on, const char *prefix, int n, size_t at)
{
    size_t *size_bytes;
    const char *name = disk_name(on, prefix, n);
    assert_non_null(name);
    uint8_t *bytes = disk_file(on, name, &size_bytes);
    assert_true(at < *size_bytes);
    bytes[at] ^= 1;
}

static void spoil_log(disk *on)
{
    flip(on, "log-", 0, 1000);
    flip(on, "log-", 1, 500);
}

static void spoil_header(disk *on)
{
    flip(on, "log-", 1, 9);
}

static void spoil_snapshots(disk *on)
{
    flip(on, "set-", 0, 300);
    flip(on, "state-", 1, 30);
}

static void tear(disk *on)
{
    size_t *size_bytes;
    const char *last = disk_name(on, "log-", 0);
    for (int i = 1; disk_name(on, "log-", i) != NULL; i++)
        if (strcmp(disk_name(on, "log-", i), last) > 0)
            last = disk_name(on, "log-", i);
    assert_non_null(disk_file(on, last, &size_bytes));
    *size_bytes -= 3;
}

/* The next segment has a name, and not yet a header. */
static void begin_segment(disk *on)
{
    size_t *size_bytes;
    char name[SS_FOLDER_NAME_BYTES];
    assert_null(disk_name(on, "log-", 1));
    assert_non_null(disk_file(on, disk_name(on, "log-", 0), &size_bytes));
    ss_directory_name(name, SS_FOLDER_LOG, *size_bytes);
    disk_put(on, name, 0, "SEENLOG", 7);
}

static const honest_step few[] = {
    {honest_open, 0, 0}, {honest_push, 10, 5}, {honest_close, 0, 0}, {0}};

static const honest_script scripts[] = {
    {"a life", &each, nothing, NULL, life},
    {"a life, synced later", &later, nothing, NULL, life},
    {"killed", &each, crawled, NULL, reopen},
    {"killed, synced later", &later, crawled, NULL, reopen},
    {"leases that go on", &each, closed, NULL, go_on},
    {"big items", &growing, nothing, NULL, big},
    {"lines", &refusing, nothing, NULL, lines},
    {"torn", &each, crawled, tear, reopen},
    {"unborn", &each, few, begin_segment, reopen},
    {"a damaged log", &each, crawled, spoil_log, mend},
    {"a damaged header", &each, crawled, spoil_header, meet},
    {"damaged snapshots", &each, crawled, spoil_snapshots, meet},
};

/* ---- the test ---- */

static void tell(const honest_script *script, honest_fault fault,
                 const honest_verdict *verdict)
{
    fail_msg("%s: %s %ld%s%s: step %d gives %d: %s", script->name,
             fault.is_memory ? "allocation" : "operation", fault.at,
             fault.is_lasting ? ", lasting" : "",
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

static void errors_are_told(void **state)
{
    static const honest_fault faults[] = {
        {.at = 0},
        {.is_lasting = true},
        {.is_memory = true},
        {.is_memory = true, .is_lasting = true}};
    const long stride = *(const long *)*state;
    for (size_t i = 0; i < TEST_COUNT(scripts); i++) {
        honest_oracle *oracle = honest_new(&scripts[i]);
        for (size_t j = 0; j < TEST_COUNT(faults); j++) {
            long told = fail_everywhere(oracle, &scripts[i], faults[j],
                                        faults[j].is_lasting ? stride : 1);
            print_message("%s: told %ld times\n", scripts[i].name, told);
            assert_true(told > 1);
        }
        honest_free(oracle);
    }
}

static void short_calls_are_no_errors(void **state)
{
    static const honest_fault faults[] = {
        {.is_short = true}, {.is_short = true, .is_lasting = true}};
    const long stride = *(const long *)*state;
    for (size_t i = 0; i < TEST_COUNT(scripts); i++) {
        honest_oracle *oracle = honest_new(&scripts[i]);
        for (size_t j = 0; j < TEST_COUNT(faults); j++)
            assert_int_equal(
                fail_everywhere(oracle, &scripts[i], faults[j], 4 * stride), 0);
        honest_free(oracle);
    }
}

/* ---- planted ---- */

typedef struct catch
{
    long caught, missed;
}
catch;

static catch catch_everywhere(const honest_script *script, honest_fault fault)
{
    catch count = {0, 0};
    honest_oracle *oracle = honest_new(script);
    for (fault.at = 1;; fault.at++) {
        honest_verdict verdict = honest_judge(oracle, fault);
        if (!verdict.is_hit)
            break;
        count.caught += verdict.wrong != NULL;
        count.missed += verdict.is_told && verdict.wrong == NULL;
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
        catch count =
            catch_everywhere(&scripts[i], (honest_fault){.is_hidden = true});
        print_message("%ld caught, %ld missed\n", count.caught, count.missed);
        assert_true(count.caught > 60);
    }
}

static void lost_writes_are_caught(void **state)
{
    (void)state;
    catch count =
        catch_everywhere(&scripts[0], (honest_fault){.is_lost = true});
    print_message("%ld caught\n", count.caught);
    assert_true(count.caught > 20);
}

int main(int argc, char **argv)
{
    long stride = argc > 1 ? atol(argv[1]) : 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(errors_are_told, &stride),
        cmocka_unit_test_prestate(short_calls_are_no_errors, &stride),
        cmocka_unit_test(hidden_errors_are_caught),
        cmocka_unit_test(lost_writes_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
