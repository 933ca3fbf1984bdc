/*
 * queue_format.c - each byte that a queue writes, as docs/queue.md has it.
 *
 * The bytes stand here as they are to lie on the disk, field by field, and
 * their checksums were reckoned by another program, bit by bit. So a field
 * that moves, a zero that is none and a checksum over something else show,
 * though the library that wrote them would read them back.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <string.h>

#include "base/bits.h"
#include "items/state.h"
#include "log/record.h"
#include "queue/folder/manifest.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

#define LOG_ID UINT32_C(0xA4A3A2A1)

static const char segment[] = "SEENLOG\x01"
                              "\xa1\xa2\xa3\xa4"
                              "\x00\x00\x00\x00"
                              "\x01\x02\x03\x04\x05\x06\x07\x08"
                              "\x00\x00\x00\x00"
                              "\x7b\xa4\xf5\xdd";

static const char push[] = "\x06\xe2\xf4\x31"
                           "\x0b\x00\x00"
                           "P"
                           "\xa1\xa2\xa3\xa4"
                           "\x01\x02\x03\x04\x05\x06\x07\x00"
                           "\x03\x00\x00\x00"
                           "url"
                           "data";

static const char hole[] = "\x62\xc8\xb4\x89"
                           "\x03\x00\x00"
                           "H"
                           "\xa1\xa2\xa3\xa4"
                           "\x21\x00\x00\x00\x00\x00\x00\x00"
                           "any";

static const char manifest[] =
    "SEENQUE\x01"
    "\xa1\xa2\xa3\xa4"
    "\x01\x00\x00\x00"
    "\x02\x00\x00\x00"
    "\x02\x00\x00\x00"
    "\x03\x00\x00\x00"
    "\x00\x00\x00\x00"
    "\xe8\x03\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\xe0\x3f"
    "\x00\x10\x00\x00\x00\x00\x00\x00"
    "\x07\x00\x00\x00"
    "\x00\x00\x00\x00"
    "\x00\x20\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x7b\x03\xc0\x26";

static const char state_file[] =
    "SEENSTA\x02"
    "\xa1\xa2\xa3\xa4"
    "\x00\x00\x00\x00"
    "\x00\x10\x00\x00\x00\x00\x00\x00"
    "\x32\x00\x00\x00\x00\x00\x00\x00"
    "\x28\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x09\x00\x00\x00\x00\x00\x00"
    "\x05\x00\x00\x00\x00\x00\x00\x00"
    "\x06\x00\x00\x00\x00\x00\x00\x00"
    "\x07\x00\x00\x00\x00\x00\x00\x00"
    "\x02\x00\x00\x00\x00\x00\x00\x00"
    "\x01\x00\x00\x00\x00\x00\x00\x00"
    "\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf"
    "\x00\x00\x03\x02\x01\x00\x00\x00"
    "\x00\xf1\x53\x65\x00\x00\x00\x00"
    "\x09\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x03\x00\x00\x00\x00\x00\x00"
    "\x05\x04\x03\x02\x01\x00\x00\x00"
    "\x03\x00\x00\x00"
    "\x01\x00\x00\x00"
    "\x0c\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x04\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x01\x00\x00\x00"
    "\x00\x00\x00\x00"
    "\x29\x00\x00\x00\x00\x00\x00\x00"
    "\x2c\x00\x00\x00\x00\x00\x00\x00"
    "\x82\x2f\xe1\xdd";

/* Version 1, as written until 0.1: it does not say when. */
static const char old_state_file[] = "SEENSTA\x01"
                                     "\xa1\xa2\xa3\xa4"
                                     "\x00\x00\x00\x00"
                                     "\x00\x10\x00\x00\x00\x00\x00\x00"
                                     "\x32\x00\x00\x00\x00\x00\x00\x00"
                                     "\x28\x00\x00\x00\x00\x00\x00\x00"
                                     "\x00\x09\x00\x00\x00\x00\x00\x00"
                                     "\x05\x00\x00\x00\x00\x00\x00\x00"
                                     "\x06\x00\x00\x00\x00\x00\x00\x00"
                                     "\x07\x00\x00\x00\x00\x00\x00\x00"
                                     "\x02\x00\x00\x00\x00\x00\x00\x00"
                                     "\x01\x00\x00\x00\x00\x00\x00\x00"
                                     "\x09\x00\x00\x00\x00\x00\x00\x00"
                                     "\x00\x03\x00\x00\x00\x00\x00\x00"
                                     "\x05\x04\x03\x02\x01\x00\x00\x00"
                                     "\x03\x00\x00\x00"
                                     "\x01\x00\x00\x00"
                                     "\x0c\x00\x00\x00\x00\x00\x00\x00"
                                     "\x00\x04\x00\x00\x00\x00\x00\x00"
                                     "\x00\x00\x00\x00\x00\x00\x00\x00"
                                     "\x01\x00\x00\x00"
                                     "\x00\x00\x00\x00"
                                     "\x29\x00\x00\x00\x00\x00\x00\x00"
                                     "\x2c\x00\x00\x00\x00\x00\x00\x00"
                                     "\xb0\xd2\xfe\xf6";

/* Memory is full of something else before. */
static void spoil(uint8_t *bytes, size_t size_bytes)
{
    memset(bytes, 0xEE, size_bytes);
}

static void segments_begin_as_written_down(void **state)
{
    const uint64_t start = UINT64_C(0x0807060504030201);
    uint8_t bytes[SS_SEGMENT_HEADER_BYTES];
    (void)state;
    assert_int_equal(sizeof segment - 1, sizeof bytes);
    spoil(bytes, sizeof bytes);
    ss_segment_encode(bytes, LOG_ID, start);
    assert_memory_equal(bytes, segment, sizeof bytes);
    assert_true(ss_segment_is_valid((const uint8_t *)segment, LOG_ID, start));
    /* planted: each byte counts */
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] ^= 1;
        assert_false(ss_segment_is_valid(bytes, LOG_ID, start));
        bytes[i] ^= 1;
    }
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
    check_record(push, sizeof push - 1, SS_RECORD_PUSH,
                 UINT64_C(0x0007060504030201));
    check_record(hole, sizeof hole - 1, SS_RECORD_FILLER, 0x21);
}

/* A hole's crc leaves out its payload, and no other record's does. */
static void only_holes_have_any_payload(void **state)
{
    uint8_t bytes[64];
    ss_record record;
    (void)state;
    memcpy(bytes, hole, sizeof hole);
    bytes[sizeof hole - 2] ^= 1;
    assert_int_equal(ss_record_decode(bytes, sizeof hole - 1, LOG_ID, &record),
                     SS_DECODED_RECORD);
    memcpy(bytes, push, sizeof push);
    bytes[sizeof push - 2] ^= 1;
    assert_int_equal(ss_record_decode(bytes, sizeof push - 1, LOG_ID, &record),
                     SS_DECODED_BAD);
}

static void manifests_lie_as_written_down(void **state)
{
    static const ss_manifest wanted = {.log_id = LOG_ID,
                                       .normalise = SEENSET_QUEUE_NORMALISE_URL,
                                       .segment_bytes = 8192,
                                       .hash = SS_HASH_XXH3_64,
                                       .set = {.layout = SEENSET_LAYOUT_BLOOM,
                                               .on_full = SEENSET_ON_FULL_GROW,
                                               .capacity_items = 1000,
                                               .fp_rate = 0.5,
                                               .size_bits = 4096,
                                               .hash_count = 7}};
    uint8_t bytes[SS_MANIFEST_BYTES];
    ss_manifest read;
    (void)state;
    assert_int_equal(sizeof manifest - 1, sizeof bytes);
    spoil(bytes, sizeof bytes);
    ss_manifest_encode(&wanted, bytes);
    assert_memory_equal(bytes, manifest, sizeof bytes);
    assert_int_equal(
        ss_manifest_decode(&read, (const uint8_t *)manifest, sizeof bytes),
        SEENSET_OK);
    spoil(bytes, sizeof bytes);
    ss_manifest_encode(&read, bytes);
    assert_memory_equal(bytes, manifest, sizeof bytes);
}

static void states_lie_as_written_down(void **state)
{
    ss_state_entry entries[] = {
        {.item = 9,
         .position = 0x300,
         .due_ns = UINT64_C(0x0102030405),
         .deliveries = 3,
         .turn = 3,
         .is_held = true},
        {.item = 12, .position = 0x400, .deliveries = 1, .turn = 1}};
    ss_range range = {41, 44};
    const ss_state wanted = {
        .position = 0x1000,
        .next_item = 50,
        .lanes = {{.read_item = 40,
                   .read_position = 0x900,
                   .ranges = {.at = &range, .count = 1, .room = 1}}},
        .dropped_items = 5,
        .refused_items = 6,
        .not_url_items = 7,
        .written = {.boot_id = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
                                0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf},
                    .steady_ns = UINT64_C(0x0102030000),
                    .wall_seconds = 1700000000},
        .entries = entries,
        .entry_count = TEST_COUNT(entries)};
    uint8_t bytes[sizeof state_file];
    ss_state read;
    ss_memory memory;
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    assert_int_equal(ss_state_bytes(&wanted), sizeof state_file - 1);
    spoil(bytes, sizeof bytes);
    ss_state_encode(&wanted, LOG_ID, bytes);
    assert_memory_equal(bytes, state_file, sizeof state_file - 1);
    assert_int_equal(bytes[sizeof state_file - 1], 0xEE);
    assert_int_equal(ss_state_decode(&read, &memory, LOG_ID,
                                     (const uint8_t *)state_file,
                                     sizeof state_file - 1),
                     SEENSET_OK);
    assert_true(read.is_dated);
    spoil(bytes, sizeof bytes);
    ss_state_encode(&read, LOG_ID, bytes);
    assert_memory_equal(bytes, state_file, sizeof state_file - 1);
    ss_state_free(&read, &memory);
}

/* The same state, as an older library wrote it, but for the moment. */
static void states_of_version_1_are_read(void **state)
{
    const size_t size_bytes = sizeof old_state_file - 1;
    uint8_t bytes[sizeof state_file];
    ss_state read;
    ss_memory memory;
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    assert_int_equal(ss_state_decode(&read, &memory, LOG_ID,
                                     (const uint8_t *)old_state_file,
                                     size_bytes),
                     SEENSET_OK);
    assert_false(read.is_dated);
    ss_state_encode(&read, LOG_ID, bytes);
    assert_memory_equal(bytes + 8, old_state_file + 8, 80);
    assert_memory_equal(bytes + 120, old_state_file + 88, size_bytes - 92);
    ss_state_free(&read, &memory);
    /* planted: a version of neither, and a byte less */
    memcpy(bytes, old_state_file, size_bytes);
    bytes[7] = 3;
    assert_int_equal(ss_state_decode(&read, &memory, LOG_ID, bytes, size_bytes),
                     SEENSET_EDAMAGED);
    bytes[7] = 1;
    assert_int_equal(
        ss_state_decode(&read, &memory, LOG_ID, bytes, size_bytes - 1),
        SEENSET_EDAMAGED);
}

/* A record's checksum may be right and its payload none of its type's. */
static void records_have_payloads_of_their_type(void **state)
{
    static const struct {
        int type;
        size_t payload_bytes;
        uint64_t prefix;
        ss_decoded wanted;
    } cases[] = {
        {SS_RECORD_PUSH, 3, 0, SS_DECODED_BAD},
        {SS_RECORD_PUSH, 4, 0, SS_DECODED_RECORD},
        {SS_RECORD_PUSH, 4, 1, SS_DECODED_BAD},
        {SS_RECORD_PUSH, 9, 5, SS_DECODED_RECORD},
        {SS_RECORD_PUSH, 9, 6, SS_DECODED_BAD},
        {SS_RECORD_ACK, 0, 0, SS_DECODED_BAD},
        {SS_RECORD_ACK, 11, 0, SS_DECODED_BAD},
        {SS_RECORD_ACK, 12, 0, SS_DECODED_RECORD},
        {SS_RECORD_ACK, 13, 0, SS_DECODED_BAD},
        {SS_RECORD_DURABLE, 7, 0, SS_DECODED_BAD},
        {SS_RECORD_DURABLE, 8, 0, SS_DECODED_RECORD},
        {SS_RECORD_DURABLE, 9, 0, SS_DECODED_BAD},
        {SS_RECORD_FILLER, 0, 0, SS_DECODED_RECORD},
        {SS_RECORD_FILLER, 5, 0, SS_DECODED_RECORD},
        {'B', 8, 0, SS_DECODED_BAD},
        {0, 0, 0, SS_DECODED_BAD},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        uint8_t bytes[SS_RECORD_HEADER_BYTES + 16] = {0};
        ss_record record;
        size_t size_bytes = SS_RECORD_HEADER_BYTES + cases[i].payload_bytes;
        ss_bits_store(bytes + SS_RECORD_HEADER_BYTES, 4, cases[i].prefix);
        ss_record_seal(bytes, 7, (ss_record_type)cases[i].type, 1,
                       cases[i].payload_bytes);
        assert_int_equal(ss_record_decode(bytes, size_bytes, 7, &record),
                         cases[i].wanted);
    }
}

/* Before the default was 1e-6, a rate that was not given was stored as 0, and
 * it was 1 %: such a queue stays as it is. */
static void queues_of_the_old_default_keep_their_rate(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    size_t *size_bytes;
    ss_manifest old;
    seenset_stats stats;
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    uint8_t *bytes = disk_file(on, "MANIFEST", &size_bytes);
    assert_int_equal(ss_manifest_decode(&old, bytes, *size_bytes), SEENSET_OK);
    old.set.fp_rate = 0.0;
    ss_manifest_encode(&old, bytes);
    for (int i = 0; i < 2; i++) {
        const seenset_queue_options options = {.set =
                                                   &(const seenset_options){0}};
        assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER,
                                       i == 0 ? NULL : &options),
                         SEENSET_OK);
        assert_int_equal(
            seenset_queue_get_set_stats(queue, &stats, sizeof stats), 0);
        assert_true(stats.fp_rate == 0.01);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    }
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_begin_as_written_down),
        cmocka_unit_test(records_lie_as_written_down),
        cmocka_unit_test(only_holes_have_any_payload),
        cmocka_unit_test(manifests_lie_as_written_down),
        cmocka_unit_test(states_lie_as_written_down),
        cmocka_unit_test(states_of_version_1_are_read),
        cmocka_unit_test(queues_of_the_old_default_keep_their_rate),
        cmocka_unit_test(records_have_payloads_of_their_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
