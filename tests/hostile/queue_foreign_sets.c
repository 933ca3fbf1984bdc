/*
 * queue_foreign_sets.c - a queue and a set of another kind: one that lies under
 * the name of the queue's own, and one that a queue cannot have.
 *
 * A set in the folder is a cache. One that the MANIFEST does not ask for is as
 * good as unreadable, however sound its file is: an open goes by the log, a
 * verify names it, a repair removes it. Believed, it would call new URLs seen,
 * or take none in.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdlib.h>
#include <string.h>

#include "queue/handle.h"
#include "queue_disk.h"
#include "queue/manifest.h"
#include "queue_model.h"

enum {
    ITEMS = 40,  /* half of them before the snapshot */
    KEYS = 2000, /* of a set that was put there */
    PLAIN = 0,
    SIZED = 1
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "another";

/* What the two queues' sets are to be. */
static const seenset_options kinds[] = {
    [PLAIN] = {.capacity_items = 5000, .fp_rate = 1e-6},
    [SIZED] = {
        .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100000, .hash_count = 7}};

/* ---- sets ---- */

typedef struct other {
    const char *name;
    seenset_options options;
    int kind;       /* of the queue that it is put into */
    bool is_sealed; /* made of all its keys at once */
} other;

static const other others[] = {
    {"sealed", {.fp_rate = 1e-6}, PLAIN, true},
    {"keyed",
     {.capacity_items = 5000, .fp_rate = 1e-6, .secret = secret},
     PLAIN,
     false},
    {"another capacity",
     {.capacity_items = 5001, .fp_rate = 1e-6},
     PLAIN,
     false},
    {"another rate", {.capacity_items = 5000, .fp_rate = 1e-5}, PLAIN, false},
    {"classic",
     {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 5000, .fp_rate = 1e-6},
     PLAIN,
     false},
    {"counting",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .capacity_items = 5000,
      .fp_rate = 1e-6},
     PLAIN,
     false},
    {"degrades",
     {.on_full = SEENSET_ON_FULL_DEGRADE,
      .capacity_items = 5000,
      .fp_rate = 1e-6},
     PLAIN,
     false},
    {"refuses",
     {.on_full = SEENSET_ON_FULL_REFUSE,
      .capacity_items = 5000,
      .fp_rate = 1e-6},
     PLAIN,
     false},
    {"rotates",
     {.on_full = SEENSET_ON_FULL_ROTATE,
      .capacity_items = 5000,
      .fp_rate = 1e-6},
     PLAIN,
     false},
    {"of a scheme",
     {.layout = SEENSET_LAYOUT_BLOOM,
      .size_bits = 100000,
      .hash_count = 7,
      .scheme = SEENSET_SCHEME_MD5_DIVMOD},
     SIZED,
     false},
    {"another size",
     {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100064, .hash_count = 7},
     SIZED,
     false},
    {"other bits a key",
     {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100000, .hash_count = 6},
     SIZED,
     false},
    {"the default", {0}, SIZED, false},
};

static const other own[] = {
    {"its own", {.capacity_items = 5000, .fp_rate = 1e-6}, PLAIN, false},
    {"its own, sized",
     {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100000, .hash_count = 7},
     SIZED,
     false}};

/* With KEYS that are no URLs of the model's. */
static seenset *make_set(const other *of)
{
    uint64_t hashes[KEYS];
    seenset *set = NULL;
    for (uint64_t i = 0; i < KEYS; i++)
        hashes[i] = test_mix(i);
    if (of->is_sealed) {
        assert_int_equal(
            seenset_build_sealed_hashes(&set, &of->options, hashes, KEYS, NULL),
            SEENSET_OK);
        return set;
    }
    set = test_make(of->options);
    for (uint64_t i = 0; i < KEYS; i++)
        assert_true(seenset_add(set, &hashes[i], sizeof hashes[i]) >= 0);
    return set;
}

/* ---- queues ---- */

static seenset_queue_options options_of(const other *of)
{
    return (seenset_queue_options){.set = &kinds[of->kind]};
}

/* Puts bytes in the place of all that a file has. */
static void replace(disk *on, const char *name, const uint8_t *bytes,
                    size_t size_bytes)
{
    size_t *length;
    (void)disk_file(on, name, &length);
    *length = 0;
    disk_put(on, name, 0, bytes, size_bytes);
}

/* A queue with ITEMS items and, under the name of its snapshot, that set. */
static disk *make_disk(const other *of)
{
    disk *on = disk_new();
    seenset_queue *queue;
    seenset_queue_options options = options_of(of);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(model_push(queue, 0, ITEMS / 2), ITEMS / 2);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(model_push(queue, ITEMS / 2, ITEMS), ITEMS / 2);
    disk *killed = disk_copy(on);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);

    size_t size_bytes;
    seenset *set = make_set(of);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    replace(killed, disk_name(killed, "set-", 0), bytes, size_bytes);
    free(bytes);
    seenset_free(set);
    return killed;
}

/* How many of its items a queue calls new again; it has all of them, and takes
 * in what it never had. */
static int count_forgotten(disk *on, const other *of)
{
    seenset_queue *queue;
    seenset_queue_options options = options_of(of);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    assert_int_equal(model_drain(queue, NULL), ITEMS);
    int forgotten = model_push(queue, 0, ITEMS);
    assert_int_equal(model_push(queue, ITEMS, 2 * ITEMS), ITEMS);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return forgotten;
}

static void check_other(const other *of)
{
    seenset_queue_report report;
    disk *on = make_disk(of), *opened = disk_copy(on);
    assert_int_equal(count_forgotten(opened, of), 0);
    disk_free(opened);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_EDAMAGED);
    assert_string_equal(report.file, disk_name(on, "set-", 0));
    assert_string_equal(report.reason, "the set is of another kind");
    assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_OK);
    assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                     SEENSET_OK);
    assert_int_equal(count_forgotten(on, of), 0);
    disk_free(on);
}

static void sets_of_another_kind_are_not_believed(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(others); i++) {
        print_message("%s\n", others[i].name);
        check_other(&others[i]);
    }
}

/* Planted: a set of the right kind that forgot all is believed, and seen to
 * have forgotten. */
static void a_set_of_its_own_kind_is_believed(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(own); i++) {
        seenset_queue_report report;
        disk *on = make_disk(&own[i]);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                         SEENSET_OK);
        assert_int_equal(count_forgotten(on, &own[i]), ITEMS / 2);
        disk_free(on);
    }
}

/* Where the log no longer tells what the set held, nobody guesses. */
static void the_log_has_to_be_there_instead(void **state)
{
    (void)state;
    size_t *size_bytes;
    seenset_queue *queue = NULL;
    seenset_queue_report report;
    seenset_queue_options options = options_of(&others[0]);
    disk *on = make_disk(&others[0]);
    const uint8_t *log = disk_file(on, "log-0000000000000000", &size_bytes);
    disk_put(on, "log-0000000000000400", 0, log, *size_bytes);
    assert_int_equal(
        disk_io(on)->unlink(on, DISK_FOLDER "/log-0000000000000000"), 0);
    options.report = &report;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_EDAMAGED);
    assert_null(queue);
    assert_string_equal(report.reason,
                        "the log before this file is missing or incomplete");
    disk_free(on);
}

/* ---- what a queue cannot have ---- */

typedef struct impossible {
    const char *name;
    int error; /* of making a queue; an existing one was made with others */
    seenset_options set;
} impossible;

static void any_index(void *context, const void *key, size_t key_len,
                      uint64_t size_bits, uint32_t hash_count,
                      uint64_t *indices)
{
    (void)context;
    (void)key;
    (void)key_len;
    (void)size_bits;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = i;
}

static const impossible impossibles[] = {
    {"a secret", SEENSET_EUNSUPPORTED, {.secret = secret}},
    {"a scheme", SEENSET_EUNSUPPORTED, {.scheme = SEENSET_SCHEME_MD5_DIVMOD}},
    {"indices", SEENSET_EUNSUPPORTED, {.index_function = any_index}},
    {"threads", SEENSET_EUNSUPPORTED, {.flags = SEENSET_SHARED}},
    {"counters",
     SEENSET_EUNSUPPORTED,
     {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 16}},
    {"a window",
     SEENSET_EUNSUPPORTED,
     {.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 3}},
    {"an age",
     SEENSET_EUNSUPPORTED,
     {.on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 60}},
    {"no rate", SEENSET_EINVAL, {.capacity_items = 100, .fp_rate = 2}},
    {"too many",
     SEENSET_ETOOBIG,
     {.capacity_items = UINT64_C(1) << 52, .fp_rate = 0.01}},
    {"too sure", SEENSET_ERATE, {.capacity_items = 100, .fp_rate = 1e-300}},
    {"no such layout", SEENSET_EINVAL, {.layout = (seenset_layout)99}},
    {"too large",
     SEENSET_ENOMEM,
     {.capacity_items = UINT64_C(1) << 45, .fp_rate = 0.01}},
};

/* A queue with nothing in it. */
static void close_new(disk *on)
{
    assert_int_equal(
        seenset_queue_close(model_open(on, (seenset_queue_options){0})),
        SEENSET_OK);
}

/* It is said before anything is written: the folder can be used as it is. */
static void a_queue_that_cannot_be_is_not_made(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(impossibles); i++) {
        disk *on = disk_new();
        test_memory memory;
        seenset_queue *queue = NULL;
        seenset_options set = impossibles[i].set;
        const seenset_queue_options options = {.set = &set};
        print_message("%s\n", impossibles[i].name);
        test_memory_init(&memory);
        memory.most_bytes = 64 << 20;
        set.allocator = &memory.allocator;
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
            impossibles[i].error);
        assert_null(queue);
        assert_int_equal(memory.live_blocks, 0);
        assert_null(disk_name(on, "MANIFEST", 0));
        assert_null(disk_name(on, "log-", 0));
        close_new(on);
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
            SEENSET_EMISMATCH);
        disk_free(on);
    }
}

/* A manifest that names such a set is no manifest, though its sum is right. */
static void a_manifest_of_such_a_queue_is_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(impossibles); i++) {
        int error = impossibles[i].error;
        if (error == SEENSET_EUNSUPPORTED || error == SEENSET_ENOMEM)
            continue; /* has no place there; is possible elsewhere */
        ss_manifest manifest;
        size_t *size_bytes;
        seenset_queue *queue = NULL;
        seenset_queue_report report;
        disk *on = disk_new();
        close_new(on);
        uint8_t *bytes = disk_file(on, "MANIFEST", &size_bytes);
        assert_int_equal(ss_manifest_decode(&manifest, bytes, *size_bytes),
                         SEENSET_OK);
        manifest.set = impossibles[i].set;
        ss_manifest_encode(&manifest, bytes);
        const seenset_queue_options options = {.report = &report};
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
            SEENSET_EDAMAGED);
        assert_string_equal(report.file, "MANIFEST");
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                         SEENSET_EDAMAGED);
        assert_string_equal(report.file, "MANIFEST");
        disk_free(on);
    }
}

/* What a queue has in any case may be asked for by its name. */
static void the_default_scheme_may_be_named(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {
        .set = &(const seenset_options){.scheme = SEENSET_SCHEME_CHAIN}};
    for (int i = 0; i < 2; i++) { /* when it is made, and when it is there */
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
            SEENSET_OK);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    }
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_of_another_kind_are_not_believed),
        cmocka_unit_test(a_set_of_its_own_kind_is_believed),
        cmocka_unit_test(the_log_has_to_be_there_instead),
        cmocka_unit_test(a_queue_that_cannot_be_is_not_made),
        cmocka_unit_test(a_manifest_of_such_a_queue_is_damaged),
        cmocka_unit_test(the_default_scheme_may_be_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
