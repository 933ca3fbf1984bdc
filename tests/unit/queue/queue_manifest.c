/* queue_manifest.c - what is wrong with a manifest has its own error */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "base/bits.h"
#include "base/crc32c.h"
#include "queue/handle.h"
#include "queue/manifest.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    MANIFEST_CRC_AT = 84
};

typedef struct manifest_case {
    unsigned at, size_bytes;
    uint64_t value;
    int error; /* once the checksum is right again */
} manifest_case;

static int decode(const uint8_t *bytes, size_t size_bytes)
{
    static const ss_manifest rubbish = {.log_id = 77};
    ss_manifest out = rubbish;
    int error = ss_manifest_decode(&out, bytes, size_bytes);
    if (error != SEENSET_OK)
        assert_memory_equal(&out, &rubbish, sizeof out);
    return error;
}

static void make_manifest(uint8_t bytes[SS_MANIFEST_BYTES])
{
    ss_manifest manifest;
    seenset_queue_options options = {
        .set = &(const seenset_options){.capacity_items = 1000}};
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    ss_manifest_encode(&manifest, bytes);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_OK);
}

static void manifests_say_what_is_wrong(void **state)
{
    static const manifest_case cases[] = {
        {0, 1, 'x', SEENSET_EFORMAT},
        {6, 1, 'x', SEENSET_EFORMAT},
        {7, 1, 2, SEENSET_EVERSION},
        {12, 4, 2, SEENSET_EHASH},
        {16, 4, 0, SEENSET_EDAMAGED},
        {16, 4, SEENSET_QUEUE_NORMALISE_OFF, SEENSET_OK},
        {16, 4, SEENSET_QUEUE_NORMALISE_URL, SEENSET_OK},
        {16, 4, SEENSET_QUEUE_NORMALISE_URL + 1, SEENSET_EDAMAGED},
        {28, 1, 1, SEENSET_EVERSION},
        {31, 1, 1, SEENSET_EVERSION},
        {60, 1, 1, SEENSET_EVERSION},
        {63, 1, 1, SEENSET_EVERSION},
        {72, 1, 1, SEENSET_EVERSION},
        {79, 1, 1, SEENSET_EVERSION},
        {80, 1, 1, SEENSET_EVERSION},
        {83, 1, 1, SEENSET_EVERSION},
        {64, 8, 4095, SEENSET_EDAMAGED},
        {64, 8, 4096, SEENSET_OK},
        {64, 8, UINT64_C(1) << 40, SEENSET_OK},
        {64, 8, (UINT64_C(1) << 40) + 1, SEENSET_EDAMAGED},
    };
    uint8_t bytes[SS_MANIFEST_BYTES + 1] = {0};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        const manifest_case *c = &cases[i];
        make_manifest(bytes);
        ss_bits_store(bytes + c->at, c->size_bytes, c->value);
        uint64_t crc = ss_crc32c(bytes, MANIFEST_CRC_AT);
        ss_bits_store(bytes + MANIFEST_CRC_AT, 4, crc);
        assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), c->error);
    }
}

/* A checksum that is wrong tells of damage, but not of another version's. */
static void manifests_of_other_lengths_are_damaged(void **state)
{
    uint8_t bytes[SS_MANIFEST_BYTES + 1] = {0};
    (void)state;
    make_manifest(bytes);
    assert_int_equal(decode(bytes, 0), SEENSET_EFORMAT);
    assert_int_equal(decode(bytes, 7), SEENSET_EFORMAT);
    assert_int_equal(decode(bytes, 8), SEENSET_EDAMAGED);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES - 1), SEENSET_EDAMAGED);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES + 1), SEENSET_EDAMAGED);
    bytes[MANIFEST_CRC_AT] ^= 1;
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EDAMAGED);
    bytes[7]++;
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EVERSION);
    assert_int_equal(decode(bytes, 8), SEENSET_EVERSION);
}

static void manifests_that_are_bad_are_named(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_report report = {.offset = 99};
    seenset_queue_options options = {.report = &report};
    queue = model_open(on, options);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    size_t *size_bytes;
    disk_file(on, "MANIFEST", &size_bytes)[7]++;
    report.offset = 99;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_EVERSION);
    assert_string_equal(report.file, "MANIFEST");
    assert_true(report.offset == 0);
    assert_string_equal(report.reason, seenset_strerror(SEENSET_EVERSION));
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manifests_say_what_is_wrong),
        cmocka_unit_test(manifests_of_other_lengths_are_damaged),
        cmocka_unit_test(manifests_that_are_bad_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
