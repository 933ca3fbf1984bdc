/*
 * inline_loops.c - see inline_loops.h. INLINE_LOOPS is the name of what it
 * gives to the rest.
 */
#include "inline_loops.h"

#include "seenset/extra/inline.h"

static void add_hash(const seenset_view *view, const uint64_t *keys,
                     size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_inline_add_hash(view, keys[i]);
}

static void has_hash(const seenset_view *view, const uint64_t *keys,
                     size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_inline_has_hash(view, keys[i]);
}

static void add_number(const seenset_view *view, const uint64_t *keys,
                       size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_inline_add_u64(view, keys[i]);
}

static void has_number(const seenset_view *view, const uint64_t *keys,
                       size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_inline_has_u64(view, keys[i]);
}

static void look_hash(const seenset_view *view, const uint64_t *keys,
                      size_t count, uint8_t *answers)
{
    seenset_inline_looker looker = seenset_inline_looker_start(view);
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_inline_looker_has(&looker, keys[i]);
}

static void look_number(const seenset_view *view, const uint64_t *keys,
                        size_t count, uint8_t *answers)
{
    seenset_inline_looker looker = seenset_inline_looker_start(view);
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_inline_looker_has_u64(&looker, keys[i]);
}

static void run_hash(const seenset_view *view, const uint64_t *keys,
                     size_t count, uint8_t *answers)
{
    seenset_inline_adder adder = seenset_inline_adder_start(view);
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_inline_adder_add(&adder, keys[i]);
    seenset_inline_adder_end(&adder);
}

static void run_number(const seenset_view *view, const uint64_t *keys,
                       size_t count, uint8_t *answers)
{
    seenset_inline_adder adder = seenset_inline_adder_start(view);
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_inline_adder_add_u64(&adder, keys[i]);
    seenset_inline_adder_end(&adder);
}

const inline_loops *INLINE_LOOPS(void)
{
    static const inline_loops all = {.add_hash = add_hash,
                                     .has_hash = has_hash,
                                     .add_number = add_number,
                                     .has_number = has_number,
                                     .look_hash = look_hash,
                                     .look_number = look_number,
                                     .run_hash = run_hash,
                                     .run_number = run_number};
    return &all;
}
