/*
 * queue_damage.c - what comes of each damage in the catalogue.
 *
 * Each is done to its queue, which is then opened, looked at, verified,
 * repaired, and opened again. A line of golden/queue-damage.txt has what they
 * answer; damages in a row of which the same comes share one, with their count:
 *
 *     damage | open | verify | verify after the repair | open after it
 *
 * An error has the place and the reason that were reported. A verification has
 * what it counts, where that differs from the undamaged queue: log files, and
 * their sound records, items and bytes; places that are damaged, and items lost
 * there; bytes torn off. An open queue has how it differs from the undamaged
 * one: bytes torn off, the error that ends its pops, items with other URLs,
 * URLs that it does not hand out, URLs that it hands out though they were
 * acked, URLs that are new to it, and URLs that wrongly are not.
 *
 * Whatever the damage is, a few rules hold, and a line that breaks one says so:
 * see the calls of break_rule in queue_damage_answers.c.
 *
 *     test_queue_damage [n]          each n-th damage only, 1 by default; with
 *                                    others than all, only the rules are held
 *     test_queue_damage FILE         writes what it should be to FILE instead
 */
#define _POSIX_C_SOURCE 200809L
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "queue_damage_rows.h"

static const char golden[] = SEENSET_TEST_GOLDEN "/queue-damage.txt";

/* Each step-th damage of each queue. Returns the first that breaks a rule. */
static const char *write_all(FILE *to, size_t step)
{
    static const damage_calls real = {ss_queue_look, ss_queue_verify,
                                      ss_queue_repair};
    int count = 0;
    const char *first = NULL, *wrong;
    for (size_t i = 0; i < damage_queue_count; i++) {
        count += damage_write_queue(&damage_queues[i], step, &real, to, &wrong);
        first = first == NULL ? wrong : first;
    }
    fprintf(to, "== %d damages\n", count);
    return first;
}

/* ---- the test ---- */

/* A queue that is now to normalise URLs takes none where there are none. */
static bool is_of_urls(const char *line)
{
    static const char start[] = "MANIFEST: normalise (16) = 2";
    return strncmp(line, start, strlen(start)) == 0 && !test_has_urls();
}

/* The number of the first line that differs from the golden ones, or 0. */
static long first_difference(char *said, size_t length)
{
    char ours[2048], other[2048];
    FILE *mine = fmemopen(said, length, "r"), *lines = fopen(golden, "r");
    assert_true(mine != NULL && lines != NULL);
    for (long number = 1;; number++) {
        bool is_end = fgets(ours, sizeof ours, mine) == NULL;
        bool is_same = (fgets(other, sizeof other, lines) == NULL) == is_end &&
                       (is_end || strcmp(ours, other) == 0 || is_of_urls(ours));
        if (is_same && !is_end)
            continue;
        if (!is_same)
            print_message("line %ld is\n%sand not\n%s", number, ours, other);
        fclose(mine);
        fclose(lines);
        return is_same ? 0 : number;
    }
}

static void each_damage_is_answered_as_ever(void **state)
{
    char *said = NULL;
    size_t length;
    size_t step = *(const size_t *)*state;
    FILE *to = open_memstream(&said, &length);
    assert_non_null(to);
    const char *wrong = write_all(to, step);
    assert_int_equal(fclose(to), 0);
    if (wrong != NULL)
        fail_msg("%s", wrong);
    if (step == 1)
        assert_int_equal(first_difference(said, length), 0);
    assert_true(first_difference(said, length - 1) > 0); /* planted */
    said[length / 2] ^= 1;
    assert_true(first_difference(said, length) > 0);
    free(said);
}

/* ---- planted ---- */

static int look_elsewhere(const ss_io *io, const char *dir,
                          const seenset_queue_options *options,
                          seenset_queue_stats *out, size_t out_bytes,
                          seenset_stats *set_stats, size_t set_stats_bytes)
{
    int error = ss_queue_look(io, dir, options, out, out_bytes, set_stats,
                              set_stats_bytes);
    options->report->offset++;
    return error;
}

static int verify_nothing(const ss_io *io, const char *dir,
                          const seenset_queue_options *options)
{
    (void)io;
    (void)dir;
    *options->report = (seenset_queue_report){0};
    return SEENSET_OK;
}

/* As if it had. */
static int repair_nothing(const ss_io *io, const char *dir,
                          const seenset_queue_options *options)
{
    (void)ss_queue_verify(io, dir, options);
    return SEENSET_OK;
}

static int repair_too_much(const ss_io *io, const char *dir,
                           const seenset_queue_options *options)
{
    disk_put(io->context, "LOCK", 8 << 20, "", 1);
    return ss_queue_repair(io, dir, options);
}

static void wrong_calls_are_caught(void **state)
{
    static const struct {
        damage_calls by;
        const char *rule;
    } wrongs[] = {{{ss_queue_look, ss_queue_verify, ss_queue_repair}, NULL},
                  {{look_elsewhere, ss_queue_verify, ss_queue_repair},
                   "a look says something else"},
                  {{ss_queue_look, verify_nothing, ss_queue_repair},
                   "repair and verify report different things"},
                  {{ss_queue_look, ss_queue_verify, repair_nothing},
                   "it was not repaired"},
                  {{ss_queue_look, ss_queue_verify, repair_too_much},
                   "a repair wrote too much"}};
    (void)state;
    FILE *to = fopen("/dev/null", "w");
    assert_non_null(to);
    for (size_t i = 0; i < TEST_COUNT(wrongs); i++) {
        const char *wrong;
        (void)damage_write_queue(&damage_queues[1], 1, &wrongs[i].by, to,
                                 &wrong);
        assert_true((wrong == NULL) == (wrongs[i].rule == NULL));
        if (wrong != NULL)
            assert_string_equal(wrong, wrongs[i].rule);
    }
    assert_int_equal(fclose(to), 0);
}

int main(int argc, char **argv)
{
    /* each open takes and gives back a MiB: it is not to go to the system */
#ifdef M_TRIM_THRESHOLD /* glibc's */
    (void)mallopt(M_MMAP_THRESHOLD, DAMAGE_MOST_BYTES);
    (void)mallopt(M_TRIM_THRESHOLD, DAMAGE_MOST_BYTES);
#endif
    size_t step = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(each_damage_is_answered_as_ever, &step),
        cmocka_unit_test(wrong_calls_are_caught)};
    if (step > 0)
        return cmocka_run_group_tests(tests, NULL, NULL);
    FILE *to = fopen(argv[1], "w");
    if (to == NULL)
        return 1;
    const char *wrong = write_all(to, 1);
    return fclose(to) == 0 && wrong == NULL ? 0 : 1;
}
