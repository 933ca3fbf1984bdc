/*
 * bursts.h - the batch loops of a kernel where there is no prefetch.
 *
 * There a line is asked for by a load whose value nobody wants (base/bits.h).
 * It is a prefetch with a flaw: instructions leave a processor in their order,
 * so it runs a few hundred ahead of such a load, and then waits for the line.
 * in the ring of ring.h those few hundred hold the loads of a few keys
 * only. So here the loads come in a burst, without anything between them:
 *
 *     BURST keys: hash | places in region 0, 1, 2 | loads | tests in 0, 1, 2
 *
 * and the processor has as many lines on their way as it can (docs/web.md). It
 * takes the regions in turn rather than the keys, so one loop serves one, two
 * and three of them.
 *
 * Included by loops.h where TWIN_HAS_BURSTS.
 */

enum {
    BURST = 8 * SS_GROUP /* measured: with half of it 7 % slower */
};

typedef struct burst {
    size_t count;
    uint64_t xs[BURST]; /* the keys' in the next region */
    uint64_t *lines[MAX_LINES][BURST];
    uint64_t bits[MAX_LINES][BURST]; /* what a line test takes */
} burst;

static void hash_burst(burst *some, const ss_batch *batch, size_t first)
{
    for (size_t i = 0; i < some->count; i += SS_GROUP) {
        size_t left = some->count - i;
        ss_batch_hash_group(batch, first + i, left < SS_GROUP ? left : SS_GROUP,
                            some->xs + i);
    }
}

/* The next keys of a batch, from number `first` on. */
static void begin_burst(burst *some, const ss_batch *batch, size_t first)
{
    size_t left = batch->count - first;
    some->count = left < BURST ? left : BURST;
    if (batch->hashes == NULL)
        hash_burst(some, batch, first);
    else
        memcpy(some->xs, batch->hashes + first, some->count * sizeof *some->xs);
}

/* Finds the keys' lines in a region. */
static void place_region(burst *some, field f, uint32_t region)
{
    uint64_t **lines = some->lines[region];
    for (size_t i = 0; i < some->count; i++) {
        lines[i] = line_of(f, region, some->xs[i]);
        some->bits[region][i] = bits_of(some->xs[i]);
        some->xs[i] = next_of(some->xs[i]);
    }
}

/* Finds the keys' lines in regions first, first + 1, ..., and asks for them. */
static void fetch_regions(burst *some, field f, uint32_t first, uint32_t lines)
{
    for (uint32_t region = first; region < lines; region++)
        place_region(some, f, region);
    for (uint32_t region = first; region < lines; region++)
        for (size_t i = 0; i < some->count; i++)
            SS_PREFETCH(some->lines[region][i]);
}

static size_t count_ones(const uint8_t *answers, size_t count)
{
    size_t ones = 0;
    for (size_t i = 0; i < count; i++)
        ones += answers[i];
    return ones;
}

static size_t add_many_of(field f, uint32_t lines, const ss_batch *batch,
                          uint8_t *is_new)
{
    burst some;
    for (size_t done = 0; done < batch->count; done += some.count) {
        uint8_t *answers = is_new + done;
        begin_burst(&some, batch, done);
        fetch_regions(&some, f, 0, lines);
        memset(answers, 0, some.count);
        for (uint32_t region = 0; region < lines; region++)
            for (size_t i = 0; i < some.count; i++)
                answers[i] |=
                    line_add(some.lines[region][i], some.bits[region][i]);
    }
    return count_ones(is_new, batch->count);
}

/* Keeps the keys that the first region has; answers: of the burst. */
static void keep_seen(burst *some, const uint8_t *answers, size_t from[BURST])
{
    size_t kept = 0;
    for (size_t i = 0; i < some->count; i++) {
        some->xs[kept] = some->xs[i];
        from[kept] = i;
        kept += answers[i];
    }
    some->count = kept;
}

/* The other regions are asked only about keys that the first one has: a key
 * that was never added costs one miss. */
static void has_in_others(burst *some, field f, uint32_t lines,
                          uint8_t *answers)
{
    size_t from[BURST];
    keep_seen(some, answers, from);
    fetch_regions(some, f, 1, lines);
    for (uint32_t region = 1; region < lines; region++)
        for (size_t i = 0; i < some->count; i++)
            answers[from[i]] &=
                line_has(some->lines[region][i], some->bits[region][i]);
}

static size_t has_many_of(field f, uint32_t lines, const ss_batch *batch,
                          uint8_t *is_seen)
{
    burst some;
    for (size_t done = 0, count; done < batch->count; done += count) {
        uint8_t *answers = is_seen + done;
        begin_burst(&some, batch, done);
        count = some.count;
        fetch_regions(&some, f, 0, 1);
        for (size_t i = 0; i < count; i++)
            answers[i] = line_has(some.lines[0][i], some.bits[0][i]);
        if (lines > 1)
            has_in_others(&some, f, lines, answers);
    }
    return count_ones(is_seen, batch->count);
}
