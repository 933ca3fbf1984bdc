/*
 * pace.h - how many keys of a batch at a time.
 *
 * A batch holds its set for a millisecond or so, and then lets other threads
 * and Ctrl-C have their turn. A key costs some nanoseconds where the set is in
 * memory, and a million times as much where it is the first that touches a
 * page: the system then fills the page with zeros (2 MB of them, if pages are
 * huge) or reads it from a file. So a chunk is worked through in pieces, and
 * the clock is read after each:
 *
 *     new set     1 2 4 1 1 2 ...           as pages are touched
 *     later       1 2 4 8 16 ... the chunk
 *
 * A piece that was quick is followed by one of twice the keys, and one that was
 * slow by one that should be quick. The set keeps the size, so the next chunk
 * and the next batch begin with it; between pieces the GIL is not taken.
 */
#ifndef SP_PYTHON_PACE_H
#define SP_PYTHON_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sp_pace {
    size_t piece; /* keys of the next piece; 0: unknown */
    int64_t end_ns;
    int64_t last_ns;
};

/* Nanoseconds since some moment, by a clock that is never set. */
int64_t sp_pace_now(void);

/* Begins a turn. An unknown piece is one of 1 key from now on. */
void sp_pace_begin(struct sp_pace *pace, int64_t now_ns);

/* Decides on the next piece, now that one of `count` keys is done. Returns
 * whether there is time for it in this turn. */
bool sp_pace_goes_on(struct sp_pace *pace, size_t count, int64_t now_ns);

#endif
