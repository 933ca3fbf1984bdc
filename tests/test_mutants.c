/*
 * test_mutants.c - faults that `make mutants` planted and no test noticed.
 *
 * Each test here is the answer to one of them: an edge at which a comparison
 * decides, an error that has a name of its own, a check whose place in a row
 * of checks matters.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "crc32c.h"
#include "queue_disk.h"
#include "queue_lease.h"
#include "queue_manifest.h"
#include "queue.h"
#include "set.h"
#include "support.h"
#include "url.h"

/* ---- a queue's manifest ---- */

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
    seenset_queue_options options = {.set = {.capacity_items = 1000}};
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
        {16, 4, SEENSET_NORMALISE_OFF, SEENSET_OK},
        {16, 4, SEENSET_NORMALISE_URL, SEENSET_OK},
        {16, 4, SEENSET_NORMALISE_URL + 1, SEENSET_EDAMAGED},
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
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
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

/* ---- the rest of a queue ---- */

/* An ack that ends where the failed part begins is part of what lies before. */
static void acks_before_a_failed_write_stand(void **state)
{
    ss_memory memory;
    ss_leases leases = {0};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    for (uint64_t item = 1; item <= 3; item++) {
        ss_outstanding *entry = ss_leases_add(&leases, &memory, item, item);
        assert_non_null(entry);
        entry->ack_end = 99 + item;
        ss_leases_set(&leases, entry, SS_LEASE_ACKING, 0);
    }
    ss_leases_unack(&leases, 101, 5);
    for (uint64_t item = 1; item <= 3; item++)
        assert_int_equal(ss_leases_by_item(&leases, item)->state,
                         item < 3 ? SS_LEASE_ACKING : SS_LEASE_HELD);
    ss_leases_free(&leases, &memory);
}

/* The heap against a search of all. */
static void leases_come_due_in_order(void **state)
{
    enum {
        ITEMS = 200,
        STEPS = 5000
    };
    ss_memory memory;
    ss_leases leases = {0};
    test_random random = {1};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    for (uint64_t item = 1; item <= ITEMS; item++) {
        ss_outstanding *entry = ss_leases_add(&leases, &memory, item, item);
        assert_non_null(entry);
        ss_leases_set(&leases, entry, SS_LEASE_HELD, item);
    }
    for (int step = 0; step < STEPS; step++) {
        uint64_t earliest = UINT64_MAX;
        ss_outstanding *changed =
            ss_leases_by_item(&leases, 1 + test_random_below(&random, ITEMS));
        if (changed != NULL && test_random_below(&random, 50) == 0)
            ss_leases_remove(&leases, changed);
        else if (changed != NULL)
            ss_leases_set(&leases, changed, SS_LEASE_HELD,
                          test_random_below(&random, 1000));
        for (ss_outstanding *entry = ss_leases_oldest(&leases); entry != NULL;
             entry = ss_leases_newer(&leases, entry))
            earliest = entry->due_ns < earliest ? entry->due_ns : earliest;
        ss_outstanding *due = ss_leases_due(&leases, 1000);
        assert_true(due == NULL ? earliest == UINT64_MAX
                                : due->due_ns == earliest);
    }
    ss_leases_free(&leases, &memory);
}

/* In how many images of the disk is the queue, or its only URL, gone? */
static int count_losses(disk *on)
{
    int losses = 0;
    for (uint64_t i = 0; i < 200; i++) {
        seenset_queue *queue;
        seenset_queue_options options = {0};
        disk *image = disk_image(on, i);
        int error =
            ss_queue_open(disk_io(image), &queue, DISK_FOLDER, &options);
        if (error == SEENSET_OK) {
            losses += seenset_queue_push(queue, "a", 1, NULL, 0) != 0;
            assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        } else {
            losses++;
        }
        disk_free(image);
    }
    return losses;
}

/* What a killed process wrote is read by the next one, though no sync covered
 * it: before anything rests on it, it is synced. The lie plants the loss. */
static void opening_makes_durable_what_it_found(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_options options = {0};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    disk_faults_of(on)->log_lies = true;
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_faults_of(on)->log_lies = false;
    assert_true(count_losses(on) > 0);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(count_losses(on), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* A segment that a crash left without a header is removed for good before the
 * one it would have followed grows past its name. */
static void unborn_segments_are_gone_for_good(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_options options = {0};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);

    size_t *size_bytes;
    char name[SS_FOLDER_NAME_BYTES], path[TEST_PATH_BYTES];
    assert_non_null(disk_file(on, disk_name(on, "log-", 0), &size_bytes));
    ss_folder_name(name, SS_FOLDER_LOG, *size_bytes);
    snprintf(path, sizeof path, "%s/%s", DISK_FOLDER, name);
    int fd = ss_io_open(disk_io(on), path, O_RDWR | O_CREAT, 0666);
    assert_true(fd >= 0);
    ss_io_close_quietly(disk_io(on), fd);
    assert_true(ss_io_sync_folder(disk_io(on), DISK_FOLDER));

    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_null(disk_name(on, name, 0));
    assert_int_equal(seenset_queue_push(queue, "b", 1, NULL, 0), 1);
    assert_int_equal(count_losses(on), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

/* Repair takes away what is bad, and the rest goes on. */
static void repairing_a_set_keeps_the_state(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    seenset_queue_options options = {0};
    seenset_queue_stats stats;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), i == 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_non_null(disk_name(on, "set-", 0));
    for (int i = 0; disk_name(on, "set-", i) != NULL; i++) {
        size_t *size_bytes;
        disk_file(on, disk_name(on, "set-", i), &size_bytes)[0] ^= 1;
    }
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL),
                     SEENSET_OK);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_get_stats(queue, &stats), SEENSET_OK);
    assert_true(stats.dropped_items == 2);
    assert_int_equal(seenset_queue_push(queue, "a", 1, NULL, 0), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
}

static void verifying_nothing_is_an_error(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue_report report;
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_EIO);
    disk_free(on);
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
            ss_url_normalise(url, length + 10, out, &out_len, &reason),
            SEENSET_EURL);
        assert_string_equal(reason, "the brackets hold no IPv6 address");
    }
}

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
        assert_int_equal(
            seenset_open_bytes(&opened, bytes, length, SEENSET_OPEN_COPY),
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
    seenset *set = test_make(test_goldens[0].options), *opened = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    (void)state;
    assert_int_equal(ss_bits_load(bytes + 8, 4), 1);
    for (uint64_t policy = 0; policy < 8; policy++) {
        bool is_known = policy == SEENSET_DEGRADE || policy == SEENSET_REFUSE;
        ss_bits_store(bytes + AT_POLICY, 4, policy);
        test_repair_header(bytes, test_header_bytes(bytes));
        int error =
            seenset_open_bytes(&opened, bytes, size_bytes, SEENSET_OPEN_COPY);
        assert_int_equal(error, is_known ? SEENSET_OK : SEENSET_EVERSION);
        if (is_known)
            seenset_free(opened);
    }
    free(bytes);
    seenset_free(set);
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
    seenset_options options = {.layout = SEENSET_BLOOM,
                               .on_full = SEENSET_DEGRADE,
                               .capacity_items = 1000};
    seenset *set = test_make(options), *other = test_make(options);
    (void)state;
    assert_int_equal(seenset_contains(set, other), 1);
    for (int i = 0; i < 2; i++) {
        other->generations[0].table.words[i] = UINT64_C(1) << 63;
        assert_int_equal(seenset_contains(set, other), 0);
        assert_int_equal(seenset_contains(other, set), 1);
    }
    seenset_free(set);
    seenset_free(other);
}

/* The most keys that there can be is a capacity too. */
static void plans_go_up_to_the_most_items(void **state)
{
    (void)state;
    seenset_plan plan = {.layout = SEENSET_BLOOM,
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
    assert_int_equal(seenset_seal(NULL, NULL, keys, 1, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_seal(&set, NULL, keys, 2, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_seal(&set, NULL, NULL, 1, NULL), SEENSET_EINVAL);
    assert_ptr_equal(set, mark);
    assert_int_equal(seenset_seal(&set, NULL, NULL, 0, NULL), SEENSET_OK);
    seenset_free(set);
}

/* A hash says nothing to a set whose keys go through a secret. */
static void keyed_sets_take_no_hashes(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {1, 2, 3};
    const uint64_t hash = 5;
    uint8_t answer = 7;
    seenset *set = test_make((seenset_options){.secret = secret});
    (void)state;
    assert_int_equal(seenset_add_hash(set, hash), SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_has_hash(set, hash), 0);
    assert_int_equal(seenset_add_hash_many(set, &hash, 1, &answer),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_has_hash_many(set, &hash, 1, &answer),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(answer, 7);
    assert_true(test_stats_of(set).added_items == 0);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manifests_say_what_is_wrong),
        cmocka_unit_test(manifests_of_other_lengths_are_damaged),
        cmocka_unit_test(manifests_that_are_bad_are_named),
        cmocka_unit_test(acks_before_a_failed_write_stand),
        cmocka_unit_test(leases_come_due_in_order),
        cmocka_unit_test(opening_makes_durable_what_it_found),
        cmocka_unit_test(unborn_segments_are_gone_for_good),
        cmocka_unit_test(repairing_a_set_keeps_the_state),
        cmocka_unit_test(verifying_nothing_is_an_error),
        cmocka_unit_test(long_addresses_are_refused),
        cmocka_unit_test(versions_are_told_as_soon_as_they_are_there),
        cmocka_unit_test(versions_know_their_policies),
        cmocka_unit_test(plans_go_up_to_the_most_items),
        cmocka_unit_test(merges_fill_tables_to_the_last_key),
        cmocka_unit_test(growth_needs_a_rate),
        cmocka_unit_test(containment_does_not_add_up),
        cmocka_unit_test(sealing_checks_its_arguments),
        cmocka_unit_test(keyed_sets_take_no_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
