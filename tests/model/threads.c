/*
 * threads.c - threads at one set and at one queue, in large numbers.
 *
 * A shared set: threads add the same keys at the same time, in tables so small
 * that they meet in the same words all the while. Afterwards every key is
 * found and the bits are those that one thread makes. The planted fault is an
 * add that loads and stores instead of fetch_or.
 *
 * A queue: eight threads push the same URLs, pop, ack and nack. What each URL
 * went through is kept beside it, so that an item which is new twice, handed
 * out while somebody has it, handed out after its ack, or lost, shows at once.
 *
 *     test_threads ADDS URLS
 */
#define _GNU_SOURCE /* pthread_barrier_t, sched_yield */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/blocked/blocked.h"
#include "seenset/queue.h"
#include "set/set.h"
#include "support.h"

enum {
    THREADS = 8,
    BATCH = 64
};

typedef struct counts {
    uint64_t adds;
    uint32_t urls;
} counts;

/* ---- one set ---- */

typedef struct crowd {
    seenset *set;
    uint64_t first, keys; /* of the stream, in this round */
    pthread_barrier_t start;
} crowd;

typedef struct member {
    crowd *of;
    unsigned number;
    uint64_t news;
} member;

/* Adds a batch, in one of the four ways there are: keys or hashes, one at a
 * time or all at once. How many were new. */
static uint64_t add_batch(seenset *set, uint64_t first, unsigned way)
{
    uint64_t numbers[BATCH], news = 0;
    seenset_key keys[BATCH];
    uint8_t is_new[BATCH] = {0};
    for (uint64_t j = 0; j < BATCH; j++) {
        numbers[j] = test_mix(first + j);
        keys[j] = (seenset_key){&numbers[j], sizeof numbers[j]};
    }
    if (way == 0)
        (void)seenset_add_hash_many(set, numbers, BATCH, is_new);
    else if (way == 1)
        (void)seenset_add_many(set, keys, BATCH, is_new);
    for (uint64_t j = 0; j < BATCH; j++) {
        if (way == 2)
            is_new[j] = seenset_add_hash(set, numbers[j]) == 1;
        else if (way == 3)
            is_new[j] = seenset_add(set, keys[j].data, keys[j].len) == 1;
        news += is_new[j];
    }
    return news;
}

/* All members go the same way at about the same time. */
static unsigned way_of(uint64_t batch)
{
    return batch / THREADS % 4;
}

/* Adds every batch that is the member's or its left neighbour's, so that each
 * key is added by two threads. */
static void *add_two_shares(void *argument)
{
    member *self = argument;
    const crowd *of = self->of;
    pthread_barrier_wait(&self->of->start);
    for (uint64_t at = 0, i = 0; at < of->keys; at += BATCH, i++) {
        if (i % THREADS == self->number || (i + 1) % THREADS == self->number)
            self->news += add_batch(of->set, of->first + at, way_of(i));
    }
    return NULL;
}

/* Runs the crowd; how many adds were answered "new". */
static uint64_t run_crowd(crowd *of)
{
    member members[THREADS];
    uint64_t news = 0;
    assert_int_equal(pthread_barrier_init(&of->start, NULL, THREADS), 0);
    for (unsigned i = 0; i < THREADS; i++)
        members[i] = (member){.of = of, .number = i};
    test_run_threads(THREADS, add_two_shares, members, sizeof members[0]);
    for (unsigned i = 0; i < THREADS; i++)
        news += members[i].news;
    pthread_barrier_destroy(&of->start);
    return news;
}

static seenset *make_shared(seenset_layout layout, uint64_t keys,
                            double fp_rate)
{
    seenset *set = NULL;
    seenset_options options = {.layout = layout,
                               .capacity_items = keys,
                               .fp_rate = fp_rate,
                               .flags = SEENSET_FLAG_SHARED};
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

/* Is every key of a batch there that was added in that way? */
static bool has_batch(const seenset *set, uint64_t first, unsigned way)
{
    bool has_all = true;
    for (uint64_t j = 0; j < BATCH; j++) {
        uint64_t number = test_mix(first + j);
        has_all &= way % 2 == 0 ? seenset_has_hash(set, number) == 1
                                : seenset_has(set, &number, sizeof number) == 1;
    }
    return has_all;
}

/* Is every key there, and no bit more or less than one thread sets? */
static bool is_as_by_one(const crowd *of, seenset *single)
{
    bool has_all = true;
    for (uint64_t at = 0, i = 0; at < of->keys; at += BATCH, i++) {
        (void)add_batch(single, of->first + at, way_of(i));
        has_all &= has_batch(of->set, of->first + at, way_of(i));
    }
    const ss_generation *a = ss_set_newest(of->set), *b = ss_set_newest(single);
    size_t size_bytes = (size_t)ss_set_word_count(a) * sizeof(uint64_t);
    return has_all && memcmp(a->table.words, b->table.words, size_bytes) == 0;
}

/* A round of `keys` keys; layout NULL means the set's own. */
static bool keeps_all(seenset_layout id, uint64_t keys, double fp_rate,
                      uint64_t first, const ss_layout *layout)
{
    seenset *single = make_shared(id, keys, fp_rate);
    crowd of = {
        .set = make_shared(id, keys, fp_rate), .first = first, .keys = keys};
    if (layout != NULL)
        ss_set_newest(of.set)->table.layout = layout;
    uint64_t news = run_crowd(&of);
    bool is_sound = is_as_by_one(&of, single) &&
                    ss_set_newest(of.set)->added_items == news &&
                    news <= 2 * keys;
    seenset_free(of.set);
    seenset_free(single);
    return is_sound;
}

static void shared_sets_lose_no_bit(void **state)
{
    static const struct {
        seenset_layout layout;
        uint64_t keys;
        double fp_rate;
    } kinds[] = {{SEENSET_LAYOUT_BLOCKED, 1 << 12, 0.01},
                 {SEENSET_LAYOUT_BLOCKED, 1 << 17, 0.01},
                 {SEENSET_LAYOUT_BLOCKED, 1 << 14, 1e-5},
                 {SEENSET_LAYOUT_BLOOM, 1 << 12, 0.01},
                 {SEENSET_LAYOUT_BLOOM, 1 << 15, 0.5}};
    uint64_t goal = ((const counts *)*state)->adds, done = 0;
    for (size_t i = 0; done < goal; i = (i + 1) % TEST_COUNT(kinds)) {
        assert_true(keeps_all(kinds[i].layout, kinds[i].keys, kinds[i].fp_rate,
                              done, NULL));
        done += 2 * kinds[i].keys;
    }
    printf("  %llu adds by %d threads\n", (unsigned long long)done, THREADS);
}

/* What fetch_or is there to prevent; the pause makes it likely on a machine of
 * one processor too. */
static bool load_and_store(ss_table *table, uint64_t hash)
{
    uint64_t *line =
        table->words + ss_hash_range(hash, table->range) * SS_LINE_WORDS;
    uint64_t x = ss_hash_step(hash);
    for (unsigned w = 0; w < SS_LINE_WORDS; w++) {
        uint64_t word = __atomic_load_n(&line[w], __ATOMIC_RELAXED);
        if (hash % 64 == w)
            sched_yield();
        __atomic_store_n(&line[w], word | ss_blocked_mask(x, w),
                         __ATOMIC_RELAXED);
    }
    return true;
}

static size_t load_and_store_many(ss_table *table, const ss_batch *batch,
                                  uint8_t *is_new)
{
    for (size_t i = 0; i < batch->count; i++)
        is_new[i] = load_and_store(
            table, batch->hashes != NULL
                       ? batch->hashes[i]
                       : ss_hash_key(batch->keys[i].data, batch->keys[i].len));
    return batch->count;
}

static void load_and_store_is_caught(void **state)
{
    (void)state;
    ss_layout broken = ss_blocked_shared;
    broken.add = load_and_store;
    broken.add_many = load_and_store_many;
    int rounds = 0;
    while (rounds < 1000 &&
           keeps_all(SEENSET_LAYOUT_BLOCKED, 1 << 12, 0.01, 0, &broken))
        rounds++;
    assert_true(rounds < 1000);
}

/* ---- one queue ---- */

typedef enum url_state {
    WAITING, /* in the queue, or not pushed yet */
    HELD,
    ACKED
} url_state;

/* What a URL went through, as its callers know it. */
typedef struct history {
    int state, news, pushes, pops;
} history;

typedef struct scene {
    seenset_queue *queue;
    history *urls;
    uint32_t url_count;
    uint32_t acked;
    const char *wrong; /* the first thing that was, or NULL */
    bool forgets;      /* planted: a nack that is not written down */
} scene;

typedef struct worker {
    scene *of;
    test_random random;
} worker;

static void blame(scene *of, const char *wrong)
{
    const char *none = NULL;
    (void)__atomic_compare_exchange_n(&of->wrong, &none, wrong, false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static size_t url_of(uint32_t number, char text[40])
{
    return (size_t)snprintf(text, 40, "http://threads.example/%u", number);
}

static void push_one(scene *of, uint32_t number)
{
    char text[40];
    history *url = &of->urls[number];
    size_t length = url_of(number, text);
    __atomic_fetch_add(&url->pushes, 1, __ATOMIC_SEQ_CST);
    int answer =
        seenset_queue_push(of->queue, text, length, &number, sizeof number);
    if (answer < 0)
        blame(of, "a push failed");
    else if (answer == 1 &&
             __atomic_fetch_add(&url->news, 1, __ATOMIC_SEQ_CST) != 0)
        blame(of, "a URL was new twice");
}

/* From one state to another that only its holder may leave. */
static bool change(history *url, int from, int to)
{
    return __atomic_compare_exchange_n(&url->state, &from, to, false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* The item's URL was taken; its number, or UINT32_MAX. */
static uint32_t take(scene *of, const seenset_queue_item *item)
{
    char text[40];
    uint32_t number;
    if (item->data_len != sizeof number)
        return UINT32_MAX;
    memcpy(&number, item->data, sizeof number);
    if (number >= of->url_count || url_of(number, text) != item->url_len ||
        memcmp(text, item->url, item->url_len) != 0)
        return UINT32_MAX;
    history *url = &of->urls[number];
    int pops = __atomic_add_fetch(&url->pops, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&url->pushes, __ATOMIC_SEQ_CST) == 0)
        blame(of, "an item was handed out that nobody pushed");
    if (!change(url, WAITING, HELD))
        blame(of, "an item was handed out that somebody has, or is done");
    else if ((int)item->deliveries != pops)
        blame(of, "the deliveries are counted wrong");
    return number;
}

static void finish(scene *of, uint32_t number, uint64_t lease, bool is_done)
{
    history *url = &of->urls[number];
    int error;
    if (is_done) {
        (void)change(url, HELD, ACKED);
        error = seenset_queue_ack(of->queue, lease);
        __atomic_fetch_add(&of->acked, 1, __ATOMIC_SEQ_CST);
    } else {
        if (!of->forgets)
            (void)change(url, HELD, WAITING);
        error = seenset_queue_nack(of->queue, lease, NULL);
    }
    if (error != SEENSET_OK)
        blame(of, "a lease was not its holder's");
}

/* Pops an item, if there is one, and is done with it three times in four. */
static void pop_one(worker *self, seenset_queue_item *item)
{
    scene *of = self->of;
    int result = seenset_queue_pop(of->queue, item);
    if (result < 0)
        blame(of, "a pop failed");
    if (result != 1)
        return;
    uint32_t number = take(of, item);
    if (number == UINT32_MAX) {
        blame(of, "an item is not what was pushed");
        return;
    }
    uint64_t dice = test_random_below(&self->random, 16);
    if (dice == 0 &&
        seenset_queue_extend(of->queue, item->lease, 1000) != SEENSET_OK)
        blame(of, "a lease could not be extended");
    finish(of, number, item->lease, dice >= 4);
}

static bool is_blamed(const scene *of)
{
    return __atomic_load_n(&of->wrong, __ATOMIC_SEQ_CST) != NULL;
}

static bool is_over(const scene *of)
{
    return is_blamed(of) ||
           __atomic_load_n(&of->acked, __ATOMIC_SEQ_CST) == of->url_count;
}

/* Pushes all URLs from some place on and pops as it goes, then the rest. */
static void *work(void *argument)
{
    worker *self = argument;
    scene *of = self->of;
    seenset_queue_item item = {0};
    uint32_t from =
        (uint32_t)test_random_below(&self->random, of->url_count / 8 + 1);
    for (uint32_t i = 0; i < of->url_count && !is_blamed(of); i++) {
        push_one(of, (from + i) % of->url_count);
        pop_one(self, &item);
    }
    while (!is_over(of))
        pop_one(self, &item);
    seenset_queue_item_free(&item);
    return NULL;
}

static void run_workers(scene *of)
{
    worker workers[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        workers[i] = (worker){.of = of, .random = {1000 * (i + 1)}};
    test_run_threads(THREADS, work, workers, sizeof workers[0]);
}

/* Every URL was new once and is done; the queue counts the same. */
static void check_end(scene *of)
{
    seenset_queue_stats stats;
    for (uint32_t i = 0; i < of->url_count; i++) {
        assert_int_equal(of->urls[i].news, 1);
        assert_int_equal(of->urls[i].state, ACKED);
        assert_int_equal(of->urls[i].pushes, THREADS);
    }
    assert_int_equal(seenset_queue_get_stats(of->queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_int_equal(stats.pushed_items, of->url_count);
    assert_int_equal(stats.acked_items, of->url_count);
    assert_int_equal(stats.pending_items + stats.leased_items, 0);
    assert_int_equal(stats.dropped_items, (THREADS - 1) * of->url_count);
    assert_int_equal(stats.failed_checkpoints, 0);
}

/* After a restart nothing is handed out, and nothing is new. */
static void check_restart(scene *of, const char *folder,
                          const seenset_queue_options *options)
{
    char text[40];
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_close(of->queue), SEENSET_OK);
    assert_int_equal(seenset_queue_verify(folder, NULL), SEENSET_OK);
    assert_int_equal(seenset_queue_open(&of->queue, folder, options),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_pop(of->queue, &item), 0);
    for (uint32_t i = 0; i < of->url_count; i++)
        assert_int_equal(
            seenset_queue_push(of->queue, text, url_of(i, text), NULL, 0), 0);
}

/* A queue for eight; NULL or what went wrong. */
static const char *run_queue(seenset_queue_durability durability,
                             uint32_t url_count, bool forgets)
{
    test_folder folder;
    seenset_queue_options options = {
        .durability = durability,
        .interval_seconds = 0.001,
        .lease_seconds = 1e6,
        .segment_bytes = 65536,
        .snapshot_bytes = 65536,
        .set = &(const seenset_options){.fp_rate = 1e-10}};
    scene of = {.url_count = url_count, .forgets = forgets};
    of.urls = calloc(url_count, sizeof *of.urls);
    assert_non_null(of.urls);
    test_folder_make(&folder);
    assert_int_equal(seenset_queue_open(&of.queue, folder.path, &options),
                     SEENSET_OK);
    run_workers(&of);
    if (of.wrong == NULL) {
        check_end(&of);
        check_restart(&of, folder.path, &options);
    }
    assert_int_equal(seenset_queue_close(of.queue), SEENSET_OK);
    test_folder_remove(&folder);
    free(of.urls);
    return of.wrong;
}

static void queue_keeps_its_word_to_eight(void **state)
{
    uint32_t urls = ((const counts *)*state)->urls;
    for (int i = SEENSET_QUEUE_DURABILITY_EACH;
         i <= SEENSET_QUEUE_DURABILITY_NONE; i++) {
        /* every answer of the first waits for a disk */
        uint32_t count = i == SEENSET_QUEUE_DURABILITY_EACH ? urls / 10 : urls;
        const char *wrong =
            run_queue((seenset_queue_durability)i, count, false);
        if (wrong != NULL)
            fail_msg("durability %d: %s", i, wrong);
    }
    printf("  %u URLs pushed by each of %d threads\n", urls, THREADS);
}

static void an_item_in_two_hands_is_caught(void **state)
{
    (void)state;
    const char *wrong = run_queue(SEENSET_QUEUE_DURABILITY_NONE, 2000, true);
    assert_non_null(wrong);
    assert_string_equal(wrong,
                        "an item was handed out that somebody has, or is done");
}

int main(int argc, char **argv)
{
    counts of = {20000000, 4000};
    if (argc > 2) {
        of.adds = strtoull(argv[1], NULL, 10);
        of.urls = (uint32_t)strtoul(argv[2], NULL, 10);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(shared_sets_lose_no_bit, &of),
        cmocka_unit_test(load_and_store_is_caught),
        cmocka_unit_test_prestate(queue_keeps_its_word_to_eight, &of),
        cmocka_unit_test(an_item_in_two_hands_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
