/*
 * polite_lost.c - a repair counts an item whose moved record is damaged.
 *
 * The log of a polite queue was cleaned. Each of its MOVED records in turn is
 * damaged in a copy, which is repaired. An item is lost if its record before is
 * gone. It was reported; one whose record before is found again may be, too.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "base/bits.h"
#include "queue/handle.h"
#include "queue_model.h"
#include "support.h"

enum {
    ITEMS = 160,
    MORE = 60
};

static disk *cleaned(void)
{
    static model of;
    int place = 0;
    seenset_queue *queue = NULL;
    disk *on = disk_new();
    model_init(&of, 1, SEENSET_QUEUE_DURABILITY_EACH);
    model_set_kind(&of, model_kind_after(&place, "polite"));
    of.url_count = ITEMS + MORE;
    assert_int_equal(
        ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &of.options), 0);
    model_scatter(&of, queue, ITEMS);
    assert_int_equal(model_push(queue, ITEMS, ITEMS + MORE), MORE);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_true(model_has_moved(on));
    return on;
}

/* The next record of a segment from *at on that has this type, or NULL. */
static uint8_t *next_of(uint8_t *log, size_t size_bytes, size_t *at, char type)
{
    while (*at + SS_RECORD_HEADER_BYTES < size_bytes) {
        uint8_t *record = log + *at;
        *at += SS_RECORD_HEADER_BYTES + (size_t)ss_bits_load(record + 4, 3);
        if (record[7] == (uint8_t)type)
            return record;
    }
    return NULL;
}

/* Returns how many of `count` items are missing after the repair. */
static int repair(disk *on, int count)
{
    seenset_queue_report report;
    const seenset_queue_options options = {.report = &report};
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, &options), 0);
    int missing = count - model_count(on);
    assert_in_range(report.lost_items, missing, 1);
    return missing;
}

static void lost_moves_are_counted(void **state)
{
    (void)state;
    int lost = 0;
    size_t *size_bytes;
    const char *name;
    disk *on = cleaned(), *counted = disk_copy(on);
    int count = model_count(counted);
    for (int i = 0; (name = disk_name(on, "log-", i)) != NULL; i++) {
        uint8_t *log = disk_file(on, name, &size_bytes), *record;
        size_t at = SS_SEGMENT_HEADER_BYTES;
        while ((record = next_of(log, *size_bytes, &at, 'V')) != NULL) {
            disk *damaged = disk_copy(on);
            disk_flip(damaged, name, (size_t)(record - log) + 30);
            lost += repair(damaged, count);
            disk_free(damaged);
        }
    }
    assert_true(lost > 1);
    disk_free(counted);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_moves_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
