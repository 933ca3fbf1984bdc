/*
 * flags.c - a call refuses each flag that it does not take, and each reserved
 * field that is not 0, with SEENSET_EINVAL; and no two flags are one bit. A row
 * is a call with the flags that it takes.
 */
#include <stdlib.h>

#include "seenset/queue.h"
#include "support.h"

#define SET_FLAGS                                                              \
    (SEENSET_FLAG_SHARED | SEENSET_FLAG_SLIDING | SEENSET_FLAG_ZEROED |        \
     SEENSET_FLAG_ANY_RATE)
#define OPEN_FLAGS                                                             \
    (SEENSET_OPEN_COPY | SEENSET_OPEN_UNCHECKED | SEENSET_OPEN_APPEND |        \
     SEENSET_OPEN_WITHOUT_JOURNAL | SEENSET_OPEN_WITHOUT_SECRET)
#define QUEUE_FLAGS                                                            \
    (SEENSET_QUEUE_MUST_EXIST | SEENSET_QUEUE_KEEP_LEASES |                    \
     SEENSET_QUEUE_EXACT | SEENSET_QUEUE_SET_AT_ONCE)

/* A set's file and bytes, and a folder with a queue that is not open. */
typedef struct place {
    test_folder folder, queue;
    char file[TEST_PATH_BYTES], none[TEST_PATH_BYTES];
    uint8_t *bytes;
    size_t size_bytes;
} place;

typedef struct row {
    const char *name;
    uint32_t own;
    int (*call)(const place *at, uint32_t flags);
} row;

static int finish(seenset *set, int error)
{
    seenset_free(set);
    return error;
}

/* ---- sets ---- */

static int call_new(const place *at, uint32_t flags)
{
    const seenset_options options = {.on_full = SEENSET_ON_FULL_ROTATE,
                                     .capacity_items = 100,
                                     .flags = flags};
    seenset *set = NULL;
    (void)at;
    int error = seenset_new(&set, &options);
    return finish(set, error);
}

static int call_from_bits(const place *at, uint32_t flags)
{
    const seenset_options options = {
        .layout = SEENSET_LAYOUT_BLOOM, .hash_count = 3, .flags = flags};
    const uint8_t bits[64] = {1};
    seenset *set = NULL;
    (void)at;
    int error = seenset_from_bits(&set, &options, bits, sizeof bits);
    return finish(set, error);
}

static int call_build_sealed(const place *at, uint32_t flags)
{
    const seenset_options options = {.flags = flags};
    const seenset_key key = {"a", 1};
    seenset *set = NULL;
    (void)at;
    int error = seenset_build_sealed(&set, &options, &key, 1, NULL, NULL);
    return finish(set, error);
}

static int call_build_sealed_hashes(const place *at, uint32_t flags)
{
    const seenset_options options = {.flags = flags};
    uint64_t hash = 1;
    seenset *set = NULL;
    (void)at;
    int error =
        seenset_build_sealed_hashes(&set, &options, &hash, 1, NULL, NULL);
    return finish(set, error);
}

/* ---- files ---- */

static int call_open(const place *at, uint32_t flags)
{
    const seenset_open_options options = {.flags = flags};
    seenset *set = NULL;
    int error = seenset_open(&set, at->file, &options);
    return finish(set, error);
}

static int call_open_bytes(const place *at, uint32_t flags)
{
    const seenset_open_options options = {.flags = flags};
    seenset *set = NULL;
    int error = seenset_open_bytes(&set, at->bytes, at->size_bytes, &options);
    return finish(set, error);
}

static int64_t read_nothing(void *context, void *bytes, size_t size_bytes)
{
    (void)context, (void)bytes, (void)size_bytes;
    return 0;
}

static int call_read(const place *at, uint32_t flags)
{
    const seenset_open_options options = {.flags = flags};
    seenset *set = NULL;
    (void)at;
    int error = seenset_read(&set, read_nothing, NULL, &options);
    return finish(set, error);
}

static int call_compact(const place *at, uint32_t flags)
{
    const seenset_open_options options = {.flags = flags};
    return seenset_compact(at->file, &options);
}

/* ---- queues ---- */

static int open_queue(const seenset_queue_options *options)
{
    seenset_queue *queue = NULL;
    int error = seenset_queue_open(&queue, NULL, options);
    if (error == SEENSET_OK)
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return error;
}

/* MUST_EXIST is not for a queue in memory. */
static int call_queue_open(const place *at, uint32_t flags)
{
    const seenset_queue_options options = {.flags = flags};
    (void)at;
    return open_queue(&options);
}

static int call_queue_set(const place *at, uint32_t flags)
{
    const seenset_options set = {.on_full = SEENSET_ON_FULL_ROTATE,
                                 .capacity_items = 100,
                                 .flags = flags};
    const seenset_queue_options options = {.set = &set};
    (void)at;
    return open_queue(&options);
}

static int call_look(const place *at, uint32_t flags)
{
    const seenset_queue_options options = {.flags = flags};
    seenset_queue_stats stats;
    return seenset_queue_look(at->queue.path, &options, &stats, sizeof stats,
                              NULL, 0);
}

static int visit(void *context, const seenset_queue_listed *item)
{
    (void)context, (void)item;
    return 0;
}

static int call_look_list(const place *at, uint32_t flags)
{
    const seenset_queue_options options = {.flags = flags};
    return seenset_queue_look_list(at->queue.path, &options, visit, NULL);
}

static int call_verify(const place *at, uint32_t flags)
{
    const seenset_queue_options options = {.flags = flags};
    return seenset_queue_verify(at->queue.path, &options);
}

static int call_repair(const place *at, uint32_t flags)
{
    const seenset_queue_options options = {.flags = flags};
    return seenset_queue_repair(at->queue.path, &options);
}

static int remake(const place *at, const seenset_queue_remake_options *options)
{
    return seenset_queue_remake(at->none, at->none, options, NULL, 0);
}

static int call_remake(const place *at, uint32_t flags)
{
    const seenset_queue_remake_options options = {.flags = flags};
    return remake(at, &options);
}

static int call_remake_from(const place *at, uint32_t flags)
{
    const seenset_queue_options from = {.flags = flags};
    const seenset_queue_remake_options options = {.from = &from};
    return remake(at, &options);
}

static int call_remake_to(const place *at, uint32_t flags)
{
    const seenset_queue_options to = {.flags = flags};
    const seenset_queue_remake_options options = {.to = &to};
    return remake(at, &options);
}

static int in_queue(int (*call)(seenset_queue *queue, uint32_t flags),
                    uint32_t flags)
{
    seenset_queue *queue = NULL;
    assert_int_equal(seenset_queue_open(&queue, NULL, NULL), SEENSET_OK);
    int error = call(queue, flags);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return error;
}

static int push(seenset_queue *queue, uint32_t flags)
{
    const seenset_queue_entry entry = {.url = "a", .url_len = 1};
    const seenset_queue_push_options options = {.flags = flags};
    return seenset_queue_push_many(queue, &entry, 1, &options, NULL);
}

static int call_push_many(const place *at, uint32_t flags)
{
    (void)at;
    return in_queue(push, flags);
}

static int nack(seenset_queue *queue, uint32_t flags)
{
    const seenset_queue_nack_options options = {.flags = flags};
    return seenset_queue_nack(queue, 1, &options);
}

static int call_nack(const place *at, uint32_t flags)
{
    (void)at;
    return in_queue(nack, flags);
}

static int call_politeness(const place *at, uint32_t flags)
{
    const seenset_queue_politeness polite = {.flags = flags};
    const seenset_queue_options options = {.politeness = &polite};
    (void)at;
    return open_queue(&options);
}

/* A queue that is not to be polite has no other rules; so it has no other flag,
 * either. */
static int call_remake_politeness(const place *at, uint32_t flags)
{
    const seenset_queue_politeness polite = {.flags = flags};
    const seenset_queue_options to = {.politeness = &polite};
    const seenset_queue_remake_options options = {.to = &to};
    return remake(at, &options);
}

static int call_set_host(const place *at, uint32_t flags)
{
    const seenset_queue_host_settings settings = {.flags = flags, .budget = 1};
    const seenset_queue_politeness polite = {0};
    const seenset_queue_options options = {.politeness = &polite};
    seenset_queue *queue = NULL;
    (void)at;
    assert_int_equal(seenset_queue_open(&queue, NULL, &options), SEENSET_OK);
    int error = seenset_queue_set_host(queue, "a.example", 9, &settings);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return error;
}

static const row rows[] = {
    {"seenset_new", SET_FLAGS, call_new},
    {"seenset_from_bits", SET_FLAGS & ~SEENSET_FLAG_SLIDING, call_from_bits},
    {"seenset_build_sealed", 0, call_build_sealed},
    {"seenset_build_sealed_hashes", 0, call_build_sealed_hashes},
    {"seenset_open", OPEN_FLAGS, call_open},
    {"seenset_open_bytes", OPEN_FLAGS & ~SEENSET_OPEN_APPEND, call_open_bytes},
    {"seenset_read",
     SEENSET_OPEN_COPY | SEENSET_OPEN_WITHOUT_JOURNAL |
         SEENSET_OPEN_WITHOUT_SECRET,
     call_read},
    {"seenset_compact", SEENSET_OPEN_WITHOUT_JOURNAL, call_compact},
    {"seenset_queue_open", QUEUE_FLAGS & ~SEENSET_QUEUE_MUST_EXIST,
     call_queue_open},
    {"seenset_queue_options.set", SET_FLAGS, call_queue_set},
    {"seenset_queue_look", QUEUE_FLAGS, call_look},
    {"seenset_queue_look_list", QUEUE_FLAGS, call_look_list},
    {"seenset_queue_verify", QUEUE_FLAGS, call_verify},
    {"seenset_queue_repair", QUEUE_FLAGS, call_repair},
    {"seenset_queue_remake", SEENSET_QUEUE_FORGET_SEEN, call_remake},
    {"seenset_queue_remake_options.from", QUEUE_FLAGS, call_remake_from},
    {"seenset_queue_remake_options.to", QUEUE_FLAGS, call_remake_to},
    {"seenset_queue_push_many", SEENSET_QUEUE_AGAIN | SEENSET_QUEUE_SEEN_ONLY,
     call_push_many},
    {"seenset_queue_nack", SEENSET_QUEUE_UNTRIED | SEENSET_QUEUE_VISITED,
     call_nack},
    {"seenset_queue_politeness", SEENSET_QUEUE_DELAY_FROM_START,
     call_politeness},
    {"seenset_queue_politeness, of a remake",
     SEENSET_QUEUE_DELAY_FROM_START | SEENSET_QUEUE_NOT_POLITE,
     call_remake_politeness},
    {"seenset_queue_set_host",
     SEENSET_QUEUE_HOST_DELAY | SEENSET_QUEUE_HOST_BLOCK |
         SEENSET_QUEUE_HOST_BUDGET,
     call_set_host},
};

/* The first bit that a call treats otherwise than its row says, or -1. */
static int first_wrong(const place *at, const row *of)
{
    for (int bit = 0; bit < 32; bit++) {
        uint32_t flag = UINT32_C(1) << bit;
        bool is_refused = of->call(at, flag) == SEENSET_EINVAL;
        if (is_refused == ((of->own & flag) != 0))
            return bit;
    }
    return -1;
}

static void foreign_flags_are_refused(void **state)
{
    const place *at = *state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        int bit = first_wrong(at, &rows[i]);
        if (bit >= 0)
            print_message("%s: bit %d\n", rows[i].name, bit);
        assert_int_equal(bit, -1);
    }
}

/* ---- planted: a call that takes too much, or too little, is found ---- */

static int take_all(const place *at, uint32_t flags)
{
    (void)at, (void)flags;
    return SEENSET_OK;
}

static int take_none(const place *at, uint32_t flags)
{
    (void)at, (void)flags;
    return SEENSET_EINVAL;
}

static void a_call_that_takes_other_flags_is_found(void **state)
{
    const row greedy = {"greedy", 1, take_all},
              strict = {"strict", 4, take_none};
    assert_int_equal(first_wrong(*state, &greedy), 1);
    assert_int_equal(first_wrong(*state, &strict), 2);
}

/* ---- one space ---- */

static void flags_are_different_bits(void **state)
{
    static const uint32_t all[] = {
        SEENSET_FLAG_SHARED,       SEENSET_FLAG_SLIDING,
        SEENSET_FLAG_ZEROED,       SEENSET_FLAG_ANY_RATE,
        SEENSET_OPEN_COPY,         SEENSET_OPEN_UNCHECKED,
        SEENSET_OPEN_APPEND,       SEENSET_OPEN_WITHOUT_JOURNAL,
        SEENSET_QUEUE_MUST_EXIST,  SEENSET_QUEUE_KEEP_LEASES,
        SEENSET_QUEUE_EXACT,       SEENSET_QUEUE_SET_AT_ONCE,
        SEENSET_QUEUE_AGAIN,       SEENSET_QUEUE_SEEN_ONLY,
        SEENSET_QUEUE_UNTRIED,     SEENSET_QUEUE_FORGET_SEEN,
        SEENSET_QUEUE_NOT_POLITE,  SEENSET_QUEUE_DELAY_FROM_START,
        SEENSET_QUEUE_HOST_DELAY,  SEENSET_QUEUE_HOST_BLOCK,
        SEENSET_QUEUE_HOST_BUDGET, SEENSET_QUEUE_VISITED};
    uint32_t taken = 0;
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(all); i++) {
        assert_true(all[i] != 0 && (all[i] & (all[i] - 1)) == 0);
        assert_true((taken & all[i]) == 0);
        taken |= all[i];
    }
}

/* ---- reserved fields ---- */

static void reserved_fields_must_be_zero(void **state)
{
    const place *at = *state;
    seenset *set = NULL;
    seenset_plan plan = {.capacity_items = 1, .fp_rate = 0.1};
    seenset_plan_growth growth;
    plan.reserved[TEST_COUNT(plan.reserved) - 1] = 1;
    assert_int_equal(seenset_plan_solve(&plan), SEENSET_EINVAL);
    assert_int_equal(
        seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_MURMUR3_128, NULL),
        SEENSET_EINVAL);
    assert_int_equal(seenset_plan_grown(&plan, 10, &growth, sizeof growth),
                     SEENSET_EINVAL);
    seenset_options making = {.reserved32 = 1};
    const seenset_queue_options of_set = {.set = &making};
    assert_int_equal(seenset_new(&set, &making), SEENSET_EINVAL);
    assert_int_equal(open_queue(&of_set), SEENSET_EINVAL);
    assert_int_equal(seenset_build_sealed(&set, &making, NULL, 0, NULL, NULL),
                     SEENSET_EINVAL);
    seenset_open_options opening = {.reserved32 = 1};
    assert_int_equal(seenset_open(&set, at->file, &opening), SEENSET_EINVAL);
    assert_int_equal(seenset_compact(at->file, &opening), SEENSET_EINVAL);
    opening = (seenset_open_options){.reserved = {0, 0, 0, 1}};
    assert_int_equal(seenset_open(&set, at->file, &opening), SEENSET_EINVAL);
    assert_int_equal(seenset_compact(at->file, &opening), SEENSET_EINVAL);
    seenset_queue_options queue = {.reserved32 = 1};
    assert_int_equal(open_queue(&queue), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_verify(at->queue.path, &queue),
                     SEENSET_EINVAL);
    queue = (seenset_queue_options){.reserved = {0, 0, 0, 0, 1}};
    assert_int_equal(open_queue(&queue), SEENSET_EINVAL);
    assert_int_equal(seenset_queue_repair(at->queue.path, &queue),
                     SEENSET_EINVAL);
    seenset_queue_politeness polite = {.reserved32 = 1};
    queue = (seenset_queue_options){.politeness = &polite};
    assert_int_equal(open_queue(&queue), SEENSET_EINVAL);
    polite = (seenset_queue_politeness){.reserved = {0, 0, 0, 1}};
    assert_int_equal(open_queue(&queue), SEENSET_EINVAL);
    assert_null(set);
}

static int make_place(void **state)
{
    static place at;
    seenset_queue *queue = NULL;
    test_folder_make(&at.folder);
    test_path(at.file, &at.folder, "a.set");
    test_folder_make(&at.queue);
    test_path(at.none, &at.folder, "none");
    seenset *set = test_make((seenset_options){.capacity_items = 100});
    assert_int_equal(seenset_save(set, at.file), SEENSET_OK);
    seenset_free(set);
    at.bytes = test_read_file(at.file, &at.size_bytes);
    assert_int_equal(seenset_queue_open(&queue, at.queue.path, NULL),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    *state = &at;
    return 0;
}

static int remove_place(void **state)
{
    place *at = *state;
    free(at->bytes);
    test_folder_remove(&at->queue);
    test_folder_remove(&at->folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foreign_flags_are_refused),
        cmocka_unit_test(a_call_that_takes_other_flags_is_found),
        cmocka_unit_test(flags_are_different_bits),
        cmocka_unit_test(reserved_fields_must_be_zero),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
