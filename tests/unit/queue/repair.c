/* repair.c - a repair covers damage of any length with FILLER records */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "base/bits.h"
#include "queue/handle.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "queue_records.h"
#include "support.h"

enum {
    FILLER_MOST = SS_RECORD_HEADER_BYTES + SS_PAYLOAD_MAX
};

static const char first_log[] = "log-0000000000000000";

/* Three items, then so many zeros, in which two more were lost; then one, and a
 * DURABLE record of all of it. */
static disk *gapped_queue(size_t gap_bytes)
{
    size_t *size_bytes;
    uint8_t push[SS_RECORD_HEADER_BYTES + SS_PUSH_PREFIX_BYTES + 1] = {0};
    uint8_t mark[SS_DURABLE_RECORD_BYTES];
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, 3), 3);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    const uint8_t *log = disk_file(on, first_log, &size_bytes);
    uint32_t log_id = (uint32_t)ss_bits_load(log + 8, 4);
    size_t at = *size_bytes + gap_bytes;
    push[SS_RECORD_HEADER_BYTES] = 1; /* the URL's length */
    push[sizeof push - 1] = 'f';
    ss_record_seal(push, log_id, SS_RECORD_PUSH, 5,
                   sizeof push - SS_RECORD_HEADER_BYTES);
    ss_bits_store(mark + SS_RECORD_HEADER_BYTES, 8, at);
    ss_record_seal(mark, log_id, SS_RECORD_DURABLE, 6,
                   sizeof mark - SS_RECORD_HEADER_BYTES);
    disk_put(on, first_log, at, push, sizeof push);
    disk_put(on, first_log, at + sizeof push, mark, sizeof mark);
    return on;
}

static int count_fillers(disk *on)
{
    size_t *size_bytes;
    const uint8_t *log = disk_file(on, first_log, &size_bytes);
    records of = records_begin(log, *size_bytes);
    int count = 0;
    while (records_next(&of))
        count += of.record.type == SS_RECORD_FILLER;
    return count;
}

/* A FILLER record is no longer than a record can be, and leaves room for one.
 * There are no more of them than that takes. */
static void damage_may_be_longer_than_a_record(void **state)
{
    static const size_t lengths[] = {
        SS_RECORD_HEADER_BYTES,
        FILLER_MOST - 1,
        FILLER_MOST,
        FILLER_MOST + 1,
        FILLER_MOST + SS_RECORD_HEADER_BYTES - 1,
        FILLER_MOST + SS_RECORD_HEADER_BYTES,
        2 * FILLER_MOST + 1,
    };
    static const int fillers[] = {1, 1, 1, 2, 2, 2, 3};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(lengths); i++) {
        seenset_queue_report report;
        disk *on = gapped_queue(lengths[i]);
        assert_int_equal(
            ss_queue_verify(disk_io(on), DISK_FOLDER,
                            &(const seenset_queue_options){.report = &report}),
            SEENSET_EDAMAGED);
        assert_int_equal(report.damaged_bytes, lengths[i]);
        assert_int_equal(report.lost_items, 2);
        assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
        assert_int_equal(
            ss_queue_verify(disk_io(on), DISK_FOLDER,
                            &(const seenset_queue_options){.report = &report}),
            SEENSET_OK);
        assert_int_equal(report.item_count, 4);
        assert_int_equal(count_fillers(on), fillers[i]);
        assert_int_equal(model_count(on), 4);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_may_be_longer_than_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
