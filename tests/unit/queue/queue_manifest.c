/*
 * queue_manifest.c - a manifest of version 2 keeps every kind of set, and what
 * is wrong with it has its own error. Version 1 is in hostile/.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "base/bits.h"
#include "base/crc32c.h"
#include "queue/folder/manifest.h"
#include "queue/folder/rules.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    MANIFEST_CRC_AT = 84,
    MANIFEST_2_CRC_AT = 124
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

/* What version 1 has no field for, in version 2. */
static const uint8_t secret[SEENSET_SECRET_BYTES] = "a secret of ours";

static void make_manifest_2(uint8_t bytes[SS_MANIFEST_2_BYTES],
                            const seenset_options *set, bool is_exact)
{
    ss_manifest manifest, read;
    const seenset_queue_options options = {
        .set = set, .flags = is_exact ? SEENSET_QUEUE_EXACT : 0};
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    assert_int_equal(ss_manifest_encode(&manifest, bytes), SS_MANIFEST_2_BYTES);
    assert_int_equal(ss_manifest_decode(&read, bytes, SS_MANIFEST_2_BYTES),
                     SEENSET_OK);
    assert_int_equal(read.is_exact, is_exact);
    assert_int_equal(read.hash_check, manifest.hash_check);
    assert_int_equal(read.set.flags, set->flags);
    assert_int_equal(read.set.scheme, set->scheme);
    assert_int_equal(read.set.counter_bits, set->counter_bits);
    assert_int_equal(read.set.window_seconds, set->window_seconds);
    assert_int_equal(read.set.window_generations, set->window_generations);
}

static void later_manifests_say_what_is_wrong(void **state)
{
    static const manifest_case cases[] = {
        {7, 1, 1, SEENSET_EDAMAGED},     {7, 1, 3, SEENSET_OK},
        {7, 1, 4, SEENSET_OK},           {7, 1, 5, SEENSET_OK},
        {7, 1, 6, SEENSET_EHASH},        {7, 1, 8, SEENSET_EVERSION},
        {12, 4, 0, SEENSET_EHASH},       {12, 4, 1, SEENSET_OK},
        {12, 4, 2, SEENSET_OK},          {12, 4, 3, SEENSET_EHASH},
        {28, 4, 0, SEENSET_EVERSION},    {28, 4, 2, SEENSET_EHASH},
        {28, 4, 3, SEENSET_EVERSION},    {60, 4, 0, SEENSET_OK},
        {60, 4, 2, SEENSET_EVERSION},    {60, 4, 16, SEENSET_EVERSION},
        {88, 4, 3, SEENSET_EHASH},       {92, 1, 1, SEENSET_EVERSION},
        {104, 1, 1, SEENSET_EVERSION},   {112, 1, 1, SEENSET_EVERSION},
        {120, 1, 1, SEENSET_EVERSION},   {123, 1, 1, SEENSET_EVERSION},
        {64, 8, 4095, SEENSET_EDAMAGED},
    };
    static const seenset_options window = {.on_full = SEENSET_ON_FULL_ROTATE,
                                           .capacity_items = 100,
                                           .flags = SEENSET_FLAG_SLIDING,
                                           .window_generations = 3,
                                           .window_seconds = 60,
                                           .secret = secret};
    uint8_t bytes[SS_MANIFEST_2_BYTES + 1] = {0};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        const manifest_case *c = &cases[i];
        make_manifest_2(bytes, &window, false);
        ss_bits_store(bytes + c->at, c->size_bytes, c->value);
        uint64_t crc = ss_crc32c(bytes, MANIFEST_2_CRC_AT);
        ss_bits_store(bytes + MANIFEST_2_CRC_AT, 4, crc);
        assert_int_equal(decode(bytes, SS_MANIFEST_2_BYTES), c->error);
    }
    make_manifest_2(bytes, &window, false);
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EDAMAGED);
    assert_int_equal(decode(bytes, SS_MANIFEST_2_BYTES + 1), SEENSET_EDAMAGED);
    /* the secret is nowhere in it */
    for (size_t i = 0; i + 4 <= SS_MANIFEST_2_BYTES; i++)
        assert_memory_not_equal(bytes + i, secret, 4);
}

static void manifests_hold_every_kind(void **state)
{
    static const seenset_options sets[] = {
        {.secret = secret},
        {.scheme = SEENSET_SCHEME_MD5_DIVMOD, .capacity_items = 100},
        {.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 7},
        {.on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 86400},
        {.on_full = SEENSET_ON_FULL_ROTATE, .flags = SEENSET_FLAG_SLIDING},
        {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 16}};
    uint8_t bytes[SS_MANIFEST_2_BYTES];
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sets); i++)
        make_manifest_2(bytes, &sets[i], false);
    make_manifest_2(bytes, &(const seenset_options){0}, true);
}

/* ---- version 6 ---- */

static const uint32_t some_seeds[3] = {31, 131, 1313};
static const seenset_scheme_arguments a_seed = {.seed = 7};
static const seenset_scheme_arguments units = {.unit_bits = 16};
static const seenset_scheme_arguments a_list = {
    .seeds = some_seeds, .seed_count = 3, .unit_bits = 16};

static const seenset_options with_seed = {.scheme_arguments = &a_seed};
static const seenset_options with_list = {.scheme = SEENSET_SCHEME_POLYNOMIAL,
                                          .scheme_arguments = &a_list,
                                          .capacity_items = 100};

static size_t make_manifest_6(uint8_t bytes[SS_MANIFEST_MAX_BYTES],
                              const seenset_options *set)
{
    ss_manifest manifest, read;
    const seenset_queue_options options = {.set = set};
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    assert_null(manifest.set.scheme_arguments);
    size_t size_bytes = ss_manifest_encode(&manifest, bytes);
    assert_int_equal(bytes[7], 6);
    assert_int_equal(ss_manifest_decode(&read, bytes, size_bytes), SEENSET_OK);
    assert_true(ss_arguments_are_same(&read.arguments, &manifest.arguments));
    assert_int_equal(read.set.scheme, set->scheme);
    assert_int_equal(read.hash_check, manifest.hash_check);
    assert_false(read.is_extended || read.has_untried || read.has_turns);
    return size_bytes;
}

static void manifests_hold_arguments(void **state)
{
    static uint32_t many[SEENSET_MAX_HASH_COUNT];
    const seenset_scheme_arguments most = {.seeds = many,
                                           .seed_count = TEST_COUNT(many)};
    const struct {
        size_t size_bytes;
        seenset_options set;
    } rows[] = {
        {128, with_seed},
        {128,
         {.scheme = SEENSET_SCHEME_MURMUR3_128, .scheme_arguments = &a_seed}},
        {128,
         {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &units}},
        {140, with_list},
        {SS_MANIFEST_MAX_BYTES - SS_RULES_BYTES,
         {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &most}},
    };
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(many); i++)
        many[i] = UINT32_MAX - (uint32_t)i;
    for (size_t i = 0; i < TEST_COUNT(rows); i++)
        assert_int_equal(make_manifest_6(bytes, &rows[i].set),
                         rows[i].size_bytes);
    for (size_t i = 0; i < TEST_COUNT(many); i++)
        assert_int_equal(ss_bits_load(bytes + 124 + 4 * i, 4), many[i]);
}

static void expect_errors(const seenset_options *set,
                          const manifest_case *cases, size_t count)
{
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    for (size_t i = 0; i < count; i++) {
        const manifest_case *c = &cases[i];
        size_t size_bytes = make_manifest_6(bytes, set);
        ss_bits_store(bytes + c->at, c->size_bytes, c->value);
        uint64_t crc = ss_crc32c(bytes, size_bytes - 4);
        ss_bits_store(bytes + size_bytes - 4, 4, crc);
        if (decode(bytes, size_bytes) != c->error)
            fail_msg("byte %u: %llu", c->at, (unsigned long long)c->value);
    }
}

static void arguments_say_what_is_wrong(void **state)
{
    static const manifest_case of_seed[] = {
        {7, 1, 5, SEENSET_EHASH},      {7, 1, 8, SEENSET_EVERSION},
        {12, 4, 0, SEENSET_EHASH},     {12, 4, 1, SEENSET_EHASH},
        {12, 4, 2, SEENSET_EHASH},     {12, 4, 4, SEENSET_EHASH},
        {28, 4, 2, SEENSET_EHASH},     {28, 4, 3, SEENSET_EVERSION},
        {88, 4, 1, SEENSET_OK},        {88, 4, 3, SEENSET_EHASH},
        {92, 4, 0, SEENSET_EVERSION},  {92, 4, 1, SEENSET_EVERSION},
        {92, 4, 3, SEENSET_OK},        {92, 4, 5, SEENSET_OK},
        {92, 4, 6, SEENSET_EVERSION},  {104, 8, 0, SEENSET_EHASH},
        {116, 4, 1, SEENSET_EDAMAGED}, {120, 4, 1, SEENSET_EVERSION},
    };
    static const manifest_case of_list[] = {
        {7, 1, 2, SEENSET_EDAMAGED},
        {7, 1, 5, SEENSET_EDAMAGED},
        {12, 4, 3, SEENSET_EHASH},
        {116, 4, 2, SEENSET_EDAMAGED},
        {116, 4, 4, SEENSET_EDAMAGED},
        {116, 4, 256, SEENSET_EDAMAGED},
        {116, 4, UINT32_MAX, SEENSET_EDAMAGED},
    };
    (void)state;
    expect_errors(&with_seed, of_seed, TEST_COUNT(of_seed));
    expect_errors(&with_list, of_list, TEST_COUNT(of_list));
}

/* As long as its seeds, whatever is cut off or added. */
static void arguments_end_where_they_must(void **state)
{
    uint8_t bytes[SS_MANIFEST_MAX_BYTES + 8] = {0};
    (void)state;
    size_t size_bytes = make_manifest_6(bytes, &with_list);
    for (size_t length = 8; length < size_bytes + 8; length++)
        if (length != size_bytes)
            assert_int_equal(decode(bytes, length), SEENSET_EDAMAGED);
}

/* What the versions 3 to 5 say of the log is said beside the arguments. */
static void arguments_go_with_any_log(void **state)
{
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    const seenset_queue_options options = {.set = &with_list};
    ss_manifest manifest, read;
    (void)state;
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    for (int i = 2; i <= 5; i++) {
        manifest.is_extended = i >= 3;
        manifest.has_untried = i >= 4;
        manifest.has_turns = i >= 5;
        size_t size_bytes = ss_manifest_encode(&manifest, bytes);
        assert_int_equal(bytes[7], 6);
        assert_int_equal(bytes[92], i);
        assert_int_equal(ss_manifest_decode(&read, bytes, size_bytes), 0);
        assert_int_equal(read.is_extended, manifest.is_extended);
        assert_int_equal(read.has_untried, manifest.has_untried);
        assert_int_equal(read.has_turns, manifest.has_turns);
    }
}

/* ---- version 7 ---- */

static const seenset_queue_politeness all_rules = {
    .by = SEENSET_URL_SITE_HOST_PORT,
    .host_leases = 3,
    .delay_seconds = 1.5,
    .budget = 1000,
    .flags = SEENSET_QUEUE_DELAY_FROM_START};

static size_t make_manifest_7(uint8_t bytes[SS_MANIFEST_MAX_BYTES],
                              const seenset_options *set,
                              const seenset_queue_politeness *politeness)
{
    ss_manifest manifest, read;
    const seenset_queue_options options = {.set = set,
                                           .politeness = politeness};
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    size_t size_bytes = ss_manifest_encode(&manifest, bytes);
    assert_int_equal(bytes[7], 7);
    assert_int_equal(bytes[92], 5);
    assert_int_equal(ss_manifest_decode(&read, bytes, size_bytes), SEENSET_OK);
    assert_true(read.is_polite && read.is_extended && read.has_untried &&
                read.has_turns);
    assert_true(read.rules.delay_ms == manifest.rules.delay_ms &&
                read.rules.budget == manifest.rules.budget &&
                read.rules.host_leases == manifest.rules.host_leases &&
                read.rules.by == manifest.rules.by &&
                read.rules.is_from_start == manifest.rules.is_from_start);
    assert_true(ss_arguments_are_same(&read.arguments, &manifest.arguments));
    return size_bytes;
}

static void manifests_hold_rules(void **state)
{
    static const seenset_queue_politeness none = {0};
    static const seenset_queue_politeness most = {
        .host_leases = SEENSET_QUEUE_MAX_HOST_LEASES,
        .delay_seconds = SEENSET_QUEUE_MAX_HOST_DELAY_SECONDS,
        .budget = UINT64_MAX - 1};
    static const seenset_options plain = {0};
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    (void)state;
    assert_int_equal(make_manifest_7(bytes, &plain, &none), 160);
    assert_int_equal(make_manifest_7(bytes, &plain, &most), 160);
    assert_int_equal(make_manifest_7(bytes, &with_seed, &all_rules), 160);
    assert_int_equal(make_manifest_7(bytes, &with_list, &all_rules), 172);
    const uint8_t *rules = bytes + 172 - 4 - 32;
    assert_int_equal(ss_bits_load(rules, 8), 1500);
    assert_int_equal(ss_bits_load(rules + 8, 8), 1000);
    assert_int_equal(ss_bits_load(rules + 16, 4), 3);
    assert_int_equal(ss_bits_load(rules + 20, 4), 1);
    assert_int_equal(ss_bits_load(rules + 24, 8), 1);
}

static void rules_say_what_is_wrong(void **state)
{
    static const manifest_case cases[] = {
        {7, 1, 6, SEENSET_EDAMAGED},
        {92, 4, 4, SEENSET_EVERSION},
        {92, 4, 6, SEENSET_OK}, /* items were moved */
        {92, 4, 7, SEENSET_OK}, /* delayed items went to files */
        {92, 4, 8, SEENSET_EVERSION},
        {124, 8, 31622400000, SEENSET_OK}, /* the delay */
        {124, 8, 31622400001, SEENSET_EDAMAGED},
        {132, 8, UINT64_MAX, SEENSET_OK}, /* the budget */
        {132, 8, 0, SEENSET_EDAMAGED},
        {140, 4, 65535, SEENSET_OK}, /* leases */
        {140, 4, 65536, SEENSET_EDAMAGED},
        {140, 4, 0, SEENSET_EDAMAGED},
        {144, 4, 3, SEENSET_EDAMAGED}, /* what a host is */
        {148, 4, 2, SEENSET_EDAMAGED}, /* the flags */
        {152, 4, 1, SEENSET_EDAMAGED},
    };
    static const seenset_options plain = {0};
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        const manifest_case *c = &cases[i];
        size_t size_bytes = make_manifest_7(bytes, &plain, &all_rules);
        ss_bits_store(bytes + c->at, c->size_bytes, c->value);
        uint64_t crc = ss_crc32c(bytes, size_bytes - 4);
        ss_bits_store(bytes + size_bytes - 4, 4, crc);
        if (decode(bytes, size_bytes) != c->error)
            fail_msg("byte %u: %llu", c->at, (unsigned long long)c->value);
    }
}

/* Its log is that of a queue with moved items, too. */
static void polite_manifests_hold_runs(void **state)
{
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    static const seenset_options plain = {0};
    const seenset_queue_options options = {.set = &plain,
                                           .politeness = &all_rules};
    ss_manifest manifest, read;
    (void)state;
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    manifest.has_moved = manifest.has_runs = true;
    size_t size_bytes = ss_manifest_encode(&manifest, bytes);
    assert_int_equal(bytes[7], 7);
    assert_int_equal(bytes[92], 7);
    assert_int_equal(ss_manifest_decode(&read, bytes, size_bytes), SEENSET_OK);
    assert_true(read.is_polite && read.has_runs && read.has_moved &&
                read.has_turns);
}

/* ---- version 8 ---- */

static size_t make_manifest_8(uint8_t bytes[SS_MANIFEST_MAX_BYTES],
                              const seenset_options *set)
{
    ss_manifest manifest, read;
    const seenset_queue_options options = {.set = set};
    assert_int_equal(ss_manifest_from_options(&manifest, &options), SEENSET_OK);
    manifest.is_extended = manifest.has_untried = true;
    manifest.has_turns = manifest.has_runs = true;
    size_t size_bytes = ss_manifest_encode(&manifest, bytes);
    assert_int_equal(bytes[7], 8);
    assert_int_equal(bytes[92], 7);
    assert_int_equal(ss_manifest_decode(&read, bytes, size_bytes), SEENSET_OK);
    assert_true(read.has_runs && read.is_extended && read.has_untried &&
                read.has_turns && !read.is_polite && !read.has_moved);
    assert_true(ss_arguments_are_same(&read.arguments, &manifest.arguments));
    return size_bytes;
}

static void manifests_of_queues_with_runs_are_version_8(void **state)
{
    static const manifest_case cases[] = {{7, 1, 6, SEENSET_EVERSION},
                                          {92, 4, 5, SEENSET_EVERSION},
                                          {92, 4, 6, SEENSET_EVERSION},
                                          {92, 4, 8, SEENSET_EVERSION}};
    static const seenset_options plain = {0};
    uint8_t bytes[SS_MANIFEST_MAX_BYTES];
    (void)state;
    assert_int_equal(make_manifest_8(bytes, &plain), 128);
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        const manifest_case *c = &cases[i];
        size_t size_bytes = make_manifest_8(bytes, &with_list);
        assert_int_equal(size_bytes, 140);
        ss_bits_store(bytes + c->at, c->size_bytes, c->value);
        uint64_t crc = ss_crc32c(bytes, size_bytes - 4);
        ss_bits_store(bytes + size_bytes - 4, 4, crc);
        if (decode(bytes, size_bytes) != c->error)
            fail_msg("byte %u: %llu", c->at, (unsigned long long)c->value);
    }
}

/* What is asked is what is kept, and asked again is the same. */
static void delays_are_whole_milliseconds(void **state)
{
    static const struct {
        double seconds;
        uint64_t ms;
    } rows[] = {{0, 0},         {0.001, 1},    {16.1, 16100},
                {8.2, 8200},    {1.001, 1001}, {0.0001, 1},
                {2.0005, 2001}, {1e-300, 1},   {31622400, 31622400000}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        assert_int_equal(ss_rules_ms(rows[i].seconds), rows[i].ms);
        assert_int_equal(ss_rules_ms((double)rows[i].ms / 1e3), rows[i].ms);
    }
    for (uint64_t ms = 1; ms < 31622400000; ms += ms / 1000 + 1)
        assert_int_equal(ss_rules_ms((double)ms / 1e3), ms);
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
    bytes[7] = 2; /* which is longer */
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EDAMAGED);
    bytes[7] = 6; /* which is longer, too */
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EDAMAGED);
    assert_int_equal(decode(bytes, 8), SEENSET_EDAMAGED);
    bytes[7] = 7; /* and this one */
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EDAMAGED);
    bytes[7] = 8; /* and this one */
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EDAMAGED);
    bytes[7] = 9;
    assert_int_equal(decode(bytes, SS_MANIFEST_BYTES), SEENSET_EVERSION);
    assert_int_equal(decode(bytes, 8), SEENSET_EVERSION);
}

/* Its checksum is right, and there is no such scheme: another's hash could be
 * taken for it, and every URL for one that was not seen. */
static void manifests_of_no_scheme_are_damaged(void **state)
{
    static const seenset_options set = {.scheme = SEENSET_SCHEME_MD5_DIVMOD,
                                        .capacity_items = 100};
    const seenset_queue_options options = {.set = &set};
    static const uint64_t none[] = {SEENSET_SCHEME_REDISBLOOM + 1, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(none); i++) {
        disk *on = disk_new();
        seenset_queue *queue = model_open(on, options);
        size_t *size_bytes;
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        uint8_t *bytes = disk_file(on, "MANIFEST", &size_bytes);
        assert_int_equal(*size_bytes, SS_MANIFEST_2_BYTES);
        ss_bits_store(bytes + 88, 4, none[i]);
        uint64_t crc = ss_crc32c(bytes, MANIFEST_2_CRC_AT);
        ss_bits_store(bytes + MANIFEST_2_CRC_AT, 4, crc);
        queue = NULL;
        assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL),
                         SEENSET_EDAMAGED);
        assert_null(queue);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL),
                         SEENSET_EDAMAGED);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_manifests_say_what_is_wrong),
        cmocka_unit_test(manifests_hold_every_kind),
        cmocka_unit_test(manifests_hold_arguments),
        cmocka_unit_test(arguments_say_what_is_wrong),
        cmocka_unit_test(arguments_end_where_they_must),
        cmocka_unit_test(arguments_go_with_any_log),
        cmocka_unit_test(manifests_hold_rules),
        cmocka_unit_test(rules_say_what_is_wrong),
        cmocka_unit_test(polite_manifests_hold_runs),
        cmocka_unit_test(manifests_of_queues_with_runs_are_version_8),
        cmocka_unit_test(delays_are_whole_milliseconds),
        cmocka_unit_test(manifests_of_other_lengths_are_damaged),
        cmocka_unit_test(manifests_of_no_scheme_are_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
