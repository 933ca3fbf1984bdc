/*
 * queue_full.c - the contract of a queue whose set is full, on each kind of
 * queue: a new URL is taken, or refused and said so, or the oldest forgotten.
 */
#include <string.h>

#include "queue_kinds.h"

enum {
    MORE = 20 /* URLs than the set has room for */
};

/* What push answers to a URL that is new, when the set is full. */
static void push_follows_the_policy_of_a_full_set(void **state)
{
    queue_place *at = *state;
    seenset_info info;
    seenset_on_full on_full = queue_kind_on_full(at->kind);
    bool refuses = on_full == SEENSET_ON_FULL_REFUSE;
    queue_push_new(at->queue, 0, QUEUE_ROOM);
    for (int i = QUEUE_ROOM; i < QUEUE_ROOM + MORE; i++)
        assert_int_equal(queue_push(at->queue, i), refuses ? SEENSET_EFULL : 1);
    assert_int_equal(queue_push(at->queue, QUEUE_ROOM - 1), 0);
    assert_int_equal(seenset_queue_get_set_info(at->queue, &info, sizeof info),
                     0);
    assert_int_equal(info.on_full, on_full);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.refused_items, refuses ? MORE : 0);
    assert_int_equal(stats.pushed_items, QUEUE_ROOM + (refuses ? 0 : MORE));
    bool is_over = refuses || on_full == SEENSET_ON_FULL_DEGRADE;
    assert_true(is_over ? stats.seconds_to_full == 0.0
                        : stats.seconds_to_full > 0.0);
    queue_assert_left(at->queue, 0, (int)stats.pushed_items);
}

/* In a batch, those that a full set refuses are marked, and not the others. */
static void push_many_marks_what_is_refused(void **state)
{
    queue_place *at = *state;
    static const int numbers[] = {0, QUEUE_ROOM - 1, QUEUE_ROOM, QUEUE_ROOM + 1,
                                  1};
    enum {
        COUNT = TEST_COUNT(numbers)
    };
    bool refuses = queue_kind_on_full(at->kind) == SEENSET_ON_FULL_REFUSE;
    uint8_t over = refuses ? SEENSET_ANSWER_REFUSED : SEENSET_ANSWER_NEW;
    const uint8_t wanted[COUNT] = {0, 1, over, over, 0};
    char urls[COUNT][QUEUE_URL_BYTES];
    seenset_queue_entry entries[COUNT];
    uint8_t answers[COUNT];
    queue_push_new(at->queue, 0, QUEUE_ROOM - 1);
    for (size_t i = 0; i < COUNT; i++) {
        queue_url(numbers[i], urls[i]);
        entries[i] =
            (seenset_queue_entry){.url = urls[i], .url_len = strlen(urls[i])};
    }
    assert_int_equal(
        seenset_queue_push_many(at->queue, entries, COUNT, NULL, answers),
        refuses ? SEENSET_EFULL : SEENSET_OK);
    assert_memory_equal(answers, wanted, COUNT);
    seenset_queue_stats stats = queue_stats_of(at->queue);
    assert_int_equal(stats.refused_items, refuses ? 2 : 0);
    assert_int_equal(stats.dropped_items, 2);
    queue_assert_left(at->queue, 0, QUEUE_ROOM + (refuses ? 0 : 2));
}

/* A window by number forgets the oldest URLs once enough were pushed after
 * them, and no other kind forgets any. What is forgotten is new again. */
static void only_windows_forget(void **state)
{
    queue_place *at = *state;
    seenset_on_full on_full = queue_kind_on_full(at->kind);
    bool forgets = on_full == SEENSET_ON_FULL_ROTATE &&
                   at->options.set->window_seconds == 0;
    int first = 0, forgotten = 0;
    if (on_full == SEENSET_ON_FULL_REFUSE)
        return;
    for (; first < 2 * QUEUE_ROOM; first += 100)
        queue_push_new(at->queue, first, first + 100);
    /* the newest are remembered, and asking for one changes nothing */
    for (int i = first - QUEUE_ROOM; i < first; i += 40)
        assert_int_equal(queue_push(at->queue, i), 0);
    for (int i = 0; i < MORE; i++)
        forgotten += queue_push(at->queue, i);
    assert_int_equal(forgotten, forgets ? MORE : 0);
    assert_int_equal(queue_stats_of(at->queue).pushed_items, first + forgotten);
    for (int i = 0; i < first; i++)
        (void)queue_pop(at->queue, i);
    queue_assert_left(at->queue, 0, forgotten);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        QUEUE_TEST(push_follows_the_policy_of_a_full_set),
        QUEUE_TEST(push_many_marks_what_is_refused),
        QUEUE_TEST(only_windows_forget),
    };
    return queue_run_kinds(tests, TEST_COUNT(tests));
}
