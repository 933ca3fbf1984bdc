/*
 * queue_log_reader.c - the reader of a log, and the search after damage,
 * against a look at every byte, for every limit and every place to begin.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "queue/handle.h"
#include "queue/recover/recover.h"
#include "queue_disk.h"
#include "support.h"

/* ---- a log ---- */

enum {
    LOG_ID = 77,
    LOG_MOST = 1 << 18,
    RECORDS_MOST = 512,
    SEGMENTS = 3
};

typedef struct log {
    disk *on;
    ss_folder folder;
    ss_memory memory;
    ss_positions segments;
    uint8_t bytes[LOG_MOST]; /* of all segments */
    uint64_t end;
    uint64_t starts[RECORDS_MOST], ends[RECORDS_MOST];
    int record_count;
} log;

/* Payload lengths around what readers read at once; in payloads, the log id
 * and all of a record that only its checksum gives away. */
static void add_record(log *of, size_t payload_bytes)
{
    uint8_t *at = of->bytes + of->end;
    uint8_t *payload = at + SS_RECORD_HEADER_BYTES;
    memset(payload, 'x', payload_bytes);
    ss_record_type type = SS_RECORD_PUSH;
    if (payload_bytes == 8) {
        type = SS_RECORD_DURABLE;
        ss_bits_store(payload, 8, of->starts[of->record_count / 2]);
    } else {
        ss_bits_store(payload, SS_PUSH_PREFIX_BYTES, 0);
        if (payload_bytes > 40)
            ss_bits_store(payload + 20, 4, LOG_ID);
    }
    ss_record_seal(at, LOG_ID, type, (uint64_t)of->record_count, payload_bytes);
    of->starts[of->record_count] = of->end;
    of->end += SS_RECORD_HEADER_BYTES + payload_bytes;
    of->ends[of->record_count++] = of->end;
}

/* Each segment has `count` records, of these lengths from another on each. */
static void make_log_of(log *of, const size_t *lengths, size_t length_count,
                        size_t count)
{
    char name[SS_FOLDER_NAME_BYTES];
    memset(of, 0, sizeof *of);
    of->on = disk_new();
    assert_int_equal(ss_memory_init(&of->memory, NULL), SEENSET_OK);
    assert_int_equal(ss_folder_use(&of->folder, disk_io(of->on), DISK_FOLDER),
                     SEENSET_OK);
    for (int i = 0; i < SEGMENTS; i++) {
        uint64_t start = of->end;
        assert_true(ss_positions_add(&of->segments, &of->memory, start));
        ss_segment_encode(of->bytes + start, LOG_ID, start);
        of->end += SS_SEGMENT_HEADER_BYTES;
        for (size_t j = 0; j < count; j++)
            add_record(of, lengths[(j + (size_t)i) % length_count]);
        ss_folder_name(name, SS_FOLDER_LOG, start);
        disk_put(of->on, name, 0, of->bytes + start, (size_t)(of->end - start));
    }
}

static void make_log(log *of)
{
    static const size_t lengths[] = {4, 11, 12, 13, 8, 44, 43, 45, 4, 100, 8};
    make_log_of(of, lengths, TEST_COUNT(lengths), TEST_COUNT(lengths));
}

static void free_log(log *of)
{
    ss_positions_free(&of->segments, &of->memory);
    disk_free(of->on);
}

static void start_reader(ss_log_reader *reader, log *of, size_t ahead_bytes)
{
    assert_int_equal(ss_log_reader_init(reader, &of->folder, &of->memory,
                                        &of->segments, LOG_ID, ahead_bytes),
                     SEENSET_OK);
}

static const size_t aheads[] = {32, 33, 63, 64, 65, 100, 4096};

/* ---- reading ---- */

/* Reads up to the limit, from a record on; what comes is what must. */
static void read_to(ss_log_reader *reader, const log *of, int first,
                    uint64_t limit)
{
    ss_record record;
    uint64_t at, last = of->starts[first];
    ss_log_reader_seek(reader, last);
    for (int i = first; i < of->record_count && of->ends[i] <= limit; i++) {
        assert_int_equal(ss_log_reader_next(reader, limit, &record, &at), 1);
        assert_int_equal(at, of->starts[i]);
        assert_int_equal(record.item, i);
        assert_memory_equal(record.payload,
                            of->bytes + at + SS_RECORD_HEADER_BYTES,
                            record.payload_bytes);
        last = of->ends[i];
        assert_int_equal(reader->position, last);
    }
    int result = ss_log_reader_next(reader, limit, &record, &at);
    if (limit <= last) {
        assert_int_equal(result, 0);
        return;
    }
    for (size_t i = 0; i < of->segments.count; i++)
        if (of->segments.at[i] == last &&
            limit >= last + SS_SEGMENT_HEADER_BYTES)
            last += SS_SEGMENT_HEADER_BYTES;
    assert_int_equal(result, limit == last ? 0 : SEENSET_EDAMAGED);
    assert_int_equal(reader->position, last);
}

/* Reads a record by blocks, under a limit. */
static void read_one(ss_log_blocks *blocks, ss_log_reader *reader,
                     const log *of, int number, uint64_t limit)
{
    ss_record record;
    uint64_t at = of->starts[number];
    int result = ss_log_blocks_read(blocks, reader, at, limit, &record);
    if (of->ends[number] > limit) {
        assert_int_equal(result, at < limit ? SEENSET_EDAMAGED : 0);
        return;
    }
    assert_int_equal(result, 1);
    assert_int_equal(record.item, number);
    assert_memory_equal(record.payload, of->bytes + at + SS_RECORD_HEADER_BYTES,
                        record.payload_bytes);
}

/* In any order, while the limit moves on: blocks that had less have more. */
static void blocks_have_what_readers_read(void **state)
{
    static const size_t lengths[] = {30,  12, 500,  8,    1015, 44, 43,
                                     999, 60, 5200, 1004, 90,   8};
    static log of;
    ss_log_reader reader;
    ss_log_blocks blocks = {0};
    test_random random = {17};
    (void)state;
    make_log_of(&of, lengths, TEST_COUNT(lengths), 60);
    start_reader(&reader, &of, 4096);
    uint64_t records = (uint64_t)of.record_count;
    for (uint64_t limit = 1; limit <= of.end; limit += 1 + limit / 300)
        for (int i = 0; i < 30; i++)
            read_one(&blocks, &reader, &of,
                     (int)test_random_below(&random, records), limit);
    for (int i = 0; i < of.record_count; i++)
        read_one(&blocks, &reader, &of, i, of.end);
    assert_true(ss_log_blocks_bytes(&blocks) > of.end);
    long before = disk_operations(of.on);
    for (int i = 0; i < 2000; i++)
        read_one(&blocks, &reader, &of, 0, of.end);
    assert_int_equal(disk_operations(of.on), before);
    ss_log_blocks_free(&blocks, &of.memory);
    ss_log_reader_free(&reader);
    free_log(&of);
}

/* A read that fails is told, and a byte that changed is no record. */
static void blocks_tell_of_a_bad_disk(void **state)
{
    static log of;
    ss_record record;
    ss_log_reader reader;
    ss_log_blocks blocks = {0};
    char name[SS_FOLDER_NAME_BYTES];
    (void)state;
    make_log(&of);
    start_reader(&reader, &of, 4096);
    ss_folder_name(name, SS_FOLDER_LOG, 0);
    disk_faults_of(of.on)->fail_at = disk_operations(of.on) + 2;
    disk_faults_of(of.on)->error = EIO;
    assert_int_equal(
        ss_log_blocks_read(&blocks, &reader, of.starts[3], of.end, &record),
        SEENSET_EIO);
    read_one(&blocks, &reader, &of, 3, of.end);
    ss_log_blocks_free(&blocks, &of.memory);
    disk_flip(of.on, name, (size_t)of.ends[3] - 1);
    assert_int_equal(
        ss_log_blocks_read(&blocks, &reader, of.starts[3], of.end, &record),
        SEENSET_EDAMAGED);
    ss_log_blocks_free(&blocks, &of.memory);
    ss_log_reader_free(&reader);
    free_log(&of);
}

static void readers_stop_at_each_limit(void **state)
{
    static log of;
    ss_log_reader reader;
    (void)state;
    make_log(&of);
    for (size_t i = 0; i < TEST_COUNT(aheads); i++) {
        start_reader(&reader, &of, aheads[i]);
        for (uint64_t limit = 0; limit <= of.end; limit++)
            for (int first = 0; first < of.record_count; first += 5)
                read_to(&reader, &of, first, limit);
        if (aheads[i] > 200) /* more than any record: no more is taken */
            assert_int_equal(reader.room, aheads[i]);
        ss_log_reader_free(&reader);
    }
    free_log(&of);
}

/* ---- searching ---- */

static uint64_t segment_end(const log *of, uint64_t position)
{
    for (size_t i = 0; i < of->segments.count; i++)
        if (of->segments.at[i] > position)
            return of->segments.at[i];
    return of->end;
}

/* The first position from here on with the log id in its place, or `end`. */
static uint64_t find_id(const log *of, uint64_t position, uint64_t end)
{
    for (; position + SS_RECORD_HEADER_BYTES <= end; position++)
        if (ss_bits_load(of->bytes + position + 8, 4) == LOG_ID)
            return position;
    return end;
}

static void readers_find_each_id(void **state)
{
    static log of;
    ss_log_reader reader;
    (void)state;
    make_log(&of);
    for (size_t i = 0; i < TEST_COUNT(aheads); i++) {
        start_reader(&reader, &of, aheads[i]);
        for (uint64_t from = 0; from < of.end; from++) {
            uint64_t last = segment_end(&of, from);
            for (uint64_t end = from; end <= last; end += 1 + end % 7) {
                uint64_t expected = find_id(&of, from, end);
                ss_log_reader_seek(&reader, from);
                int found = ss_log_reader_find(&reader, end);
                if (expected < end) {
                    assert_int_equal(found, 1);
                    assert_int_equal(reader.position, expected);
                } else if (found == 1) { /* one with no room for a record */
                    assert_true(reader.position + SS_RECORD_HEADER_BYTES > end);
                } else {
                    assert_int_equal(found, 0);
                }
            }
        }
        ss_log_reader_free(&reader);
    }
    free_log(&of);
}

/* ---- after damage ---- */

/* As ss_recover_was_durable, by a look at each byte. */
static int is_marked(const log *of, uint64_t position, uint64_t end,
                     uint64_t *next)
{
    ss_record record;
    *next = end;
    for (uint64_t at = position + 1; at < end; at++) {
        if (ss_record_decode(of->bytes + at, (size_t)(end - at), LOG_ID,
                             &record) != SS_DECODED_RECORD)
            continue;
        if (*next == end)
            *next = at;
        if (record.type == SS_RECORD_DURABLE) {
            uint64_t durable = ss_bits_load(record.payload, 8);
            if (durable > position && durable <= at)
                return 1;
        }
        at += ss_record_bytes(&record) - 1;
    }
    return 0;
}

static void marks_are_found_behind_each_place(void **state)
{
    static log of;
    ss_log_reader reader;
    int marked = 0;
    (void)state;
    make_log(&of);
    for (size_t i = 0; i < TEST_COUNT(aheads); i++) {
        start_reader(&reader, &of, aheads[i]);
        for (uint64_t from = SS_SEGMENT_HEADER_BYTES; from < of.end; from++) {
            uint64_t end = segment_end(&of, from), next, expected_next;
            int expected = is_marked(&of, from, end, &expected_next);
            assert_int_equal(ss_recover_was_durable(&reader, from, end, &next),
                             expected);
            assert_int_equal(next, expected_next);
            assert_int_equal(ss_recover_was_durable(&reader, from, end, NULL),
                             expected);
            marked += expected;
        }
        ss_log_reader_free(&reader);
    }
    assert_true(marked > 100);
    free_log(&of);
}

/* A reader whose disk or memory fails says so, and can go on. */
static void readers_tell_each_error(void **state)
{
    static log of;
    ss_log_reader reader;
    ss_record record;
    (void)state;
    make_log(&of);
    for (long at = 1; at <= 2; at++) {
        uint64_t next;
        start_reader(&reader, &of, 64);
        disk_faults *faults = disk_faults_of(of.on);
        *faults =
            (disk_faults){.fail_at = disk_operations(of.on) + at, .error = 5};
        assert_int_equal(ss_log_reader_next(&reader, of.end, &record, NULL),
                         SEENSET_EIO);
        assert_int_equal(ss_log_reader_next(&reader, of.end, &record, NULL), 1);
        ss_log_reader_free(&reader);
        start_reader(&reader, &of, 64);
        ss_log_reader_seek(&reader, 100);
        faults->fail_at = disk_operations(of.on) + at;
        assert_int_equal(ss_log_reader_find(&reader, 300), SEENSET_EIO);
        assert_int_equal(ss_log_reader_find(&reader, 300), 1);
        ss_log_reader_free(&reader);
        start_reader(&reader, &of, 64);
        faults->fail_at = disk_operations(of.on) + at;
        assert_int_equal(ss_recover_was_durable(&reader, 100, 300, &next),
                         SEENSET_EIO);
        ss_log_reader_free(&reader);
    }
    free_log(&of);
}

/* Files can be shorter than they were when somebody asked, or gone. */
static void readers_meet_an_early_end(void **state)
{
    static const char start[10] = "SEENLOG";
    uint64_t first = 0;
    const ss_positions segments = {&first, 1, 1};
    ss_memory memory;
    ss_folder folder;
    ss_log_reader reader;
    ss_record record;
    (void)state;
    disk *on = disk_new();
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    assert_int_equal(ss_folder_use(&folder, disk_io(on), DISK_FOLDER), 0);
    assert_int_equal(
        ss_log_reader_init(&reader, &folder, &memory, &segments, 7, 4096),
        SEENSET_OK);
    assert_int_equal(ss_log_reader_find(&reader, 100), SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    disk_put(on, "log-0000000000000000", 0, start, sizeof start);
    assert_int_equal(ss_log_reader_next(&reader, 100, &record, NULL),
                     SEENSET_EDAMAGED);
    assert_int_equal(reader.position, 0);
    assert_int_equal(ss_log_reader_find(&reader, 100), 0);
    uint8_t header[SS_SEGMENT_HEADER_BYTES + sizeof start] = {0};
    ss_segment_encode(header, 7, 0);
    disk_put(on, "log-0000000000000000", 0, header, sizeof header);
    ss_log_reader_seek(&reader, 0);
    assert_int_equal(ss_log_reader_next(&reader, 1000, &record, NULL),
                     SEENSET_EDAMAGED);
    assert_int_equal(reader.position, SS_SEGMENT_HEADER_BYTES);
    ss_log_reader_free(&reader);
    disk_free(on);
}

/* Planted: one byte of the log is another, and the reader stops there. */
static void a_flipped_byte_is_caught(void **state)
{
    static log of;
    ss_log_reader reader;
    ss_record record;
    size_t *size_bytes;
    (void)state;
    make_log(&of);
    disk_file(of.on, "log-0000000000000000", &size_bytes)[of.starts[3] + 5] ^=
        1;
    start_reader(&reader, &of, 64);
    for (int i = 0; i < 3; i++)
        assert_int_equal(ss_log_reader_next(&reader, of.end, &record, NULL), 1);
    assert_int_equal(ss_log_reader_next(&reader, of.end, &record, NULL),
                     SEENSET_EDAMAGED);
    assert_int_equal(reader.position, of.starts[3]);
    ss_log_reader_free(&reader);
    free_log(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_stop_at_each_limit),
        cmocka_unit_test(blocks_have_what_readers_read),
        cmocka_unit_test(blocks_tell_of_a_bad_disk),
        cmocka_unit_test(readers_find_each_id),
        cmocka_unit_test(marks_are_found_behind_each_place),
        cmocka_unit_test(readers_tell_each_error),
        cmocka_unit_test(readers_meet_an_early_end),
        cmocka_unit_test(a_flipped_byte_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
