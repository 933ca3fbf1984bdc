/* lock.c - one thread at a time has the lock, and each gets it in the end */
#include "base/lock.h"

#include "support.h"

enum {
    THREADS = 8, /* more than most machines have processors for */
    TURNS = 20000
};

typedef struct shared {
    uint32_t lock;
    uint64_t turns, inside, overlaps; /* not atomic: the lock guards them */
} shared;

/* What a thread does while it has the lock. */
static void take_turn(shared *of)
{
    of->overlaps += of->inside++ != 0;
    of->turns++;
    of->inside--;
}

static void *take_turns(void *member)
{
    shared *of = *(shared **)member;
    for (int i = 0; i < TURNS; i++) {
        ss_lock_take(&of->lock);
        take_turn(of);
        ss_lock_give(&of->lock);
    }
    return NULL;
}

static void no_two_threads_have_the_lock(void **state)
{
    shared of = {0};
    shared *members[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++)
        members[i] = &of;
    test_run_threads(THREADS, take_turns, members, sizeof *members);
    assert_int_equal(of.turns, (uint64_t)THREADS * TURNS);
    assert_int_equal(of.overlaps, 0);
    assert_int_equal(of.lock, 0);
}

/* Planted: a thread inside that did not leave. */
static void overlaps_are_noticed(void **state)
{
    shared of = {.inside = 1};
    (void)state;
    take_turn(&of);
    assert_int_equal(of.overlaps, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_threads_have_the_lock),
        cmocka_unit_test(overlaps_are_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
