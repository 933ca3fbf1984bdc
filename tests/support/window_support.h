/*
 * window_support.h - what the tests of windows share: a clock that is a
 * variable, sets that go by it, and streams of keys.
 */
#ifndef TEST_WINDOW_SUPPORT_H
#define TEST_WINDOW_SUPPORT_H

#include "support.h"

/* What the sets' clock says. */
extern uint64_t clock_seconds;

/* A window that goes by it; and a set that was opened does from now on. */
seenset *window_make(seenset_options options);
void window_use_clock(seenset *set);

/* Adds `count` keys of a stream, a few singly, the rest in batches; how many
 * were new. */
uint64_t window_add_stream(seenset *set, uint64_t first, uint64_t count);

/* Are they all there? */
bool window_has_stream(const seenset *set, uint64_t first, uint64_t count);

#endif
