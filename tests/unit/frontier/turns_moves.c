/*
 * turns_moves.c - the blocks of hosts and of their turns are given another
 * place while hosts come, are asked and are forgotten: the same hosts come in
 * the same order as without that.
 */
#include "frontier/turns/move.h"
#include "moving.h"

enum {
    HOSTS = 3000, /* many pieces of each kind */
    STEPS = 60000,
    EACH = 500 /* steps from one move to the next */
};

typedef struct scene {
    ss_turns it;
    test_memory memory;
    test_mover mover;
    uint64_t unused; /* moves with a piece that a heap had had before */
} scene;

static void begin(scene *at)
{
    test_memory_init(&at->memory);
    at->mover = (test_mover){.memory = &at->memory};
    ss_turns_init(&at->it, &at->memory.allocator);
    at->it.all.load_bytes = sizeof(uint64_t);
    at->it.delay_ms = 1000;
}

static void end(scene *at)
{
    ss_turns_free(&at->it);
    assert_int_equal(at->memory.live_blocks, 0);
}

static void move_all(scene *at)
{
    uint64_t number = 0;
    at->unused += at->it.order.unused != NULL;
    ss_turns_move_lists(&at->it, test_move, &at->mover);
    ss_turns_move_heaps(&at->it, test_move, &at->mover);
    while (ss_turns_move_piece(&at->it, number++, test_move, &at->mover)) {
    }
}

static void forget(void *context, ss_host_row *row)
{
    *(uint64_t *)context += row->hash;
}

/* A step of both, or of one; what it says. */
static uint64_t step(ss_turns *it, uint64_t random, uint64_t now_ms)
{
    uint64_t hash = test_mix(random % HOSTS), said = 0;
    uint32_t number = ss_hosts_find(&it->all, hash);
    switch (random / HOSTS % 8) {
    case 0:
    case 1:
    case 2:
        if (number == SS_HOSTS_NONE)
            assert_int_equal(ss_turns_add(it, hash, &number), SEENSET_OK);
        ss_turns_set_items(it, number, true);
        return number;
    case 3:
    case 4:
    case 5:
        number = ss_turns_first(it, now_ms);
        if (number == SS_HOSTS_NONE)
            return number;
        said = ss_turns_host(it, number)->hash;
        ss_turns_hand_out(it, number, now_ms, 500 + said % 1000);
        ss_turns_end(it, number, now_ms, 500 + said % 1000, true);
        ss_turns_set_items(it, number, random / HOSTS % 16 < 8);
        return said;
    case 6:
        (void)ss_turns_forget_idle(it, now_ms, forget, &said);
        return said;
    default:
        return ss_turns_next_ms(it);
    }
}

/* How many of the steps say something else; `most` ends it. */
static uint64_t run(scene *moved, scene *alone, uint64_t most)
{
    test_random random = {17};
    uint64_t differ = 0, now_ms = 1000000;
    for (uint64_t i = 0; i < STEPS && differ < most; i++) {
        uint64_t next = test_random_below(&random, UINT64_C(1) << 40);
        now_ms += next % 7;
        differ +=
            step(&moved->it, next, now_ms) != step(&alone->it, next, now_ms);
        if (i % EACH == 0)
            move_all(moved);
    }
    return differ;
}

static void turns_stay_what_they_are(void **state)
{
    scene moved, alone;
    (void)state;
    begin(&moved);
    begin(&alone);
    assert_true(run(&moved, &alone, 1) == 0);
    assert_true(moved.mover.moved > 10 * STEPS / EACH);
    assert_true(moved.unused > 0);
    assert_int_equal(moved.memory.live_blocks, alone.memory.live_blocks);
    assert_int_equal(moved.memory.live_bytes, alone.memory.live_bytes);
    end(&moved);
    end(&alone);
}

/* Planted: a piece of the rows, of which the table is not told. */
static void a_piece_that_is_left_is_found(void **state)
{
    scene at;
    uint32_t number;
    (void)state;
    begin(&at);
    assert_int_equal(ss_turns_add(&at.it, 5, &number), SEENSET_OK);
    assert_int_equal(ss_hosts_find(&at.it.all, 5), number);
    at.mover.left_at = 1;
    assert_true(ss_turns_move_piece(&at.it, 0, test_move, &at.mover));
    assert_int_not_equal(ss_turns_host(&at.it, number)->hash, 5);
    end(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_stay_what_they_are),
        cmocka_unit_test(a_piece_that_is_left_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
