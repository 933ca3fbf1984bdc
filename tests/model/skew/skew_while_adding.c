/*
 * skew_while_adding.c - keys that other threads add while a set is measured do
 * not make it skewed, and do not hide that it is.
 *
 * A table is counted from its beginning to its end. So what is counted last has
 * more of the keys that come meanwhile, which looks like a hash that prefers
 * the end of the table. The larger the table, the longer that takes: in one of
 * 64 MiB, with one thread that adds, the deviation is thirty times what chance
 * explains. Tables of a size at which that is so on any machine are measured
 * here while a thread adds good keys, and, planted, keys of a shard.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "support.h"

enum {
    ROUNDS = TEST_STEP > 1 ? 1 : 4,
    FIRST = 700000, /* keys of the beginning */
    BATCH = 256
};

/* ---- a thread that adds ---- */

typedef struct adder {
    seenset *set;
    uint32_t shared_bits; /* all hashes begin with so many bits 0 */
    uint64_t next;        /* number of the key that comes next */
    atomic_bool is_stopped;
    atomic_uint_fast64_t added;
} adder;

static void add_batch(adder *to)
{
    uint64_t hashes[BATCH];
    for (size_t i = 0; i < BATCH; i++)
        hashes[i] = test_mix(to->next++) >> to->shared_bits;
    if (seenset_add_hash_many(to->set, hashes, BATCH, NULL) == 0)
        atomic_fetch_add(&to->added, BATCH);
}

static void *add_until_stopped(void *context)
{
    adder *to = context;
    while (!atomic_load(&to->is_stopped))
        add_batch(to);
    return NULL;
}

/* ---- sets ---- */

static const struct {
    const char *name;
    seenset_layout layout;
} layouts[] = {{"bloom", SEENSET_LAYOUT_BLOOM},
               {"blocked", SEENSET_LAYOUT_BLOCKED},
               {"split_block", SEENSET_LAYOUT_SPLIT_BLOCK}};

static seenset *make(seenset_layout layout)
{
    seenset_options options = {.layout = layout,
                               .size_bits = UINT64_C(1) << 29,
                               .on_full = SEENSET_ON_FULL_DEGRADE,
                               .flags = SEENSET_FLAG_SHARED};
    return test_make(options);
}

/* How often it is called skewed in ROUNDS looks, in each of which keys came. */
static unsigned count_skewed(seenset_layout layout, uint32_t shared_bits)
{
    adder to = {.set = make(layout), .shared_bits = shared_bits};
    while (to.next < FIRST)
        add_batch(&to);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, add_until_stopped, &to), 0);
    unsigned skewed = 0;
    for (unsigned i = 0; i < ROUNDS;) {
        uint64_t before = atomic_load(&to.added);
        seenset_uniformity found;
        assert_int_equal(seenset_get_uniformity(to.set, &found, sizeof found),
                         0);
        if (atomic_load(&to.added) == before)
            continue;
        assert_true(found.slice_count > 0);
        assert_int_equal(found.is_skewed, found.p_value < 1e-9);
        seenset_estimate estimate;
        assert_int_equal(
            seenset_get_estimate(to.set, &estimate, sizeof estimate), 0);
        skewed += found.is_skewed || estimate.is_skewed;
        i++;
    }
    atomic_store(&to.is_stopped, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    seenset_free(to.set);
    return skewed;
}

/* ---- tests ---- */

static void good_keys_that_come_meanwhile_are_no_skew(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(layouts); i++)
        assert_int_equal(count_skewed(layouts[i].layout, 0), 0);
}

static void a_shard_is_noticed_while_it_comes(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(layouts); i++)
        assert_int_equal(count_skewed(layouts[i].layout, 4), ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_keys_that_come_meanwhile_are_no_skew),
        cmocka_unit_test(a_shard_is_noticed_while_it_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
