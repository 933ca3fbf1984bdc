/*
 * window_support.h - what the tests of windows share: a clock that is a
 * variable, sets that go by it, and streams of keys.
 */
#ifndef TEST_WINDOW_SUPPORT_H
#define TEST_WINDOW_SUPPORT_H

#include "set/set.h"
#include "support.h"

/* What the sets' clock says. */
extern uint64_t clock_seconds;
extern const ss_clock test_clock;

/* A window that goes by it. */
seenset *window_make(seenset_options options);

/* Adds `count` keys of a stream, a few singly, the rest in batches; how many
 * were new. */
uint64_t window_add_stream(seenset *set, uint64_t first, uint64_t count);

/* Are they all there? */
bool window_has_stream(const seenset *set, uint64_t first, uint64_t count);

#endif
