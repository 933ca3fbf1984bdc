/*
 * skew.c - sets whose keys share bits of their hashes are reported as skewed,
 * in every layout, and no other set is.
 *
 * Keys are hashes of a stream. "Upper bits" is what a program does that divides
 * keys by some bits of seenset_hash: all hashes of a set begin with the same
 * ones. A set that is not skewed is called so by a chance of 1e-9 at most; a
 * thousand of them are made here, by all that can happen to a set. The chance
 * that is reported has to be an upper bound, so a hundredth of them at most has
 * one below 0.01.
 */
#include <stdlib.h>

#include "support.h"

enum {
    MEMBERS = 20000,
    STRANGERS = 30000
};

/* ---- keys ---- */

/* Which hashes a set gets. */
typedef struct shard {
    uint32_t bits;   /* all begin with so many bits of `first`; or 0 */
    uint32_t shards; /* all are in shard 1 of so many; or 0 */
} shard;

static const uint64_t first = UINT64_C(0xB5A3C96E7D182F40);

static uint64_t hash_of(shard of, uint64_t stream, uint64_t i)
{
    uint64_t hash = test_mix(test_mix(stream) + i);
    for (uint64_t k = 1; of.shards > 0 && seenset_shard(hash, of.shards) != 1;
         k++)
        hash = test_mix(hash + k);
    if (of.bits > 0)
        hash = hash >> of.bits | first >> (64 - of.bits) << (64 - of.bits);
    return hash;
}

static void add(seenset *set, shard of, uint64_t stream, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_true(seenset_add_hash(set, hash_of(of, stream, i)) >= 0);
}

/* ---- kinds of sets ---- */

typedef struct kind {
    const char *name;
    seenset_options options;
    bool is_classic; /* a key's bits are anywhere, and upper bits do little */
} kind;

#define DEGRADE .on_full = SEENSET_ON_FULL_DEGRADE
#define ROTATE .on_full = SEENSET_ON_FULL_ROTATE, .window_generations = 4

static const kind kinds[] = {
    {"blocked", {.layout = SEENSET_LAYOUT_BLOCKED, DEGRADE}, false},
    {"split_block", {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, DEGRADE}, false},
    {"fingerprint", {.layout = SEENSET_LAYOUT_FINGERPRINT, DEGRADE}, false},
    {"grows", {.on_full = SEENSET_ON_FULL_GROW}, false},
    {"window", {ROTATE}, false},
    {"sliding window", {ROTATE, .flags = SEENSET_FLAG_SLIDING}, false},
    {"shared", {DEGRADE, .flags = SEENSET_FLAG_SHARED}, false},
    {"bloom", {.layout = SEENSET_LAYOUT_BLOOM, DEGRADE}, true},
    {"counting", {.layout = SEENSET_LAYOUT_COUNTING, DEGRADE}, true},
    {"bloom window",
     {.layout = SEENSET_LAYOUT_BLOOM, ROTATE, .flags = SEENSET_FLAG_SLIDING},
     true},
    {"three blocks a key", {.fp_rate = 1e-9, DEGRADE}, true},
    {"grows, 20 %", {.fp_rate = 0.2, .on_full = SEENSET_ON_FULL_GROW}, false},
};

static seenset *make(const kind *of, uint64_t capacity)
{
    seenset_options options = of->options;
    options.capacity_items = capacity;
    options.fp_rate = options.fp_rate > 0 ? options.fp_rate : 0.01;
    return test_make(options);
}

static seenset_estimate estimate_of(const seenset *set)
{
    seenset_estimate found;
    assert_int_equal(seenset_get_estimate(set, &found, sizeof found), 0);
    return found;
}

static seenset_uniformity uniformity_of(const seenset *set)
{
    seenset_uniformity found;
    assert_int_equal(seenset_get_uniformity(set, &found, sizeof found), 0);
    return found;
}

/* Is it reported, in all that reports it? */
static bool is_skewed(const seenset *set)
{
    seenset_uniformity found = uniformity_of(set);
    assert_int_equal(found.is_skewed, found.p_value < 1e-9);
    assert_int_equal(test_stats_of(set).is_skewed, found.is_skewed);
    return found.is_skewed;
}

/* ---- shards ---- */

static seenset *make_shard(const kind *of, shard keys)
{
    seenset *set = make(of, MEMBERS);
    add(set, keys, 1, MEMBERS);
    return set;
}

/* New keys of the same shard that are called seen. */
static uint64_t count_wrong(const seenset *set, shard keys)
{
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < STRANGERS; i++)
        wrong += seenset_has_hash(set, hash_of(keys, 2, i)) == 1;
    return wrong;
}

static void upper_bits_are_noticed_in_every_layout(void **state)
{
    static const uint32_t bits[] = {1, 4, 8};
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(kinds); k++) {
        for (size_t b = 0; b < TEST_COUNT(bits); b++) {
            seenset *set = make_shard(&kinds[k], (shard){.bits = bits[b]});
            assert_true(is_skewed(set));
            /* 1 of 256 in a classic table: for an audit only */
            if (!kinds[k].is_classic || bits[b] < 8)
                assert_int_equal(estimate_of(set).is_skewed, 1);
            seenset_free(set);
        }
    }
}

static void shards_by_seenset_shard_keep_the_rate(void **state)
{
    static const uint32_t shards[] = {2, 16, 30};
    const shard planted = {.bits = 4};
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(kinds); k++) {
        for (size_t i = 0; i < TEST_COUNT(shards); i++) {
            const shard keys = {.shards = shards[i]};
            seenset *set = make_shard(&kinds[k], keys);
            assert_true(test_is_binomial(count_wrong(set, keys), STRANGERS,
                                         test_stats_of(set).current_fp_rate));
            assert_false(is_skewed(set) || estimate_of(set).is_skewed);
            seenset_free(set);
        }
        seenset *set = make_shard(&kinds[k], planted);
        uint64_t wrong = count_wrong(set, planted);
        assert_true(kinds[k].is_classic || wrong > STRANGERS * 98 / 100);
        seenset_free(set);
    }
}

/* Its hashes are mixed again before they choose a place. */
static void sealed_sets_are_not_harmed(void **state)
{
    static uint64_t hashes[MEMBERS];
    const shard keys = {.bits = 4};
    seenset *set;
    (void)state;
    for (uint64_t i = 0; i < MEMBERS; i++)
        hashes[i] = hash_of(keys, 1, i);
    const seenset_options options = {.fp_rate = 0.01};
    assert_int_equal(seenset_build_sealed_hashes(&set, &options, hashes,
                                                 MEMBERS, NULL, NULL),
                     0);
    assert_true(test_is_binomial(count_wrong(set, keys), STRANGERS,
                                 test_stats_of(set).current_fp_rate));
    assert_int_equal(uniformity_of(set).slice_count, 0);
    assert_false(is_skewed(set) || estimate_of(set).is_skewed);
    seenset_free(set);
}

/* Bits in the middle of a hash leave holes in large tables only. */
static void bits_in_the_middle_are_noticed_by_an_audit(void **state)
{
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(kinds); k++) {
        seenset *set = make(&kinds[k], 4 * MEMBERS);
        for (uint64_t i = 0; i < 4 * MEMBERS; i++) {
            uint64_t hash = hash_of((shard){0}, 1, i);
            hash &= ~(UINT64_C(15) << 55); /* after the first 5 bits */
            assert_true(seenset_add_hash(set, hash) >= 0);
        }
        assert_true(kinds[k].is_classic || is_skewed(set));
        seenset_free(set);
    }
}

/* ---- what happens to a set ---- */

/* A set of that kind and capacity, of about `items` keys; NULL: such a set
 * cannot have that history. */
typedef seenset *history(const kind *of, shard keys, uint64_t stream,
                         uint64_t capacity, uint64_t items);

static seenset *filled(const kind *of, shard keys, uint64_t stream,
                       uint64_t capacity, uint64_t items)
{
    seenset *set = make(of, capacity);
    add(set, keys, stream, items);
    return set;
}

/* Two sets, which have half of their keys in common. */
static seenset *with_other(const kind *of, shard keys, uint64_t stream,
                           uint64_t capacity, uint64_t items,
                           int (*combine)(seenset *into, const seenset *from))
{
    seenset *set = make(of, capacity), *other = make(of, capacity);
    add(set, keys, stream, items / 2);
    add(other, keys, stream, items / 2);
    add(set, keys, stream + 1, items / 2);
    add(other, keys, stream + 2, items / 2);
    int error = combine(set, other);
    seenset_free(other);
    if (error == SEENSET_OK)
        return set;
    assert_int_equal(error, SEENSET_EUNSUPPORTED);
    seenset_free(set);
    return NULL;
}

static seenset *united(const kind *of, shard keys, uint64_t stream,
                       uint64_t capacity, uint64_t items)
{
    return with_other(of, keys, stream, capacity, items, seenset_merge);
}

static seenset *intersected(const kind *of, shard keys, uint64_t stream,
                            uint64_t capacity, uint64_t items)
{
    return with_other(of, keys, stream, capacity, items, seenset_intersect);
}

/* Of each key up to 16 copies. */
static seenset *copied(const kind *of, shard keys, uint64_t stream,
                       uint64_t capacity, uint64_t items)
{
    seenset *set = make(of, capacity);
    for (uint64_t i = 0; i < items; i++) {
        uint64_t hash = hash_of(keys, stream, i);
        for (uint64_t copies = test_mix(i) % 16; copies > 0; copies--)
            assert_true(seenset_add_hash(set, hash) >= 0);
    }
    return set;
}

static seenset *removed(const kind *of, shard keys, uint64_t stream,
                        uint64_t capacity, uint64_t items)
{
    seenset *set = filled(of, keys, stream, capacity, items);
    for (uint64_t i = 0; i < items; i++) {
        if (i % 3 == 0)
            continue;
        int rc = seenset_remove_hash(set, hash_of(keys, stream, i));
        if (rc == SEENSET_EUNSUPPORTED) {
            seenset_free(set);
            return NULL;
        }
    }
    return set;
}

/* A large one takes in a small one, and more keys come after that. */
static seenset *unequal(const kind *of, shard keys, uint64_t stream,
                        uint64_t capacity, uint64_t items)
{
    seenset *set = filled(of, keys, stream, capacity, items);
    seenset *small =
        filled(of, keys, stream + 1, capacity / 100 + 1, items / 100 + 1);
    int error = seenset_merge(set, small);
    seenset_free(small);
    if (error == SEENSET_OK) {
        add(set, keys, stream + 2, items);
        return set;
    }
    seenset_free(set);
    return NULL;
}

/* Written, and opened. */
static seenset *opened(const kind *of, shard keys, uint64_t stream,
                       uint64_t capacity, uint64_t items)
{
    seenset *set = filled(of, keys, stream, capacity, items), *copy;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    const seenset_open_options options = {.flags = SEENSET_OPEN_COPY};
    seenset_free(set);
    assert_int_equal(seenset_open_bytes(&copy, bytes, size_bytes, &options), 0);
    free(bytes);
    return copy;
}

static const struct {
    const char *name;
    history *live;
} histories[] = {
    {"filled", filled},   {"united", united},   {"intersected", intersected},
    {"copied", copied},   {"removed", removed}, {"opened", opened},
    {"unequal", unequal},
};

static const uint64_t capacities[] = {300, 3000, 30000};
static const double fills[] = {0.05, 0.4, 1.0, 4.0};

/* What was found of some sets. */
typedef struct tally {
    unsigned sets;
    unsigned skewed;
    unsigned rare; /* of a chance below a hundredth */
} tally;

static void measure(tally *found, const seenset *set)
{
    seenset_uniformity measured = uniformity_of(set);
    found->sets++;
    found->skewed += is_skewed(set);
    found->rare += measured.p_value < 0.01;
    if (measured.is_skewed == 0) /* the estimate sees less, and never more */
        assert_int_equal(estimate_of(set).is_skewed, 0);
}

static void live_once(tally *found, size_t k, size_t h, shard keys,
                      uint64_t capacity, uint64_t items)
{
    uint64_t stream = 100 * (100 * k + h) + test_mix(capacity + items) % 1000;
    seenset *set = histories[h].live(&kinds[k], keys, stream, capacity, items);
    if (set == NULL)
        return;
    measure(found, set);
    seenset_free(set);
}

static void no_history_makes_a_set_skewed(void **state)
{
    tally sound = {0};
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(kinds); k++)
        for (size_t h = 0; h < TEST_COUNT(histories); h++)
            for (size_t c = 0; c < TEST_COUNT(capacities); c++)
                for (size_t f = 0; f < TEST_COUNT(fills); f++)
                    live_once(&sound, k, h, (shard){0}, capacities[c],
                              (uint64_t)(fills[f] * (double)capacities[c]));
    assert_true(sound.sets > 700);
    assert_int_equal(sound.skewed, 0);
    assert_true(sound.rare <= sound.sets / 100);
}

/* Slots of the small one cover many units of the large one. */
static seenset *grown_together(shard keys)
{
    const seenset_options options = {.capacity_items = 1000, .fp_rate = 0.1};
    seenset *set = test_make(options), *small = test_make(options);
    add(set, keys, 1, 2000000);
    add(small, keys, 2, MEMBERS);
    assert_int_equal(seenset_merge(set, small), 0);
    add(set, keys, 3, 1000000);
    seenset_free(small);
    return set;
}

static void large_sets_that_took_in_small_ones_are_not_skewed(void **state)
{
    (void)state;
    seenset *set = grown_together((shard){0});
    assert_false(is_skewed(set) || estimate_of(set).is_skewed);
    seenset_free(set);
    set = grown_together((shard){.bits = 4}); /* planted */
    assert_true(is_skewed(set) && estimate_of(set).is_skewed);
    seenset_free(set);
}

/* Planted: the same with keys of one shard of 16 by upper bits. */
static void every_history_of_a_shard_is_noticed(void **state)
{
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(kinds); k++) {
        for (size_t h = 0; h < TEST_COUNT(histories); h++) {
            tally planted = {0};
            live_once(&planted, k, h, (shard){.bits = 4}, 3000, 3000);
            live_once(&planted, k, h, (shard){.bits = 4}, 30000, 12000);
            assert_int_equal(planted.skewed, planted.sets);
        }
    }
}

/* Of a thousand sets of a kind, ten at most have a chance below a hundredth:
 * the bound is on the safe side. */
static void chances_are_upper_bounds(void **state)
{
    (void)state;
    for (size_t k = 0; k < TEST_COUNT(kinds); k++) {
        tally found = {0};
        for (uint64_t seed = 0; seed < (kinds[k].is_classic ? 50 : 500);
             seed++) {
            seenset *set =
                filled(&kinds[k], (shard){0}, 1000000 + seed, 1000, 500 + seed);
            measure(&found, set);
            seenset_free(set);
        }
        assert_int_equal(found.skewed, 0);
        assert_true(kinds[k].is_classic || found.rare <= found.sets / 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper_bits_are_noticed_in_every_layout),
        cmocka_unit_test(shards_by_seenset_shard_keep_the_rate),
        cmocka_unit_test(sealed_sets_are_not_harmed),
        cmocka_unit_test(bits_in_the_middle_are_noticed_by_an_audit),
        cmocka_unit_test(no_history_makes_a_set_skewed),
        cmocka_unit_test(large_sets_that_took_in_small_ones_are_not_skewed),
        cmocka_unit_test(every_history_of_a_shard_is_noticed),
        cmocka_unit_test(chances_are_upper_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
