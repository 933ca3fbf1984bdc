/*
 * pairs.c - any two public calls on one set, or one queue, at once.
 *
 * The headers say which pairs may run in two threads at once: on any set, on a
 * shared one, never. Here each pair that may does, on each kind of object,
 * several rounds; pairs.h has the oracle that judges what they answer. The
 * thread sanitizer, where it is built in, sees the races besides. A function
 * that src/seenset.map exports and no row names fails the test, and so does a
 * row that is of another class in the header.
 *
 *     test_pairs [ROUNDS [N]]  of each pair, or of each Nth on each kind, so
 *                              drawn that all kinds together have them all
 *     test_pairs forbidden     a pair that may not, for the thread sanitizer
 */
#define _GNU_SOURCE /* pthread, sched_yield */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table/blocked/blocked.h"
#include "hash/xxh3.h"
#include "pairs.h"
#include "set/set.h"

static unsigned rounds = 2;
static unsigned step = 4;
static char *own_path;

static const uint8_t secret[SEENSET_SECRET_BYTES] = {7, 7, 7};
static const uint32_t factors[] = {31,     131,     1313,     13131,
                                   131313, 1313131, 10000019, 2147483647};
static const seenset_scheme_arguments seed = {.seed = 7},
                                      java = {.seeds = factors,
                                              .seed_count = 8,
                                              .unit_bits = 16};

#define SIZE .capacity_items = PAIR_CAPACITY
#define WINDOW .capacity_items = 5 * PAIR_CAPACITY
#define SHARE .capacity_items = PAIR_CAPACITY, .flags = SEENSET_FLAG_SHARED

static const pair_kind single_kinds[] = {
    {.name = "blocked", .options = {SIZE, .on_full = SEENSET_ON_FULL_DEGRADE}},
    {.name = "bloom",
     .options = {SIZE, .layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_REFUSE}},
    {.name = "grown", .options = {.capacity_items = 50}},
    {.name = "window by number",
     .options = {WINDOW, .on_full = SEENSET_ON_FULL_ROTATE}},
    {.name = "window by age",
     .options = {WINDOW, .on_full = SEENSET_ON_FULL_ROTATE,
                 .window_seconds = 1000000}},
    {.name = "counting", .options = {SIZE, .layout = SEENSET_LAYOUT_COUNTING}},
    {.name = "fingerprint",
     .options = {SIZE, .layout = SEENSET_LAYOUT_FINGERPRINT}},
    {.name = "split_block",
     .options = {SIZE, .layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                 .on_full = SEENSET_ON_FULL_DEGRADE}},
    {.name = "sealed", .options = {.fp_rate = 0.01}, .is_sealed = true},
    {.name = "keyed",
     .options = {SIZE, .secret = secret, .on_full = SEENSET_ON_FULL_DEGRADE}},
    {.name = "scheme", .options = {SIZE, .scheme = SEENSET_SCHEME_MURMUR3_128}},
    {.name = "seeded", .options = {SIZE, .scheme_arguments = &seed}},
    {.name = "scheme, seeds",
     .options = {SIZE, .scheme = SEENSET_SCHEME_POLYNOMIAL,
                 .scheme_arguments = &java}},
    {.name = "scheme, seed",
     .options = {SIZE, .scheme = SEENSET_SCHEME_CLICKHOUSE_TOKENBF,
                 .scheme_arguments = &seed}},
};

static const pair_kind shared_kinds[] = {
    {.name = "shared blocked", .options = {SHARE}},
    {.name = "shared blocked of two lines",
     .options = {SHARE, .fp_rate = 1e-6}},
    {.name = "shared bloom",
     .options = {SHARE, .layout = SEENSET_LAYOUT_BLOOM}},
    {.name = "shared split_block",
     .options = {SHARE, .layout = SEENSET_LAYOUT_SPLIT_BLOCK}},
    {.name = "shared that refuses",
     .options = {SHARE, .on_full = SEENSET_ON_FULL_REFUSE}},
    {.name = "shared and keyed", .options = {SHARE, .secret = secret}},
    {.name = "shared and seeded",
     .options = {SHARE, .layout = SEENSET_LAYOUT_BLOOM,
                 .scheme_arguments = &seed}},
};

void pair_blame(pair_scene *scene, const char *wrong)
{
    const char *nothing = NULL;
    __atomic_compare_exchange_n(&scene->wrong, &nothing, wrong, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* ---- a scene ---- */

static void open_view(pair_scene *scene)
{
    seenset_open_options options = {.flags = SEENSET_OPEN_VIEW,
                                    .secret = scene->kind->options.secret};
    seenset_free(scene->set);
    assert_int_equal(seenset_open(&scene->set, scene->path, &options),
                     SEENSET_OK);
}

static pair_scene *scene_of(const pair_kind *kind)
{
    pair_scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->kind = kind;
    scene->rounds = rounds;
    test_folder_make(&scene->folder);
    test_path(scene->path, &scene->folder, "old");
    for (uint32_t i = 0; i < PAIR_KEYS; i++) {
        scene->numbers[i] = test_mix(i);
        scene->hashes[i] = ss_hash_key(&scene->numbers[i], 8);
    }
    if (kind == NULL) { /* a queue, in the folder itself */
        snprintf(scene->path, sizeof scene->path, "%s", scene->folder.path);
        return scene;
    }
    scene->part = pair_make(scene, PAIR_OLD);
    scene->full = pair_make(scene, PAIR_KEYS);
    assert_int_equal(seenset_save(scene->part, scene->path), SEENSET_OK);
    scene->start = test_stats_of(scene->part);
    scene->is_comparable = scene->start.table_count == 1 &&
                           !pair_counts(kind) &&
                           scene->start.layout != SEENSET_LAYOUT_SEALED;
    pair_look_at_first_table(scene);
    return scene;
}

/* As it was at the start. */
static void refresh(pair_scene *scene)
{
    memset(scene->known, 0, sizeof scene->known);
    memset(scene->known, 1, PAIR_OLD);
    scene->news = 0;
    if (scene->kind->is_view) {
        open_view(scene);
        return;
    }
    seenset_free(scene->set);
    assert_int_equal(seenset_copy(&scene->set, scene->part), SEENSET_OK);
}

static void close_scene(pair_scene *scene)
{
    seenset_free(scene->set);
    seenset_free(scene->part);
    seenset_free(scene->full);
    free(scene->bits);
    test_folder_remove(&scene->folder);
    free(scene);
}

/* ---- two threads ---- */

/* A round begins in both threads at once. No more is agreed on than that: what
 * would order one thread's calls after the other's would hide a race. */
static void begin_together(const pair_turn *turn)
{
    pair_scene *scene = turn->scene;
    unsigned round = turn->round + 1;
    __atomic_store_n(&scene->began[turn->number], round, __ATOMIC_RELAXED);
    while (__atomic_load_n(&scene->began[1 - turn->number], __ATOMIC_RELAXED) <
           round)
        sched_yield();
}

static bool is_other_done(const pair_turn *turn)
{
    return __atomic_load_n(&turn->scene->ended[1 - turn->number],
                           __ATOMIC_RELAXED) > turn->round;
}

/* Calls once a round, and on while the other's first call lasts. */
static void *take_turns(void *argument)
{
    enum {
        MOST_CALLS = 64
    };
    pair_turn *turn = argument;
    for (turn->round = 0; turn->round < turn->rounds; turn->round++) {
        begin_together(turn);
        for (int i = 0; i == 0 || (i < MOST_CALLS && !is_other_done(turn));
             i++) {
            const char *wrong = turn->row->call(turn);
            if (wrong != NULL)
                pair_blame(turn->scene, wrong);
            __atomic_store_n(&turn->scene->ended[turn->number], turn->round + 1,
                             __ATOMIC_RELAXED);
        }
    }
    return NULL;
}

static pair_turn turn_of(pair_scene *scene, unsigned number,
                         const pair_row *row)
{
    char name[16];
    pair_turn turn = {
        .scene = scene, .row = row, .number = number, .rounds = scene->rounds};
    snprintf(name, sizeof name, "own %u", number);
    test_path(turn.path, &scene->folder, name);
    return turn;
}

static void run_pair(pair_scene *scene, const pair_row *a, const pair_row *b)
{
    pair_turn turns[2] = {turn_of(scene, 0, a), turn_of(scene, 1, b)};
    memset(scene->began, 0, sizeof scene->began);
    memset(scene->ended, 0, sizeof scene->ended);
    test_run_threads(2, take_turns, turns, sizeof turns[0]);
    if (scene->queue != NULL) {
        pair_leave_queue(&turns[0]);
        pair_leave_queue(&turns[1]);
    }
}

/* Afterwards all is there, and no bit that one thread would not have set. */
static void check_end(pair_scene *scene)
{
    static pair_turn turn;
    turn.scene = scene;
    pair_look(&turn);
    if (!pair_holds(&turn, scene->set))
        pair_blame(scene, "a key is lost");
    if (!scene->is_comparable)
        return;
    seenset *again;
    assert_int_equal(seenset_copy(&again, scene->part), SEENSET_OK);
    for (uint32_t i = 0; i < PAIR_KEYS; i++) {
        seenset_key key = pair_key(scene, i);
        if (turn.before[i])
            assert_true(seenset_add(again, key.data, key.len) >= 0);
    }
    if (test_is_superset(scene->set, again) != 1)
        pair_blame(scene, "a bit is lost");
    if (test_is_superset(again, scene->set) != 1)
        pair_blame(scene, "a bit is set that no key has");
    seenset_free(again);
}

/* 1 if something went wrong, which is said; the next pair starts anew. */
static size_t judge(pair_scene *scene, const char *kind, const pair_row *a,
                    const pair_row *b)
{
    if (scene->wrong == NULL)
        return 0;
    print_error("%s beside %s, %s: %s\n", a->name, b->name, kind, scene->wrong);
    scene->wrong = NULL;
    return 1;
}

/* ---- pairs of calls on sets ---- */

/* The table of the header. */
static bool may_run(const pair_kind *kind, const pair_row *a, const pair_row *b)
{
    bool is_shared = (kind->options.flags & SEENSET_FLAG_SHARED) != 0;
    if (a->class == PAIR_ASKS && b->class == PAIR_ASKS)
        return true;
    return is_shared && a->class <= PAIR_ADDS && b->class <= PAIR_ADDS;
}

/* Is pair number `pair` one of those that this kind, number `kind`, runs? */
static bool is_drawn(size_t pair, size_t kind)
{
    return (pair + kind) % step == 0;
}

/* How many pairs there are. */
static size_t run_kind(const pair_kind *kind, size_t number)
{
    pair_scene *scene = scene_of(kind);
    size_t pairs = 0, wrong = 0;
    for (size_t i = 0; i < pair_set_row_count; i++) {
        for (size_t j = 0; j <= i; j++) {
            const pair_row *a = &pair_set_rows[i], *b = &pair_set_rows[j];
            if (!may_run(kind, a, b) || !is_drawn(pairs++, number))
                continue;
            refresh(scene);
            run_pair(scene, a, b);
            check_end(scene);
            wrong += judge(scene, kind->name, a, b);
        }
    }
    close_scene(scene);
    assert_int_equal(wrong, 0);
    return pairs;
}

enum {
    ASKING = 26,
    ADDING = 5,
    ASKING_PAIRS = ASKING * (ASKING + 1) / 2,
    SHARED_PAIRS = (ASKING + ADDING) * (ASKING + ADDING + 1) / 2
};

static void sets_answer_two_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(single_kinds); i++)
        assert_int_equal(run_kind(&single_kinds[i], i), ASKING_PAIRS);
}

static void views_answer_two_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(single_kinds); i++) {
        pair_kind kind = single_kinds[i];
        kind.is_view = true;
        assert_int_equal(run_kind(&kind, i + 1), ASKING_PAIRS);
    }
}

static void shared_sets_take_two_calls_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(shared_kinds); i++)
        assert_int_equal(run_kind(&shared_kinds[i], i), SHARED_PAIRS);
}

/* Calls that take no set, beside each other and beside those that do. */
static void calls_without_a_set_run_beside_any(void **state)
{
    const pair_kind *kind = &shared_kinds[0];
    pair_scene *scene = scene_of(kind);
    size_t pairs = 0, wrong = 0;
    (void)state;
    for (size_t i = 0; i < pair_alone_row_count; i++) {
        const pair_row *a = &pair_alone_rows[i];
        for (size_t j = 0; j <= i + ASKING + ADDING; j++) {
            const pair_row *b =
                j <= i ? &pair_alone_rows[j] : &pair_set_rows[j - i - 1];
            if (!is_drawn(pairs++, 0))
                continue;
            refresh(scene);
            run_pair(scene, a, b);
            wrong += judge(scene, kind->name, a, b);
        }
    }
    close_scene(scene);
    assert_int_equal(wrong, 0);
}

/* ---- pairs of calls on a queue ---- */

static size_t run_queue_pair(const pair_row *a, const pair_row *b,
                             seenset_queue_durability durability,
                             bool is_polite)
{
    pair_scene *scene = scene_of(NULL);
    pair_open_queue(scene, durability, is_polite);
    run_pair(scene, a, b);
    pair_close_queue(scene);
    size_t wrong = judge(scene, is_polite ? "a polite queue" : "a queue", a, b);
    close_scene(scene);
    return wrong;
}

static void queues_take_two_calls_at_once(void **state)
{
    (void)state;
    size_t pairs = 0, wrong = 0;
    for (int d = SEENSET_QUEUE_DURABILITY_EACH;
         d <= SEENSET_QUEUE_DURABILITY_NONE; d++) {
        for (size_t i = 0; i < pair_queue_row_count; i++) {
            const pair_row *a = &pair_queue_rows[i];
            for (size_t j = 0; j <= i && a->class != PAIR_ENDS_QUEUE; j++) {
                if (is_drawn(pairs++, (size_t)d))
                    wrong += run_queue_pair(a, &pair_queue_rows[j],
                                            (seenset_queue_durability)d,
                                            (i + j + (size_t)d) % 2 == 0);
            }
        }
    }
    size_t calls = pair_queue_row_count - 1;
    assert_int_equal(wrong, 0);
    assert_int_equal(pairs, 3 * calls * (calls + 1) / 2);
}

/* ---- planted faults ---- */

/* An add that reads and writes a word in two steps: no data race, so that the
 * thread sanitizer is content, and it loses bits. */
static bool load_and_store(ss_table *table, uint64_t hash)
{
    uint64_t *line =
        table->words + ss_hash_range(hash, table->range) * SS_LINE_WORDS;
    uint64_t x = ss_hash_step(hash), missing = 0;
    for (unsigned w = 0; w < SS_LINE_WORDS; w++) {
        uint64_t word = __atomic_load_n(&line[w], __ATOMIC_RELAXED);
        missing |= ss_blocked_mask(x, w) & ~word;
        if (w == hash % SS_LINE_WORDS)
            sched_yield();
        __atomic_store_n(&line[w], word | ss_blocked_mask(x, w),
                         __ATOMIC_RELAXED);
    }
    return missing != 0;
}

static const pair_row *row_named(const char *name)
{
    for (size_t i = 0; i < pair_set_row_count; i++) {
        if (strcmp(pair_set_rows[i].name, name) == 0)
            return &pair_set_rows[i];
    }
    return NULL;
}

static void lost_bits_are_caught(void **state)
{
    (void)state;
    enum {
        MOST_TRIES = 1000,
        ROUNDS = 64
    };
    /* so small that the threads meet in its words */
    const pair_kind kind = {
        .name = "planted",
        .options = {.capacity_items = 300, .flags = SEENSET_FLAG_SHARED}};
    ss_layout broken = ss_blocked_shared;
    broken.add = load_and_store;
    pair_scene *scene = scene_of(&kind);
    scene->rounds = ROUNDS;
    for (int i = 0; i < MOST_TRIES && scene->wrong == NULL; i++) {
        refresh(scene);
        ss_set_newest(scene->set)->table.layout = &broken;
        run_pair(scene, row_named("seenset_add"), row_named("seenset_add"));
        check_end(scene);
    }
    assert_non_null(scene->wrong);
    close_scene(scene);
}

/* Copies a set that is not shared while it is added to: not allowed. */
static int run_forbidden(void)
{
    pair_scene *scene = scene_of(&single_kinds[0]);
    scene->rounds = 64;
    refresh(scene);
    run_pair(scene, row_named("seenset_copy"), row_named("seenset_add"));
    close_scene(scene);
    return 0;
}

/* The sanitizer judges the runs above: it must see the pair that may not run,
 * and nothing else does. */
static void forbidden_pairs_are_seen_by_the_sanitizer(void **state)
{
    (void)state;
    int wanted = TEST_HAS_THREAD_SANITIZER ? 66 : 0;
    assert_int_equal(pair_status_of_forbidden(own_path), wanted);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pair_every_exported_function_has_a_class),
        cmocka_unit_test(pair_the_header_says_the_same_classes),
        cmocka_unit_test(pair_queue_h_lists_what_may_run_at_once),
        cmocka_unit_test(lost_bits_are_caught),
        cmocka_unit_test(forbidden_pairs_are_seen_by_the_sanitizer),
        cmocka_unit_test(sets_answer_two_at_once),
        cmocka_unit_test(views_answer_two_at_once),
        cmocka_unit_test(shared_sets_take_two_calls_at_once),
        cmocka_unit_test(calls_without_a_set_run_beside_any),
        cmocka_unit_test(queues_take_two_calls_at_once),
    };
    own_path = argv[0];
    if (argc > 1 && strcmp(argv[1], "forbidden") == 0)
        return run_forbidden();
    if (argc > 1)
        rounds = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 1)
        step = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
    return rounds < 1 || step < 1 ? 1
                                  : cmocka_run_group_tests(tests, NULL, NULL);
}
