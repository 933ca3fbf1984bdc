/*
 * counter.c - counters of every width beside an array of numbers: each changes
 * alone, at any place, and none reaches past the table's last word.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "table/classic/counter.h"

enum {
    CELLS = 200, /* in words that end with the last one, or soon after */
    STEPS = 200000
};

typedef struct twin {
    ss_table table;
    uint64_t word_count;
    uint32_t truth[CELLS];
} twin;

/* The words are of exactly the bits needed: a sanitizer sees a step outside. */
static twin make(uint32_t bits)
{
    twin made = {.word_count = (CELLS * bits + 63) / 64};
    made.table = (ss_table){.words = calloc(made.word_count, 8),
                            .size_bits = CELLS,
                            .cell_bits = bits};
    assert_non_null(made.table.words);
    return made;
}

/* Reads bit by bit, with arithmetic of its own. */
static uint32_t read_slowly(const twin *of, uint64_t cell)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < of->table.cell_bits; i++) {
        uint64_t bit = cell * of->table.cell_bits + i;
        value |= (uint32_t)(of->table.words[bit / 64] >> bit % 64 & 1) << i;
    }
    return value;
}

static bool is_equal(const twin *of)
{
    for (uint64_t i = 0; i < CELLS; i++) {
        if (read_slowly(of, i) != of->truth[i] ||
            ss_counter_value(ss_counter_at(&of->table, i)) != of->truth[i])
            return false;
    }
    uint64_t used_bits = CELLS * of->table.cell_bits;
    uint64_t last = of->table.words[of->word_count - 1];
    return used_bits % 64 == 0 || last >> used_bits % 64 == 0;
}

static void change(twin *of, test_random *random)
{
    uint64_t cell = test_random_below(random, CELLS);
    uint32_t full = (1u << of->table.cell_bits) - 1;
    uint32_t *truth = &of->truth[cell];
    ss_counter at = ss_counter_at(&of->table, cell);
    switch (test_random_below(random, 8)) {
    case 0: /* near both ends, where they carry, borrow and stay */
        *truth = (uint32_t)test_random_below(random, 4) % (full + 1);
        ss_counter_store(at, *truth);
        break;
    case 1:
        *truth = full - (uint32_t)test_random_below(random, 3);
        ss_counter_store(at, *truth);
        break;
    case 2:
    case 3:
    case 4:
        ss_counter_increment(at);
        *truth += *truth < full;
        break;
    default:
        ss_counter_decrement(at);
        *truth -= *truth > 0 && *truth < full;
    }
}

static void counters_change_alone(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 16; bits++) {
        test_random random = {bits};
        twin of = make(bits);
        for (int i = 0; i < STEPS; i++) {
            change(&of, &random);
            if (i % 100 == 0)
                assert_true(is_equal(&of));
        }
        assert_true(is_equal(&of));
        /* planted: one bit of one counter */
        uint64_t bit = test_random_below(&random, CELLS * bits);
        of.table.words[bit / 64] ^= UINT64_C(1) << bit % 64;
        assert_false(is_equal(&of));
        free(of.table.words);
    }
}

/* 10 of 15 widths do; those that do not are stored as they always were. */
static void counters_cross_words_where_their_width_makes_them(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 16; bits++) {
        twin of = make(bits);
        bool is_crossing = false;
        for (uint64_t i = 0; i < CELLS; i++)
            is_crossing |= ss_counter_is_crossing(ss_counter_at(&of.table, i));
        assert_int_equal(is_crossing, 64 % bits != 0);
        free(of.table.words);
    }
}

/* A bit is a counter that counts to one. */
static void counters_may_be_bits(void **state)
{
    twin of = make(1);
    (void)state;
    for (uint64_t i = 0; i < CELLS; i += 3) {
        ss_counter_increment(ss_counter_at(&of.table, i));
        ss_counter_increment(ss_counter_at(&of.table, i));
        of.truth[i] = 1;
    }
    assert_true(is_equal(&of));
    free(of.table.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_change_alone),
        cmocka_unit_test(counters_cross_words_where_their_width_makes_them),
        cmocka_unit_test(counters_may_be_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
