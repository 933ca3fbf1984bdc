/*
 * queue_reports.c - which damage is found where, and what a repair saves.
 *
 * Four queues, and on each every file in turn: gone, shorter, longer, or with
 * a byte that has changed; and what goes together is gone together. Then the
 * queue is opened, verified, repaired, and opened again. A line of
 * golden/queue-reports.txt has what came of each damage:
 *
 *     damage | open | verify | verify after the repair | open after it
 *
 * An error has the place that it names. A verification has what it counts,
 * where that differs from the undamaged queue: log files, and their sound
 * records, items and bytes; places that are damaged, and items lost there;
 * bytes torn off. An open queue has how it differs from the undamaged one: the
 * error that ends its pops, URLs that it does not hand out, URLs that it hands
 * out though they were acked, and URLs that are new to it.
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

/* ---- a line ---- */

/* What came out of a queue, by the number of its URL. */
typedef struct content {
    int out[MODEL_URLS], is_new[MODEL_URLS];
    int error; /* of a pop, or 0 */
} content;

typedef struct writer {
    FILE *to;
    int cases;
    content whole;               /* of the undamaged queue */
    seenset_queue_report counts; /* of its verification */
} writer;

/* An error, and the place it names; sound queues have no reason. */
static void write_error(writer *of, int error,
                        const seenset_queue_report *report)
{
    fputs(error == SEENSET_OK ? "OK" : seenset_error_name(error), of->to);
    if (error == SEENSET_OK)
        assert_string_equal(report->reason, "");
    else if (report->reason[0] != '\0')
        fprintf(of->to, " %s:%" PRIu64, report->file, report->offset);
}

/* What a verification counts, unless it is what the undamaged queue has. */
static void write_counts(writer *of, const seenset_queue_report *report)
{
    const seenset_queue_report *whole = &of->counts;
    if (report->segment_count != whole->segment_count ||
        report->record_count != whole->record_count ||
        report->item_count != whole->item_count ||
        report->log_bytes != whole->log_bytes)
        fprintf(of->to,
                ", %" PRIu64 " files, %" PRIu64 " records, %" PRIu64
                " items, %" PRIu64 " bytes",
                report->segment_count, report->record_count, report->item_count,
                report->log_bytes);
    if (report->damage_count > 0)
        fprintf(of->to,
                ", damaged %" PRIu64 " of %" PRIu64 " bytes, %" PRIu64 " lost",
                report->damage_count, report->damaged_bytes,
                report->lost_items);
    if (report->torn_bytes > 0)
        fprintf(of->to, ", torn %" PRIu64, report->torn_bytes);
}

/* The numbers that a has more often than b, as "0-3 7 9-12". */
static void write_more(FILE *to, const char *word, const int *a, const int *b)
{
    bool is_first = true;
    for (int first = 0; first < MODEL_URLS; first++) {
        int end = first;
        while (end < MODEL_URLS && a[end] > b[end])
            end++;
        if (end == first)
            continue;
        if (is_first)
            fprintf(to, ", %s", word);
        fprintf(to, end > first + 1 ? " %d-%d" : " %d", first, end - 1);
        is_first = false;
        first = end;
    }
}

/* Takes out all that an open queue has; its figures have to be true. */
static void read_content(content *out, seenset_queue *queue)
{
    seenset_queue_stats stats;
    *out = (content){0};
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    int count = model_drain(queue, out->out);
    out->error = count < 0 ? count : 0;
    if (count >= 0)
        assert_int_equal(count, stats.pending_items);
    assert_int_equal(stats.pending_items + stats.acked_items,
                     stats.pushed_items);
    for (int i = 0; i < MODEL_PAST_ITEMS; i++)
        out->is_new[i] = model_push(queue, i, i + 1);
}

/* Opens it, as what it was made as, and says what it holds. Uses it up. */
static void write_open(writer *of, disk *on)
{
    seenset_queue *queue = NULL;
    seenset_queue_report report;
    const seenset_queue_options options = {.must_exist = 1, .report = &report};
    int error = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options);
    write_error(of, error, &report);
    if (error == SEENSET_OK) {
        content found;
        read_content(&found, queue);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        if (found.error != 0)
            fprintf(of->to, ", pop %s", seenset_error_name(found.error));
        write_more(of->to, "missing", of->whole.out, found.out);
        write_more(of->to, "again", found.out, of->whole.out);
        write_more(of->to, "new", found.is_new, of->whole.is_new);
    }
    disk_free(on);
}

/* Repairs it; what is left has to be sound. */
static void repair(writer *of, disk *on, const seenset_queue_report *found,
                   int error)
{
    seenset_queue_report report;
    int repaired = ss_queue_repair(disk_io(on), DISK_FOLDER, &report);
    assert_memory_equal(&report, found, sizeof report);
    if (repaired != SEENSET_OK) {
        assert_int_equal(repaired, error);
        fputs("beyond repair", of->to);
        return;
    }
    error = ss_queue_verify(disk_io(on), DISK_FOLDER, &report);
    write_error(of, error, &report);
    write_counts(of, &report);
    assert_int_equal(error, SEENSET_OK);
    assert_int_equal(report.damage_count + report.lost_items, 0);
}

static void write_case(writer *of, const char *name, const char *said, disk *on)
{
    seenset_queue_report report;
    of->cases++;
    fprintf(of->to, "%s %s | ", name, said);
    write_open(of, disk_copy(on));
    int error = ss_queue_verify(disk_io(on), DISK_FOLDER, &report);
    fputs(" | ", of->to);
    write_error(of, error, &report);
    write_counts(of, &report);
    fputs(" | ", of->to);
    repair(of, on, &report, error);
    fputs(" | ", of->to);
    write_open(of, on);
    fputc('\n', of->to);
}

/* The undamaged queue, which the others are compared with. */
static void write_whole(writer *of, disk *on)
{
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &of->counts),
                     SEENSET_OK);
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    read_content(&of->whole, queue);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
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
        write_whole(&of, disk_copy(made));
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

static void queue_damage_is_found_and_repaired_as_ever(void **state)
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_damage_is_found_and_repaired_as_ever)};
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    FILE *to = fopen(argv[1], "w");
    if (to == NULL)
        return 1;
    (void)write_all(to);
    return fclose(to) == 0 ? 0 : 1;
}
