/* leases.c - leases come due in order, and name their item */
#include "items/leases.h"
#include "seen/in_flight.h"
#include "support.h"

static void check_leases(uint64_t seed)
{
    enum {
        LEASES = 200,
        STEPS = 1000
    };
    ss_memory memory;
    ss_leases leases = {0};
    test_random random = {seed};
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    for (uint64_t item = 1; item <= LEASES; item++) {
        ss_leased_item *entry = ss_leases_add(&leases, &memory, item, item);
        assert_non_null(entry);
        ss_leases_set(&leases, entry, SS_LEASE_HELD, item);
    }
    for (int step = 0; step < STEPS; step++) {
        uint64_t earliest = UINT64_MAX;
        ss_leased_item *changed =
            ss_leases_by_item(&leases, 1 + test_random_below(&random, LEASES));
        if (changed != NULL && test_random_below(&random, 50) == 0)
            ss_leases_remove(&leases, changed);
        else if (changed != NULL)
            ss_leases_set(&leases, changed, SS_LEASE_HELD,
                          test_random_below(&random, 1000));
        for (ss_leased_item *entry = ss_leases_oldest(&leases); entry != NULL;
             entry = ss_leases_newer(&leases, entry))
            earliest = entry->due_ns < earliest ? entry->due_ns : earliest;
        ss_leased_item *due = ss_leases_due(&leases, 1000);
        assert_true(due == NULL ? earliest == UINT64_MAX
                                : due->due_ns == earliest);
    }
    ss_leased_item *due;
    uint64_t last = 0, last_item = 0;
    while ((due = ss_leases_due(&leases, 1000)) != NULL) {
        assert_true(due->due_ns > last ||
                    (due->due_ns == last && due->item > last_item));
        last = due->due_ns;
        last_item = due->item;
        ss_leases_remove(&leases, due);
    }
    assert_int_equal(leases.count, 0);
    ss_leases_free(&leases, &memory);
}

static void leases_come_due_in_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        check_leases(1000 * seed);
}

/* An ack that ends where the failed part begins is part of what lies before. */
static void acks_before_a_failed_write_stand(void **state)
{
    ss_memory memory;
    ss_leases leases = {0};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    for (uint64_t item = 1; item <= 3; item++) {
        ss_leased_item *entry = ss_leases_add(&leases, &memory, item, item);
        assert_non_null(entry);
        entry->ack_end = 99 + item;
        ss_leases_set(&leases, entry, SS_LEASE_ACKING, 0);
    }
    ss_leases_cancel_acks(&leases, 101);
    for (uint64_t item = 1; item <= 3; item++)
        assert_int_equal(ss_leases_by_item(&leases, item)->state,
                         item < 3 ? SS_LEASE_ACKING : SS_LEASE_HELD);
    ss_leases_free(&leases, &memory);
}

/* A lease's lowest byte counts deliveries, however many there were. */
static void leases_name_the_item_after_256_deliveries(void **state)
{
    ss_memory memory;
    ss_leases leases = {0};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    ss_leased_item *entry = ss_leases_add(&leases, &memory, 5, 0);
    assert_non_null(entry);
    ss_leases_set(&leases, entry, SS_LEASE_HELD, 0);
    for (entry->deliveries = 250; entry->deliveries < 600;
         entry->deliveries++) {
        assert_int_equal(ss_leases_id(entry), 5 << 8 | entry->deliveries % 256);
        assert_ptr_equal(ss_leases_find(&leases, ss_leases_id(entry)), entry);
    }
    ss_leases_free(&leases, &memory);
}

/* Slots and places have numbers of 32 bits; where they end nothing is asked of
 * the memory, and one before it is. */
static void numbers_end_before_they_wrap(void **state)
{
    test_memory counted;
    ss_memory memory;
    (void)state;
    test_memory_init(&counted);
    counted.most_bytes = 1; /* it has none to give */
    assert_int_equal(ss_memory_init(&memory, &counted.allocator), SEENSET_OK);
    for (uint32_t left = 0; left < 5; left++) {
        ss_leases leases = {.count = UINT32_MAX - left};
        ss_in_flight inflight = {.count = UINT32_MAX - left};
        counted.calls = 0;
        assert_null(ss_leases_add(&leases, &memory, 1, 1));
        assert_int_equal(counted.calls, left <= 2 ? 0 : 1);
        counted.calls = 0;
        assert_false(ss_in_flight_reserve(&inflight, &memory, 1, 0));
        assert_int_equal(counted.calls, left <= 1 ? 0 : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leases_come_due_in_order),
        cmocka_unit_test(acks_before_a_failed_write_stand),
        cmocka_unit_test(leases_name_the_item_after_256_deliveries),
        cmocka_unit_test(numbers_end_before_they_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
