/*
 * keyed.c - sets under a secret: each layout's bits follow from it, and with
 * another one, or none, a set is neither opened nor merged; without one it is
 * opened for its figures, if that is asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    KEYS = 2000
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen letters";
static const uint8_t other_secret[SEENSET_SECRET_BYTES] = "sixteen Letters";

static seenset *make(seenset_layout layout, const uint8_t *with)
{
    return test_make((seenset_options){.layout = layout,
                                       .on_full = SEENSET_ON_FULL_DEGRADE,
                                       .capacity_items = KEYS,
                                       .secret = with});
}

static seenset *make_full(seenset_layout layout, const uint8_t *with)
{
    seenset *set = make(layout, with);
    for (uint64_t i = 0; i < KEYS; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
    return set;
}

static uint64_t count_seen(const seenset *set)
{
    uint64_t seen = 0;
    for (uint64_t i = 0; i < KEYS; i++)
        seen += (uint64_t)seenset_has(set, &i, sizeof i);
    return seen;
}

/* ---- secrets ---- */

static void made_secrets_are_random(void **state)
{
    enum {
        COUNT = 200
    };
    uint8_t made[COUNT][SEENSET_SECRET_BYTES + 1];
    unsigned ones = 0;
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        made[i][SEENSET_SECRET_BYTES] = 0xA5;
        assert_int_equal(seenset_make_secret(made[i]), SEENSET_OK);
        assert_int_equal(made[i][SEENSET_SECRET_BYTES], 0xA5);
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(made[i], made[k], SEENSET_SECRET_BYTES);
        for (int bit = 0; bit < 8 * SEENSET_SECRET_BYTES; bit++)
            ones += made[i][bit / 8] >> (bit % 8) & 1;
    }
    assert_true(test_is_binomial(ones, COUNT * 8 * SEENSET_SECRET_BYTES, 0.5));
}

static void secret_is_copied(void **state)
{
    uint8_t mine[SEENSET_SECRET_BYTES];
    (void)state;
    memcpy(mine, secret, sizeof mine);
    seenset *set = make(SEENSET_LAYOUT_BLOCKED, mine);
    assert_int_equal(seenset_add(set, "key", 3), 1);
    memset(mine, 0, sizeof mine);
    assert_int_equal(seenset_has(set, "key", 3), 1);
    assert_int_equal(seenset_add(set, "key", 3), 0);
    seenset_free(set);
}

/* ---- what follows from them ---- */

static void bits_follow_from_the_secret(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        seenset *one = make_full(layout, secret);
        seenset *same = make_full(layout, secret);
        seenset *other = make_full(layout, other_secret);
        seenset *plain = make_full(layout, NULL);
        size_t a_bytes, b_bytes;
        assert_true(test_are_equal(one, same));
        uint8_t *a = test_bytes_of(one, &a_bytes);
        uint8_t *b = test_bytes_of(other, &b_bytes);
        size_t header = test_header_bytes(a);
        assert_int_equal(a_bytes, b_bytes);
        assert_memory_not_equal(a + header, b + header, a_bytes - header);
        free(b);
        b = test_bytes_of(plain, &b_bytes);
        assert_int_equal(a_bytes, b_bytes);
        assert_memory_not_equal(a + header, b + header, a_bytes - header);
        /* and the secret is in no file */
        for (size_t i = 0; i + SEENSET_SECRET_BYTES <= a_bytes; i++)
            assert_memory_not_equal(a + i, secret, SEENSET_SECRET_BYTES);
        assert_int_equal(count_seen(one), KEYS);
        free(a);
        free(b);
        seenset_free(one);
        seenset_free(same);
        seenset_free(other);
        seenset_free(plain);
    }
}

static void keyed_sets_open_with_their_secret_only(void **state)
{
    static const struct {
        const uint8_t *made, *opened;
        int error;
    } rows[] = {{secret, secret, SEENSET_OK},
                {secret, other_secret, SEENSET_ESECRET},
                {secret, NULL, SEENSET_ESECRET},
                {NULL, secret, SEENSET_ESECRET},
                {NULL, NULL, SEENSET_OK}};
    (void)state;
    for (size_t i = 0; i < 2 * TEST_COUNT(rows); i++) {
        size_t size_bytes, row = i / 2;
        seenset *set = make_full(SEENSET_LAYOUT_BLOCKED, rows[row].made);
        seenset *opened = NULL;
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        const seenset_open_options options = {
            .flags = i % 2 == 0 ? SEENSET_OPEN_COPY : 0,
            .secret = rows[row].opened};
        assert_int_equal(
            seenset_open_bytes(&opened, bytes, size_bytes, &options),
            rows[row].error);
        if (rows[row].error == SEENSET_OK)
            assert_int_equal(count_seen(opened), KEYS);
        else
            assert_null(opened);
        seenset_free(opened);
        seenset_free(set);
        free(bytes);
    }
}

/* ---- figures without the secret ---- */

/* A set's bytes, read from the front. */
typedef struct sent {
    const uint8_t *bytes;
    size_t left;
} sent;

static int64_t receive(void *context, void *bytes, size_t size_bytes)
{
    sent *from = context;
    size_t taken = size_bytes < from->left ? size_bytes : from->left;
    memcpy(bytes, from->bytes, taken);
    from->bytes += taken;
    from->left -= taken;
    return (int64_t)taken;
}

static seenset *receive_all(const uint8_t *bytes, size_t size_bytes,
                            const seenset_open_options *options)
{
    sent from = {bytes, size_bytes};
    seenset *set = NULL;
    assert_int_equal(seenset_read(&set, receive, &from, options), SEENSET_OK);
    return set;
}

static seenset *open_bytes(const uint8_t *bytes, size_t size_bytes,
                           const seenset_open_options *options)
{
    seenset *set = NULL;
    assert_int_equal(seenset_open_bytes(&set, bytes, size_bytes, options),
                     SEENSET_OK);
    return set;
}

static void has_the_figures_of(const seenset *locked, const seenset *set)
{
    seenset_stats ours, theirs;
    seenset_table_info table, its_table;
    assert_int_equal(seenset_get_stats(locked, &ours, sizeof ours), 0);
    assert_int_equal(seenset_get_stats(set, &theirs, sizeof theirs), 0);
    assert_true(ours.is_keyed && ours.is_read_only);
    assert_int_equal(ours.set_bits, theirs.set_bits);
    assert_int_equal(ours.added_items, theirs.added_items);
    assert_int_equal(ours.table_count, theirs.table_count);
    assert_true(ours.estimated_items == theirs.estimated_items);
    assert_true(ours.current_fp_rate == theirs.current_fp_rate);
    assert_int_equal(seenset_get_table_info(locked, 0, &table, sizeof table),
                     0);
    assert_int_equal(
        seenset_get_table_info(set, 0, &its_table, sizeof its_table), 0);
    assert_memory_equal(&table, &its_table, sizeof table);
}

static void answers_for_no_key(seenset *locked, const seenset *set)
{
    static const seenset_key keys[] = {{"a", 1}, {"b", 1}};
    const uint64_t numbers[] = {1, 2};
    uint8_t answers[TEST_COUNT(keys)];
    uint64_t count;
    seenset *copy = NULL;
    assert_int_equal(seenset_has(locked, "a", 1), SEENSET_ESECRET);
    assert_int_equal(seenset_add(locked, "a", 1), SEENSET_ESECRET);
    assert_int_equal(seenset_has_many(locked, keys, 2, answers),
                     SEENSET_ESECRET);
    assert_int_equal(seenset_add_many(locked, keys, 2, answers),
                     SEENSET_ESECRET);
    assert_int_equal(seenset_has_u64_many(locked, numbers, 2, answers),
                     SEENSET_ESECRET);
    assert_int_equal(seenset_add_u64_many(locked, numbers, 2, NULL),
                     SEENSET_ESECRET);
    assert_int_equal(seenset_add_parallel(locked, keys, 2, 2), SEENSET_ESECRET);
    assert_true(seenset_count(locked, "a", 1, &count) < 0);
    assert_true(seenset_remove(locked, "a", 1) < 0);
    assert_true(seenset_clear(locked) < 0);
    assert_int_equal(seenset_copy(&copy, locked), SEENSET_ESECRET);
    assert_null(copy);
    assert_true(test_is_superset(set, locked) < 0);
    assert_true(test_is_superset(locked, locked) < 0);
    assert_true(seenset_merge(locked, set) < 0);
}

static void locked_as(const uint8_t *bytes, size_t size_bytes,
                      const seenset *set, uint32_t flags, bool is_streamed)
{
    const seenset_open_options options = {.flags = flags |
                                                   SEENSET_OPEN_WITHOUT_SECRET};
    size_t own_bytes;
    seenset *locked = is_streamed ? receive_all(bytes, size_bytes, &options)
                                  : open_bytes(bytes, size_bytes, &options);
    has_the_figures_of(locked, set);
    answers_for_no_key(locked, set);
    uint8_t *own = test_bytes_of(locked, &own_bytes);
    assert_int_equal(own_bytes, size_bytes);
    assert_memory_equal(own, bytes, size_bytes);
    free(own);
    seenset_free(locked);
}

static void figures_need_no_secret(void **state)
{
    (void)state;
    for (seenset_layout layout = SEENSET_LAYOUT_BLOCKED; layout != 0;
         layout = test_next_layout(layout)) {
        size_t size_bytes;
        seenset *set = make_full(layout, secret);
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        locked_as(bytes, size_bytes, set, SEENSET_OPEN_VIEW, false);
        locked_as(bytes, size_bytes, set, SEENSET_OPEN_UNCHECKED, false);
        locked_as(bytes, size_bytes, set, SEENSET_OPEN_COPY, false);
        locked_as(bytes, size_bytes, set, SEENSET_OPEN_COPY, true);
        seenset *other = make(layout, secret);
        const seenset_open_options options = {.flags =
                                                  SEENSET_OPEN_WITHOUT_SECRET};
        seenset *locked = open_bytes(bytes, size_bytes, &options);
        assert_int_equal(seenset_merge(other, locked), SEENSET_EMISMATCH);
        seenset_free(locked);
        seenset_free(other);
        free(bytes);
        seenset_free(set);
    }
}

/* A set that grew, whose file has a journal beside it. */
static void figures_of_a_journal_need_no_secret(void **state)
{
    enum {
        GROWN = 900000,
        LATER = 100
    };
    test_folder folder;
    char path[TEST_PATH_BYTES];
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "set");
    seenset *set =
        test_make((seenset_options){.capacity_items = 1000, .secret = secret});
    for (uint64_t i = 0; i < GROWN; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
    assert_int_equal(seenset_save(set, path), SEENSET_OK);
    seenset_free(set);
    const seenset_open_options append = {.flags = SEENSET_OPEN_APPEND,
                                         .secret = secret};
    assert_int_equal(seenset_open(&set, path, &append), SEENSET_OK);
    for (uint64_t i = GROWN; i < GROWN + LATER; i++)
        assert_true(seenset_add(set, &i, sizeof i) >= 0);
    assert_int_equal(seenset_append(set, path), SEENSET_OK);
    seenset_free(set);
    const seenset_open_options with = {.secret = secret};
    const seenset_open_options without = {.flags = SEENSET_OPEN_WITHOUT_SECRET};
    seenset *locked;
    size_t size_bytes, own_bytes;
    assert_int_equal(seenset_open(&set, path, &with), SEENSET_OK);
    assert_int_equal(seenset_open(&locked, path, &without), SEENSET_OK);
    seenset_info info;
    assert_int_equal(seenset_get_info(locked, &info, sizeof info), 0);
    assert_int_equal(info.journal_items, LATER);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    uint8_t *own = test_bytes_of(locked, &own_bytes);
    assert_int_equal(own_bytes, size_bytes);
    assert_memory_equal(own, bytes, size_bytes);
    answers_for_no_key(locked, set);
    free(own);
    free(bytes);
    seenset_free(locked);
    seenset_free(set);
    test_folder_remove(&folder);
}

/* A set that is not keyed, or whose secret is given. */
static void flag_changes_nothing_where_it_is_not_needed(void **state)
{
    const uint8_t *const secrets[] = {NULL, secret};
    (void)state;
    for (size_t i = 0; i < 2 * TEST_COUNT(secrets); i++) {
        size_t size_bytes;
        seenset *set = make_full(SEENSET_LAYOUT_BLOCKED, secrets[i / 2]);
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        const seenset_open_options options = {
            .flags = SEENSET_OPEN_WITHOUT_SECRET |
                     (i % 2 == 0 ? SEENSET_OPEN_COPY : SEENSET_OPEN_VIEW),
            .secret = secrets[i / 2]};
        seenset *opened = open_bytes(bytes, size_bytes, &options);
        assert_int_equal(count_seen(opened), KEYS);
        assert_int_equal(seenset_add(opened, "more", 4),
                         i % 2 == 0 ? 1 : SEENSET_EREADONLY);
        seenset_free(opened);
        seenset_free(set);
        free(bytes);
    }
}

static void no_key_is_added_without_a_secret(void **state)
{
    static const uint32_t flags[] = {SEENSET_OPEN_APPEND,
                                     SEENSET_OPEN_COPY | SEENSET_FLAG_SHARED};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(flags); i++) {
        const seenset_open_options options = {
            .flags = flags[i] | SEENSET_OPEN_WITHOUT_SECRET};
        seenset *opened = NULL;
        assert_int_equal(seenset_open(&opened, "set", &options),
                         SEENSET_EINVAL);
        assert_null(opened);
    }
}

static void sets_of_two_secrets_do_not_meet(void **state)
{
    const uint8_t *const others[] = {other_secret, NULL};
    seenset_overlap similarity;
    (void)state;
    seenset *set = make_full(SEENSET_LAYOUT_BLOCKED, secret);
    seenset *same = make(SEENSET_LAYOUT_BLOCKED, secret);
    assert_int_equal(seenset_add(same, "more", 4), 1);
    assert_int_equal(seenset_merge(set, same), SEENSET_OK);
    assert_int_equal(seenset_has(set, "more", 4), 1);
    assert_int_equal(test_is_superset(set, same), 1);
    for (size_t i = 0; i < TEST_COUNT(others); i++) {
        seenset *other = make_full(SEENSET_LAYOUT_BLOCKED, others[i]);
        assert_int_equal(seenset_merge(set, other), SEENSET_EMISMATCH);
        assert_int_equal(seenset_merge(other, set), SEENSET_EMISMATCH);
        assert_int_equal(seenset_intersect(set, other), SEENSET_EMISMATCH);
        assert_int_equal(test_is_superset(set, other), SEENSET_EMISMATCH);
        assert_int_equal(
            seenset_get_overlap(set, other, &similarity, sizeof similarity),
            SEENSET_EMISMATCH);
        seenset_free(other);
    }
    assert_int_equal(count_seen(set), KEYS);
    seenset_free(set);
    seenset_free(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_secrets_are_random),
        cmocka_unit_test(secret_is_copied),
        cmocka_unit_test(bits_follow_from_the_secret),
        cmocka_unit_test(keyed_sets_open_with_their_secret_only),
        cmocka_unit_test(sets_of_two_secrets_do_not_meet),
        cmocka_unit_test(figures_need_no_secret),
        cmocka_unit_test(figures_of_a_journal_need_no_secret),
        cmocka_unit_test(flag_changes_nothing_where_it_is_not_needed),
        cmocka_unit_test(no_key_is_added_without_a_secret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
