/*
 * append_whole.c - appending where there can be no journal: a small file, a set
 * with an index scheme, and on a big-endian machine any file. Each append saves
 * the file, and no key that others appended is lost by it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "append_sets.h"

enum {
    THREADS = 3,
    A_THREAD = 20 /* keys */
};

static const append_kind kinds[] = {
    {.name = "small", .options = {.capacity_items = 2000, .fp_rate = 1e-6}},
    {.name = "small window",
     .options = {.capacity_items = 2000,
                 .fp_rate = 1e-6,
                 .on_full = SEENSET_ON_FULL_ROTATE}},
    {.name = "small grown",
     .options = {.capacity_items = 100, .fp_rate = 1e-6}},
    {.name = "of another scheme",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .capacity_items = 2000,
                 .fp_rate = 1e-6,
                 .scheme = SEENSET_SCHEME_MURMUR3_128}},
};

static void assert_has_new(const append_place *place, int count)
{
    seenset *set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    append_assert_has(set, APPEND_OLD_KEYS);
    for (int i = 0; i < count; i++)
        assert_int_equal(append_answer(set, -1 - i), 1);
    seenset_free(set);
}

/* ---- one after another ---- */

static void add_and_append(const append_place *place, seenset *set, int key,
                           int wanted)
{
    assert_int_equal(append_add(set, key), 1);
    assert_int_equal(seenset_append(set, place->path), wanted);
    assert_false(append_is_there(place->log_path));
}

/* The one whose file was saved again by the other learns that, and opens it
 * again, as the header asks. */
static void meet(const append_place *place, const append_kind *of)
{
    append_save_kind(of, place->path);
    seenset *a = append_open_more(place), *b = append_open_more(place);
    add_and_append(place, a, -1, SEENSET_OK);
    add_and_append(place, a, -2, SEENSET_OK);
    add_and_append(place, b, -3, SEENSET_EMISMATCH);
    assert_has_new(place, 2);
    seenset_free(b);
    b = append_open_more(place);
    add_and_append(place, b, -3, SEENSET_OK);
    add_and_append(place, a, -4, SEENSET_EMISMATCH);
    add_and_append(place, b, -4, SEENSET_OK);
    assert_has_new(place, 4);
    seenset_free(a);
    seenset_free(b);
    assert_int_equal(seenset_compact(place->path, NULL), 0);
    assert_has_new(place, 4);
}

static void append_loses_no_key_of_another(void **state)
{
    for (size_t i = 0; i < TEST_COUNT(kinds); i++)
        meet(*state, &kinds[i]);
    for (int i = 0; test_views_are_copies() && i < APPEND_KINDS; i++)
        if (append_kinds[i].options.secret == NULL)
            meet(*state, &append_kinds[i]);
}

/* ---- at once ---- */

typedef struct appender {
    const append_place *place;
    int first, wrong;
} appender;

/* Again while another one is at work, and with another set after the file was
 * saved again. */
static int append_number(const append_place *place, int i)
{
    int error;
    do {
        seenset *set = append_open_more(place);
        int answer = append_add(set, i);
        do
            error = answer < 0 ? answer : seenset_append(set, place->path);
        while (error == SEENSET_EINUSE);
        seenset_free(set);
    } while (error == SEENSET_EMISMATCH);
    return error;
}

static void *append_some(void *member)
{
    appender *of = member;
    for (int i = 0; i < A_THREAD; i++)
        of->wrong += append_number(of->place, of->first - i) != 0;
    return NULL;
}

static void threads_append_to_a_small_file(void **state)
{
    const append_place *place = *state;
    for (size_t kind = 0; kind < TEST_COUNT(kinds); kind++) {
        appender all[THREADS];
        append_save_kind(&kinds[kind], place->path);
        for (int i = 0; i < THREADS; i++)
            all[i] = (appender){.place = place, .first = -1 - i * A_THREAD};
        test_run_threads(THREADS, append_some, all, sizeof all[0]);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(all[i].wrong, 0);
        assert_has_new(place, THREADS * A_THREAD);
        assert_int_equal(seenset_verify(place->path, NULL), 0);
        assert_false(append_is_there(place->log_path));
    }
}

/* ---- in the way ---- */

/* Somebody's notes have the journal's name: there is no lock then, and the file
 * is saved all the same. */
static void append_leaves_notes_beside_a_small_file(void **state)
{
    const append_place *place = *state;
    append_save_kind(&kinds[0], place->path);
    test_write_file(place->log_path, "my notes", 8);
    append_one(place, -1);
    append_one(place, -2);
    assert_int_equal(append_length(place->log_path), 8);
    assert_has_new(place, 2);
}

/* Its file is gone: it is made again. */
static void append_makes_a_small_file_again(void **state)
{
    const append_place *place = *state;
    append_save_kind(&kinds[0], place->path);
    seenset *set = append_open_more(place);
    assert_int_equal(unlink(place->path), 0);
    add_and_append(place, set, -1, SEENSET_OK);
    assert_has_new(place, 1);
    add_and_append(place, set, -2, SEENSET_OK);
    assert_has_new(place, 2);
    seenset_free(set);
}

static void append_refuses_another_small_set(void **state)
{
    const append_place *place = *state;
    append_save_kind(&kinds[0], place->path);
    seenset *set = append_open_more(place);
    append_save_kind(&kinds[2], place->path);
    add_and_append(place, set, -1, SEENSET_EMISMATCH);
    seenset_free(set);
    set = append_open(place->path, SEENSET_OPEN_VIEW, NULL);
    assert_int_equal(append_answer(set, -1), 0);
    seenset_free(set);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, append_enter, append_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(append_loses_no_key_of_another),
        TEST(threads_append_to_a_small_file),
        TEST(append_leaves_notes_beside_a_small_file),
        TEST(append_makes_a_small_file_again),
        TEST(append_refuses_another_small_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
