/*
 * streams_shared.c - a shared set is written to a stream while another thread
 * adds keys: what is read back has each key that was added before the write.
 */
#include "stream.h"

typedef struct adder {
    seenset *set;
    uint64_t next; /* numbers below were added. Atomic */
    bool is_over;  /* Atomic */
    bool is_lost;  /* a key that was added is not in a stream */
} adder;

static void *add_on(void *member)
{
    adder *adds = member;
    for (uint64_t i = 0; !__atomic_load_n(&adds->is_over, __ATOMIC_ACQUIRE);
         i++) {
        seenset_add_hash(adds->set, test_mix(i));
        __atomic_store_n(&adds->next, i + 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void *write_on(void *member)
{
    adder *adds = member;
    for (int round = 0; round < 20; round++) {
        uint64_t before = __atomic_load_n(&adds->next, __ATOMIC_ACQUIRE);
        test_stream stream = {0};
        seenset *read = NULL;
        int error = seenset_write(adds->set, test_stream_write, &stream);
        if (error == SEENSET_OK)
            error = seenset_read(&read, test_stream_read, &stream, NULL);
        bool holds = error == SEENSET_OK;
        for (uint64_t i = 0; holds && i < before; i++)
            holds = seenset_has_hash(read, test_mix(i)) == 1;
        seenset_free(read);
        test_stream_free(&stream);
        adds->is_lost |= !holds;
    }
    __atomic_store_n(&adds->is_over, true, __ATOMIC_RELEASE);
    return NULL;
}

static void *either(void *member)
{
    adder **role = member;
    return role[1] == NULL ? add_on(role[0]) : write_on(role[0]);
}

static void shared_sets_are_written_while_keys_come(void **state)
{
    adder adds = {.set = test_make((seenset_options){
                      .flags = SEENSET_FLAG_SHARED, .capacity_items = 20000})};
    adder *roles[2][2] = {{&adds, NULL}, {&adds, &adds}};
    (void)state;
    test_run_threads(2, either, roles, sizeof roles[0]);
    assert_false(adds.is_lost);
    seenset_free(adds.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_sets_are_written_while_keys_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
