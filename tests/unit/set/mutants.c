/*
 * mutants.c - faults that `make mutants` planted and no test noticed.
 *
 * Each test here is the answer to one of them: an edge at which a comparison
 * decides, an error that has a name of its own, a check whose place in a row
 * of checks matters.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "file/header.h"
#include "set/set.h"
#include "support.h"
#include "seenset/url.h"

/* ---- a set's header ---- */

/* The version is known from the 12th byte on, and told before the length. */
static void versions_are_told_as_soon_as_they_are_there(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 10});
    seenset *opened = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    (void)state;
    ss_bits_store(bytes + 8, 4, 9);
    for (size_t length = 1; length <= 200; length++)
        assert_int_equal(seenset_open_bytes(&opened, bytes, length,
                                            &(seenset_open_options){
                                                .flags = SEENSET_OPEN_COPY}),
                         length < 12 ? SEENSET_ETRUNCATED : SEENSET_EVERSION);
    assert_null(opened);
    free(bytes);
    seenset_free(set);
}

/* Policies came with versions: each knows its own. */
static void versions_know_their_policies(void **state)
{
    enum {
        AT_POLICY = 44
    };
    seenset *opened = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_golden_bytes(0, &size_bytes);
    (void)state;
    assert_int_equal(ss_bits_load(bytes + 8, 4), 1);
    for (uint64_t policy = 0; policy < 8; policy++) {
        bool is_known = policy == SEENSET_ON_FULL_DEGRADE ||
                        policy == SEENSET_ON_FULL_REFUSE;
        ss_bits_store(bytes + AT_POLICY, 4, policy);
        test_repair_header(bytes, test_header_bytes(bytes));
        int error = seenset_open_bytes(
            &opened, bytes, size_bytes,
            &(seenset_open_options){.flags = SEENSET_OPEN_COPY});
        assert_int_equal(error, is_known ? SEENSET_OK : SEENSET_EVERSION);
        if (is_known)
            seenset_free(opened);
    }
    free(bytes);
}

/* ---- tables of a window ---- */

enum {
    WINDOW_TABLES = 4
};

/* What decoding says to so many tables, of which number `other` has `bits` and
 * `hashes`; all lengths and the checksum are right for just these. */
static int decode_tables(seenset_on_full on_full, uint32_t other, uint64_t bits,
                         uint32_t hashes, seenset_file_report *report)
{
    seenset *set = test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                               .on_full = on_full,
                                               .capacity_items = 1000});
    ss_header header, decoded;
    uint8_t bytes[SS_HEADER_MAX_BYTES];
    ss_header_describe(&header, set);
    seenset_free(set);
    header.generation_count = WINDOW_TABLES;
    for (uint32_t i = 0; i < WINDOW_TABLES; i++) {
        ss_record *record = &header.records[i];
        *record = header.records[0];
        record->size_bits = i == other ? bits : 4096;
        record->hash_count = i == other ? hashes : 7;
    }
    ss_header_place(&header);
    ss_header_encode(&header, bytes);
    return ss_header_decode(&decoded, bytes, ss_header_bytes(&header),
                            ss_header_file_bytes(&header), report);
}

/* One that differs in its size only, or in its hash count only, is refused
 * wherever it stands; a set that grows may hold it. */
static void windows_have_tables_of_one_shape(void **state)
{
    static const uint64_t sizes[] = {4096, 512, 8192, 4096, 4096};
    static const uint32_t hashes[] = {7, 7, 7, 6, 8};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        for (uint32_t other = 0; other < WINDOW_TABLES; other++) {
            seenset_file_report report;
            assert_int_equal(decode_tables(SEENSET_ON_FULL_GROW, other,
                                           sizes[i], hashes[i], &report),
                             SEENSET_OK);
            assert_int_equal(decode_tables(SEENSET_ON_FULL_ROTATE, other,
                                           sizes[i], hashes[i], &report),
                             i == 0 ? SEENSET_OK : SEENSET_ECORRUPT);
            assert_string_equal(
                report.reason,
                i == 0 ? "" : "the tables of a window differ in size");
        }
    }
}

/* ---- sets that grow ---- */

static void add_numbers(seenset *set, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        assert_int_equal(seenset_add(set, &i, sizeof i), 1);
}

/* A table takes in another one up to its capacity, and not one key more. */
static void merges_fill_tables_to_the_last_key(void **state)
{
    (void)state;
    for (uint64_t more = 0; more < 2; more++) {
        seenset_options options = {.capacity_items = 10, .fp_rate = 1e-9};
        seenset *into = test_make(options), *from = test_make(options);
        add_numbers(into, 0, 4);
        add_numbers(from, 100, 106 + more);
        assert_int_equal(seenset_merge(into, from), SEENSET_OK);
        assert_int_equal(into->generation_count, 1 + more);
        seenset_free(into);
        seenset_free(from);
    }
}

/* A rate that halves to 0 would mean that none is asked for. */
static void growth_needs_a_rate(void **state)
{
    (void)state;
    seenset *set = test_make((seenset_options){.capacity_items = 10});
    add_numbers(set, 0, 10);
    set->fp_rate = 0x1p-1074;
    assert_int_equal(seenset_add(set, "new", 3), SEENSET_ERATE);
    assert_int_equal(set->generation_count, 1);
    seenset_free(set);
}

/* ---- one table ---- */

/* Two bits that are missing must not add up to none. */
static void containment_does_not_add_up(void **state)
{
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = 1000};
    seenset *set = test_make(options), *other = test_make(options);
    (void)state;
    assert_int_equal(seenset_is_superset(set, other), 1);
    for (int i = 0; i < 2; i++) {
        other->generations[0].table.words[i] = UINT64_C(1) << 63;
        assert_int_equal(seenset_is_superset(set, other), 0);
        assert_int_equal(seenset_is_superset(other, set), 1);
    }
    seenset_free(set);
    seenset_free(other);
}

/* The most keys that there can be is a capacity too. */
static void plans_go_up_to_the_most_items(void **state)
{
    (void)state;
    seenset_plan plan = {.layout = SEENSET_LAYOUT_BLOOM,
                         .size_bits = SEENSET_MAX_SIZE_BITS,
                         .hash_count = 1,
                         .fp_rate = 0.7};
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.capacity_items == SEENSET_MAX_SIZE_BITS);
}

static void sealing_checks_its_arguments(void **state)
{
    const seenset_key keys[] = {{"a", 1}, {NULL, 1}};
    seenset *const mark = (seenset *)(uintptr_t)8, *set = mark;
    (void)state;
    assert_int_equal(seenset_build_sealed(NULL, NULL, keys, 1, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_build_sealed(&set, NULL, keys, 2, NULL),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_build_sealed(&set, NULL, NULL, 1, NULL),
                     SEENSET_EINVAL);
    assert_ptr_equal(set, mark);
    assert_int_equal(seenset_build_sealed(&set, NULL, NULL, 0, NULL),
                     SEENSET_OK);
    seenset_free(set);
}

/* A hash says nothing to a set whose keys go through a secret. */
/* "Never added" would be a guess: of the key they know nothing. */
static void check_takes_no_hashes(seenset_options options)
{
    const uint64_t hash = ss_hash_key("key", 3);
    uint8_t answer = 7;
    seenset *set = test_make(options);
    assert_int_equal(seenset_add(set, "key", 3), 1);
    assert_int_equal(seenset_add_hash(set, hash), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_has_hash(set, hash), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_add_hash_many(set, &hash, 1, &answer),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_has_hash_many(set, &hash, 1, &answer),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(answer, 7);
    assert_true(test_stats_of(set).added_items == 1);
    seenset_free(set);
}

static void sets_that_need_the_key_take_no_hashes(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1, 2, 3};
    (void)state;
    check_takes_no_hashes((seenset_options){.secret = secret});
    check_takes_no_hashes(
        (seenset_options){.secret = secret, .flags = SEENSET_SHARED});
    for (uint32_t scheme = SEENSET_SCHEME_MURMUR2A_FNV1A;
         scheme <= SEENSET_SCHEME_ENHANCED_DOUBLE; scheme++)
        check_takes_no_hashes((seenset_options){
            .scheme = scheme, .size_bits = 1 << 16, .hash_count = 2});
}

/* The default scheme may be named. */
static void schemes_may_be_the_default_one(void **state)
{
    (void)state;
    seenset *set = test_make((seenset_options){.scheme = SEENSET_SCHEME_CHAIN});
    assert_int_equal(test_stats_of(set).layout, SEENSET_LAYOUT_BLOCKED);
    seenset_free(set);
}

/* A rate that is met exactly is kept; one that no key keeps is told. */
static void plans_keep_a_rate_that_is_met_exactly(void **state)
{
    (void)state;
    seenset_plan plan = {
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 1024, .hash_count = 3};
    plan.fp_rate = seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, 100, 1024, 3);
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_OK);
    assert_true(plan.capacity_items == 100);
    plan.capacity_items = 0;
    plan.fp_rate = 1e-15;
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_ERATE);
    assert_true(plan.capacity_items == 0);
}

/* Bits are asked for table by table. */
static void bits_are_of_one_table(void **state)
{
    seenset *set = test_make((seenset_options){.capacity_items = 10});
    uint8_t bit = 7;
    (void)state;
    add_numbers(set, 0, 10);
    assert_int_equal(seenset_get_bits(set, 0, 0, 1, &bit), SEENSET_OK);
    assert_in_range(bit, 0, 1);
    add_numbers(set, 10, 11);
    assert_int_equal(set->generation_count, 2);
    assert_int_equal(seenset_get_bits(set, 1, 0, 1, &bit), SEENSET_OK);
    assert_in_range(bit, 0, 1);
    bit = 7;
    assert_int_equal(seenset_get_bits(set, 2, 0, 1, &bit), SEENSET_EINVAL);
    assert_int_equal(bit, 7);
    seenset_free(set);
}

/* What is fetched ahead ends with the batch; a sanitizer sees a step too far.
 */
static void batches_are_read_to_their_end_only(void **state)
{
    static const seenset_layout layouts[] = {
        SEENSET_LAYOUT_BLOCKED, SEENSET_LAYOUT_BLOOM, SEENSET_LAYOUT_COUNTING};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(layouts); i++) {
        seenset *set = test_make((seenset_options){.layout = layouts[i]});
        for (size_t count = 1; count < 100; count++) {
            uint64_t *hashes = malloc(count * sizeof *hashes);
            uint8_t *answers = malloc(count);
            assert_true(hashes != NULL && answers != NULL);
            for (size_t k = 0; k < count; k++)
                hashes[k] = test_mix(k);
            assert_int_equal(seenset_add_hash_many(set, hashes, count, answers),
                             0);
            assert_int_equal(seenset_has_hash_many(set, hashes, count, answers),
                             0);
            for (size_t k = 0; k < count; k++)
                assert_int_equal(answers[k], 1);
            free(hashes);
            free(answers);
        }
        seenset_free(set);
    }
}

/* ---- sets that threads can't build together ---- */

enum {
    MANY_KEYS = 1 << 18 /* more than a build begins to share out */
};

static void build_many(seenset *set, int wanted)
{
    static uint64_t numbers[MANY_KEYS];
    static seenset_key keys[MANY_KEYS];
    for (uint64_t i = 0; i < MANY_KEYS; i++) {
        numbers[i] = i;
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    assert_int_equal(seenset_add_parallel(set, keys, MANY_KEYS, 2), wanted);
    for (uint64_t i = 0; wanted == SEENSET_OK && i < MANY_KEYS; i++)
        assert_int_equal(seenset_has(set, &i, sizeof i), 1);
}

/* They are built all the same, by one, and as what they are. */
static void builds_leave_to_one_what_many_cannot(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1};
    static const seenset_options kinds[] = {
        {.capacity_items = MANY_KEYS, .secret = secret},
        {.capacity_items = MANY_KEYS, .layout = SEENSET_LAYOUT_COUNTING},
        {.capacity_items = MANY_KEYS, .on_full = SEENSET_ON_FULL_ROTATE}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = test_make(kinds[i]);
        build_many(set, SEENSET_OK);
        uint64_t key = 7, count = 0;
        if (kinds[i].layout == SEENSET_LAYOUT_COUNTING) {
            assert_int_equal(seenset_count(set, &key, sizeof key, &count), 0);
            assert_int_equal(count, 1);
        }
        if (kinds[i].on_full == SEENSET_ON_FULL_ROTATE)
            assert_true(set->generation_count > 1);
        seenset_free(set);
    }
}

static void builds_write_to_no_view(void **state)
{
    seenset *set =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE});
    seenset *view = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    (void)state;
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    build_many(view, SEENSET_EREADONLY);
    assert_true(test_stats_of(view).set_bits == 0);
    seenset_free(view);
    free(bytes);
    assert_int_equal(seenset_add_hash_parallel(set, NULL, MANY_KEYS, 2),
                     SEENSET_EINVAL);
    seenset_free(set);
}

/* ---- statistics ---- */

/* What only some kinds of sets have is 0 of the others. */
static void check_kind(const seenset *set, seenset_options made,
                       uint32_t fingerprint_bits)
{
    seenset_stats stats = test_stats_of(set);
    bool is_counting = made.layout == SEENSET_LAYOUT_COUNTING;
    assert_int_equal(stats.counter_bits, is_counting ? made.counter_bits : 0);
    assert_true(is_counting || stats.overflow_bound == 0.0);
    assert_int_equal(stats.full_counters, 0);
    assert_int_equal(stats.fingerprint_bits, fingerprint_bits);
    assert_int_equal(stats.window_generations, made.window_generations);
    assert_int_equal(stats.window_seconds, 0);
    assert_int_equal(stats.is_keyed, 0);
    assert_int_equal(stats.is_read_only, 0);
    assert_int_equal(stats.scheme,
                     made.scheme == 0 ? SEENSET_SCHEME_CHAIN : made.scheme);
}

static void statistics_are_0_of_what_a_set_has_not(void **state)
{
    const seenset_key key = {"a", 1};
    seenset *sealed = NULL;
    (void)state;
    for (size_t i = 0; i < TEST_GOLDEN_COUNT; i++) {
        seenset *set = test_golden_make(&test_goldens[i]);
        bool is_sealed =
            test_goldens[i].options.layout == SEENSET_LAYOUT_SEALED;
        check_kind(set, test_goldens[i].options, is_sealed ? 8 : 0);
        seenset_free(set);
    }
    assert_int_equal(seenset_build_sealed(&sealed, NULL, &key, 1, NULL),
                     SEENSET_OK);
    uint32_t bits = test_stats_of(sealed).fingerprint_bits;
    assert_true(bits == 8 || bits == 16 || bits == 32);
    check_kind(sealed, (seenset_options){.layout = SEENSET_LAYOUT_SEALED},
               bits);
    seenset_free(sealed);
}

/* ---- a URL's address ---- */

/* Bytes that no host has, from the first to the last of them. */
static void hosts_have_no_control_characters(void **state)
{
    (void)state;
    for (int c = 0x01; c <= 0x7f; c++) {
        char url[] = "http://a?b/", out[300];
        size_t out_len = sizeof out;
        const char *reason = NULL;
        if (c > ' ' && c < 0x7f)
            continue;
        if (c == '\t' || c == '\n' || c == '\r')
            continue; /* left out wherever they are */
        url[8] = (char)c;
        assert_int_equal(
            seenset_url_normalise(url, sizeof url - 1, out, &out_len, &reason),
            SEENSET_EURL);
        assert_string_equal(reason,
                            "the host has a character that is not allowed");
    }
}

/* A number that is the most so far, and goes on, is no address. */
static void addresses_end_at_2_to_the_32(void **state)
{
    char out[100];
    size_t out_len = sizeof out;
    (void)state;
    assert_int_equal(
        seenset_url_normalise("http://4294967295/", 18, out, &out_len, NULL),
        SEENSET_OK);
    assert_int_equal(out_len, strlen("http://255.255.255.255/"));
    assert_memory_equal(out, "http://255.255.255.255/", out_len);
    out_len = sizeof out;
    assert_int_equal(
        seenset_url_normalise("http://42949672950/", 19, out, &out_len, NULL),
        SEENSET_EURL);
}

/* The longest text that could be an address, and one byte more. */
static void long_addresses_are_refused(void **state)
{
    char url[100], out[300];
    (void)state;
    for (size_t length = 40; length < 60; length++) {
        size_t out_len = sizeof out;
        const char *reason = NULL;
        memset(url, ':', sizeof url);
        memcpy(url, "http://[", 8);
        memcpy(url + 8 + length, "]/", 2);
        assert_int_equal(
            seenset_url_normalise(url, length + 10, out, &out_len, &reason),
            SEENSET_EURL);
        assert_string_equal(reason,
                            "there is not an IPv6 address in the brackets");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_told_as_soon_as_they_are_there),
        cmocka_unit_test(versions_know_their_policies),
        cmocka_unit_test(windows_have_tables_of_one_shape),
        cmocka_unit_test(plans_go_up_to_the_most_items),
        cmocka_unit_test(merges_fill_tables_to_the_last_key),
        cmocka_unit_test(growth_needs_a_rate),
        cmocka_unit_test(containment_does_not_add_up),
        cmocka_unit_test(sealing_checks_its_arguments),
        cmocka_unit_test(sets_that_need_the_key_take_no_hashes),
        cmocka_unit_test(schemes_may_be_the_default_one),
        cmocka_unit_test(plans_keep_a_rate_that_is_met_exactly),
        cmocka_unit_test(bits_are_of_one_table),
        cmocka_unit_test(batches_are_read_to_their_end_only),
        cmocka_unit_test(builds_leave_to_one_what_many_cannot),
        cmocka_unit_test(builds_write_to_no_view),
        cmocka_unit_test(statistics_are_0_of_what_a_set_has_not),
        cmocka_unit_test(hosts_have_no_control_characters),
        cmocka_unit_test(addresses_end_at_2_to_the_32),
        cmocka_unit_test(long_addresses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
