/*
 * queue_format_lanes.c - each byte that a queue with priorities or forgotten
 * URLs writes, as docs/queue.md has it. Checksums were computed by another
 * program, as in queue_format.c.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <string.h>

#include "base/bits.h"
#include "forge.h"
#include "items/state.h"
#include "log/record.h"
#include "support.h"

#define LOG_ID UINT32_C(0xA4A3A2A1)

/* The types of a queue whose manifest is of version 3. */
static const char laned_push[] = "\x44\x0e\xb5\xbd"
                                 "\x0c\x00\x00"
                                 "Q"
                                 "\xa1\xa2\xa3\xa4"
                                 "\x21\x00\x00\x00\x00\x00\x00\x00"
                                 "\x09"
                                 "\x03\x00\x00\x00"
                                 "url"
                                 "data";

static const char laned_timed_push[] = "\xb3\xe4\x3f\x84"
                                       "\x14\x00\x00"
                                       "U"
                                       "\xa1\xa2\xa3\xa4"
                                       "\x21\x00\x00\x00\x00\x00\x00\x00"
                                       "\x01"
                                       "\x00\xf1\x53\x65\x00\x00\x00\x00"
                                       "\x03\x00\x00\x00"
                                       "url"
                                       "data";

static const char laned_ack[] = "\x76\x4d\xa6\x40"
                                "\x20\x00\x00"
                                "B"
                                "\xa1\xa2\xa3\xa4"
                                "\x21\x00\x00\x00\x00\x00\x00\x00"
                                "\x05\x00\x00\x00\x00\x00\x00\x00"
                                "\x02\x00\x00\x00"
                                "\x09\x00\x00\x00"
                                "\x09\x00\x00\x00\x00\x00\x00\x00"
                                "\x01\x00\x00\x00"
                                "\x00\x00\x00\x00";

static const char seen_url[] = "\xd3\x03\x3b\x3d"
                               "\x0b\x00\x00"
                               "S"
                               "\xa1\xa2\xa3\xa4"
                               "\x21\x00\x00\x00\x00\x00\x00\x00"
                               "\x00\x00\x00\x00\x00\x00\x00\x00"
                               "url";

static const char forgotten_url[] = "\x99\xf6\xf5\x92"
                                    "\x03\x00\x00"
                                    "F"
                                    "\xa1\xa2\xa3\xa4"
                                    "\x21\x00\x00\x00\x00\x00\x00\x00"
                                    "url";

/* An item that was moved: its number, the type of its push, and that. */
static const char moved_item[] = "\x30\x69\xb8\x63"
                                 "\x15\x00\x00"
                                 "V"
                                 "\xa1\xa2\xa3\xa4"
                                 "\x21\x00\x00\x00\x00\x00\x00\x00"
                                 "\x07\x00\x00\x00\x00\x00\x00\x00"
                                 "Q"
                                 "\x09"
                                 "\x03\x00\x00\x00"
                                 "url"
                                 "data";

/* A priority: a lane's reader and how many of its items are not acked. */
#define NO_ITEMS                                                               \
    "\x32\x00\x00\x00\x00\x00\x00\x00"                                         \
    "\x00\x10\x00\x00\x00\x00\x00\x00"                                         \
    "\x00\x00\x00\x00\x00\x00\x00\x00"

static const char laned_state_file[] =
    "SEENSTA\x03"
    "\xa1\xa2\xa3\xa4"
    "\x00\x00\x00\x00"
    "\x00\x10\x00\x00\x00\x00\x00\x00"
    "\x32\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x05\x00\x00\x00\x00\x00\x00\x00"
    "\x06\x00\x00\x00\x00\x00\x00\x00"
    "\x07\x00\x00\x00\x00\x00\x00\x00"
    "\x02\x00\x00\x00\x00\x00\x00\x00"
    "\x02\x00\x00\x00\x00\x00\x00\x00"
    "\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf"
    "\x00\x00\x03\x02\x01\x00\x00\x00"
    "\x00\xf1\x53\x65\x00\x00\x00\x00"
    "\x28\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x09\x00\x00\x00\x00\x00\x00"
    "\x08\x00\x00\x00\x00\x00\x00\x00" NO_ITEMS NO_ITEMS NO_ITEMS NO_ITEMS
        NO_ITEMS NO_ITEMS NO_ITEMS NO_ITEMS "\x2d\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x0a\x00\x00\x00\x00\x00\x00"
    "\x04\x00\x00\x00\x00\x00\x00\x00"
    "\x02\x00\x00\x00\x00\x00\x00\x00"
    "\x09\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x03\x00\x00\x00\x00\x00\x00"
    "\x05\x04\x03\x02\x01\x00\x00\x00"
    "\x03\x00\x00\x00"
    "\x01\x00\x00\x00"
    "\x0c\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x04\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x01\x00\x00\x00"
    "\x00\x00\x09\x00"
    "\x29\x00\x00\x00\x00\x00\x00\x00"
    "\x2c\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x2e\x00\x00\x00\x00\x00\x00\x00"
    "\x2f\x00\x00\x00\x00\x00\x00\x00"
    "\x09\x00\x00\x00\x00\x00\x00\x00"
    "\x88\x77\x66\x55\x44\x33\x22\x11"
    "\x01\x00\x00\x00\x00\x00\x00\x00"
    "\x06\x67\xd0\x2a";

/* Memory is full of something else before. */
static void spoil(uint8_t *bytes, size_t size_bytes)
{
    memset(bytes, 0xEE, size_bytes);
}

static void check_record(const char *wanted, size_t size_bytes,
                         ss_record_type type, uint64_t item)
{
    uint8_t bytes[64];
    ss_record record;
    size_t payload_bytes = size_bytes - SS_RECORD_HEADER_BYTES;
    spoil(bytes, sizeof bytes);
    memcpy(bytes + SS_RECORD_HEADER_BYTES, wanted + SS_RECORD_HEADER_BYTES,
           payload_bytes);
    ss_record_seal(bytes, LOG_ID, type, item, payload_bytes);
    assert_memory_equal(bytes, wanted, size_bytes);
    assert_int_equal(bytes[size_bytes], 0xEE);
    assert_int_equal(
        ss_record_decode((const uint8_t *)wanted, size_bytes, LOG_ID, &record),
        SS_DECODED_RECORD);
    assert_int_equal(record.type, type);
    assert_true(record.item == item);
    assert_int_equal(record.payload_bytes, payload_bytes);
}

static void records_lie_as_written_down(void **state)
{
    (void)state;
    check_record(laned_push, sizeof laned_push - 1, SS_RECORD_LANED_PUSH, 0x21);
    check_record(laned_timed_push, sizeof laned_timed_push - 1,
                 SS_RECORD_LANED_TIMED_PUSH, 0x21);
    check_record(laned_ack, sizeof laned_ack - 1, SS_RECORD_LANED_ACK, 0x21);
    check_record(seen_url, sizeof seen_url - 1, SS_RECORD_SEEN, 0x21);
    check_record(forgotten_url, sizeof forgotten_url - 1, SS_RECORD_FORGET,
                 0x21);
}

static int decode_state(const uint8_t *bytes, size_t size_bytes, ss_state *read)
{
    ss_memory memory;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    return ss_state_decode(read, &memory, LOG_ID, bytes, size_bytes);
}

static void states_with_lanes_lie_as_written_down(void **state)
{
    const size_t size_bytes = sizeof laned_state_file - 1;
    uint8_t bytes[sizeof laned_state_file];
    ss_memory memory;
    ss_state read;
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    assert_int_equal(
        decode_state((const uint8_t *)laned_state_file, size_bytes, &read),
        SEENSET_OK);
    assert_true(read.is_extended);
    assert_int_equal(read.lanes[9].read_item, 45);
    assert_int_equal(read.lanes[9].unacked_items, 4);
    assert_int_equal(read.entries[1].lane, 9);
    assert_false(read.entries[1].is_held);
    assert_int_equal(read.lanes[9].ranges.at[0].first, 46);
    assert_int_equal(read.forgotten_count, 2);
    assert_int_equal(ss_state_bytes(&read), size_bytes);
    assert_int_equal(ss_state_floor(&read), 0x300);
    spoil(bytes, sizeof bytes);
    ss_state_encode(&read, LOG_ID, bytes);
    assert_memory_equal(bytes, laned_state_file, size_bytes);
    ss_state_free(&read, &memory);
}

/* Version 4: the same but for the last four bytes of each entry. */
static void states_with_turns_lie_as_written_down(void **state)
{
    const size_t size_bytes = sizeof laned_state_file - 1;
    uint8_t wanted[sizeof laned_state_file], bytes[sizeof laned_state_file];
    ss_memory memory;
    ss_state read;
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    memcpy(wanted, laned_state_file, size_bytes);
    wanted[7] = 4;
    memcpy(wanted + 396, "\x01\x56\x34\x12", 4); /* priority 0, leased */
    memcpy(wanted + 428, "\x12\x2c\x01\x00", 4); /* 9, given back */
    test_repair_sum(wanted, size_bytes);
    assert_int_equal(decode_state(wanted, size_bytes, &read), SEENSET_OK);
    assert_true(read.is_extended && read.has_turns);
    assert_true(read.entries[0].is_held && !read.entries[1].is_held);
    assert_int_equal(read.entries[0].lane, 0);
    assert_int_equal(read.entries[1].lane, 9);
    assert_int_equal(read.entries[0].turn, 0x123456);
    assert_int_equal(read.entries[1].turn, 300);
    spoil(bytes, sizeof bytes);
    ss_state_encode(&read, LOG_ID, bytes);
    assert_memory_equal(bytes, wanted, size_bytes);
    ss_state_free(&read, &memory);
    wanted[428] = 20; /* no priority */
    test_repair_sum(wanted, size_bytes);
    assert_int_equal(decode_state(wanted, size_bytes, &read), SEENSET_EDAMAGED);
}

/* Numbers that contradict each other, whatever the checksum. */
static void impossible_states_with_lanes_are_refused(void **state)
{
    static const struct {
        size_t at, size_bytes;
        uint64_t value;
    } bad[] = {
        {7, 1, 0},        {7, 1, 5},        /* no such version */
        {32, 8, 1},       {40, 8, 1},       /* a reader of no lane */
        {120, 8, 51},     {128, 8, 0x1001}, /* a reader past the end */
        {136, 8, 51},     {136, 8, 47},     /* more items than there are */
        {136, 8, 0},                        /* fewer than are handed out */
        {136, 8, 9},      {352, 8, 6},      /* more wait than are left */
        {136, 8, 1},      {352, 8, 1},      /* none waits, but is not read */
        {144, 8, 49},     {152, 8, 0xfff},  /* likewise */
        {336, 8, 12},     {344, 8, 0x400},  /* an entry its reader has yet */
        {398, 2, 10},     {430, 2, 10},     /* of no priority */
        {448, 8, 10},     {432, 8, 39},     /* a range likewise */
        {464, 8, 51},     {360, 8, 1},      /* of another length */
        {360, 8, 1 << 30}};
    uint8_t bytes[sizeof laned_state_file];
    ss_state read;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(bad); i++) {
        size_t size_bytes = sizeof laned_state_file - 1;
        memcpy(bytes, laned_state_file, size_bytes);
        ss_bits_store(bytes + bad[i].at, (unsigned)bad[i].size_bytes,
                      bad[i].value);
        test_repair_sum(bytes, size_bytes);
        assert_int_equal(decode_state(bytes, size_bytes, &read),
                         SEENSET_EDAMAGED);
    }
    memcpy(bytes, laned_state_file, 120);
    test_repair_sum(bytes, 120);
    assert_int_equal(decode_state(bytes, 120, &read), SEENSET_EDAMAGED);
}

static void priorities_that_are_none_are_no_records(void **state)
{
    static const struct {
        const char *bytes;
        size_t size_bytes, at, width;
        uint64_t value;
    } bad[] = {
        {laned_push, sizeof laned_push - 1, 20, 1, 0},
        {laned_push, sizeof laned_push - 1, 20, 1, 10},
        {laned_timed_push, sizeof laned_timed_push - 1, 20, 1, 10},
        {laned_ack, sizeof laned_ack - 1, 32, 4, 10},
        {laned_ack, sizeof laned_ack - 1, 20, 8, 0x22},
        {laned_ack, sizeof laned_ack - 1, 4, 3, 31},
    };
    uint8_t bytes[64];
    ss_record record;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(bad); i++) {
        memcpy(bytes, bad[i].bytes, bad[i].size_bytes);
        ss_bits_store(bytes + bad[i].at, (unsigned)bad[i].width, bad[i].value);
        size_t payload = (size_t)ss_bits_load(bytes + 4, 3);
        ss_record_seal(bytes, LOG_ID, (ss_record_type)bytes[7], 0x21, payload);
        assert_int_equal(
            ss_record_decode(bytes, bad[i].size_bytes, LOG_ID, &record),
            SS_DECODED_BAD);
    }
}

static void moved_items_lie_as_written_down(void **state)
{
    ss_record record;
    (void)state;
    assert_int_equal(ss_record_decode((const uint8_t *)moved_item,
                                      sizeof moved_item - 1, LOG_ID, &record),
                     SS_DECODED_RECORD);
    assert_int_equal(record.type, SS_RECORD_MOVED);
    assert_int_equal(record.item, 0x21);
    const ss_record pushed = ss_record_pushed(&record);
    const ss_push push = ss_push_of(&pushed);
    assert_int_equal(pushed.type, SS_RECORD_LANED_PUSH);
    assert_int_equal(pushed.item, 7);
    assert_int_equal(ss_record_bytes(&pushed), sizeof moved_item - 1);
    assert_int_equal(push.lane, 9);
    assert_memory_equal(push.url, "url", push.url_len);
    assert_memory_equal(push.data, "data", push.data_len);
    assert_false(
        ss_record_is_of(SS_RECORD_MOVED, (ss_record_kinds){.is_polite = true}));
    assert_true(
        ss_record_is_of(SS_RECORD_MOVED, (ss_record_kinds){.has_moved = true}));
}

/* A queue has them only if its manifest says so. */
static void records_are_of_their_queues(void **state)
{
    static const ss_record_type later[] = {SS_RECORD_LANED_PUSH,
                                           SS_RECORD_LANED_ACK, SS_RECORD_SEEN,
                                           SS_RECORD_FORGET};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(later); i++) {
        assert_false(ss_record_is_of(later[i], (ss_record_kinds){0}));
        assert_true(
            ss_record_is_of(later[i], (ss_record_kinds){.is_extended = true}));
    }
    assert_true(ss_record_is_of(
        SS_RECORD_LANED_TIMED_PUSH,
        (ss_record_kinds){.is_extended = true, .is_timed = true}));
    assert_false(ss_record_is_of(SS_RECORD_LANED_TIMED_PUSH,
                                 (ss_record_kinds){.is_extended = true}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_lie_as_written_down),
        cmocka_unit_test(states_with_lanes_lie_as_written_down),
        cmocka_unit_test(states_with_turns_lie_as_written_down),
        cmocka_unit_test(impossible_states_with_lanes_are_refused),
        cmocka_unit_test(priorities_that_are_none_are_no_records),
        cmocka_unit_test(records_are_of_their_queues),
        cmocka_unit_test(moved_items_lie_as_written_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
