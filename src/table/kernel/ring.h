/*
 * ring.h - the batch loops of a kernel whose processor has a prefetch.
 *
 * A batch keeps a rolling ring of lines in flight: key i + SS_AHEAD is hashed
 * and its line prefetched, then key i is tested, its line having arrived.
 * Hashing a whole group, fetching it and testing it in turn leaves the memory
 * idle in between, and is half as slow again on a large table
 * (docs/lab/speed.md). Each loop is compiled for one, two and three lines,
 * and for keys and for ready hashes, so that none of it is decided within.
 *
 * Included by loops.h.
 */

static SS_ALWAYS_INLINE void fetch_key(field f, uint32_t first, uint32_t lines,
                                       uint64_t x)
{
    for (uint32_t region = first; region < lines; region++) {
        SS_PREFETCH(line_of(f, region, x));
        x = next_of(x);
    }
}

/* The table of a batch, and the one that is asked before it (both.h). */
typedef struct fields {
    field f, first;
    uint32_t lines;       /* of a key, in f */
    uint32_t first_lines; /* in the other; 0: there is none */
    bool is_first_far;    /* it may be out of the nearest cache */
} fields;

static SS_ALWAYS_INLINE void fetch_in(fields of, uint64_t x)
{
    fetch_key(of.f, 0, of.lines, x);
    if (of.first_lines > 0 && of.is_first_far)
        fetch_key(of.first, 0, 1, x);
}

static SS_ALWAYS_INLINE bool has_in(fields of, uint64_t x)
{
    bool is_first =
        of.first_lines > 0 && has_key(of.first, 0, of.first_lines, x);
    bool is_own = has_key(of.f, 0, of.lines, x);
    return is_first | is_own;
}

/* What the first table has is not added: its bits go to a line that is full
 * already, which costs less than a branch that cannot be predicted. */
static SS_ALWAYS_INLINE bool add_unless(bool is_seen, fields of, uint64_t x,
                                        uint64_t full[SS_LINE_WORDS])
{
    bool is_new = false;
    for (uint32_t region = 0; region < of.lines; region++) {
        uint64_t *line = line_of(of.f, region, x);
        is_new |= line_add(is_seen ? full : line, bits_of(x));
        x = next_of(x);
    }
    return is_new;
}

static SS_ALWAYS_INLINE bool add_in(fields of, uint64_t x,
                                    uint64_t full[SS_LINE_WORDS])
{
    return of.first_lines == 0
               ? add_key(of.f, 0, of.lines, x)
               : add_unless(has_key(of.first, 0, of.first_lines, x), of, x,
                            full);
}

/* Hashes the group after this one, and asks for the lines of this one, or of
 * what there is of it. */
static SS_ALWAYS_INLINE void feed(fields of, const ss_batch *batch,
                                  size_t first, size_t count, bool is_hashed,
                                  uint64_t ring[SS_RING])
{
    ss_batch_ready_next(batch, first, is_hashed, ring);
    const uint64_t *hashes = ss_batch_group(batch, first, is_hashed, ring);
    for (size_t i = 0; i < count; i++)
        fetch_in(of, hashes[i]);
}

/*
 * Adds a batch, or looks for it; returns how many answers were 1. Numbers of
 * lines, is_hashed and is_add are constants where it is called.
 */
static SS_ALWAYS_INLINE size_t run(fields of, const ss_batch *by_caller,
                                   bool is_hashed, bool is_add,
                                   uint8_t *restrict answers)
{
    uint64_t ring[SS_RING], full[SS_LINE_WORDS];
    const ss_batch batch = *by_caller; /* answers can't point into it */
    size_t ones = 0, fed = 0, done = 0;
    memset(full, 0xff, sizeof full);
    ss_batch_start(&batch, is_hashed, ring);
    for (; fed < SS_AHEAD && fed + SS_GROUP <= batch.count; fed += SS_GROUP)
        feed(of, &batch, fed, SS_GROUP, is_hashed, ring);
    for (; fed + SS_GROUP <= batch.count; fed += SS_GROUP, done += SS_GROUP) {
        ss_batch_ready_next(&batch, fed, is_hashed, ring);
        const uint64_t *ahead = ss_batch_group(&batch, fed, is_hashed, ring);
        const uint64_t *group = ss_batch_group(&batch, done, is_hashed, ring);
        for (unsigned i = 0; i < SS_GROUP; i++) {
            fetch_in(of, ahead[i]);
            answers[done + i] =
                is_add ? add_in(of, group[i], full) : has_in(of, group[i]);
            ones += answers[done + i];
        }
    }
    feed(of, &batch, fed, batch.count - fed, is_hashed, ring);
    for (; done < batch.count; done++) {
        uint64_t x = ss_batch_take(&batch, done, is_hashed, ring);
        answers[done] = is_add ? add_in(of, x, full) : has_in(of, x);
        ones += answers[done];
    }
    return ones;
}

/*
 * More lines: the others are fetched only when the first says "seen", so that
 * a key never added costs one miss. Three stages, SS_AHEAD / 2 keys apart:
 * fetch the first line; test it, fetch the others; test those.
 */
static SS_ALWAYS_INLINE size_t has_staged_loop(field f, uint32_t lines,
                                               const ss_batch *batch,
                                               bool is_hashed,
                                               uint8_t *restrict is_seen)
{
    enum {
        STAGE = SS_AHEAD / 2
    };
    uint64_t ring[SS_RING];
    size_t count = batch->count;
    size_t seen = 0;
    ss_batch_start(batch, is_hashed, ring);
    for (size_t i = 0; i < count + 2 * STAGE; i++) {
        if (i < count)
            fetch_key(f, 0, 1, ss_batch_feed(batch, i, is_hashed, ring));
        if (i >= STAGE && i - STAGE < count) {
            uint64_t x = ss_batch_take(batch, i - STAGE, is_hashed, ring);
            is_seen[i - STAGE] = has_key(f, 0, 1, x);
            if (is_seen[i - STAGE])
                fetch_key(f, 1, lines, next_of(x));
        }
        if (i >= 2 * STAGE && is_seen[i - 2 * STAGE]) {
            uint64_t x = ss_batch_take(batch, i - 2 * STAGE, is_hashed, ring);
            is_seen[i - 2 * STAGE] = has_key(f, 1, lines, next_of(x));
            seen += is_seen[i - 2 * STAGE];
        }
    }
    return seen;
}

static size_t add_hashed(field f, uint32_t lines, const ss_batch *batch,
                         uint8_t *is_new)
{
    switch (lines) {
    case 1:
        return run((fields){.f = f, .lines = 1}, batch, true, true, is_new);
    case 2:
        return run((fields){.f = f, .lines = 2}, batch, true, true, is_new);
    default:
        return run((fields){.f = f, .lines = 3}, batch, true, true, is_new);
    }
}

static size_t add_unhashed(field f, uint32_t lines, const ss_batch *batch,
                           uint8_t *is_new)
{
    switch (lines) {
    case 1:
        return run((fields){.f = f, .lines = 1}, batch, false, true, is_new);
    case 2:
        return run((fields){.f = f, .lines = 2}, batch, false, true, is_new);
    default:
        return run((fields){.f = f, .lines = 3}, batch, false, true, is_new);
    }
}

static size_t has_hashed(field f, uint32_t lines, const ss_batch *batch,
                         uint8_t *is_seen)
{
    switch (lines) {
    case 1:
        return run((fields){.f = f, .lines = 1}, batch, true, false, is_seen);
    case 2:
        return has_staged_loop(f, 2, batch, true, is_seen);
    default:
        return has_staged_loop(f, 3, batch, true, is_seen);
    }
}

static size_t has_unhashed(field f, uint32_t lines, const ss_batch *batch,
                           uint8_t *is_seen)
{
    switch (lines) {
    case 1:
        return run((fields){.f = f, .lines = 1}, batch, false, false, is_seen);
    case 2:
        return has_staged_loop(f, 2, batch, false, is_seen);
    default:
        return has_staged_loop(f, 3, batch, false, is_seen);
    }
}

static size_t add_many_of(field f, uint32_t lines, const ss_batch *batch,
                          uint8_t *is_new)
{
    return batch->hashes != NULL ? add_hashed(f, lines, batch, is_new)
                                 : add_unhashed(f, lines, batch, is_new);
}

static size_t has_many_of(field f, uint32_t lines, const ss_batch *batch,
                          uint8_t *is_seen)
{
    return batch->hashes != NULL ? has_hashed(f, lines, batch, is_seen)
                                 : has_unhashed(f, lines, batch, is_seen);
}
