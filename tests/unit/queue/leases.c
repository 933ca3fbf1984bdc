/* leases.c - leases come due in order, and name their item */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "items/items.h"
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

/* Leases, and which numbers they should have. */
enum {
    NUMBERS = 40000
};
typedef struct numbered {
    ss_memory memory;
    ss_leases leases;
    bool is_there[NUMBERS];
} numbered;

/* The number after `item` that is there; NUMBERS: none is. */
static uint64_t next_there(const numbered *of, uint64_t item)
{
    do
        item++;
    while (item < NUMBERS && !of->is_there[item]);
    return item;
}

/* The larger a number, the sooner it is due. */
static void add_number(numbered *of, uint64_t item)
{
    ss_leased_item *entry = ss_leases_add(&of->leases, &of->memory, item, item);
    assert_non_null(entry);
    ss_leases_set(&of->leases, entry, SS_LEASE_HELD, NUMBERS - item);
    of->is_there[item] = true;
}

static void remove_number(numbered *of, uint64_t item)
{
    ss_leased_item *entry = ss_leases_by_item(&of->leases, item);
    assert_int_equal(entry != NULL, of->is_there[item]);
    if (entry != NULL)
        ss_leases_remove(&of->leases, entry);
    of->is_there[item] = false;
}

/* From the oldest to the newest, all are there, and as they were added. */
static void check_order(const numbered *of)
{
    uint64_t next = next_there(of, 0);
    for (const ss_leased_item *entry = ss_leases_oldest(&of->leases);
         entry != NULL; entry = ss_leases_newer(&of->leases, entry)) {
        assert_int_equal(entry->item, next);
        assert_int_equal(entry->position, next);
        assert_int_equal(entry->due_ns, NUMBERS - next);
        next = next_there(of, next);
    }
    assert_int_equal(next, NUMBERS);
}

static void remove_in_order_of_time(numbered *of)
{
    uint64_t last = 0;
    for (ss_leased_item *due;
         (due = ss_leases_due(&of->leases, NUMBERS)) != NULL;) {
        assert_true(due->due_ns > last && of->is_there[due->item]);
        last = due->due_ns;
        of->is_there[due->item] = false;
        ss_leases_remove(&of->leases, due);
    }
    assert_int_equal(next_there(of, 0), NUMBERS);
    assert_int_equal(of->leases.count, 0);
}

/* Numbers with gaps of up to `gap` come and go, in waves more of them go than
 * come; each is found, and no other. */
static void check_finding(uint64_t gap)
{
    enum {
        LOOK_EACH = 997
    };
    numbered *of = test_malloc(sizeof *of);
    test_random random = {gap + 5};
    uint64_t item = 0, largest = 0;
    *of = (numbered){0};
    assert_int_equal(ss_memory_init(&of->memory, NULL), SEENSET_OK);
    for (uint64_t step = 0;
         (item += 1 + test_random_below(&random, gap)) < NUMBERS; step++) {
        add_number(of, item);
        bool is_wave = item % 10000 > 8000;
        for (int i = 0; i < (is_wave ? 8 : 1); i++) {
            uint64_t gone = test_random_below(&random, item + 1);
            remove_number(of, i % 2 == 0 ? gone : gone % 2000);
        }
        uint64_t bytes = ss_leases_memory_bytes(&of->leases);
        largest = bytes > largest ? bytes : largest;
        if (step % LOOK_EACH == 0)
            check_order(of);
    }
    remove_in_order_of_time(of);
    assert_true(largest < 100 * NUMBERS);
    ss_leases_free(&of->leases, &of->memory);
    assert_int_equal(ss_leases_memory_bytes(&of->leases), 0);
    test_free(of);
}

static void leases_are_found_by_number(void **state)
{
    (void)state;
    for (uint64_t gap = 1; gap <= 1000; gap *= 10)
        check_finding(gap);
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

/* A lease is the item's and the turn's, however many there were. */
static void leases_are_of_one_turn(void **state)
{
    static const uint32_t turns[] = {0, 1, 255, 256, 257, 8191, SS_TURNS - 1};

    ss_memory memory;
    ss_leases leases = {0};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    ss_leased_item *entry = ss_leases_add(&leases, &memory, 5, 0);
    assert_non_null(entry);
    ss_leases_set(&leases, entry, SS_LEASE_HELD, 0);
    for (size_t i = 0; i < TEST_COUNT(turns); i++) {
        entry->turn = turns[i] % SS_TURNS;
        uint64_t lease = ss_leases_id(entry);
        assert_int_equal(lease, (uint64_t)(turns[i] >> 8) << 48 | 5 << 8 |
                                    (turns[i] & 255));
        assert_ptr_equal(ss_leases_find(&leases, 5, lease), entry);
        assert_null(ss_leases_find(&leases, 5, lease ^ 1));
        assert_null(ss_leases_find(&leases, 5, lease ^ UINT64_C(1) << 60));
    }
    ss_leases_free(&leases, &memory);
}

/* Turns end where a lease has no room for more, and begin again at 1. */
static void turns_end_where_a_lease_does(void **state)
{
    ss_memory memory;
    ss_items items = {0};
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    ss_leased_item *item =
        ss_items_add(&items, &memory, 3, SS_LONG_NUMBER - 1, 7);
    assert_non_null(item);
    assert_int_equal(item->lane, 3);
    ss_items_set(&items, item, SS_LEASE_HELD, 0);
    item->turn = SS_TURNS - 2;
    item->turn = ss_items_next_turn(&items, item) % SS_TURNS;
    assert_int_equal(item->turn, SS_TURNS - 1);
    assert_ptr_equal(ss_items_find(&items, ss_leases_id(item)), item);
    assert_int_equal(ss_items_next_turn(&items, item), 1);
    item = ss_items_add(&items, &memory, 0, SS_LONG_NUMBER, 8);
    assert_non_null(item);
    ss_items_set(&items, item, SS_LEASE_HELD, 0);
    item->turn = SS_SHORT_TURNS - 1;
    assert_ptr_equal(ss_items_find(&items, ss_leases_id(item)), item);
    assert_ptr_equal(ss_items_of(&items, ss_leases_id(item)), item);
    assert_int_equal(ss_items_next_turn(&items, item), 1);
    ss_items_free(&items, &memory);
}

/* Slots and places have numbers of 32 bits; where they end nothing is asked of
 * the memory, and one before it is; unless so much has no address, as where
 * addresses have 32 bits. */
static void numbers_end_before_they_wrap(void **state)
{
    test_memory counted;
    ss_memory memory;
    (void)state;
    const uint64_t asked = sizeof(size_t) > sizeof(uint32_t) ? 1 : 0;
    test_memory_init(&counted);
    counted.most_bytes = 1; /* it has none to give */
    assert_int_equal(ss_memory_init(&memory, &counted.allocator), SEENSET_OK);
    for (uint32_t left = 0; left < 5; left++) {
        ss_leases leases = {.count = UINT32_MAX - left};
        ss_in_flight inflight = {.count = UINT32_MAX - left};
        counted.calls = 0;
        assert_null(ss_leases_add(&leases, &memory, 1, 1));
        assert_int_equal(counted.calls, left <= 2 ? 0 : asked);
        counted.calls = 0;
        assert_false(ss_in_flight_reserve(&inflight, &memory, 1, 0));
        assert_int_equal(counted.calls, left <= 1 ? 0 : asked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leases_come_due_in_order),
        cmocka_unit_test(leases_are_found_by_number),
        cmocka_unit_test(acks_before_a_failed_write_stand),
        cmocka_unit_test(leases_are_of_one_turn),
        cmocka_unit_test(turns_end_where_a_lease_does),
        cmocka_unit_test(numbers_end_before_they_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
