/*
 * inline_loops.h - loops of single adds and lookups, by calls and through
 * seenset/extra/inline.h, which is compiled into whatever uses it: so
 * inline_loops.c is compiled twice, as this program is and with -march=native.
 */
#ifndef INLINE_LOOPS_H
#define INLINE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "seenset/extra/raw.h"
#include "seenset/seenset.h"

/* Adds or asks for `count` keys one by one; leaves a byte for each. */
typedef void inline_loop(const seenset_view *view, const uint64_t *keys,
                         size_t count, uint8_t *answers);

typedef struct inline_loops {
    inline_loop *add_hash, *has_hash, *add_number, *has_number;
    /* runs of lookups, and of adds; NULL: there are none */
    inline_loop *look_hash, *look_number, *run_hash, *run_number;
} inline_loops;

const inline_loops *inline_loops_of_calls(void);
const inline_loops *inline_loops_plain(void);
const inline_loops *inline_loops_native(void);

#endif
