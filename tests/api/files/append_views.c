/*
 * append_views.c - a journal of many keys: each block of a mapped set gets its
 * hashes when it is first touched, so nobody waits for all of them; and who
 * asks sees them all, by whatever call, from however many threads.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "append_sets.h"

enum {
    MANY = 2500,
    A_RECORD = 100,
    THREADS = 4,
    A_THREAD = 30 /* keys */
};

/* A set of that kind, and `count` keys in its journal. */
static void make_journal(const append_place *place, const append_kind *of,
                         int count)
{
    append_save_kind(of, place->path);
    seenset *set =
        append_open(place->path, SEENSET_OPEN_APPEND, of->options.secret);
    for (int i = 0; i < count; i++) {
        assert_true(append_add(set, APPEND_OLD_KEYS + i) >= 0);
        if ((i + 1) % A_RECORD == 0)
            assert_int_equal(seenset_append(set, place->path), 0);
    }
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
    assert_true(append_is_there(place->log_path));
}

static uint64_t count_missing(const seenset *set, int count)
{
    uint64_t missing = 0;
    for (int i = 0; i < count; i++)
        missing += append_answer(set, APPEND_OLD_KEYS + i) != 1;
    return missing;
}

static seenset_info info_of(const seenset *set)
{
    seenset_info info;
    assert_int_equal(seenset_get_info(set, &info, sizeof info), 0);
    return info;
}

static uint8_t *bytes_of(const seenset *set, size_t *size_bytes)
{
    *size_bytes = 0;
    assert_int_equal(seenset_write_bytes(set, NULL, size_bytes),
                     SEENSET_ESPACE);
    uint8_t *bytes = malloc(*size_bytes);
    assert_non_null(bytes);
    assert_int_equal(seenset_write_bytes(set, bytes, size_bytes), 0);
    return bytes;
}

/* Is the view the copy, asked for some keys before, and as a whole? */
static void check_view(const append_place *place, const append_kind *of,
                       uint32_t flags, const seenset *copy)
{
    size_t view_bytes, copy_bytes;
    seenset *view = append_open(place->path, flags, of->options.secret);
    assert_int_equal(info_of(view).added_items, info_of(copy).added_items);
    assert_int_equal(info_of(view).journal_items, MANY);
    assert_int_equal(info_of(view).is_checked,
                     flags == SEENSET_OPEN_VIEW && !test_views_are_copies());
    assert_int_equal(count_missing(view, MANY / 10), 0);
    uint8_t *a = bytes_of(view, &view_bytes), *b = bytes_of(copy, &copy_bytes);
    assert_int_equal(view_bytes, copy_bytes);
    assert_memory_equal(a, b, view_bytes);
    assert_int_equal(info_of(view).added_items, info_of(copy).added_items);
    assert_int_equal(count_missing(view, MANY), 0);
    free(a);
    free(b);
    seenset_free(view);
}

static void views_of_a_long_journal_are_copies(void **state)
{
    const append_place *place = *state;
    for (size_t i = 0; i < APPEND_KINDS; i++) {
        const append_kind *of = &append_kinds[i];
        make_journal(place, of, MANY);
        seenset *copy =
            append_open(place->path, SEENSET_OPEN_COPY, of->options.secret);
        assert_int_equal(count_missing(copy, MANY), 0);
        check_view(place, of, SEENSET_OPEN_VIEW, copy);
        check_view(place, of, SEENSET_OPEN_UNCHECKED, copy);
        seenset_free(copy);
    }
}

/* One key many times, and keys that the file has: of counters not all are
 * new, and each counts. */
static void counters_of_a_journal_count_each_add(void **state)
{
    enum {
        TIMES = 5
    };
    const append_place *place = *state;
    uint64_t count;
    append_save_kind(&append_kinds[3], place->path);
    for (int i = 0; i < TIMES; i++) {
        seenset *set = append_open_more(place);
        uint64_t before = info_of(set).added_items;
        assert_int_equal(append_add(set, -1), i == 0);
        assert_int_equal(append_add(set, 0), 0);
        assert_int_equal(seenset_append(set, place->path), 0);
        assert_int_equal(info_of(set).added_items, before + (i == 0));
        seenset_free(set);
    }
    seenset *view = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(seenset_count(view, "key 0", 5, &count), 0);
    assert_int_equal(count, TIMES + 1);
    seenset_free(view);
    seenset *fresh = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(info_of(fresh).added_items, APPEND_OLD_KEYS + 1);
    seenset_table_info table;
    assert_int_equal(seenset_get_table_info(fresh, 0, &table, sizeof table), 0);
    assert_int_equal(table.added_items, APPEND_OLD_KEYS + 1);
    seenset_free(fresh);
}

/* Two who append the same key do not make two of it. */
static void key_of_two_appends_counts_once(void **state)
{
    const append_place *place = *state;
    append_save_kind(&append_kinds[0], place->path);
    seenset *a = append_open_more(place), *b = append_open_more(place);
    assert_int_equal(append_add(a, -1), 1);
    assert_int_equal(append_add(b, -1), 1);
    assert_int_equal(seenset_append(a, place->path), 0);
    assert_int_equal(seenset_append(b, place->path), 0);
    seenset_free(a);
    seenset_free(b);
    seenset *view = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    seenset *copy = append_open(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(info_of(view).journal_items, 2);
    assert_int_equal(info_of(view).added_items, APPEND_OLD_KEYS + 1);
    assert_int_equal(info_of(copy).added_items, APPEND_OLD_KEYS + 1);
    seenset_free(view);
    seenset_free(copy);
}

/* ---- threads ---- */

typedef struct reader {
    const seenset *set;
    int first;
    uint64_t items; /* that are in the set */
    uint64_t missing;
    pthread_t thread;
} reader;

static void *ask_all(void *context)
{
    reader *of = context;
    seenset_info info;
    for (int i = 0; i < MANY; i++)
        of->missing += append_answer(of->set, APPEND_OLD_KEYS +
                                                  (of->first + i) % MANY) != 1;
    (void)seenset_get_info(of->set, &info, sizeof info);
    of->missing += info.added_items != of->items;
    return NULL;
}

static void ask_by_threads(const seenset *set, uint64_t items)
{
    reader readers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        readers[i] = (reader){
            .set = set, .first = i / 2 * MANY / THREADS, .items = items};
        assert_int_equal(
            pthread_create(&readers[i].thread, NULL, ask_all, &readers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
        assert_int_equal(readers[i].missing, 0);
    }
}

static void threads_may_ask_of_a_long_journal(void **state)
{
    /* with counters that cross, and with a table that grows in place */
    static const int kinds[] = {0, 1, 2, 4, APPEND_GROWN, APPEND_GROWN + 2};
    const append_place *place = *state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        const append_kind *of = &append_kinds[kinds[i]];
        make_journal(place, of, MANY);
        seenset *view = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
        ask_by_threads(view, APPEND_OLD_KEYS + MANY + of->more_keys);
        seenset_free(view);
    }
}

/* One thread's own set of the file that all append to. */
typedef struct appender {
    const append_place *place;
    int first;
    int wrong;
    pthread_t thread;
} appender;

/* As the header asks: again while another one is at work, and with another set
 * after the file was saved again. */
static int append_number(const appender *of, int i)
{
    int error;
    do {
        const seenset_open_options options = {.flags = SEENSET_OPEN_APPEND};
        seenset *set;
        error = seenset_open(&set, of->place->path, &options);
        if (error != 0)
            return error;
        assert_true(append_add(set, i) >= 0);
        do
            error = seenset_append(set, of->place->path);
        while (error == SEENSET_EINUSE);
        seenset_free(set);
    } while (error == SEENSET_EMISMATCH);
    return error;
}

static void *append_some(void *context)
{
    appender *of = context;
    for (int i = 0; i < A_THREAD; i++)
        of->wrong += append_number(of, of->first + i) != 0;
    return NULL;
}

static void *fold_some(void *context)
{
    appender *of = context;
    for (int i = 0; i < A_THREAD / 5; i++) {
        int error = seenset_compact(of->place->path, NULL);
        of->wrong +=
            error != 0 && error != SEENSET_EINUSE && error != SEENSET_EMISMATCH;
    }
    return NULL;
}

static void append_while_one_folds(const append_place *place,
                                   const append_kind *of)
{
    appender all[THREADS];
    append_save_kind(of, place->path);
    for (int i = 0; i < THREADS; i++) {
        all[i] =
            (appender){.place = place, .first = APPEND_OLD_KEYS + i * A_THREAD};
        assert_int_equal(
            pthread_create(&all[i].thread, NULL,
                           i < THREADS - 1 ? append_some : fold_some, &all[i]),
            0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(all[i].thread, NULL), 0);
        assert_int_equal(all[i].wrong, 0);
    }
    assert_int_equal(seenset_verify(place->path, NULL), 0);
    seenset *set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    append_assert_has(set, APPEND_OLD_KEYS + (THREADS - 1) * A_THREAD);
    seenset_free(set);
}

static void threads_append_while_one_folds(void **state)
{
    append_while_one_folds(*state, &append_kinds[0]);
    append_while_one_folds(*state, &append_kinds[APPEND_GROWN]);
}

/* ---- damage ---- */

/* A byte of the set changes in many blocks. No key of the journal is called
 * new: where a block is damaged, a key is in it, or it is reported. */
static void damage_below(const append_place *place, const append_kind *of)
{
    make_journal(place, of, MANY);
    off_t length = append_length(place->path);
    for (off_t at = 5000; at < length - 8192; at += 20000)
        append_put_byte(place->path, at, append_byte(place->path, at) ^ 0x10);
    seenset *view = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    uint64_t hurt = 0;
    for (int i = 0; i < MANY; i++)
        assert_int_equal(append_answer(view, APPEND_OLD_KEYS + i), 1);
    for (int i = 0; i < APPEND_OLD_KEYS; i++) {
        int answer = append_answer(view, i);
        assert_true(answer == 1 || answer == SEENSET_ECORRUPT);
        assert_int_equal(append_answer(view, i), answer);
    }
    for (int i = 0; i < MANY; i++)
        hurt +=
            append_answer(view, APPEND_OLD_KEYS + MANY + i) == SEENSET_ECORRUPT;
    assert_true(hurt > 0);
    seenset_stats stats;
    assert_int_equal(seenset_get_stats(view, &stats, sizeof stats),
                     SEENSET_ECORRUPT);
    seenset_free(view);
}

static void damage_below_a_journal_hides_no_key(void **state)
{
    damage_below(*state, &append_kinds[1]);
    damage_below(*state, &append_kinds[APPEND_GROWN]);
}

/* ---- all calls ---- */

static seenset_overlap overlap_of(const seenset *a, const seenset *b)
{
    seenset_overlap found;
    assert_int_equal(seenset_get_overlap(a, b, &found, sizeof found), 0);
    return found;
}

static void assert_same_bytes(const seenset *a, const seenset *b)
{
    size_t a_length, b_length;
    uint8_t *a_bytes = bytes_of(a, &a_length),
            *b_bytes = bytes_of(b, &b_length);
    assert_int_equal(a_length, b_length);
    assert_memory_equal(a_bytes, b_bytes, a_length);
    free(a_bytes);
    free(b_bytes);
}

static void assert_merges_alike(const append_kind *of, const seenset *a,
                                const seenset *b)
{
    seenset *of_a, *of_b;
    assert_int_equal(seenset_new(&of_a, &of->options), 0);
    assert_int_equal(seenset_copy(&of_b, of_a), 0);
    assert_int_equal(seenset_merge(of_a, a), 0);
    assert_int_equal(seenset_merge(of_b, b), 0);
    assert_same_bytes(of_a, of_b);
    seenset_free(of_a);
    assert_int_equal(seenset_copy(&of_a, a), 0);
    assert_same_bytes(of_a, b);
    seenset_free(of_a);
    seenset_free(of_b);
}

static void assert_answers_batches(const seenset *set)
{
    static const char *const texts[] = {"key 1000", "no key", "key 3499"};
    seenset_key keys[TEST_COUNT(texts)];
    uint8_t is_seen[TEST_COUNT(texts)];
    for (size_t i = 0; i < TEST_COUNT(texts); i++)
        keys[i] = (seenset_key){texts[i], strlen(texts[i])};
    assert_int_equal(seenset_has_many(set, keys, TEST_COUNT(texts), is_seen),
                     0);
    assert_memory_equal(is_seen, "\1\0\1", TEST_COUNT(texts));
}

/* Whoever reads all of a view reads the keys that are beside its table. */
static void calls_see_what_is_beside_a_table(void **state)
{
    const append_place *place = *state;
    const append_kind *of = &append_kinds[APPEND_GROWN];
    seenset_stats stats, of_copy;
    make_journal(place, of, MANY);
    seenset *view = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    seenset *copy = append_open(place->path, SEENSET_OPEN_COPY, NULL);
    assert_int_equal(seenset_get_stats(view, &stats, sizeof stats), 0);
    assert_int_equal(seenset_get_stats(copy, &of_copy, sizeof of_copy), 0);
    assert_int_equal(stats.added_items, of_copy.added_items);
    assert_true(stats.current_fp_rate <= of_copy.current_fp_rate);
    assert_true(stats.current_fp_rate > of_copy.current_fp_rate * 0.98);
    assert_true(overlap_of(view, copy).intersection_items ==
                overlap_of(copy, copy).intersection_items);
    assert_true(overlap_of(view, view).union_items ==
                overlap_of(copy, copy).union_items);
    assert_merges_alike(of, view, copy);
    assert_answers_batches(view); /* before all blocks were read, and after */
    assert_same_bytes(view, copy);
    assert_answers_batches(view);
    seenset_free(view);
    seenset_free(copy);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, append_enter, append_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(views_of_a_long_journal_are_copies),
        TEST(counters_of_a_journal_count_each_add),
        TEST(key_of_two_appends_counts_once),
        TEST(threads_may_ask_of_a_long_journal),
        TEST(threads_append_while_one_folds),
        TEST(damage_below_a_journal_hides_no_key),
        TEST(calls_see_what_is_beside_a_table),
    };
    test_need_mapped_files();
    if (TEST_HAS_THREAD_SANITIZER) /* the others are one thread */
        cmocka_set_test_filter("threads_*");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
