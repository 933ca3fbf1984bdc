/* pending.c - which items are pending, against a table of bytes */
#include "frontier/pending.h"
#include "support.h"

enum {
    ITEMS = 40000
};

/* The first that is pending in the table, from `from` on. */
static uint64_t naive_next(const bool *is_there, uint64_t from, uint64_t end)
{
    while (from < end && !is_there[from])
        from++;
    return from < end ? from : end;
}

static void look(ss_pending *pending, const bool *is_there, uint64_t end,
                 test_random *random)
{
    uint64_t from = test_random_below(random, ITEMS);
    uint64_t to = test_random_below(random, end + 1);
    uint64_t wanted = from < to ? naive_next(is_there, from, to) : to;
    assert_int_equal(ss_pending_next(pending, from, to), wanted);
    assert_int_equal(ss_pending_oldest(pending, end),
                     naive_next(is_there, 0, end));
    assert_int_equal(ss_pending_has(pending, from), is_there[from]);
}

/* Items come in the order of their numbers, with gaps, and go in any. */
static void it_is_as_a_table(void **state)
{
    static bool is_there[ITEMS];
    ss_memory memory;
    ss_pending pending;
    test_random random = {3};
    uint64_t end = 9000;
    (void)state;
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    ss_pending_init(&pending);
    for (; end < ITEMS; end++) {
        uint64_t item = test_random_below(&random, end);
        if (test_random_below(&random, 3000) == 0)
            end += test_random_below(&random, 6000);
        if (end >= ITEMS)
            break;
        assert_true(ss_pending_reserve(&pending, &memory, end));
        ss_pending_add(&pending, end);
        is_there[end] = true;
        item = naive_next(is_there, item, end);
        if (item < end) {
            ss_pending_remove(&pending, &memory, item);
            is_there[item] = false;
        }
        if (end % 16 == 0)
            look(&pending, is_there, end + 1, &random);
    }
    for (uint64_t item = 0; item < ITEMS; item++)
        if (is_there[item])
            ss_pending_remove(&pending, &memory, item);
    assert_int_equal(ss_pending_oldest(&pending, ITEMS), ITEMS);
    assert_true(ss_pending_bytes(&pending) < 2048);
    ss_pending_free(&pending, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_as_a_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
