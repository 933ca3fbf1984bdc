/*
 * shared.c - threads that add to one set at once lose no bit.
 *
 * Threads add different keys that meet in the same few words, and the table
 * must end up as the one that a single thread makes. A planted fault, an add
 * made of an atomic load and an atomic store, loses bits within a moment; the
 * thread sanitizer alone would not mind it, as there is no data race.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "table/blocked/blocked.h"
#include "table/classic/bloom.h"
#include "set/set.h"
#include "support.h"

enum {
    THREADS = 4,
    LINES = 24,
    KEYS = 1200
};

typedef bool add_function(ss_table *table, uint64_t hash);

struct crowd {
    ss_table table;
    add_function *add;
    pthread_barrier_t start;
    uint64_t first; /* of the keys of this round */
};

typedef struct member {
    struct crowd *crowd;
    unsigned number;
} member;

static void *add_every_fourth(void *argument)
{
    member *self = argument;
    struct crowd *crowd = self->crowd;
    pthread_barrier_wait(&crowd->start);
    for (uint64_t i = self->number; i < KEYS; i += THREADS)
        crowd->add(&crowd->table, test_mix(crowd->first + i));
    return NULL;
}

/* One round: is the table what one thread makes of the same keys? */
static bool keeps_all_bits(struct crowd *crowd)
{
    static uint64_t expected[LINES * SS_LINE_WORDS];
    ss_table single = crowd->table;
    single.words = expected;
    memset(expected, 0, sizeof expected);
    memset(crowd->table.words, 0, sizeof expected);
    for (uint64_t i = 0; i < KEYS; i++)
        ss_blocked_portable.add(&single, test_mix(crowd->first + i));
    member members[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        members[i] = (member){.crowd = crowd, .number = i};
    test_run_threads(THREADS, add_every_fourth, members, sizeof members[0]);
    return memcmp(expected, crowd->table.words, sizeof expected) == 0;
}

static void crowd_init(struct crowd *crowd, add_function *add)
{
    static uint64_t words[LINES * SS_LINE_WORDS];
    crowd->table = ss_table_make(&ss_blocked_shared, LINES * SS_LINE_BITS,
                                 SS_LINE_WORDS, 1, words);
    crowd->add = add;
    crowd->first = 0;
    assert_int_equal(pthread_barrier_init(&crowd->start, NULL, THREADS), 0);
}

static void shared_adds_lose_no_bit(void **state)
{
    (void)state;
    enum {
        ROUNDS = 400
    };
    struct crowd crowd;
    crowd_init(&crowd, ss_blocked_shared.add);
    for (int i = 0; i < ROUNDS; i++) {
        assert_true(keeps_all_bits(&crowd));
        crowd.first += KEYS;
    }
    pthread_barrier_destroy(&crowd.start);
}

/* What fetch_or is there to prevent. */
static bool load_and_store(ss_table *table, uint64_t hash)
{
    uint64_t *line =
        table->words + ss_hash_range(hash, table->range) * SS_LINE_WORDS;
    uint64_t x = ss_hash_step(hash);
    for (unsigned w = 0; w < SS_LINE_WORDS; w++) {
        uint64_t word = __atomic_load_n(&line[w], __ATOMIC_RELAXED);
        if (w == 0)
            sched_yield(); /* one processor would hardly ever stop here */
        __atomic_store_n(&line[w], word | ss_blocked_mask(x, w),
                         __ATOMIC_RELAXED);
    }
    return true;
}

static void shared_adds_by_store_are_caught(void **state)
{
    (void)state;
    enum {
        MOST_ROUNDS = 20000
    };
    struct crowd crowd;
    crowd_init(&crowd, load_and_store);
    int rounds = 0;
    while (rounds < MOST_ROUNDS && keeps_all_bits(&crowd)) {
        crowd.first += KEYS;
        rounds++;
    }
    assert_true(rounds < MOST_ROUNDS);
    pthread_barrier_destroy(&crowd.start);
}

/* ---- through the handle ---- */

enum {
    SET_KEYS = 200000
};

typedef struct user {
    seenset *set;
    uint64_t first;
    uint64_t news;
    bool was_missing;
} user;

/* Adds a share in batches, asks for each key at once, and asks the others'. */
static void *add_and_ask(void *argument)
{
    enum {
        BATCH = 1000
    };
    user *self = argument;
    uint64_t hashes[BATCH];
    uint8_t answers[BATCH];
    for (uint64_t done = 0; done < SET_KEYS; done += BATCH) {
        for (uint64_t i = 0; i < BATCH; i++)
            hashes[i] = test_mix(self->first + done + i);
        seenset_add_hash_many(self->set, hashes, BATCH, answers);
        for (uint64_t i = 0; i < BATCH; i++)
            self->news += answers[i];
        seenset_has_hash_many(self->set, hashes, BATCH, answers);
        for (uint64_t i = 0; i < BATCH; i++)
            self->was_missing |= answers[i] != 1;
        self->was_missing |= seenset_has_hash(self->set, hashes[0]) != 1;
        self->news += seenset_add_hash(self->set, hashes[1]) == 1;
        self->news += seenset_add(self->set, &hashes[2], 0) == 1;
    }
    return NULL;
}

/* Half of each thread's keys are the next thread's too. */
static void check_shared_set(seenset_layout layout)
{
    seenset_options options = {.layout = layout,
                               .capacity_items = THREADS * SET_KEYS,
                               .fp_rate = 1e-6,
                               .flags = SEENSET_FLAG_SHARED};
    seenset *set;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    user users[THREADS];
    for (uint64_t i = 0; i < THREADS; i++)
        users[i] = (user){.set = set, .first = i * SET_KEYS / 2};
    test_run_threads(THREADS, add_and_ask, users, sizeof users[0]);
    uint64_t news = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        assert_false(users[i].was_missing);
        news += users[i].news;
    }
    seenset_stats stats;
    seenset_get_stats(set, &stats, sizeof stats);
    uint64_t distinct = (THREADS + 1) * SET_KEYS / 2;
    assert_int_equal(stats.added_items, news);
    assert_true(news <= (uint64_t)THREADS * SET_KEYS);
    assert_true(test_is_near(stats.estimated_items, (double)distinct, 0.01));
    for (uint64_t i = 0; i < distinct; i++)
        assert_int_equal(seenset_has_hash(set, test_mix(i)), 1);
    seenset_free(set);
}

static void shared_sets_forget_nothing(void **state)
{
    (void)state;
    check_shared_set(SEENSET_LAYOUT_BLOCKED);
    check_shared_set(SEENSET_LAYOUT_BLOOM);
}

static void shared_sets_refuse_near_their_capacity(void **state)
{
    (void)state;
    seenset_options options = {.capacity_items = 100000,
                               .on_full = SEENSET_ON_FULL_REFUSE,
                               .flags = SEENSET_FLAG_SHARED};
    seenset *set;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    user users[THREADS];
    for (uint64_t i = 0; i < THREADS; i++)
        users[i] = (user){.set = set, .first = i * SET_KEYS};
    test_run_threads(THREADS, add_and_ask, users, sizeof users[0]);
    seenset_stats stats;
    seenset_get_stats(set, &stats, sizeof stats);
    assert_in_range(stats.added_items, 100000, 100000 + 512 * THREADS);
    seenset_free(set);
}

static void check_opened(const char *path, const seenset_options *options,
                         const ss_layout *layout)
{
    seenset *set = test_make(*options);
    assert_int_equal(seenset_add_hash(set, 1), 1);
    assert_int_equal(seenset_save(set, path), SEENSET_OK);
    seenset_free(set);
    assert_int_equal(
        seenset_open(&set, path,
                     &(seenset_open_options){.flags = SEENSET_FLAG_SHARED}),
        SEENSET_EINVAL);
    assert_int_equal(
        seenset_open(&set, path,
                     &(seenset_open_options){.flags = SEENSET_OPEN_COPY |
                                                      SEENSET_FLAG_SHARED}),
        SEENSET_OK);
    assert_ptr_equal(ss_set_newest(set)->table.layout, layout);
    assert_int_equal(seenset_add_hash(set, 1), 0);
    assert_int_equal(seenset_add_hash(set, 2), 1);
    seenset_free(set);
}

static void shared_sets_open_from_files(void **state)
{
    static const seenset_on_full policies[] = {SEENSET_ON_FULL_DEGRADE,
                                               SEENSET_ON_FULL_REFUSE};
    (void)state;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    test_folder_make(&folder);
    test_path(path, &folder, "shared");
    for (size_t i = 0; i < TEST_COUNT(policies); i++) {
        seenset_options options = {.on_full = policies[i]};
        check_opened(path, &options, &ss_blocked_shared);
        options.layout = SEENSET_LAYOUT_BLOOM;
        check_opened(path, &options, &ss_bloom_shared);
    }
    test_folder_remove(&folder);
}

/* What threads cannot do at once stays with one. */
static void shared_sets_open_no_lists_and_no_counters(void **state)
{
    static const seenset_options kinds[] = {
        {.on_full = SEENSET_ON_FULL_GROW},
        {.on_full = SEENSET_ON_FULL_ROTATE},
        {.layout = SEENSET_LAYOUT_COUNTING}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set, *const mark = (seenset *)(uintptr_t)8, *opened = mark;
        size_t size_bytes;
        assert_int_equal(seenset_new(&set, &kinds[i]), SEENSET_OK);
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        assert_int_equal(seenset_open_bytes(&opened, bytes, size_bytes,
                                            &(seenset_open_options){
                                                .flags = SEENSET_OPEN_COPY |
                                                         SEENSET_FLAG_SHARED}),
                         SEENSET_EUNSUPPORTED);
        assert_ptr_equal(opened, mark);
        free(bytes);
        seenset_free(set);
    }
}

/* ---- saved while threads add ---- */

enum {
    BEFORE = 20000, /* keys that are there when the first save begins */
    SAVES = 12
};

typedef struct adder {
    seenset *set;
    unsigned number;
    bool is_over; /* set by the one who saves */
} adder;

static void *add_until_over(void *argument)
{
    adder *self = argument;
    for (uint64_t i = self->number;
         !__atomic_load_n(&self->is_over, __ATOMIC_RELAXED); i += THREADS)
        (void)seenset_add_hash(self->set, test_mix(BEFORE + i % 60000));
    return NULL;
}

/* A file, or bytes, of a set that threads were adding to: sound, with every key
 * that was added before, and counted as many. */
static void check_saved(const char *path, const uint8_t *bytes,
                        size_t size_bytes)
{
    seenset *set = NULL;
    if (path != NULL) {
        assert_int_equal(seenset_verify(path, NULL), SEENSET_OK);
        assert_int_equal(
            seenset_open(&set, path,
                         &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
            0);
    } else {
        assert_int_equal(seenset_open_bytes(&set, bytes, size_bytes,
                                            &(seenset_open_options){
                                                .flags = SEENSET_OPEN_COPY}),
                         0);
    }
    for (uint64_t i = 0; i < BEFORE; i++)
        assert_int_equal(seenset_has_hash(set, test_mix(i)), 1);
    seenset_stats stats = test_stats_of(set);
    /* each add answered "new" set a bit; 1 % of them were false positives */
    assert_true((double)stats.added_items >= BEFORE * 0.98);
    assert_true((double)stats.added_items < stats.estimated_items * 1.02);
    seenset_free(set);
}

static void shared_sets_are_saved_beside_adders(void **state)
{
    seenset_options options = {.on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = 100000,
                               .flags = SEENSET_FLAG_SHARED};
    pthread_t threads[THREADS];
    adder adders[THREADS];
    test_folder folder;
    char path[TEST_PATH_BYTES];
    size_t size_bytes = 0;
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "set");
    seenset *set = test_make(options);
    for (uint64_t i = 0; i < BEFORE; i++)
        (void)seenset_add_hash(set, test_mix(i));
    assert_int_equal(seenset_write_bytes(set, NULL, &size_bytes),
                     SEENSET_ESPACE);
    uint8_t *bytes = malloc(size_bytes);
    assert_non_null(bytes);
    for (unsigned i = 0; i < THREADS; i++) {
        adders[i] = (adder){.set = set, .number = i};
        assert_int_equal(
            pthread_create(&threads[i], NULL, add_until_over, &adders[i]), 0);
    }
    for (int i = 0; i < SAVES; i++) {
        assert_int_equal(seenset_save(set, path), SEENSET_OK);
        check_saved(path, NULL, 0);
        assert_int_equal(seenset_write_bytes(set, bytes, &size_bytes), 0);
        check_saved(NULL, bytes, size_bytes);
    }
    for (unsigned i = 0; i < THREADS; i++)
        __atomic_store_n(&adders[i].is_over, true, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    free(bytes);
    seenset_free(set);
    test_folder_remove(&folder);
}

/* ---- a view whose blocks many threads check ---- */

typedef struct asker {
    const seenset *view;
    uint64_t seen, unsure, unseen;
} asker;

static void *ask_for_all(void *argument)
{
    asker *self = argument;
    for (uint64_t i = 0; i < BEFORE; i++) {
        int answer = seenset_has_hash(self->view, test_mix(i));
        self->seen += answer == 1;
        self->unsure += answer == SEENSET_ECORRUPT;
        self->unseen += answer == 0;
    }
    return NULL;
}

/* All get the same answers; and after the last block none is checked again,
 * unless one is bad. */
static void checked_views_are_shared_by_threads(void **state)
{
    (void)state;
    seenset *set = test_make((seenset_options){
        .on_full = SEENSET_ON_FULL_DEGRADE, .capacity_items = BEFORE});
    for (uint64_t i = 0; i < BEFORE; i++)
        (void)seenset_add_hash(set, test_mix(i));
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    for (int is_bad = 0; is_bad < 2; is_bad++) {
        asker askers[THREADS];
        seenset *view = NULL;
        if (is_bad)
            memset(bytes + test_header_bytes(bytes) + 4096, 0, 64);
        int error = seenset_open_bytes(&view, bytes, size_bytes, NULL);
        if (test_views_are_copies()) { /* all blocks were checked */
            assert_int_equal(error, is_bad ? SEENSET_ECORRUPT : SEENSET_OK);
            seenset_free(view);
            continue;
        }
        assert_int_equal(error, SEENSET_OK);
        assert_null(view->direct);
        for (int i = 0; i < THREADS; i++)
            askers[i] = (asker){.view = view};
        test_run_threads(THREADS, ask_for_all, askers, sizeof askers[0]);
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(askers[i].unseen, 0);
            assert_int_equal(askers[i].unsure, askers[0].unsure);
            assert_int_equal(askers[i].seen + askers[i].unsure, BEFORE);
        }
        assert_true((askers[0].unsure > 0) == (is_bad == 1));
        assert_int_equal(view->direct != NULL, !is_bad);
        seenset_free(view);
    }
    free(bytes);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_adds_lose_no_bit),
        cmocka_unit_test(shared_adds_by_store_are_caught),
        cmocka_unit_test(shared_sets_forget_nothing),
        cmocka_unit_test(shared_sets_refuse_near_their_capacity),
        cmocka_unit_test(shared_sets_open_from_files),
        cmocka_unit_test(shared_sets_open_no_lists_and_no_counters),
        cmocka_unit_test(shared_sets_are_saved_beside_adders),
        cmocka_unit_test(checked_views_are_shared_by_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
