/*
 * recent.c - plans that are remembered: found by the very options that they
 * were kept for, and whole, however many threads keep others meanwhile.
 */
#include "set/recent.h"

#include <string.h>

#include "support.h"

/* Number i, and an answer of which every field says so. */
static ss_recent_asked nth_asked(uint64_t i)
{
    return (ss_recent_asked){.layout = 1, .capacity_items = i, .fp_rate = 0.5};
}

static ss_recent_found nth_found(uint64_t i)
{
    return (ss_recent_found){.capacity_items = i,
                             .fp_rate = (double)i,
                             .first = {.layout = SEENSET_LAYOUT_BLOCKED,
                                       .hash_count = (uint32_t)i,
                                       .capacity_items = i,
                                       .fp_rate = (double)i,
                                       .size_bits = i,
                                       .expected_fp_rate = (double)i,
                                       .bits_per_key = (double)i,
                                       .floor_bits = (double)i}};
}

static bool is_nth(const ss_recent_found *found, uint64_t i)
{
    ss_recent_found wanted = nth_found(i);
    return memcmp(found, &wanted, sizeof wanted) == 0;
}

static void plans_are_found_until_others_take_their_places(void **state)
{
    uint64_t found_count = 0;
    (void)state;
    for (uint64_t i = 1; i <= 1000; i++) {
        ss_recent_asked asked = nth_asked(i);
        ss_recent_found kept = nth_found(i), found = {0};
        assert_false(ss_recent_find(&asked, &found));
        ss_recent_keep(&asked, &kept);
        assert_true(ss_recent_find(&asked, &found));
        assert_true(is_nth(&found, i));
    }
    for (uint64_t i = 1; i <= 1000; i++) {
        ss_recent_asked asked = nth_asked(i);
        ss_recent_found found;
        if (!ss_recent_find(&asked, &found))
            continue;
        found_count++;
        assert_true(is_nth(&found, i));
    }
    assert_true(found_count > 0 && found_count <= SS_RECENT_PLANS);
}

/* All that a plan depends on is asked for. */
static void plans_of_other_options_are_not_found(void **state)
{
    ss_recent_asked asked = nth_asked(1000000);
    ss_recent_found kept = nth_found(1000000), found;
    (void)state;
    ss_recent_keep(&asked, &kept);
    for (size_t byte = 0; byte < sizeof asked; byte++) {
        ss_recent_asked other = asked;
        ((uint8_t *)&other)[byte] ^= 1;
        assert_false(ss_recent_find(&other, &found));
    }
    assert_true(ss_recent_find(&asked, &found));
}

/* Planted: an answer of which one field is another's is seen to be torn. */
static void torn_answers_are_caught(void **state)
{
    ss_recent_found torn = nth_found(1);
    (void)state;
    assert_true(is_nth(&torn, 1));
    torn.first.size_bits = 2;
    assert_false(is_nth(&torn, 1));
}

typedef struct member {
    uint64_t seed, found, torn;
} member;

/* More kinds than places, so that threads take one another's. */
static void *keep_and_find(void *argument)
{
    member *me = argument;
    test_random random = {me->seed};
    for (int i = 0; i < 200000; i++) {
        uint64_t number = 1 + test_random_below(&random, SS_RECENT_PLANS * 2);
        ss_recent_asked asked = nth_asked(number);
        ss_recent_found kept = nth_found(number), found;
        if (!ss_recent_find(&asked, &found)) {
            ss_recent_keep(&asked, &kept);
            continue;
        }
        me->found++;
        me->torn += !is_nth(&found, number);
    }
    return NULL;
}

static void plans_are_whole_beside_other_threads(void **state)
{
    member members[4] = {{.seed = 1}, {.seed = 2}, {.seed = 3}, {.seed = 4}};
    (void)state;
    test_run_threads(4, keep_and_find, members, sizeof members[0]);
    for (int i = 0; i < 4; i++) {
        assert_true(members[i].found > 0);
        assert_int_equal(members[i].torn, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_found_until_others_take_their_places),
        cmocka_unit_test(plans_of_other_options_are_not_found),
        cmocka_unit_test(torn_answers_are_caught),
        cmocka_unit_test(plans_are_whole_beside_other_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
