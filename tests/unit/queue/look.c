/*
 * look.c - the figures of a queue that others use: right, while they go on,
 * and without a trace.
 *
 * The looker's operations are the disk's with all that change something left
 * out: one of those ends the test.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "queue_model.h"

/* ---- operations that only read ---- */

static int refused_open(void *context, const char *path, int flags, mode_t mode)
{
    assert_int_equal(flags & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR), 0);
    return disk_io(context)->open(context, path, flags, mode);
}

static int no_fd(void *context, int fd)
{
    (void)context, (void)fd;
    fail_msg("a look syncs or locks");
    return -1;
}

static int no_path(void *context, const char *path)
{
    (void)context;
    fail_msg("a look removes %s", path);
    return -1;
}

static int no_rename(void *context, const char *from, const char *to)
{
    (void)context, (void)from, (void)to;
    fail_msg("a look renames");
    return -1;
}

static int no_truncate(void *context, int fd, uint64_t size)
{
    (void)context, (void)fd, (void)size;
    fail_msg("a look cuts");
    return -1;
}

static int no_mkdir(void *context, const char *path, mode_t mode)
{
    (void)context, (void)path, (void)mode;
    fail_msg("a look makes a folder");
    return -1;
}

static ssize_t no_write(void *context, int fd, const void *bytes, size_t size)
{
    (void)context, (void)fd, (void)bytes, (void)size;
    fail_msg("a look writes");
    return -1;
}

static ssize_t no_pwrite(void *context, int fd, const void *bytes, size_t size,
                         uint64_t offset)
{
    (void)offset;
    return no_write(context, fd, bytes, size);
}

static ss_io reading_only(disk *on)
{
    ss_io io = *disk_io(on);
    io.open = refused_open;
    io.sync = io.datasync = io.lock = no_fd;
    io.unlink = no_path;
    io.rename = no_rename;
    io.truncate = no_truncate;
    io.mkdir = no_mkdir;
    io.write = no_write;
    io.pwrite = no_pwrite;
    return io;
}

/* With the set's statistics, unless set is NULL. */
static int look_with(disk *on, seenset_queue_stats *out, seenset_stats *set,
                     seenset_queue_report *report)
{
    ss_io io = reading_only(on);
    int open_files = disk_open_files(on);
    int error = ss_queue_look(&io, DISK_FOLDER,
                              &(const seenset_queue_options){.report = report},
                              out, sizeof *out, set, sizeof *set);
    assert_int_equal(disk_open_files(on), open_files);
    return error;
}

static int look(disk *on, seenset_queue_stats *out,
                seenset_queue_report *report)
{
    return look_with(on, out, NULL, report);
}

/* ---- what it says ---- */

static bool is_consistent(const seenset_queue_stats *stats)
{
    return stats->pending_items + stats->leased_items + stats->acked_items ==
           stats->pushed_items;
}

/* The figures that do not depend on who asks. */
static void assert_same(const seenset_queue_stats *is,
                        const seenset_queue_stats *due)
{
    assert_int_equal(is->normalise, due->normalise);
    assert_int_equal(is->pushed_items, due->pushed_items);
    assert_int_equal(is->acked_items, due->acked_items);
    assert_int_equal(is->pending_items + is->leased_items,
                     due->pending_items + due->leased_items);
    assert_int_equal(is->log_bytes, due->log_bytes);
    assert_int_equal(is->segment_count, due->segment_count);
    assert_true(is->wrong_items == due->wrong_items);
    assert_int_equal(is->durability, SEENSET_QUEUE_DURABILITY_DEFAULT);
    assert_int_equal(is->unsynced_bytes, 0);
    assert_true(is_consistent(is));
}

/* After every call of a crawl whose answers are promises. */
static void look_equals_stats_at_every_moment(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        model crawl;
        model_init(&crawl, seed, SEENSET_QUEUE_DURABILITY_EACH);
        disk *on = disk_new();
        seenset_queue *queue = model_open(on, crawl.options);
        for (int step = 0; step < 200; step++) {
            model_step(&crawl, disk_io(on), DISK_FOLDER, &queue);
            seenset_queue_stats is, due;
            seenset_stats set, due_set;
            assert_int_equal(look_with(on, &is, &set, NULL), SEENSET_OK);
            assert_int_equal(seenset_queue_get_stats(queue, &due, sizeof due),
                             SEENSET_OK);
            assert_int_equal(
                seenset_queue_get_set_stats(queue, &due_set, sizeof due_set),
                SEENSET_OK);
            assert_same(&is, &due);
            assert_int_equal(set.added_items, due_set.added_items);
            assert_int_equal(set.capacity_items, due_set.capacity_items);
            assert_int_equal(set.set_bits, due_set.set_bits);
        }
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

/* What a close wrote down is seen whole: leases, and what was dropped. */
static void look_tells_of_leases(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_item item = {0};
    seenset_queue_stats stats;
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, 10), 10);
    assert_int_equal(model_push(queue, 5, 10), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
    assert_int_equal(look(on, &stats, NULL), 0);
    assert_int_equal(stats.leased_items, 0); /* known to the handle only */
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_int_equal(look(on, &stats, NULL), 0);
    assert_int_equal(stats.leased_items, 2);
    assert_int_equal(stats.pending_items, 7);
    assert_int_equal(stats.acked_items, 1);
    assert_int_equal(stats.dropped_items, 5);
    assert_true(isinf(stats.seconds_to_full));
    disk_pass_ns(on, UINT64_C(61000000000));
    assert_int_equal(look(on, &stats, NULL), 0);
    assert_int_equal(stats.leased_items, 0); /* those have ended */
    assert_int_equal(stats.pending_items, 9);
    seenset_queue_item_free(&item);
    disk_free(on);
}

/* ---- what crashes leave ---- */

/* An unfinished record, an unfinished segment, a file that was being written:
 * they are not counted, and stay. */
static void look_leaves_an_unfinished_end(void **state)
{
    (void)state;
    disk *on = model_past();
    seenset_queue_stats whole, torn;
    assert_int_equal(look(on, &whole, NULL), 0);
    assert_int_equal(whole.pushed_items, MODEL_PAST_ITEMS);
    char last[64];
    snprintf(last, sizeof last, "%s", disk_last_name(on, "log-"));
    size_t *size;
    (void)disk_file(on, last, &size);
    uint64_t end = strtoull(last + 4, NULL, 16) + *size + 11;
    disk_put(on, last, *size, "unfinished.", 11);
    disk_put(on, "set-0000000000000000.tmp", 0, "half", 4);
    assert_int_equal(look(on, &torn, NULL), 0);
    assert_int_equal(torn.torn_bytes, 11);
    assert_same(&torn, &whole);
    char next[64];
    snprintf(next, sizeof next, "log-%016llx", (unsigned long long)end);
    disk_put(on, next, 0, "SEEN", 4);
    int files = disk_count(on, "");
    assert_int_equal(look(on, &torn, NULL), 0);
    assert_same(&torn, &whole);
    assert_int_equal(disk_count(on, ""), files);
    (void)disk_file(on, last, &size);
    assert_int_equal(strtoull(last + 4, NULL, 16) + *size, end);
    disk_free(on);
}

static void look_tells_of_damage(void **state)
{
    (void)state;
    seenset_queue_stats stats, before;
    seenset_queue_report report;
    memset(&before, 0xa5, sizeof before);
    stats = before;
    disk *on = model_past();
    size_t *size;
    uint8_t *bytes = disk_file(on, disk_name(on, "log-", 0), &size);
    memset(bytes + *size / 2, 0, 40);
    for (int i = disk_count(on, "s"); i > 0; i--)
        disk_io(on)->unlink(on, disk_name(on, "s", 0));
    assert_int_equal(look(on, &stats, &report), SEENSET_EDAMAGED);
    assert_string_equal(report.file, disk_name(on, "log-", 0));
    assert_true(report.offset > 0 && report.reason[0] != '\0');
    assert_memory_equal(&stats, &before, sizeof stats);
    disk_free(on);
    on = model_past();
    disk_put(on, "REPAIR", 0, "", 0);
    assert_int_equal(look(on, &stats, &report), SEENSET_EDAMAGED);
    assert_string_equal(report.file, "REPAIR");
    disk_free(on);
}

/* ---- while others go on ---- */

/* Somebody who goes on each time the folder was listed. */
typedef struct mover {
    disk *on;
    ss_io io;
    seenset_queue *queue;
    int moves_left, lists, next;
} mover;

/* So far that the snapshots that were listed are gone. */
static void go_on(mover *of)
{
    seenset_queue_item item = {0};
    for (int i = 0; i < 2; i++, of->next++) {
        (void)model_push(of->queue, of->next, of->next + 1);
        assert_int_equal(seenset_queue_pop(of->queue, &item), 1);
        assert_int_equal(seenset_queue_ack(of->queue, item.lease), 0);
        assert_int_equal(seenset_queue_checkpoint(of->queue), 0);
    }
    seenset_queue_item_free(&item);
}

static int moving_list(void *context, const char *path, ss_io_visitor *visit,
                       void *visitor_context)
{
    mover *of = context;
    int result = disk_io(of->on)->list(of->on, path, visit, visitor_context);
    of->lists++;
    if (of->moves_left > 0) {
        of->moves_left--;
        go_on(of);
    }
    return result;
}

#define PASSED_ON(name, parameters, ...)                                       \
    static int moving_##name parameters                                        \
    {                                                                          \
        disk *on = ((mover *)context)->on;                                     \
        return disk_io(on)->name(on, __VA_ARGS__);                             \
    }
PASSED_ON(open, (void *context, const char *path, int flags, mode_t mode), path,
          flags, mode)
PASSED_ON(close, (void *context, int fd), fd)
PASSED_ON(status, (void *context, int fd, struct stat *out), fd, out)

static ssize_t moving_pread(void *context, int fd, void *bytes, size_t size,
                            uint64_t offset)
{
    disk *on = ((mover *)context)->on;
    return disk_io(on)->pread(on, fd, bytes, size, offset);
}

static ssize_t moving_read(void *context, int fd, void *bytes, size_t size)
{
    disk *on = ((mover *)context)->on;
    return disk_io(on)->read(on, fd, bytes, size);
}

/* Looks while the first so many listings are out of date at once. */
static int look_moving(int moves, seenset_queue_stats *out, int *lists)
{
    mover of = {.on = disk_new(), .moves_left = moves};
    of.queue = model_open(
        of.on,
        (seenset_queue_options){
            .set = &(const seenset_options){.capacity_items = MODEL_URLS},
            .segment_bytes = 4096});
    of.io = (ss_io){.open = moving_open,
                    .close = moving_close,
                    .status = moving_status,
                    .read = moving_read,
                    .pread = moving_pread,
                    .list = moving_list,
                    .clock = disk_io(of.on)->clock,
                    .context = &of};
    go_on(&of);
    int error =
        ss_queue_look(&of.io, DISK_FOLDER, NULL, out, sizeof *out, NULL, 0);
    *lists = of.lists;
    if (error == SEENSET_OK) {
        assert_true(is_consistent(out));
        assert_int_equal(out->acked_items, of.next);
    }
    assert_int_equal(seenset_queue_close(of.queue), 0);
    disk_free(of.on);
    return error;
}

static void look_reads_again_what_has_gone(void **state)
{
    (void)state;
    seenset_queue_stats stats;
    int lists;
    assert_int_equal(look_moving(0, &stats, &lists), SEENSET_OK);
    int quiet = lists;
    for (int moves = 1; moves < 20; moves++)
        assert_int_equal(look_moving(moves, &stats, &lists), SEENSET_OK);
    assert_true(lists > quiet);
}

/* Others who never pause do not keep it for ever. */
static void look_gives_up_in_the_end(void **state)
{
    (void)state;
    seenset_queue_stats stats;
    int lists;
    assert_int_equal(look_moving(900, &stats, &lists), SEENSET_EIO);
    assert_in_range(lists, 64, 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_equals_stats_at_every_moment),
        cmocka_unit_test(look_tells_of_leases),
        cmocka_unit_test(look_leaves_an_unfinished_end),
        cmocka_unit_test(look_tells_of_damage),
        cmocka_unit_test(look_reads_again_what_has_gone),
        cmocka_unit_test(look_gives_up_in_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
