/*
 * queue_forged_numbers.c - two numbers of a queue's MANIFEST, or of its state,
 * at once, each at every extreme, with the checksum made right.
 *
 * Either the open says no, or the queue that comes out is safe: it hands out
 * and takes in, counts no more items than it has, can be closed and, unless
 * the log no longer fits, opened again. A state that contradicts itself is as
 * good as none: the log, which is still whole, says what is what.
 *
 *     test_queue_forged_numbers STEP      (every pair of values at 1)
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "forge.h"
#include "queue_disk.h"
#include "queue_model.h"

enum {
    ITEMS = 12,
    MOST_BYTES = 64 << 20 /* more than a queue of this kind ever needs */
};

/* ---- a queue with a past ---- */

static seenset_queue *open_on(disk *on, seenset_queue_options options)
{
    seenset_queue *queue;
    options.set = &(const seenset_options){.capacity_items = 200};
    options.segment_bytes = 1 << 20;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    return queue;
}

/* Items 5 to 7 are acked ahead of the reader, 0 and 1 are handed out, and
 * nothing else was touched. With a state and a set, or with the log alone. */
static disk *make_disk(bool has_snapshots)
{
    disk *on = disk_new();
    seenset_queue_item item = {0};
    seenset_queue *queue = open_on(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, ITEMS), ITEMS);
    disk *killed = disk_copy(on);
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        if (i >= 5 && i <= 7)
            assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
    }
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue = open_on(on, (seenset_queue_options){0});
    for (int i = 0; i < 2; i++)
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    seenset_queue_item_free(&item);
    disk_free(has_snapshots ? killed : on);
    return has_snapshots ? on : killed;
}

/* ---- the files and their numbers ---- */

/* A file to be forged: its last four bytes are the checksum of the others. */
typedef struct forged_file {
    const char *prefix; /* of its name */
    const test_field *fields;
    size_t field_count;
    bool has_snapshots;
} forged_file;

static const test_field manifest_fields[] = {
    {"magic", 0, 8, false},         {"log id", 8, 4, false},
    {"hash", 12, 4, false},         {"normalise", 16, 4, true},
    {"layout", 20, 4, true},        {"on_full", 24, 4, true},
    {"reserved", 28, 4, false},     {"capacity_items", 32, 8, true},
    {"fp_rate", 40, 8, true},       {"size_bits", 48, 8, true},
    {"hash_count", 56, 4, true},    {"reserved", 60, 4, false},
    {"segment_bytes", 64, 8, true}, {"reserved", 72, 8, false},
    {"reserved", 80, 4, false}};

/* Two entries and a range: 88 + 2 * 32 + 16 + 4 bytes. */
static const test_field state_fields[] = {
    {"magic", 0, 8, true},          {"log id", 8, 4, true},
    {"reserved", 12, 4, true},      {"position", 16, 8, true},
    {"next item", 24, 8, true},     {"read item", 32, 8, true},
    {"read position", 40, 8, true}, {"dropped", 48, 8, true},
    {"refused", 56, 8, true},       {"not URLs", 64, 8, true},
    {"entries", 72, 8, true},       {"ranges", 80, 8, true},
    {"item", 88, 8, true},          {"at", 96, 8, true},
    {"due", 104, 8, true},          {"deliveries", 112, 4, true},
    {"held", 116, 4, true},         {"item", 120, 8, true},
    {"at", 128, 8, true},           {"first", 152, 8, true},
    {"end", 160, 8, true}};

static const forged_file manifest_alone = {"MANIFEST", manifest_fields,
                                           TEST_COUNT(manifest_fields), false};
static const forged_file manifest = {"MANIFEST", manifest_fields,
                                     TEST_COUNT(manifest_fields), true};
static const forged_file state_file = {"state-", state_fields,
                                       TEST_COUNT(state_fields), true};

/* ---- is a queue safe? ---- */

static bool is_error(int error)
{
    static const int known[] = {SEENSET_EINVAL,    SEENSET_ENOMEM,
                                SEENSET_EFORMAT,   SEENSET_EVERSION,
                                SEENSET_EHASH,     SEENSET_EDAMAGED,
                                SEENSET_ERATE,     SEENSET_ETOOBIG,
                                SEENSET_EMISMATCH, SEENSET_EUNSUPPORTED};
    for (size_t i = 0; i < TEST_COUNT(known); i++) {
        if (error == known[i])
            return true;
    }
    return false;
}

static bool are_stats_sane(seenset_queue *queue)
{
    seenset_queue_stats stats;
    return seenset_queue_get_stats(queue, &stats, sizeof stats) == SEENSET_OK &&
           stats.pending_items <= stats.pushed_items &&
           stats.leased_items <= stats.pushed_items &&
           stats.acked_items <= stats.pushed_items && stats.wrong_items >= 0.0;
}

/* Pops whatever there is; -1 if that does not end. */
static int pop_all(seenset_queue *queue)
{
    seenset_queue_item item = {0};
    int count = 0;
    while (count < 4 * ITEMS && seenset_queue_pop(queue, &item) == 1) {
        if (count % 3 == 0 && count < ITEMS)
            (void)seenset_queue_ack(queue, item.lease);
        count++;
    }
    seenset_queue_item_free(&item);
    return count < 4 * ITEMS ? count : -1;
}

static const char *use(seenset_queue *queue)
{
    char url[32];
    if (!are_stats_sane(queue))
        return "the statistics contradict each other";
    if (pop_all(queue) < 0)
        return "items come without end";
    for (int i = ITEMS; i < 2 * ITEMS; i++) {
        model_url(i, url);
        int answer = seenset_queue_push(queue, url, strlen(url), NULL, 0);
        if (answer < 0 && answer != SEENSET_EFULL && answer != SEENSET_EURL &&
            answer != SEENSET_ENOMEM)
            return "a push failed";
    }
    if (!are_stats_sane(queue))
        return "the statistics contradict each other afterwards";
    return NULL;
}

static int open_limited(disk *on, test_memory *memory, bool keep_leases,
                        seenset_queue **queue)
{
    test_memory_init(memory);
    memory->most_bytes = MOST_BYTES;
    const seenset_options set = {.allocator = &memory->allocator};
    const seenset_queue_options options = {.set = &set,
                                           .keep_leases = keep_leases};
    *queue = NULL;
    return ss_queue_open(disk_io(on), queue, DISK_FOLDER, &options);
}

/* Opens, uses, closes and opens again; what is wrong with it, or NULL. */
static const char *judge(disk *on, bool keep_leases, int *error)
{
    test_memory memory;
    seenset_queue *queue;
    *error = open_limited(on, &memory, keep_leases, &queue);
    if (*error != SEENSET_OK)
        return !is_error(*error)         ? "the open failed in an odd way"
               : queue != NULL           ? "an open that failed has a queue"
               : memory.live_blocks != 0 ? "memory was kept"
                                         : NULL;
    const char *wrong = use(queue);
    if (seenset_queue_close(queue) != SEENSET_OK)
        return wrong != NULL ? wrong : "it cannot be closed";
    if (wrong != NULL)
        return wrong;
    int again = open_limited(on, &memory, keep_leases, &queue);
    if (again != SEENSET_OK && again != SEENSET_EDAMAGED)
        return "it cannot be opened again";
    if (again == SEENSET_OK)
        (void)seenset_queue_close(queue);
    return memory.live_blocks == 0 ? wrong : "memory was kept";
}

/* ---- all pairs ---- */

static uint8_t *bytes_of(disk *on, const forged_file *file, size_t *size_bytes)
{
    const char *name = disk_name(on, file->prefix, 0);
    for (int i = 1; disk_name(on, file->prefix, i) != NULL; i++)
        name = disk_name(on, file->prefix, i); /* the newest */
    size_t *length;
    uint8_t *bytes = disk_file(on, name, &length);
    *size_bytes = *length;
    return bytes;
}

static void forge(disk *on, const forged_file *file, const size_t fields[2],
                  const uint64_t values[2])
{
    size_t size_bytes;
    uint8_t *bytes = bytes_of(on, file, &size_bytes);
    for (int i = 0; i < 2; i++) {
        const test_field *field = &file->fields[fields[i]];
        assert_true(field->at + field->size_bytes + 4 <= size_bytes);
        ss_bits_store(bytes + field->at, field->size_bytes, values[i]);
    }
    ss_bits_store(bytes + size_bytes - 4, 4, ss_crc32c(bytes, size_bytes - 4));
}

/* Value number i of a field: its own first, then the extremes. */
static bool value_of(const uint8_t *bytes, const test_field *field, size_t i,
                     uint64_t *value)
{
    if (i > 0)
        return test_extreme(i - 1, field->size_bytes, value);
    *value = ss_bits_load(bytes + field->at, field->size_bytes);
    return true;
}

typedef struct tally {
    uint64_t refused, opened;
    bool keeps_leases;
} tally;

static void try_pair(tally *of, disk *sound, const forged_file *file,
                     const size_t fields[2], const uint64_t values[2])
{
    disk *on = disk_copy(sound);
    int error;
    forge(on, file, fields, values);
    const char *wrong = judge(on, of->keeps_leases, &error);
    for (int i = 0; i < 2 && wrong == NULL && error == SEENSET_OK; i++) {
        const test_field *field = &file->fields[fields[i]];
        size_t size_bytes;
        uint8_t *bytes = bytes_of(sound, file, &size_bytes);
        if (!field->may_differ &&
            values[i] != ss_bits_load(bytes + field->at, field->size_bytes))
            wrong = "a field was believed that must not differ";
    }
    if (wrong != NULL)
        fail_msg("%s = %llx, %s = %llx: %s", file->fields[fields[0]].name,
                 (unsigned long long)values[0], file->fields[fields[1]].name,
                 (unsigned long long)values[1], wrong);
    of->opened += error == SEENSET_OK;
    of->refused += error != SEENSET_OK;
    disk_free(on);
}

/* Two fields at all their values; `step` above 1 leaves most pairs out, but
 * no field alone. */
static void try_fields(tally *of, disk *sound, const forged_file *file,
                       const size_t fields[2], size_t step)
{
    size_t size_bytes, number = fields[0] + fields[1];
    const uint8_t *bytes = bytes_of(sound, file, &size_bytes);
    uint64_t values[2];
    for (size_t i = 0; value_of(bytes, &file->fields[fields[0]], i, &values[0]);
         i++) {
        for (size_t j = 0;
             value_of(bytes, &file->fields[fields[1]], j, &values[1]); j++) {
            bool is_alone = fields[1] == 0 && j == 0;
            if (is_alone || (i > 0 && j > 0 && number++ % step == 0))
                try_pair(of, sound, file, fields, values);
        }
    }
}

static void try_file(const forged_file *file, bool keeps_leases, size_t step)
{
    disk *sound = make_disk(file->has_snapshots);
    tally of = {.keeps_leases = keeps_leases};
    for (size_t a = 1; a < file->field_count; a++) {
        for (size_t b = 0; b < a; b++) {
            const size_t fields[2] = {a, b};
            try_fields(&of, sound, file, fields, step);
        }
    }
    assert_true(of.opened > 0);
    printf("  %s: %llu refused, %llu opened and used\n", file->prefix,
           (unsigned long long)of.refused, (unsigned long long)of.opened);
    disk_free(sound);
}

static void manifests_are_doubted(void **state)
{
    size_t step = *(const size_t *)*state;
    try_file(&manifest_alone, false, step);
    try_file(&manifest, false, 16 * step);
}

static void states_are_doubted(void **state)
{
    size_t step = *(const size_t *)*state;
    try_file(&state_file, false, step);
    try_file(&state_file, true, step);
}

/* Planted: a queue that counts items which never were, and one that hands out
 * the same ones without end. */
static void unsafe_queues_are_caught(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        disk *on = make_disk(true);
        test_memory memory;
        seenset_queue *queue;
        assert_int_equal(open_limited(on, &memory, false, &queue), SEENSET_OK);
        queue->items.unacked_items += i == 1 ? ITEMS : 0;
        queue->items.lease_ns = i == 2 ? 0 : queue->items.lease_ns;
        const char *wrong = use(queue);
        assert_true((wrong != NULL) == (i > 0));
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

int main(int argc, char **argv)
{
    size_t step = argc > 1 ? strtoul(argv[1], NULL, 10) : 64;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(manifests_are_doubted, &step),
        cmocka_unit_test_prestate(states_are_doubted, &step),
        cmocka_unit_test(unsafe_queues_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
