/*
 * attack.c - an adversary who knows the code and chooses the keys, against
 * sets with and without a secret (Gerbet, Kumar & Lauradoux 2015).
 *
 * Pollution: of many candidates he adds only those that set k fresh bits each.
 * The bits then fill faster than random keys fill them: n keys set n k of the
 * m bits, a share of ln 2 at the best k, and the rate is (ln 2)^k instead of
 * 2^-k. Forgery: he looks for keys never added that are answered "seen". Both
 * need him to compute the places of a key. Without a secret anybody can; with
 * one, what he chose is no better than chance.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hash/xxh3.h"
#include "support.h"

enum {
    CAPACITY = 2000
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "not known to him";

static seenset *make(bool is_keyed)
{
    seenset *set = NULL;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = CAPACITY,
                               .fp_rate = 0.01,
                               .secret = is_keyed ? secret : NULL};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

/* Would the key set k bits that nobody set before? If so it does. */
static bool takes_fresh_bits(uint8_t *taken, uint64_t size_bits, uint32_t k,
                             uint64_t key)
{
    uint64_t places[SEENSET_MAX_HASH_COUNT];
    uint64_t x = ss_hash_key(&key, sizeof key);
    for (uint32_t i = 0; i < k; i++) {
        places[i] = ss_hash_range(x, size_bits);
        x = ss_hash_step(x);
        for (uint32_t j = 0; j < i; j++) {
            if (places[j] == places[i])
                return false;
        }
        if (taken[places[i]])
            return false;
    }
    for (uint32_t i = 0; i < k; i++)
        taken[places[i]] = 1;
    return true;
}

/* CAPACITY keys that each set k fresh bits: docs/format.md says how to
 * compute them. */
static void find_polluting_keys(uint64_t keys[CAPACITY])
{
    seenset *set = make(false);
    seenset_stats stats = test_stats_of(set);
    seenset_free(set);
    uint8_t *taken = calloc(stats.size_bits, 1);
    assert_non_null(taken);
    uint64_t candidate = 0;
    for (size_t found = 0; found < CAPACITY; candidate++) {
        uint64_t key = test_mix(candidate);
        if (takes_fresh_bits(taken, stats.size_bits, stats.hash_count, key))
            keys[found++] = key;
    }
    free(taken);
}

static double rate_after(bool is_keyed, const uint64_t keys[CAPACITY])
{
    seenset *set = make(is_keyed);
    for (size_t i = 0; i < CAPACITY; i++)
        assert_true(seenset_add(set, &keys[i], sizeof keys[i]) >= 0);
    double rate = test_stats_of(set).current_fp_rate;
    seenset_free(set);
    return rate;
}

static void attack_pollutes_what_has_no_secret(void **state)
{
    static uint64_t keys[CAPACITY];
    (void)state;
    seenset *set = make(false);
    seenset_stats stats = test_stats_of(set);
    seenset_free(set);
    find_polluting_keys(keys);
    double k = stats.hash_count;
    double filled = CAPACITY * k / (double)stats.size_bits;
    double polluted = rate_after(false, keys);
    assert_true(test_is_near(polluted, pow(filled, k), 1e-9));
    assert_true(test_is_near(filled, 0.6931, 0.06)); /* k is a whole number */
    assert_true(polluted > 5 * stats.fp_rate);
    /* the same keys where he could not compute their bits */
    double honest = rate_after(true, keys);
    assert_true(honest < 1.25 * stats.fp_rate);
    assert_true(honest > 0.8 * stats.fp_rate);
}

/* 100 keys that were never added and are answered "seen". */
static void find_forgeries(const seenset *set, uint64_t forged[100])
{
    uint64_t candidate = UINT64_C(1) << 40;
    for (size_t found = 0; found < 100; candidate++) {
        uint64_t x = test_mix(candidate);
        if (seenset_has(set, &x, sizeof x))
            forged[found++] = x;
    }
}

static void attack_forges_no_member_of_a_keyed_set(void **state)
{
    (void)state;
    uint64_t forged[100];
    seenset *open_to_all = make(false);
    seenset *keyed = make(true);
    for (uint64_t i = 0; i < CAPACITY; i++) {
        uint64_t x = test_mix(i);
        seenset_add(open_to_all, &x, sizeof x);
        seenset_add(keyed, &x, sizeof x);
    }
    find_forgeries(open_to_all, forged);
    uint64_t accepted = 0;
    for (size_t i = 0; i < 100; i++)
        accepted += (uint64_t)seenset_has(keyed, &forged[i], sizeof *forged);
    double rate = test_stats_of(keyed).current_fp_rate;
    assert_true(test_is_binomial(accepted, 100, rate));
    /* the check can fail: on the set they were made for, all are accepted */
    assert_false(test_is_binomial(100, 100, rate));
    seenset_free(open_to_all);
    seenset_free(keyed);
}

/* ---- what is left in memory ---- */

/* Counts the blocks, given back and still held, that have the secret. */
typedef struct watcher {
    unsigned char *blocks[8];
    size_t sizes[8];
    size_t count, released_with_secret;
} watcher;

static bool has_secret(const unsigned char *block, size_t size_bytes)
{
    for (size_t i = 0; i + sizeof secret <= size_bytes; i++)
        if (memcmp(block + i, secret, sizeof secret) == 0)
            return true;
    return false;
}

static void *watched_allocate(void *context, size_t size_bytes,
                              size_t alignment_bytes)
{
    watcher *watch = context;
    size_t padding = alignment_bytes - size_bytes % alignment_bytes;
    unsigned char *block = aligned_alloc(alignment_bytes, size_bytes + padding);
    assert_non_null(block);
    assert_true(watch->count < TEST_COUNT(watch->blocks));
    memset(block, 0, size_bytes);
    watch->blocks[watch->count] = block;
    watch->sizes[watch->count++] = size_bytes;
    return block;
}

static void watched_release(void *context, void *memory, size_t size_bytes)
{
    watcher *watch = context;
    watch->released_with_secret += has_secret(memory, size_bytes);
    for (size_t i = 0; i < watch->count; i++)
        if (watch->blocks[i] == memory)
            watch->sizes[i] = 0;
    free(memory);
}

static size_t held_with_secret(const watcher *watch)
{
    size_t found = 0;
    for (size_t i = 0; i < watch->count; i++)
        found += has_secret(watch->blocks[i], watch->sizes[i]);
    return found;
}

/* A set wipes its secret when it is freed, and its file never has it. */
static void attack_finds_no_secret_left_behind(void **state)
{
    watcher watch = {.count = 0};
    seenset_allocator allocator = {watched_allocate, watched_release, &watch};
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = CAPACITY,
                               .secret = secret,
                               .allocator = &allocator};
    seenset *set = NULL;
    size_t size_bytes;
    (void)state;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    assert_int_equal(held_with_secret(&watch), 1); /* the search can find it */
    assert_int_equal(seenset_add(set, "key", 3), 1);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    assert_false(has_secret(bytes, size_bytes));
    free(bytes);
    seenset_free(set);
    assert_int_equal(watch.released_with_secret, 0);
    assert_int_equal(held_with_secret(&watch), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attack_pollutes_what_has_no_secret),
        cmocka_unit_test(attack_forges_no_member_of_a_keyed_set),
        cmocka_unit_test(attack_finds_no_secret_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
