/*
 * doubts.c - of lines that a set called seen, which were not printed: the same
 * ones as two lists in memory give, with tables that take all of them and with
 * tables of a few slots, in memory and from files; and their text, in the order
 * of the input.
 */
#define _GNU_SOURCE /* fileno */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dedup/bins.h"
#include "dedup/doubts.h"
#include "dedup/late.h"

#define LINES ((uint64_t)2000000) /* more than bins hold in memory */
#define DIFFERENT ((uint64_t)900000)

/* A number that is spread evenly (splitmix64). */
static uint64_t mix(uint64_t number)
{
    number += UINT64_C(0x9E3779B97F4A7C15);
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

static wide_hash hash_of(uint64_t key)
{
    return (wide_hash){.low = mix(2 * key), .high = mix(2 * key + 1)};
}

/* What is known of each key. */
typedef struct truth {
    bool is_printed[DIFFERENT];
    uint64_t first[DIFFERENT]; /* place of the first doubt; UINT64_MAX: none */
    uint64_t late_count;
} truth;

typedef struct lists {
    bins printed, doubted;
} lists;

static void put_printed(lists *into, uint64_t key)
{
    wide_hash hash = hash_of(key);
    wide_hash *to = bins_place(&into->printed, doubts_bin(hash));
    assert_non_null(to);
    *to = hash;
}

static void put_doubt(lists *into, uint64_t key, uint64_t place)
{
    wide_hash hash = hash_of(key);
    doubt *to = bins_place(&into->doubted, doubts_bin(hash));
    assert_non_null(to);
    *to = (doubt){.hash = hash, .place = place};
}

/* `lines` lines of the first `keys` keys; one key in eight is never printed. */
static void fill(lists *into, truth *known, uint64_t lines, uint64_t keys)
{
    memset(known, 0, sizeof *known);
    memset(known->first, 0xFF, sizeof known->first);
    assert_int_equal(bins_init(&into->printed, sizeof(wide_hash)), 0);
    assert_int_equal(bins_init(&into->doubted, sizeof(doubt)), 0);
    for (uint64_t place = 0; place < lines; place++) {
        uint64_t key = mix(place) % keys;
        if (key % 8 != 0 && !known->is_printed[key]) {
            known->is_printed[key] = true;
            put_printed(into, key);
            continue;
        }
        put_doubt(into, key, place);
        if (known->first[key] == UINT64_MAX)
            known->first[key] = place;
    }
    for (uint64_t key = 0; key < keys; key++)
        known->late_count +=
            !known->is_printed[key] && known->first[key] != UINT64_MAX;
}

static void free_lists(lists *all)
{
    bins_free(&all->printed);
    bins_free(&all->doubted);
}

/* Places that were shown, each once. */
typedef struct shown {
    uint8_t *places;
    uint64_t count;
} shown;

static int note(void *context, uint64_t place)
{
    shown *all = context;
    assert_true(place < LINES);
    assert_int_equal(all->places[place]++, 0);
    all->count++;
    return 0;
}

/* Are the shown places those that the truth has? */
static bool is_true(const lists *all, const truth *known, size_t slots)
{
    shown got = {.places = calloc(LINES, 1)};
    assert_non_null(got.places);
    assert_int_equal(
        doubts_settle(&all->printed, &all->doubted, slots, note, &got), 0);
    bool is_same = got.count == known->late_count;
    for (uint64_t key = 0; is_same && key < DIFFERENT; key++)
        if (!known->is_printed[key] && known->first[key] != UINT64_MAX)
            is_same = got.places[known->first[key]] == 1;
    free(got.places);
    return is_same;
}

static truth known;

static void doubts_are_settled_with_any_table(void **state)
{
    lists all;
    (void)state;
    fill(&all, &known, LINES, DIFFERENT);
    assert_true(all.printed.chunks > 0);
    assert_true(all.doubted.chunks > 0);
    assert_true(is_true(&all, &known, 1 << 20));
    assert_true(is_true(&all, &known, 1 << 10));
    free_lists(&all);
    fill(&all, &known, 2000, 1000);
    assert_int_equal(all.printed.chunks, 0);
    for (size_t slots = 4; slots <= 64; slots *= 2)
        assert_true(is_true(&all, &known, slots));
    free_lists(&all);
}

/* The comparison can fail: one hash too many or too few among the printed. */
static void doubts_that_are_wrong_are_found(void **state)
{
    lists all;
    (void)state;
    fill(&all, &known, 2000, 1000);
    uint64_t key = 0;
    while (known.first[key] == UINT64_MAX)
        key += 8;
    put_printed(&all, key);
    assert_false(is_true(&all, &known, 64));
    free_lists(&all);
    fill(&all, &known, 2000, 1000);
    put_doubt(&all, DIFFERENT, 1);
    assert_false(is_true(&all, &known, 64));
    free_lists(&all);
}

static int stop(void *context, uint64_t place)
{
    (void)place;
    return ++*(int *)context < 3 ? 0 : 7;
}

static void doubts_end_when_they_are_told(void **state)
{
    lists all;
    int count = 0;
    (void)state;
    fill(&all, &known, 2000, 1000);
    assert_int_equal(
        doubts_settle(&all.printed, &all.doubted, 64, stop, &count), 7);
    assert_int_equal(count, 3);
    free_lists(&all);
}

/* ---- the text ---- */

#define LATE_LINES 50000u

/* A batch of one line, "NUMBER xxx", with its separator. */
static void make_line(batch *into, unsigned number)
{
    static const char fill[1 << 12] = "";
    int digits = snprintf(into->data, 16, "%u ", number);
    size_t more = number % 1000 == 0 ? sizeof fill : number % 50;
    memset(into->data + digits, 'x', more);
    into->data[(size_t)digits + more] = '\n';
    into->ends[0] = (size_t)digits + more;
    into->count = 1;
}

static void keep_lines(late *all, uint64_t *places, batch *line)
{
    assert_int_equal(late_init(all), 0);
    for (unsigned i = 0; i < LATE_LINES; i++) {
        make_line(line, i);
        places[i] = late_keep(all, line, 0);
    }
    assert_int_equal(all->text.error, 0);
}

/* Is what the file has every third line, and nothing else? */
static void check_lines(FILE *from, batch *line)
{
    static char got[1 << 13];
    rewind(from);
    for (unsigned i = 0; i < LATE_LINES; i += 3) {
        make_line(line, i);
        size_t size = line->ends[0] + 1;
        assert_int_equal(fread(got, 1, size, from), size);
        assert_memory_equal(got, line->data, size);
    }
    assert_int_equal(getc(from), EOF);
}

static void print_lines(size_t most_places)
{
    static uint64_t places[LATE_LINES];
    late all;
    output to;
    batch *line = batch_new();
    FILE *file = tmpfile();
    assert_non_null(line);
    assert_non_null(file);
    assert_int_equal(output_init(&to), 0);
    output_redirect(&to, fileno(file), "the test's file");
    keep_lines(&all, places, line);
    /* in another order than theirs: 7 and the number of lines share nothing */
    for (uint64_t i = 0; i < LATE_LINES; i++)
        if (7 * i % LATE_LINES % 3 == 0)
            assert_int_equal(late_choose(&all, places[7 * i % LATE_LINES]), 0);
    assert_int_equal(late_print(&all, most_places, &to), 0);
    assert_int_equal(output_flush(&to), 0);
    check_lines(file, line);
    late_free(&all);
    output_free(&to);
    batch_free(line);
    assert_int_equal(fclose(file), 0);
}

static void late_lines_come_in_their_order(void **state)
{
    (void)state;
    print_lines(1 << 20);
    print_lines(37);
    print_lines(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubts_are_settled_with_any_table),
        cmocka_unit_test(doubts_that_are_wrong_are_found),
        cmocka_unit_test(doubts_end_when_they_are_told),
        cmocka_unit_test(late_lines_come_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
