/*
 * model.c - random operations against a naive set that tells the truth.
 *
 *     test_model [SEED [OPERATIONS]]
 *
 * Keys are numbered, and the truth is an array: how often was key i added, and
 * after how many new keys was it new? Every set has a twin that gets the same
 * keys one by one, where the set gets batches too. The set may never deny a key
 * that was added, may call new only what is new, and must agree with its twin
 * in every answer and, at the end of each round, in every byte. Rounds differ
 * in layout, size and policy; a set that rotates owes the keys of its window
 * only, and a counting set those that were taken out as often as they were
 * added no more.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

enum {
    UNIVERSE = 1 << 16,
    BATCH = 600, /* more than the library handles at a time */
    ROUND_OPERATIONS = 100000
};

struct world {
    test_random random;
    test_folder folder;
    uint64_t news;        /* single adds that were new */
    uint64_t dropped_new; /* planted: the one the set does not get; 0: none */
    const char *fault;    /* the first rule that was broken, or NULL */
};

struct pair {
    seenset *set;
    seenset *twin;
    uint64_t window;           /* keys that are remembered; 0: all */
    uint64_t news;             /* adds that were new */
    bool grows;                /* may be told what to expect, */
    uint64_t expected;         /* and was, with this */
    bool is_counting;          /* keys can be taken out */
    uint64_t full;             /* then the largest value of a counter */
    uint32_t copies[UNIVERSE]; /* adds, less what was taken out */
    uint64_t new_at[UNIVERSE]; /* news, when the key was new the last time */
};

/* Must the set have key i? */
static bool owes(const struct pair *pair, uint32_t i)
{
    if (pair->window == 0)
        return pair->copies[i] > 0;
    return pair->new_at[i] > 0 && pair->news - pair->new_at[i] < pair->window;
}

static void expect(struct world *world, bool is_so, const char *rule)
{
    if (!is_so && world->fault == NULL)
        world->fault = rule;
}

/* Key i: its number, then i % 40 bytes more, at an odd address. */
static seenset_key key_of(uint32_t i, char room[64])
{
    memset(room, (int)(i % 251), 64);
    memcpy(room + 1, &i, sizeof i);
    return (seenset_key){room + 1, sizeof i + i % 40};
}

/* Half of all keys come from a small part, so that many are seen. */
static uint32_t pick(struct world *world)
{
    uint64_t limit = test_random_below(&world->random, 2) ? UNIVERSE : 4000;
    return (uint32_t)test_random_below(&world->random, limit);
}

/* ---- operations ---- */

/* What an answer to an add says of the truth. */
static void learn(struct world *world, struct pair *pair, uint32_t i,
                  int answer)
{
    expect(world, answer != 1 || !owes(pair, i), "new only if new");
    expect(world, answer == 0 || answer == 1 || answer == SEENSET_EFULL,
           "an add answers 0, 1 or full");
    if (answer == SEENSET_EFULL) {
        expect(world, !owes(pair, i), "a key that was added never full");
        return;
    }
    pair->copies[i]++;
    if (answer == 1)
        pair->new_at[i] = ++pair->news;
}

static void do_add(struct world *world, struct pair *pair)
{
    char room[64];
    uint32_t i = pick(world);
    seenset_key key = key_of(i, room);
    int twins = seenset_add(pair->twin, key.data, key.len);
    if (twins == 1 && ++world->news == world->dropped_new) {
        learn(world, pair, i, 1);
        return;
    }
    int answer = seenset_add(pair->set, key.data, key.len);
    expect(world, answer == twins, "twins add alike");
    learn(world, pair, i, answer);
}

static void do_has(struct world *world, struct pair *pair)
{
    char room[64];
    uint32_t i = pick(world);
    seenset_key key = key_of(i, room);
    int answer = seenset_has(pair->set, key.data, key.len);
    expect(world, answer == 0 || answer == 1, "has answers 0 or 1");
    expect(world, answer == 1 || !owes(pair, i), "never forgets");
}

/* Takes out a copy of a key that has one. */
static void do_remove(struct world *world, struct pair *pair)
{
    char room[64];
    uint32_t i = pick(world);
    uint64_t count = 0;
    seenset_key key = key_of(i, room);
    if (!pair->is_counting || pair->copies[i] == 0) {
        do_has(world, pair);
        return;
    }
    expect(world,
           seenset_count(pair->set, key.data, key.len, &count) == SEENSET_OK,
           "a counting set counts");
    expect(world, count == pair->full || count >= pair->copies[i],
           "a count is never too low");
    expect(world,
           seenset_remove(pair->set, key.data, key.len) == 1 &&
               seenset_remove(pair->twin, key.data, key.len) == 1,
           "a key that was added can be taken out");
    pair->copies[i]--;
}

/* What to expect is told a set, and its twin; or all its files' sets again. */
static void expect_alike(struct world *world, const struct pair *pair,
                         seenset *set)
{
    expect(world,
           seenset_expect(set, pair->expected) ==
               (pair->grows ? SEENSET_OK : SEENSET_EUNSUPPORTED),
           "a set that grows can be told what to expect");
}

static void do_expect(struct world *world, struct pair *pair)
{
    pair->expected = test_random_below(&world->random, UNIVERSE);
    expect_alike(world, pair, pair->set);
    expect_alike(world, pair, pair->twin);
}

static uint64_t do_add_many(struct world *world, struct pair *pair)
{
    static char rooms[BATCH][64];
    seenset_key keys[BATCH];
    uint32_t numbers[BATCH];
    uint8_t answers[BATCH];
    size_t count = test_random_below(&world->random, BATCH + 1);
    bool is_full = false;
    for (size_t j = 0; j < count; j++) {
        bool is_repeat = j > 0 && test_random_below(&world->random, 4) == 0;
        numbers[j] = is_repeat ? numbers[j / 2] : pick(world);
        keys[j] = key_of(numbers[j], rooms[j]);
    }
    int error = seenset_add_many(pair->set, keys, count, answers);
    for (size_t j = 0; j < count; j++) {
        int answer =
            answers[j] == SEENSET_ANSWER_REFUSED ? SEENSET_EFULL : answers[j];
        int twins = seenset_add(pair->twin, keys[j].data, keys[j].len);
        expect(world, answer == twins, "a batch adds like single keys");
        learn(world, pair, numbers[j], answer);
        is_full |= answer == SEENSET_EFULL;
    }
    expect(world, error == (is_full ? SEENSET_EFULL : SEENSET_OK),
           "add_many tells of a refusal");
    return count;
}

static uint64_t do_has_many(struct world *world, struct pair *pair)
{
    static char rooms[BATCH][64];
    seenset_key keys[BATCH];
    uint32_t numbers[BATCH];
    uint8_t answers[BATCH];
    size_t count = test_random_below(&world->random, BATCH + 1);
    for (size_t j = 0; j < count; j++) {
        numbers[j] = pick(world);
        keys[j] = key_of(numbers[j], rooms[j]);
    }
    int error = seenset_has_many(pair->set, keys, count, answers);
    expect(world, error == SEENSET_OK, "has_many succeeds");
    for (size_t j = 0; j < count; j++) {
        int single = seenset_has(pair->set, keys[j].data, keys[j].len);
        expect(world, answers[j] == single, "a batch asks like single keys");
        expect(world, answers[j] == 1 || !owes(pair, numbers[j]),
               "a batch never forgets");
    }
    return count;
}

static void do_merge(struct world *world, struct pair *into,
                     const struct pair *from)
{
    seenset_stats a, b;
    assert_int_equal(seenset_get_stats(into->set, &a, sizeof a), SEENSET_OK);
    assert_int_equal(seenset_get_stats(from->set, &b, sizeof b), SEENSET_OK);
    if (a.table_count + b.table_count > 24)
        return; /* they add up, and 64 is the most */
    if (into->window > 0)
        return; /* of two windows' keys nobody can say which are the last */
    expect(world,
           seenset_merge(into->set, from->set) == SEENSET_OK &&
               seenset_merge(into->twin, from->twin) == SEENSET_OK,
           "merge succeeds");
    for (uint32_t i = 0; i < UNIVERSE; i++)
        into->copies[i] += from->copies[i];
}

/* Puts a copy in place of the set; asks a view of the same file first. */
static void swap_for_copy(struct world *world, struct pair *pair, seenset *copy,
                          seenset *view)
{
    for (int j = 0; j < 200; j++) {
        char room[64];
        seenset_key key = key_of(pick(world), room);
        int answer = seenset_has(pair->set, key.data, key.len);
        expect(world, answer == seenset_has(view, key.data, key.len),
               "a view answers like its set");
    }
    expect(world, seenset_add(view, "", 0) == SEENSET_EREADONLY,
           "a view is read-only");
    seenset_free(view);
    seenset_free(pair->set);
    pair->set = copy;
    expect_alike(world, pair, copy);
}

static void do_save_and_open(struct world *world, struct pair *pair)
{
    char path[TEST_PATH_BYTES];
    seenset *copy = NULL, *view = NULL;
    test_path(path, &world->folder, "set");
    assert_int_equal(seenset_save(pair->set, path), SEENSET_OK);
    assert_int_equal(seenset_verify(path, NULL), SEENSET_OK);
    assert_int_equal(
        seenset_open(&copy, path,
                     &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        SEENSET_OK);
    assert_int_equal(seenset_open(&view, path, NULL), SEENSET_OK);
    swap_for_copy(world, pair, copy, view);
}

static void do_write_and_open(struct world *world, struct pair *pair)
{
    seenset *copy = NULL, *view = NULL;
    size_t size_bytes;
    uint8_t *bytes = test_bytes_of(pair->set, &size_bytes);
    assert_int_equal(
        seenset_open_bytes(&copy, bytes, size_bytes,
                           &(seenset_open_options){.flags = SEENSET_OPEN_COPY}),
        0);
    assert_int_equal(seenset_open_bytes(&view, bytes, size_bytes, NULL), 0);
    swap_for_copy(world, pair, copy, view);
    free(bytes);
}

/* Its file is opened to be appended to, and takes some keys. */
static uint64_t do_append(struct world *world, struct pair *pair)
{
    enum {
        ADDS = 300
    };
    char path[TEST_PATH_BYTES];
    seenset *copy = NULL, *view = NULL;
    const seenset_open_options to_append = {.flags = SEENSET_OPEN_APPEND},
                               to_copy = {.flags = SEENSET_OPEN_COPY};
    test_path(path, &world->folder, "set");
    assert_int_equal(seenset_save(pair->set, path), SEENSET_OK);
    seenset_free(pair->set);
    assert_int_equal(seenset_open(&pair->set, path, &to_append), SEENSET_OK);
    expect_alike(world, pair, pair->set);
    for (int j = 0; j < ADDS; j++)
        do_add(world, pair);
    assert_int_equal(seenset_append(pair->set, path), SEENSET_OK);
    assert_int_equal(seenset_verify(path, NULL), SEENSET_OK);
    assert_int_equal(seenset_open(&copy, path, &to_copy), SEENSET_OK);
    assert_int_equal(seenset_open(&view, path, NULL), SEENSET_OK);
    swap_for_copy(world, pair, copy, view);
    return ADDS;
}

/* One operation on the first pair, or a merge; returns the keys it took. */
static uint64_t step(struct world *world, struct pair *pairs)
{
    uint64_t dice = test_random_below(&world->random, 100000);
    struct pair *chosen = &pairs[dice % 2];
    if (dice < 2)
        do_save_and_open(world, chosen);
    else if (dice < 4)
        return do_append(world, chosen);
    else if (dice < 12)
        do_write_and_open(world, chosen);
    else if (dice < 16)
        do_merge(world, chosen, &pairs[(dice + 1) % 2]);
    else if (dice < 20)
        do_expect(world, chosen);
    else if (dice < 200)
        return do_add_many(world, chosen);
    else if (dice < 400)
        return do_has_many(world, chosen);
    else if (dice < 50000)
        do_add(world, chosen);
    else if (dice < 70000)
        do_remove(world, chosen);
    else
        do_has(world, chosen);
    return 1;
}

/* ---- rounds ---- */

/* A seed for any set, or a scheme with arguments where it can have one. */
static void choose_hash(test_random *random, seenset_options *options)
{
    static const uint32_t factors[] = {31,     131,     1313,     13131,
                                       131313, 1313131, 10000019, 2147483647};
    static const seenset_scheme_arguments seed = {.seed = 7},
                                          java = {.seeds = factors,
                                                  .seed_count = 8,
                                                  .unit_bits = 16};
    static const struct {
        seenset_scheme scheme;
        const seenset_scheme_arguments *arguments;
    } rows[] = {{SEENSET_SCHEME_DEFAULT, &seed},
                {SEENSET_SCHEME_MURMUR2A_FNV1A, &seed},
                {SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED, NULL},
                {SEENSET_SCHEME_MURMUR3_128, &seed},
                {SEENSET_SCHEME_POLYNOMIAL, NULL},
                {SEENSET_SCHEME_POLYNOMIAL, &java},
                {SEENSET_SCHEME_MD5_DIVMOD, NULL},
                {SEENSET_SCHEME_ENHANCED_DOUBLE, &seed},
                {SEENSET_SCHEME_CLICKHOUSE_BLOOM, NULL},
                {SEENSET_SCHEME_CLICKHOUSE_TOKENBF, &seed}};
    uint64_t row = test_random_below(random, 2 * TEST_COUNT(rows));
    bool has_schemes = options->layout == SEENSET_LAYOUT_BLOOM ||
                       options->layout == SEENSET_LAYOUT_COUNTING;
    if (row >= TEST_COUNT(rows) ||
        (rows[row].scheme != 0 &&
         (!has_schemes || options->on_full > SEENSET_ON_FULL_DEGRADE)))
        return;
    options->scheme = rows[row].scheme;
    options->scheme_arguments = rows[row].arguments;
}

static bool can_count(const seenset_options *options)
{
    return options->layout == SEENSET_LAYOUT_COUNTING ||
           options->layout == SEENSET_LAYOUT_FINGERPRINT;
}

static seenset_options round_options(test_random *random)
{
    static const seenset_layout layouts[] = {
        SEENSET_LAYOUT_BLOCKED, SEENSET_LAYOUT_BLOOM, SEENSET_LAYOUT_COUNTING,
        SEENSET_LAYOUT_SPLIT_BLOCK, SEENSET_LAYOUT_FINGERPRINT};
    static const uint64_t capacities[] = {1, 100, 3000, 20000, UNIVERSE};
    seenset_options options = {
        .layout = layouts[test_random_below(random, TEST_COUNT(layouts))],
        .on_full = (seenset_on_full)test_random_below(random, 5),
        .capacity_items = capacities[test_random_below(random, 5)],
        .fp_rate = test_random_below(random, 2) ? 0.01 : 1e-4};
    bool is_list = options.on_full == SEENSET_ON_FULL_GROW ||
                   options.on_full == SEENSET_ON_FULL_ROTATE;
    if (can_count(&options) && is_list)
        options.on_full = SEENSET_ON_FULL_DEFAULT;
    if (options.layout == SEENSET_LAYOUT_COUNTING)
        options.counter_bits = 2 + (uint32_t)test_random_below(random, 15);
    if (options.layout == SEENSET_LAYOUT_BLOCKED && !is_list)
        options.hash_count = 8 * (uint32_t)test_random_below(random, 4);
    if (options.on_full == SEENSET_ON_FULL_ROTATE)
        options.window_generations = 2 + (uint32_t)test_random_below(random, 9);
    choose_hash(random, &options);
    return options;
}

/* At the end every key that was added is there, and twins are equal. */
static void check_pair(struct world *world, const struct pair *pair)
{
    size_t a_bytes, b_bytes;
    for (uint32_t i = 0; i < UNIVERSE; i++) {
        char room[64];
        seenset_key key = key_of(i, room);
        expect(world,
               !owes(pair, i) || seenset_has(pair->set, key.data, key.len) == 1,
               "never forgets, at the end");
    }
    uint8_t *a = test_bytes_of(pair->set, &a_bytes);
    uint8_t *b = test_bytes_of(pair->twin, &b_bytes);
    expect(world, a_bytes == b_bytes && memcmp(a, b, a_bytes) == 0,
           "twins are equal byte for byte");
    free(a);
    free(b);
}

static uint64_t run_round(struct world *world)
{
    struct pair *pairs = calloc(2, sizeof *pairs);
    seenset_options options = round_options(&world->random);
    uint64_t done = 0;
    assert_non_null(pairs);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seenset_new(&pairs[i].set, &options), SEENSET_OK);
        assert_int_equal(seenset_new(&pairs[i].twin, &options), SEENSET_OK);
        pairs[i].is_counting = can_count(&options);
        pairs[i].full = options.layout == SEENSET_LAYOUT_COUNTING
                            ? (UINT64_C(1) << options.counter_bits) - 1
                            : SEENSET_MAX_COPIES;
        if (options.on_full == SEENSET_ON_FULL_ROTATE)
            pairs[i].window = options.capacity_items;
        seenset_info info = {0};
        (void)seenset_get_info(pairs[i].set, &info, sizeof info);
        pairs[i].grows = info.on_full == SEENSET_ON_FULL_GROW;
    }
    while (done < ROUND_OPERATIONS && world->fault == NULL)
        done += step(world, pairs);
    for (int i = 0; i < 2; i++) {
        check_pair(world, &pairs[i]);
        seenset_free(pairs[i].set);
        seenset_free(pairs[i].twin);
    }
    free(pairs);
    return done;
}

/* Runs rounds until `operations` are done; the first broken rule, or NULL. */
static const char *run_world(uint64_t seed, uint64_t operations,
                             uint64_t dropped_new)
{
    struct world world = {.random = {seed << 40}, .dropped_new = dropped_new};
    test_folder_make(&world.folder);
    for (uint64_t done = 0; done < operations && world.fault == NULL;)
        done += run_round(&world);
    test_folder_remove(&world.folder);
    return world.fault;
}

struct run {
    uint64_t seed;
    uint64_t operations;
};

static void model_agrees_with_the_truth(void **state)
{
    const struct run *run = *state;
    print_message("seed %" PRIu64 ", %" PRIu64 " operations\n", run->seed,
                  run->operations);
    const char *fault = run_world(run->seed, run->operations, 0);
    if (fault != NULL)
        fail_msg("seed %" PRIu64 ": broken: %s", run->seed, fault);
}

/* Planted: one new key among the first hundred never reaches the set. The seed
 * is fixed, as with others the key may fall into a window that has forgotten
 * it before anybody asks. */
static void model_catches_a_dropped_add(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= 100; number += 9)
        assert_non_null(run_world(1, 20 * ROUND_OPERATIONS, number));
}

int main(int argc, char **argv)
{
    struct run run = {1, 10000000};
    if (argc > 1)
        run.seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        run.operations = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(model_agrees_with_the_truth, &run),
        cmocka_unit_test(model_catches_a_dropped_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
