/*
 * pace.c - a batch gives up its turn in time, whatever a key costs, and works
 * in whole chunks again when keys cost little.
 */
#include "support.h"

#include "native/pace.h"

#define MILLISECOND INT64_C(1000000)

/* Runs a turn of a chunk in which each key takes `key_ns`, from key `done` on.
 * Returns how long it was. */
static int64_t run_turn(struct sp_pace *pace, size_t keys, size_t *done,
                        int64_t key_ns)
{
    int64_t now = 7 * MILLISECOND;
    bool goes_on = true;
    sp_pace_begin(pace, now);
    while (goes_on && *done < keys) {
        size_t piece = pace->piece;
        if (piece > keys - *done)
            piece = keys - *done;
        *done += piece;
        now += (int64_t)piece * key_ns;
        goes_on = sp_pace_goes_on(pace, piece, now);
    }
    return now - 7 * MILLISECOND;
}

/* The longest turn of a chunk of 8,192 keys. */
static int64_t longest_turn(struct sp_pace *pace, int64_t key_ns)
{
    int64_t longest = 0;
    for (size_t done = 0; done < 8192;) {
        int64_t turn = run_turn(pace, 8192, &done, key_ns);
        if (turn > longest)
            longest = turn;
    }
    return longest;
}

static void new_set_begins_with_one_key(void **state)
{
    struct sp_pace pace = {0};
    (void)state;
    assert_int_equal(longest_turn(&pace, 3 * MILLISECOND), 3 * MILLISECOND);
    assert_int_equal(pace.piece, 1);
}

/* Whatever a key costs, a turn is at most two milliseconds, or one key. */
static void turns_end_in_time(void **state)
{
    (void)state;
    for (int64_t key_ns = 1; key_ns < 5 * MILLISECOND;
         key_ns += 1 + key_ns / 7) {
        struct sp_pace pace = {0};
        int64_t most = key_ns > MILLISECOND ? key_ns : 2 * MILLISECOND;
        assert_true(longest_turn(&pace, key_ns) <= most);
    }
}

static void quick_keys_come_in_whole_chunks(void **state)
{
    struct sp_pace pace = {0};
    (void)state;
    (void)longest_turn(&pace, 20);
    (void)longest_turn(&pace, 20);
    assert_true(pace.piece >= 8192);
    assert_true(pace.piece <= 2 * 8192);
}

/* A table is added to a set, or its pages were swapped out. */
static void slow_piece_makes_pieces_small(void **state)
{
    struct sp_pace pace = {.piece = 8192};
    size_t done = 0;
    (void)state;
    (void)run_turn(&pace, 8192, &done, 10000);
    assert_int_equal(done, 8192);
    assert_true(longest_turn(&pace, 10000) <= 2 * MILLISECOND);
}

/* The last keys of a chunk are few, and therefore quick. */
static void rest_of_a_chunk_shows_nothing(void **state)
{
    struct sp_pace pace = {.piece = 64};
    (void)state;
    sp_pace_begin(&pace, 0);
    assert_true(sp_pace_goes_on(&pace, 3, 100));
    assert_int_equal(pace.piece, 64);
    assert_false(sp_pace_goes_on(&pace, 64, 5 * MILLISECOND));
    assert_true(pace.piece < 64);
}

/* The clock does not run backwards. */
static void clock_goes_on(void **state)
{
    int64_t before = sp_pace_now();
    (void)state;
    for (int i = 0; i < 1000; i++) {
        int64_t now = sp_pace_now();
        assert_true(now >= before);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_set_begins_with_one_key),
        cmocka_unit_test(turns_end_in_time),
        cmocka_unit_test(quick_keys_come_in_whole_chunks),
        cmocka_unit_test(slow_piece_makes_pieces_small),
        cmocka_unit_test(rest_of_a_chunk_shows_nothing),
        cmocka_unit_test(clock_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
