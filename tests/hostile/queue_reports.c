/*
 * queue_reports.c - what is said of each damage, and what a repair saves.
 *
 * Four queues, and on each every file in turn: gone, shorter, longer, or with
 * a byte that has changed; and what goes together is gone together. Then the
 * queue is opened, verified and repaired, and opened again. All that is said
 * meanwhile, and what came out, stands line by line in
 * golden/queue-reports.txt, as a user would read it: nothing of it changes
 * unless somebody means it to.
 *
 *     test_queue_reports [FILE]      writes what it should be to FILE instead
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_damage.h"
#include "queue_model.h"

static const char golden[] = SEENSET_TEST_GOLDEN "/queue-reports.txt";

/* ---- what is said ---- */

enum {
    TEXT_BYTES = 1500
};

/* Calls that are followed by the same words share them. */
typedef struct writer {
    FILE *to;
    int cases;
    char calls[100], text[TEXT_BYTES];
    char whole[TEXT_BYTES]; /* what an undamaged queue says of its content */
} writer;

static void flush(writer *of)
{
    if (of->calls[0] != '\0')
        fprintf(of->to, "  %s: %s", of->calls, of->text);
    of->calls[0] = of->text[0] = '\0';
}

static void say(writer *of, const char *call, const char *text)
{
    bool is_same = strcmp(of->text, text) == 0;
    if (!is_same)
        flush(of);
    size_t used = strlen(of->calls);
    snprintf(of->calls + used, sizeof of->calls - used, "%s%s",
             is_same ? ", " : "", call);
    snprintf(of->text, sizeof of->text, "%s", text);
}

static FILE *open_text(char text[TEXT_BYTES])
{
    FILE *to = fmemopen(text, TEXT_BYTES, "w");
    assert_non_null(to);
    return to;
}

static void write_report(FILE *to, int error,
                         const seenset_queue_report *report)
{
    fputs(seenset_error_name(error), to);
    if (report->reason[0] != '\0')
        fprintf(to, ", %s, byte %" PRIu64 ": %s", report->file, report->offset,
                report->reason);
    fputc('\n', to);
    if (report->segment_count + report->damage_count == 0)
        return;
    fprintf(to,
            "    %" PRIu64 " segments of %" PRIu64 " bytes, %" PRIu64
            " records, %" PRIu64 " items",
            report->segment_count, report->log_bytes, report->record_count,
            report->item_count);
    if (report->damage_count > 0)
        fprintf(
            to, "; damaged %" PRIu64 ", %" PRIu64 " bytes, %" PRIu64 " items",
            report->damage_count, report->damaged_bytes, report->lost_items);
    if (report->torn_bytes > 0)
        fprintf(to, "; torn, %" PRIu64 " bytes", report->torn_bytes);
    fputc('\n', to);
}

static void say_report(writer *of, const char *call, int error,
                       const seenset_queue_report *report)
{
    char text[TEXT_BYTES];
    FILE *to = open_text(text);
    write_report(to, error, report);
    fclose(to);
    say(of, call, text);
}

/* The numbers that were counted, as "0-3 7 9-12". */
static void write_numbers(FILE *to, const int *counts)
{
    for (int first = 0; first < MODEL_URLS; first++) {
        int end = first;
        while (end < MODEL_URLS && counts[end] > 0)
            end++;
        if (end > first)
            fprintf(to, end > first + 1 ? " %d-%d" : " %d", first, end - 1);
        first = end;
    }
}

/* What an open queue counts and hands out, and which URLs are new to it. */
static void write_content(FILE *to, seenset_queue *queue)
{
    seenset_queue_stats stats;
    int out[MODEL_URLS] = {0}, new[MODEL_URLS] = {0};
    assert_int_equal(seenset_queue_get_stats(queue, &stats), SEENSET_OK);
    int count = model_drain(queue, out);
    fprintf(to,
            "    %" PRIu64 " pending, %" PRIu64 " pushed, %" PRIu64
            " acked; %s:",
            stats.pending_items, stats.pushed_items, stats.acked_items,
            count < 0 ? seenset_error_name(count) : "out");
    write_numbers(to, out);
    for (int i = 0; i < MODEL_PAST_ITEMS; i++)
        new[i] = model_push(queue, i, i + 1);
    fputs("; new:", to);
    write_numbers(to, new);
    fputc('\n', to);
}

/* Opens it, as what it was made as, and says what it holds. Uses it up. */
static void say_open(writer *of, const char *call, disk *on)
{
    char text[TEXT_BYTES];
    FILE *to = open_text(text);
    seenset_queue *queue = NULL;
    seenset_queue_report report;
    const seenset_queue_options options = {.must_exist = 1, .report = &report};
    int error = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options);
    write_report(to, error, &report);
    if (error == SEENSET_OK) {
        write_content(to, queue);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    }
    fclose(to);
    say(of, call, strcmp(text, of->whole) == 0 ? "all is there\n" : text);
    if (of->whole[0] == '\0')
        memcpy(of->whole, text, sizeof text);
    disk_free(on);
}

static void write_case(writer *of, const char *name, const char *said, disk *on)
{
    const seenset_queue_report nothing = {0};
    seenset_queue_report report, again;
    of->cases++;
    fprintf(of->to, "%s: %s\n", name, said);
    say_open(of, "open", disk_copy(on));
    int error = ss_queue_verify(disk_io(on), DISK_FOLDER, &report);
    say_report(of, "verify", error, &report);
    error = ss_queue_repair(disk_io(on), DISK_FOLDER, &again);
    assert_memory_equal(&again, &report, sizeof report);
    say_report(of, "repair", error, &nothing);
    error = ss_queue_verify(disk_io(on), DISK_FOLDER, &report);
    say_report(of, "verify", error, &report);
    say_open(of, "open", on);
    flush(of);
}

static void write_files(writer *of, disk *made)
{
    const char *name;
    char said[DAMAGE_SAID_BYTES];
    for (int i = 0; (name = disk_name(made, "", i)) != NULL; i++) {
        for (int which = 0; which < DAMAGE_COUNT; which++) {
            disk *on = disk_copy(made);
            if (damage_file(on, name, which, said))
                write_case(of, name, said, on);
            else
                disk_free(on);
        }
    }
}

/* Every two files, and all of a kind. */
static void write_pairs(writer *of, disk *made)
{
    static const char *const kinds[] = {"log-", "set-", "state-"};
    const char *first, *second;
    char names[100];
    for (int i = 0; (first = disk_name(made, "", i)) != NULL; i++) {
        for (int j = 0; j < i; j++) {
            disk *on = disk_copy(made);
            second = disk_name(made, "", j);
            snprintf(names, sizeof names, "%s, %s", second, first);
            damage_vanish(on, first);
            damage_vanish(on, second);
            write_case(of, names, "gone", on);
        }
    }
    for (size_t kind = 0; kind < TEST_COUNT(kinds); kind++) {
        disk *on = disk_copy(made);
        while ((first = disk_name(on, kinds[kind], 0)) != NULL)
            damage_vanish(on, first);
        snprintf(names, sizeof names, "all %s*", kinds[kind]);
        write_case(of, names, "gone", on);
    }
}

static int write_all(FILE *to)
{
    writer of = {.to = to};
    for (size_t i = 0; i < DAMAGE_QUEUES; i++) {
        disk *made = damage_queues[i].make();
        fprintf(to, "%s== %s\n", i > 0 ? "\n" : "", damage_queues[i].name);
        of.whole[0] = '\0';
        write_case(&of, "all", "as it was", disk_copy(made));
        write_files(&of, made);
        write_pairs(&of, made);
        disk_free(made);
    }
    return of.cases;
}

/* ---- the test ---- */

/* The number of the first line that differs from the golden ones, or 0. */
static long first_difference(char *said, size_t length)
{
    char ours[1024], other[1024];
    FILE *mine = fmemopen(said, length, "r"), *lines = fopen(golden, "r");
    assert_true(mine != NULL && lines != NULL);
    for (long number = 1;; number++) {
        bool is_end = fgets(ours, sizeof ours, mine) == NULL;
        bool is_same = (fgets(other, sizeof other, lines) == NULL) == is_end &&
                       (is_end || strcmp(ours, other) == 0);
        if (is_same && !is_end)
            continue;
        if (!is_same)
            print_message("line %ld is\n%sand not\n%s", number, ours, other);
        fclose(mine);
        fclose(lines);
        return is_same ? 0 : number;
    }
}

static void all_is_said_as_ever(void **state)
{
    char *said = NULL;
    size_t length;
    (void)state;
    FILE *to = open_memstream(&said, &length);
    assert_non_null(to);
    assert_true(write_all(to) > 100);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(first_difference(said, length), 0);
    assert_true(first_difference(said, length - 1) > 0); /* planted */
    said[length / 2] ^= 1;
    assert_true(first_difference(said, length) > 0);
    free(said);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_said_as_ever)};
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    FILE *to = fopen(argv[1], "w");
    if (to == NULL)
        return 1;
    (void)write_all(to);
    return fclose(to) == 0 ? 0 : 1;
}
