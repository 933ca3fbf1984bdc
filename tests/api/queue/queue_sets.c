/*
 * queue_sets.c - which sets a queue can have.
 *
 * For a set that it cannot have, an error is returned before anything is
 * written, so that the folder can be used as it is. A queue that exists has a
 * set already, and is not opened as if it had another.
 */
#include "seenset/queue.h"
#include "support.h"

typedef struct wanted_set {
    const char *name;
    int error; /* of making a queue; SEENSET_OK: it can have it */
    seenset_options set;
} wanted_set;

static const uint8_t secret[SEENSET_SECRET_BYTES] = "another";
static const seenset_scheme_arguments a_seed = {.seed = 7};

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

static const wanted_set sets[] = {
    {"a secret", SEENSET_OK, {.secret = secret}},
    {"a scheme", SEENSET_OK, {.scheme = SEENSET_SCHEME_MD5_DIVMOD}},
    {"indices", SEENSET_EINVAL, {.index_function = any_index}},
    {"threads", SEENSET_EUNSUPPORTED, {.flags = SEENSET_FLAG_SHARED}},
    {"a seed", SEENSET_OK, {.scheme_arguments = &a_seed}},
    {"a seed too many",
     SEENSET_EINVAL,
     {.scheme = SEENSET_SCHEME_MD5_DIVMOD, .scheme_arguments = &a_seed}},
    {"counters",
     SEENSET_OK,
     {.layout = SEENSET_LAYOUT_COUNTING, .counter_bits = 16}},
    {"a window",
     SEENSET_OK,
     {.on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 3}},
    {"an age",
     SEENSET_OK,
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

/* What opening a queue with such a set answers; no queue may come of it. */
static int open_with(const test_folder *folder, const wanted_set *of)
{
    test_memory memory;
    seenset_queue *queue = NULL;
    seenset_options set = of->set;
    const seenset_queue_options options = {.set = &set};
    test_memory_init(&memory);
    memory.most_bytes = 64 << 20;
    set.allocator = &memory.allocator;
    int error = seenset_queue_open(&queue, folder->path, &options);
    assert_null(queue);
    assert_int_equal(memory.live_blocks, 0);
    return error;
}

/* What is wrong with such a set for a queue that has another one. */
static int error_of_other(const seenset_options *set)
{
    if (set->secret != NULL)
        return SEENSET_ESECRET;
    return set->index_function != NULL ? SEENSET_EHASH : SEENSET_EMISMATCH;
}

static void a_queue_that_cannot_be_is_not_made(void **state)
{
    test_folder folder;
    seenset_queue *queue;
    (void)state;
    test_folder_make(&folder);
    for (size_t i = 0; i < TEST_COUNT(sets); i++) {
        if (sets[i].error == SEENSET_OK)
            continue;
        print_message("%s\n", sets[i].name);
        assert_int_equal(open_with(&folder, &sets[i]), sets[i].error);
        assert_in_range(test_folder_count(&folder), 0, 1); /* LOCK */
    }
    const seenset_queue_options quick = {
        .set = &(const seenset_options){.fp_rate = 0.01}};
    assert_int_equal(seenset_queue_open(&queue, folder.path, &quick),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    for (size_t i = 0; i < TEST_COUNT(sets); i++) {
        print_message("%s\n", sets[i].name);
        assert_int_equal(open_with(&folder, &sets[i]),
                         error_of_other(&sets[i].set));
    }
    test_folder_remove(&folder);
}

/* What a queue has in any case may be asked for by its name. */
static void the_default_scheme_may_be_named(void **state)
{
    test_folder folder;
    seenset_queue *queue;
    const seenset_queue_options options = {
        .set = &(const seenset_options){.scheme = SEENSET_SCHEME_CHAIN}};
    (void)state;
    test_folder_make(&folder);
    for (int i = 0; i < 2; i++) { /* when it is made, and when it is there */
        assert_int_equal(seenset_queue_open(&queue, folder.path, &options),
                         SEENSET_OK);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_that_cannot_be_is_not_made),
        cmocka_unit_test(the_default_scheme_may_be_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
