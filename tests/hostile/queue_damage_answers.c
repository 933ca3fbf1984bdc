/*
 * queue_damage_answers.c - what a damaged queue answers, as text, and which
 * rules it breaks.
 */
#define _POSIX_C_SOURCE 200809L
#include "queue_damage_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "queue_model.h"

enum {
    MOST_OPERATIONS = 500,        /* of a repair */
    MOST_SNAPSHOT_BYTES = 4 << 20 /* that it may add to the files */
};

/* What came out of a queue, by the number of its URL. */
typedef struct content {
    int out[MODEL_URLS], is_new[MODEL_URLS];
    int strangers; /* items with other URLs */
    int error;     /* of a pop, or 0 */
    uint64_t torn_bytes;
} content;

typedef struct writer {
    FILE *to;
    const damage_calls *by;
    const damage_queue *queue;
    content whole;               /* of the undamaged queue */
    seenset_queue_report counts; /* of its verification */
    const char *wrong;           /* the first rule that was broken, or NULL */
} writer;

static void break_rule(writer *of, const char *rule)
{
    fprintf(of->to, " !! %s", rule);
    if (of->wrong == NULL)
        of->wrong = rule;
}

/* ---- what is written ---- */

/* An error, the place it names, and why; sound queues have no reason. */
static void write_error(writer *of, int error,
                        const seenset_queue_report *report)
{
    fputs(error == SEENSET_OK ? "OK" : seenset_error_name(error), of->to);
    if (error == SEENSET_OK && report->reason[0] != '\0')
        break_rule(of, "a reason without an error");
    else if (report->reason[0] != '\0')
        fprintf(of->to, " %s:%" PRIu64 " %s", report->file, report->offset,
                report->reason);
}

/* Of all files that start with prefix. */
static uint64_t bytes_of(disk *on, const char *prefix)
{
    const char *name;
    uint64_t total = 0;
    for (int i = 0; (name = disk_name(on, prefix, i)) != NULL; i++) {
        size_t *length;
        (void)disk_file(on, name, &length);
        total += *length;
    }
    return total;
}

/* What a verification counts, unless it is what the undamaged queue has. */
static void write_counts(writer *of, disk *on,
                         const seenset_queue_report *report)
{
    const seenset_queue_report *whole = &of->counts;
    if (report->segment_count != whole->segment_count ||
        report->record_count != whole->record_count ||
        report->item_count != whole->item_count ||
        report->log_bytes - report->torn_bytes !=
            whole->log_bytes - whole->torn_bytes)
        fprintf(of->to,
                ", %" PRIu64 " files, %" PRIu64 " records, %" PRIu64
                " items, %" PRIu64 " bytes",
                report->segment_count, report->record_count, report->item_count,
                report->log_bytes - report->torn_bytes);
    if (report->damage_count > 0)
        fprintf(of->to,
                ", damaged %" PRIu64 " of %" PRIu64 " bytes, %" PRIu64 " lost",
                report->damage_count, report->damaged_bytes,
                report->lost_items);
    if (report->torn_bytes > 0)
        fputs(", torn", of->to);
    if (report->log_bytes != 0 && report->log_bytes != bytes_of(on, "log-"))
        break_rule(of, "it counts bytes that are not there");
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

/* ---- opening and looking ---- */

/* Takes out all that an open queue has; its figures have to be true. */
static void read_content(writer *of, content *out, seenset_queue *queue,
                         const seenset_queue_stats *stats)
{
    char url[32];
    *out = (content){.torn_bytes = stats->torn_bytes};
    int count = model_drain(queue, out->out);
    out->error = count < 0 ? count : 0;
    for (int i = 0; i < MODEL_URLS; i++)
        out->strangers -= out->out[i];
    out->strangers += count > 0 ? count : 0;
    /* fewer if some are delayed, and that goes on */
    if (count >= 0 &&
        ((uint64_t)count > stats->pending_items ||
         ((uint64_t)count < stats->pending_items && !of->queue->keeps_leases)))
        break_rule(of, "other items than it counts");
    if (stats->pending_items + stats->leased_items + stats->acked_items !=
        stats->pushed_items)
        break_rule(of, "its counts contradict each other");
    for (int i = 0; i < MODEL_PAST_ITEMS; i++) {
        model_url(i, url);
        out->is_new[i] =
            seenset_queue_push(queue, url, strlen(url), NULL, 0) == 1;
    }
}

/* A look has to say what the open said, and count the same items. Where there
 * is no queue, which the open says first, it says what is missing. */
static void check_look(writer *of, disk *on, int error,
                       const seenset_queue_report *report,
                       const seenset_queue_stats *stats)
{
    seenset_queue_stats seen;
    seenset_queue_report other;
    const seenset_options given = damage_given(of->queue);
    const seenset_queue_options options = {.set = &given, .report = &other};
    int looked = of->by->look(disk_io(on), DISK_FOLDER, &options, &seen,
                              sizeof seen, NULL, 0);
    if (error == SEENSET_EIO
            ? looked == SEENSET_OK
            : looked != error || strcmp(other.file, report->file) != 0 ||
                  other.offset != report->offset ||
                  strcmp(other.reason, report->reason) != 0)
        break_rule(of, "a look says something else");
    else if (error == SEENSET_OK &&
             (seen.pushed_items != stats->pushed_items ||
              seen.acked_items != stats->acked_items ||
              seen.pending_items + seen.leased_items !=
                  stats->pending_items + stats->leased_items))
        break_rule(of, "a look counts something else");
}

static void write_content(writer *of, seenset_queue *queue,
                          const seenset_queue_stats *stats)
{
    content found;
    read_content(of, &found, queue, stats);
    if (found.torn_bytes > 0)
        fputs(", torn", of->to);
    if (found.error != 0)
        fprintf(of->to, ", pop %s", seenset_error_name(found.error));
    if (found.error == 0 && found.strangers > 0)
        fprintf(of->to, ", %d others", found.strangers);
    write_more(of->to, "missing", of->whole.out, found.out);
    write_more(of->to, "again", found.out, of->whole.out);
    write_more(of->to, "new", found.is_new, of->whole.is_new);
    write_more(of->to, "not new", of->whole.is_new, found.is_new);
}

/* Opens it, as what it was made as, and says what it holds. Uses it up. */
static int write_open(writer *of, disk *on, uint64_t *torn_bytes)
{
    test_memory memory;
    seenset_queue *queue;
    seenset_queue_report report;
    seenset_queue_stats stats = {0};
    disk *looked_at = disk_copy(on);
    int error = damage_open(of->queue, on, &memory, &queue, &report);
    write_error(of, error, &report);
    if (error == SEENSET_OK)
        assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                         SEENSET_OK);
    if (error != SEENSET_ENOMEM)
        check_look(of, looked_at, error, &report, &stats);
    disk_free(looked_at);
    if (error == SEENSET_OK) {
        write_content(of, queue, &stats);
        if (seenset_queue_close(queue) != SEENSET_OK)
            break_rule(of, "it cannot be closed");
    }
    if (memory.live_blocks != 0)
        break_rule(of, "memory was kept");
    if (memory.largest_bytes > DAMAGE_MOST_BYTES && error != SEENSET_ENOMEM)
        break_rule(of, "it asked for memory without need");
    *torn_bytes = stats.torn_bytes;
    return error;
}

/* ---- repairing ---- */

static int verify(const writer *of, disk *on, seenset_queue_report *report)
{
    const seenset_options given = damage_given(of->queue);
    const seenset_queue_options options = {.set = &given, .report = report};
    return of->by->verify(disk_io(on), DISK_FOLDER, &options);
}

/* Neither may it cost more time or bytes than the queue itself is worth. */
static int repair(writer *of, disk *on, const seenset_queue_report *found)
{
    seenset_queue_report report;
    const seenset_options given = damage_given(of->queue);
    const seenset_queue_options options = {.set = &given, .report = &report};
    uint64_t bytes = bytes_of(on, "");
    long before = disk_operations(on);
    int error = of->by->repair(disk_io(on), DISK_FOLDER, &options);
    if (memcmp(&report, found, sizeof report) != 0)
        break_rule(of, "repair and verify report different things");
    if (disk_operations(on) - before > MOST_OPERATIONS)
        break_rule(of, "a repair of too many operations");
    if (error == SEENSET_OK ? bytes_of(on, "") > bytes + found->damaged_bytes +
                                                     MOST_SNAPSHOT_BYTES
                            : bytes_of(on, "") != bytes)
        break_rule(of, "a repair wrote too much");
    return error;
}

/* Repairs it; what is left has to be sound, and to stay so in use. */
static void write_repaired(writer *of, disk *on, int verified,
                           const seenset_queue_report *found)
{
    seenset_queue_report report;
    if (damage_is_large(of->queue, on, found)) {
        fputs("too large to be repaired here |", of->to);
        return;
    }
    int error = repair(of, on, found);
    if (error != SEENSET_OK) {
        if (error != verified)
            break_rule(of, "repair and verify answer different things");
        fputs("beyond repair |", of->to);
        return;
    }
    error = verify(of, on, &report);
    write_error(of, error, &report);
    write_counts(of, on, &report);
    if (error != SEENSET_OK || report.damage_count + report.lost_items > 0)
        break_rule(of, "it was not repaired");
    fputs(" | ", of->to);
    uint64_t torn_bytes;
    if (write_open(of, on, &torn_bytes) != SEENSET_OK)
        break_rule(of, "what was repaired does not open");
    else if (verify(of, on, &report) != SEENSET_OK)
        break_rule(of, "it is damaged again");
}

/* What comes of a damage: the text after its name, from malloc. */
static char *answers_to(writer *of, const damage *row, disk *on)
{
    char *answers = NULL;
    size_t length;
    seenset_queue_report report;
    of->to = open_memstream(&answers, &length);
    assert_non_null(of->to);
    disk *copy = disk_copy(on);
    uint64_t torn_bytes;
    int opened = write_open(of, copy, &torn_bytes);
    disk_free(copy);
    if (opened == SEENSET_OK && row->never_opens)
        break_rule(of, "a number was believed that must not differ");
    fputs(" | ", of->to);
    int error = verify(of, on, &report);
    write_error(of, error, &report);
    write_counts(of, on, &report);
    if (error == SEENSET_OK && opened != SEENSET_OK && opened != SEENSET_ENOMEM)
        break_rule(of, "it does not open, and nothing is wrong with it");
    if (opened == SEENSET_OK && torn_bytes != report.torn_bytes)
        break_rule(of, "open and verify tear off different bytes");
    fputs(" | ", of->to);
    write_repaired(of, on, error, &report);
    assert_int_equal(fclose(of->to), 0);
    disk_free(on);
    return answers;
}

/* The undamaged queue, which the others are compared with. */
static void read_whole(writer *of, disk *on)
{
    test_memory memory;
    seenset_queue *queue;
    seenset_queue_report report;
    seenset_queue_stats stats;
    const seenset_options given = damage_given(of->queue);
    const seenset_queue_options options = {.set = &given,
                                           .report = &of->counts};
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(damage_open(of->queue, on, &memory, &queue, &report),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    read_content(of, &of->whole, queue, &stats);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* ---- lines ---- */

/* Damages of one line. */
typedef struct line {
    const damage *first, *last;
    int count;
    char *answers;
} line;

static void end_line(line *of, FILE *to)
{
    if (of->count > 0)
        fprintf(to, "%s%s%s", of->first->what,
                of->first->where[0] != '\0' ? " " : "", of->first->where);
    if (of->count > 1)
        fprintf(to, "..%s (%d)", of->last->where, of->count);
    if (of->count > 0)
        fprintf(to, " | %s\n", of->answers);
    free(of->answers);
    *of = (line){0};
}

/* Starts a line, or joins the one before. */
static void add_to_line(line *of, const damage *row, char *answers, FILE *to)
{
    bool joins = of->count > 0 && strcmp(of->answers, answers) == 0 &&
                 strcmp(of->first->what, row->what) == 0;
    if (joins) {
        free(answers);
    } else {
        end_line(of, to);
        *of = (line){.first = row, .answers = answers};
    }
    of->last = row;
    of->count++;
}

int damage_write_queue(const damage_queue *queue, size_t step,
                       const damage_calls *by, FILE *to, const char **wrong)
{
    static const damage none = {.what = "as it was"};
    disk *made = queue->make();
    damage_list list = damage_list_all(queue, made);
    writer of = {.by = by, .queue = queue};
    line one = {0};
    int count = (int)list.count;
    read_whole(&of, disk_copy(made));
    fprintf(to, "== %s\n", queue->name);
    add_to_line(&one, &none, answers_to(&of, &none, disk_copy(made)), to);
    for (size_t i = 0; i < list.count; i += step) {
        disk *on = disk_copy(made);
        list.rows[i].make(&list.rows[i], on);
        add_to_line(&one, &list.rows[i], answers_to(&of, &list.rows[i], on),
                    to);
    }
    end_line(&one, to);
    damage_list_free(&list);
    disk_free(made);
    *wrong = of.wrong;
    return count;
}
