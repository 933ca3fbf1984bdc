/*
 * descriptor_zero.c - descriptor 0 is one like any other.
 *
 * A program whose standard input is closed is given it by the next open. The
 * same calls are made again and again, and each time another of their opens
 * is given descriptor 0: all answers stay the same, and nothing stays open.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <string.h>

#include "faulty_io.h"
#include "file/file.h"
#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"

enum {
    NONE = -1,
    ITEMS = 120,
    POPPED = 40
};

static const char first_log[] = "log-0000000000000000";

/* Shows the disk's descriptors one higher, and one of them as 0. */
typedef struct shifted {
    disk *on;
    ss_io io;
    long opens, zero_at; /* the open, from 1, that is given 0 */
    int zero;            /* the disk's own, or NONE */
} shifted;

static const ss_io *real(void *context)
{
    return disk_io(((shifted *)context)->on);
}

static int own(void *context, int fd)
{
    const shifted *of = context;
    if (fd == 0)
        assert_int_not_equal(of->zero, NONE);
    return fd == 0 ? of->zero : fd - 1;
}

static int shifted_open(void *context, const char *path, int flags, mode_t mode)
{
    shifted *of = context;
    int fd = real(of)->open(of->on, path, flags, mode);
    of->opens++;
    if (fd < 0)
        return fd;
    if (of->opens != of->zero_at)
        return fd + 1;
    of->zero = fd;
    return 0;
}

static int shifted_close(void *context, int fd)
{
    shifted *of = context;
    int closed = own(of, fd);
    if (fd == 0)
        of->zero = NONE;
    return real(of)->close(of->on, closed);
}

static ssize_t shifted_read(void *context, int fd, void *bytes, size_t size)
{
    shifted *of = context;
    return real(of)->read(of->on, own(of, fd), bytes, size);
}

static ssize_t shifted_write(void *context, int fd, const void *bytes,
                             size_t size)
{
    shifted *of = context;
    return real(of)->write(of->on, own(of, fd), bytes, size);
}

static int shifted_sync(void *context, int fd)
{
    shifted *of = context;
    return real(of)->sync(of->on, own(of, fd));
}

static int shifted_datasync(void *context, int fd)
{
    shifted *of = context;
    return real(of)->datasync(of->on, own(of, fd));
}

static int shifted_rename(void *context, const char *from, const char *to)
{
    shifted *of = context;
    return real(of)->rename(of->on, from, to);
}

static int shifted_unlink(void *context, const char *path)
{
    shifted *of = context;
    return real(of)->unlink(of->on, path);
}

static ssize_t shifted_pread(void *context, int fd, void *bytes, size_t size,
                             uint64_t offset)
{
    shifted *of = context;
    return real(of)->pread(of->on, own(of, fd), bytes, size, offset);
}

static ssize_t shifted_pwrite(void *context, int fd, const void *bytes,
                              size_t size, uint64_t offset)
{
    shifted *of = context;
    return real(of)->pwrite(of->on, own(of, fd), bytes, size, offset);
}

static int shifted_truncate(void *context, int fd, uint64_t size)
{
    shifted *of = context;
    return real(of)->truncate(of->on, own(of, fd), size);
}

static int shifted_status(void *context, int fd, struct stat *out)
{
    shifted *of = context;
    return real(of)->status(of->on, own(of, fd), out);
}

static int shifted_lock(void *context, int fd)
{
    shifted *of = context;
    return real(of)->lock(of->on, own(of, fd));
}

static int shifted_mkdir(void *context, const char *path, mode_t mode)
{
    shifted *of = context;
    return real(of)->mkdir(of->on, path, mode);
}

static int shifted_list(void *context, const char *path, ss_io_visitor *visit,
                        void *visitor_context)
{
    shifted *of = context;
    return real(of)->list(of->on, path, visit, visitor_context);
}

static const ss_io *shift(shifted *of, disk *on, long zero_at)
{
    *of = (shifted){.on = on, .zero_at = zero_at, .zero = NONE};
    of->io = (ss_io){.open = shifted_open,
                     .close = shifted_close,
                     .read = shifted_read,
                     .write = shifted_write,
                     .sync = shifted_sync,
                     .rename = shifted_rename,
                     .unlink = shifted_unlink,
                     .pread = shifted_pread,
                     .pwrite = shifted_pwrite,
                     .datasync = shifted_datasync,
                     .truncate = shifted_truncate,
                     .status = shifted_status,
                     .lock = shifted_lock,
                     .mkdir = shifted_mkdir,
                     .list = shifted_list,
                     .clock = disk_io(on)->clock,
                     .context = of};
    return &of->io;
}

/* ---- the calls ---- */

static void use_set(const ss_io *io)
{
    static const char path[] = DISK_FOLDER "/a set";
    seenset_file_report report;
    seenset *loaded = NULL;
    seenset *set = test_make((seenset_options){.capacity_items = 100});
    for (uint64_t i = 0; i < 150; i++)
        (void)seenset_add(set, &i, sizeof i);
    assert_int_equal(ss_file_save(io, set, path), SEENSET_OK);
    assert_int_equal(ss_file_verify(io, path, &report), SEENSET_OK);
    assert_int_equal(test_load(io, NULL, false, &loaded, path), SEENSET_OK);
    assert_true(test_are_equal(set, loaded));
    seenset_free(loaded);
    seenset_free(set);
    assert_int_equal(io->unlink(io->context, path), 0);
}

static seenset_queue *open_queue(const ss_io *io)
{
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {
        .set = &(const seenset_options){.capacity_items = 1000},
        .segment_bytes = 4096};
    assert_int_equal(ss_queue_open(io, &queue, DISK_FOLDER, &options), 0);
    return queue;
}

static void fill_queue(const ss_io *io)
{
    seenset_queue_item item = {0};
    seenset_queue *queue = open_queue(io);
    assert_int_equal(model_push(queue, 0, ITEMS), ITEMS);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    for (int i = 0; i < POPPED; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        if (i > 0)
            assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
        else
            assert_int_equal(seenset_queue_nack(queue, item.lease, NULL), 0);
    }
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    seenset_queue_item_free(&item);
}

/* One item is lost with the byte that is damaged; one more was handed back. */
static void mend_queue(const ss_io *io, disk *on)
{
    size_t *size_bytes;
    seenset_queue_report report;
    uint8_t *bytes = disk_file(on, first_log, &size_bytes);
    assert_int_equal(
        ss_queue_verify(io, DISK_FOLDER,
                        &(const seenset_queue_options){.report = &report}),
        SEENSET_OK);
    bytes[*size_bytes - 1] ^= 1; /* of the last record, a push */
    assert_int_equal(
        ss_queue_verify(io, DISK_FOLDER,
                        &(const seenset_queue_options){.report = &report}),
        SEENSET_EDAMAGED);
    assert_int_equal(
        ss_queue_repair(io, DISK_FOLDER,
                        &(const seenset_queue_options){.report = &report}),
        SEENSET_OK);
    assert_int_equal(report.lost_items, 1);
    assert_int_equal(
        ss_queue_verify(io, DISK_FOLDER,
                        &(const seenset_queue_options){.report = &report}),
        SEENSET_OK);
}

static void drain_queue(const ss_io *io, int wanted)
{
    seenset_queue *queue = open_queue(io);
    seenset_queue_stats stats;
    assert_int_equal(model_drain(queue, NULL), wanted);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_int_equal(stats.failed_checkpoints, 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

/* All of it, on a disk of its own; how many opens there were. */
static long use_all(long zero_at)
{
    shifted of;
    disk *on = disk_new();
    const ss_io *io = shift(&of, on, zero_at);
    use_set(io);
    fill_queue(io);
    mend_queue(io, on);
    drain_queue(io, ITEMS - POPPED);
    assert_int_equal(disk_open_files(on), 0);
    disk_free(on);
    return of.opens;
}

static void each_open_may_give_descriptor_zero(void **state)
{
    (void)state;
    long opens = use_all(0);
    assert_in_range(opens, 50, 2000);
    for (long at = 1; at <= opens; at++)
        assert_int_equal(use_all(at), opens);
}

/* Planted: whoever takes 0 for no descriptor leaves it open, and it shows. */
static void a_descriptor_taken_for_none_is_seen(void **state)
{
    shifted of;
    disk *on = disk_new();
    const ss_io *io = shift(&of, on, 1);
    (void)state;
    int fd = ss_io_open(io, DISK_FOLDER, 0, 0);
    assert_int_equal(fd, 0);
    if (fd > 0)
        ss_io_close_quietly(io, fd);
    assert_int_equal(disk_open_files(on), 1);
    ss_io_close_quietly(io, fd);
    assert_int_equal(disk_open_files(on), 0);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_open_may_give_descriptor_zero),
        cmocka_unit_test(a_descriptor_taken_for_none_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
