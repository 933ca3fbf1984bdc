/*
 * streams_shared.c - a shared set is written to a stream while another thread
 * adds keys: what is read back has each key that was added before the write.
 *
 * The two threads go round by round. In each the one writes, and the other adds
 * A_ROUND keys. Were it to add for as long as the test runs, it would add more
 * keys while those before them are looked for, and each round would take twice
 * as long as the one before.
 */
#include "stream.h"

enum {
    ROUNDS = 20,
    A_ROUND = 1000 /* keys */
};

typedef struct adder {
    seenset *set;
    uint64_t next;  /* numbers below were added. Atomic */
    uint64_t limit; /* numbers below may be added. Atomic */
    bool is_lost;   /* a key that was added is not in a stream */
} adder;

static void wait_for(const uint64_t *number, uint64_t least)
{
    while (__atomic_load_n(number, __ATOMIC_ACQUIRE) < least)
        continue;
}

static void *add_on(void *member)
{
    adder *adds = member;
    for (uint64_t i = 0; i < ROUNDS * A_ROUND; i++) {
        wait_for(&adds->limit, i + 1);
        seenset_add_hash(adds->set, test_mix(i));
        __atomic_store_n(&adds->next, i + 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

/* Has what is written of the set the keys below `end`? */
static bool writes_keys(const seenset *set, uint64_t end)
{
    test_stream stream = {0};
    seenset *read = NULL;
    int error = seenset_write(set, test_stream_write, &stream);
    if (error == SEENSET_OK)
        error = seenset_read(&read, test_stream_read, &stream, NULL);
    bool has = error == SEENSET_OK && test_has_stream(read, 0, end);
    seenset_free(read);
    test_stream_free(&stream);
    return has;
}

static void *write_on(void *member)
{
    adder *adds = member;
    for (uint64_t end = 0; end < ROUNDS * A_ROUND; end += A_ROUND) {
        wait_for(&adds->next, end);
        __atomic_store_n(&adds->limit, end + A_ROUND, __ATOMIC_RELEASE);
        adds->is_lost |= !writes_keys(adds->set, end);
    }
    return NULL;
}

static void *either(void *member)
{
    adder **role = member;
    return role[1] == NULL ? add_on(role[0]) : write_on(role[0]);
}

static void shared_sets_are_written_while_keys_come(void **state)
{
    adder adds = {
        .set = test_make((seenset_options){
            .flags = SEENSET_FLAG_SHARED, .capacity_items = ROUNDS * A_ROUND})};
    adder *roles[2][2] = {{&adds, NULL}, {&adds, &adds}};
    (void)state;
    test_run_threads(2, either, roles, sizeof roles[0]);
    assert_false(adds.is_lost);
    assert_true(writes_keys(adds.set, ROUNDS * A_ROUND));
    /* a key that was not added would be missed */
    assert_false(writes_keys(adds.set, ROUNDS * A_ROUND + A_ROUND));
    seenset_free(adds.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_sets_are_written_while_keys_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
