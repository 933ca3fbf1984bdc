/* window_support.c - see window_support.h */
#include "window_support.h"

#include "set/set.h"

uint64_t clock_seconds;

static uint64_t test_now(void *context)
{
    (void)context;
    return clock_seconds;
}

static const ss_clock test_clock = {.wall_seconds = test_now};

void window_use_clock(seenset *set)
{
    set->clock = &test_clock;
}

seenset *window_make(seenset_options options)
{
    seenset *set = NULL;
    options.on_full = SEENSET_ON_FULL_ROTATE;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    window_use_clock(set);
    if (options.window_seconds > 0)
        set->generations[0].started_seconds = clock_seconds;
    return set;
}

uint64_t window_add_stream(seenset *set, uint64_t first, uint64_t count)
{
    uint64_t hashes[1500], news = 0;
    uint8_t answers[1500];
    for (uint64_t done = 0; done < count;) {
        size_t part = done % 7 == 0 ? 1 : TEST_COUNT(hashes);
        if (part > count - done)
            part = (size_t)(count - done);
        for (size_t i = 0; i < part; i++)
            hashes[i] = test_mix(first + done + i);
        if (part == 1)
            answers[0] = (uint8_t)seenset_add_hash(set, hashes[0]);
        else
            assert_int_equal(seenset_add_hash_many(set, hashes, part, answers),
                             SEENSET_OK);
        for (size_t i = 0; i < part; i++)
            news += answers[i];
        done += part;
    }
    return news;
}

bool window_has_stream(const seenset *set, uint64_t first, uint64_t count)
{
    uint64_t there = 0;
    for (uint64_t i = 0; i < count; i++)
        there += (uint64_t)seenset_has_hash(set, test_mix(first + i));
    return there == count;
}
