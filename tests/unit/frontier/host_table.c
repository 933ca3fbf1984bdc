/* host_table.c - hosts by the hashes of their names */
#include <stdlib.h>

#include "seenset/error.h"
#include "support.h"
#include "frontier/turns/hosts.h"

static void *take(void *context, size_t size_bytes, size_t alignment_bytes)
{
    (void)context;
    (void)alignment_bytes;
    return malloc(size_bytes);
}

static void give(void *context, void *memory, size_t size_bytes)
{
    (void)context;
    (void)size_bytes;
    free(memory);
}

static const seenset_allocator plain = {take, give, NULL};

/* Many hosts come and go; numbers are used again. */
static void hosts_come_and_go(void **state)
{
    test_random random = {11};
    bool is_there[3000] = {false};
    uint64_t count = 0;
    ss_host_table all;
    (void)state;
    ss_hosts_init(&all, &plain);
    for (int i = 0; i < 200000; i++) {
        uint64_t key = test_random_below(&random, TEST_COUNT(is_there));
        uint64_t hash = test_mix(key) & ~UINT64_C(0xff); /* they crowd */
        uint32_t number = ss_hosts_find(&all, hash);
        assert_int_equal(number != SS_HOSTS_NONE, is_there[key]);
        if (is_there[key]) {
            assert_true(ss_hosts_row(&all, number)->hash == hash);
            ss_hosts_remove(&all, number);
        } else {
            if (!ss_hosts_have_room(&all))
                assert_int_equal(ss_hosts_grow(&all), SEENSET_OK);
            (void)ss_hosts_add(&all, hash);
        }
        is_there[key] = !is_there[key];
        count += is_there[key] ? 1 : UINT64_MAX;
        assert_int_equal(all.count, count);
    }
    assert_true(all.room <= 4096);
    ss_hosts_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hosts_come_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
