/* queue_damage.c - see queue_damage.h */
#define _POSIX_C_SOURCE 200809L
#include "queue_damage.h"

#include <stdio.h>
#include <string.h>

#include "queue_model.h"

/* ---- queues ---- */

static size_t *size_of(disk *on, const char *name)
{
    size_t *size_bytes = NULL;
    (void)disk_file(on, name, &size_bytes);
    assert_non_null(size_bytes);
    return size_bytes;
}

/* Killed before anything was pushed. */
static disk *new (void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    disk *killed = disk_copy(on);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
    return killed;
}

/* A few items, all in one segment, and a clean end. */
static disk *closed(void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, 5), 5);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return on;
}

/* Some segments, and a record that was cut off. */
static disk *torn(void)
{
    disk *on = disk_new();
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.segment_bytes = 4096});
    assert_int_equal(model_push(queue, 0, 120), 120);
    disk *killed = disk_copy(on);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
    int last = disk_count(killed, "log-") - 1;
    *size_of(killed, disk_name(killed, "log-", last)) -= 10;
    return killed;
}

const damage_queue damage_queues[DAMAGE_QUEUES] = {
    {"a queue with a past", model_past},
    {"a queue that was closed", closed},
    {"a torn queue", torn},
    {"a new queue", new}};

/* ---- damage ---- */

void damage_vanish(disk *on, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, name);
    assert_int_equal(disk_io(on)->unlink(on, path), 0);
}

static void change(disk *on, const char *name, size_t offset)
{
    size_t *size_bytes;
    uint8_t *bytes = disk_file(on, name, &size_bytes);
    assert_true(bytes != NULL && offset < *size_bytes);
    bytes[offset] ^= 0x20;
}

static void lengthen(disk *on, const char *name)
{
    uint8_t more[40];
    memset(more, 0xee, sizeof more);
    disk_put(on, name, *size_of(on, name), more, sizeof more);
}

bool damage_file(disk *on, const char *name, int which,
                 char said[DAMAGE_SAID_BYTES])
{
    const size_t size = *size_of(on, name);
    const size_t lengths[] = {0, 20, 32, size / 2, size - 1};
    const size_t offsets[] = {9, 28, 40, size / 2};
    if (which == 0) {
        snprintf(said, DAMAGE_SAID_BYTES, "gone");
        damage_vanish(on, name);
    } else if (which <= 5) {
        size_t length = lengths[which - 1];
        if (size == 0 || length >= size)
            return false;
        snprintf(said, DAMAGE_SAID_BYTES, "cut to %zu of %zu", length, size);
        *size_of(on, name) = length;
    } else if (which <= 9) {
        size_t offset = offsets[which - 6];
        if (offset >= size)
            return false;
        snprintf(said, DAMAGE_SAID_BYTES, "byte %zu of %zu changed", offset,
                 size);
        change(on, name, offset);
    } else {
        snprintf(said, DAMAGE_SAID_BYTES, "40 bytes longer than %zu", size);
        lengthen(on, name);
    }
    return true;
}
