/*
 * batch_lookup.h - a kernel's lookups of many hashes. A part of loops.h.
 *
 * They go in stretches of 64: while the keys of one are looked at, the lines of
 * the next are sought and fetched, one for each. Whether a key is seen, and
 * whether its unit goes on in the next line, nobody can predict: so no branch
 * asks that. Keys that are not seen in the home line of a unit that goes on are
 * noted, their next lines are fetched, and they are answered a stretch later.
 */
enum {
    STRETCH = 64 /* as many as a word has bits */
};

/* What a look at a line needs. */
typedef struct spot {
    const uint64_t *line;
    uint64_t rest; /* of the hash, after what names the unit */
    uint32_t unit;
} spot;

typedef struct stretch {
    const uint64_t *hashes;
    uint8_t *is_seen;
    size_t count;
    uint64_t late; /* keys that go on, the last in bit 0 */
    uint8_t widths[STRETCH];
    spot spots[STRETCH];
} stretch;

static SS_ALWAYS_INLINE void
find_spot(const ss_expand *expand, const ss_chunk *chunk, stretch *in, size_t i)
{
    uint64_t hash = in->hashes[i];
    const ss_entry *entry =
        &chunk->entries[hash << chunk->skip >> chunk->shift];
    ss_place place = ss_place_with(expand, entry, hash, SS_UNIT_BITS);
    spot *to = &in->spots[i];
    to->line =
        ss_place_line_with(entry, place.line, SS_UNIT_BITS - SS_STEP_SHIFT);
    SS_PREFETCH(to->line);
    to->rest = hash << ss_entry_depth(entry) << SS_UNIT_BITS;
    to->unit = place.unit;
    in->widths[i] = (uint8_t)place.width;
}

static SS_ALWAYS_INLINE void find_any(const ss_expand *expand, stretch *in,
                                      size_t i)
{
    find_spot(expand, ss_directory_chunk(&expand->directory, in->hashes[i]), in,
              i);
}

/* Is a key seen in its unit's home line? Whether the unit goes on in the next
 * one is a bit after those of `*goes_on`. */
static SS_ALWAYS_INLINE bool look_at(const spot *at, uint32_t width,
                                     uint64_t *goes_on)
{
    uint64_t ends = at->line[SS_SLOT_WORDS] >> (SS_END_BITS * at->unit);
    uint32_t first = (uint32_t)ends & SS_END_MAX;
    uint32_t end = (uint32_t)(ends >> SS_END_BITS) & SS_END_MAX;
    *goes_on += *goes_on + (end > ss_line_slots(width));
    return line_match_row(at->line, width, first, end,
                          at->rest >> (65 - width) << 1 | 1);
}

/* In a stretch of several widths. */
static SS_NOINLINE bool look_at_any(const stretch *in, size_t i,
                                    uint64_t *goes_on)
{
    return look_at(&in->spots[i], in->widths[i], goes_on);
}

/* Looks at the keys of a stretch and finds as many of the next. width: of all
 * lines, or 0; is_one: the directory is one chunk. */
static SS_ALWAYS_INLINE size_t ask_and_find(const ss_expand *expand,
                                            stretch *asked, stretch *next,
                                            size_t count, uint32_t width,
                                            bool is_one)
{
    ss_chunk only = {expand->directory.top[0].entries, 0,
                     expand->directory.top[0].shift};
    uint64_t goes_on = 0, seen = 0;
    uint8_t *is_seen = asked->is_seen;
    for (size_t i = 0; i < count; i++) {
        if (is_one)
            find_spot(expand, &only, next, i);
        else
            find_any(expand, next, i);
        uint64_t one = width != 0 ? look_at(&asked->spots[i], width, &goes_on)
                                  : look_at_any(asked, i, &goes_on);
        is_seen[i] = (uint8_t)one;
        seen = seen + seen + one;
    }
    for (size_t i = count; i < asked->count; i++) {
        bool one = look_at_any(asked, i, &goes_on);
        is_seen[i] = one;
        seen = seen + seen + one;
    }
    asked->late = goes_on & ~seen;
    return (size_t)__builtin_popcountll(seen);
}

/* The width of all lines of a stretch that is whole; else 0. */
static uint32_t common_width(const stretch *in)
{
    uint64_t first = in->widths[0] * SS_BYTES_ONE, differ = 0;
    for (size_t i = 0; i < STRETCH; i += sizeof first) {
        uint64_t eight;
        memcpy(&eight, in->widths + i, sizeof eight);
        differ |= eight ^ first;
    }
    return differ == 0 && in->count == STRETCH ? in->widths[0] : 0;
}

static SS_ALWAYS_INLINE size_t ask_stretch(const ss_expand *expand,
                                           stretch *asked, stretch *next,
                                           bool is_one)
{
    uint32_t width = next->count == STRETCH ? common_width(asked) : 0;
    switch (width) {
    case 14:
        return ask_and_find(expand, asked, next, STRETCH, 14, is_one);
    case 15:
        return ask_and_find(expand, asked, next, STRETCH, 15, is_one);
    case 16:
        return ask_and_find(expand, asked, next, STRETCH, 16, is_one);
    case 0:
        return ask_and_find(expand, asked, next, next->count, 0, is_one);
    default:
        return ask_and_find(expand, asked, next, STRETCH, width, is_one);
    }
}

/* Number of a key in its stretch, by its bit. */
static inline size_t late_key(const stretch *in, uint64_t late)
{
    return in->count - 1 - (size_t)__builtin_ctzll(late);
}

static void fetch_late(const stretch *in)
{
    for (uint64_t late = in->late; SS_HAS_PREFETCH && late != 0;
         late &= late - 1)
        SS_PREFETCH(in->spots[late_key(in, late)].line + SS_LINE_WORDS);
}

static size_t answer_late(const ss_expand *expand, const stretch *in)
{
    size_t seen = 0;
    for (uint64_t late = in->late; late != 0; late &= late - 1) {
        size_t i = late_key(in, late);
        seat at = find_seat(expand, in->hashes[i], expand->unit_bits);
        in->is_seen[i] = has_beyond(expand, &at);
        seen += in->is_seen[i];
    }
    return seen;
}

static stretch *begin_stretch(stretch *to, const uint64_t *hashes, size_t count,
                              size_t first, uint8_t *is_seen)
{
    size_t left = count > first ? count - first : 0;
    to->hashes = hashes + first;
    to->is_seen = is_seen + first;
    to->count = left < STRETCH ? left : STRETCH;
    to->late = 0;
    return to;
}

static void fetch_entries(const ss_expand *expand, const uint64_t *hashes,
                          size_t count, size_t first)
{
    for (size_t i = first; i < count && i < first + STRETCH; i++)
        fetch_entry(expand, hashes[i]);
}

static size_t has_stretches(const ss_expand *expand, const uint64_t *hashes,
                            size_t count, uint8_t *is_seen)
{
    stretch of[3]; /* asked, found, late: in turn */
    bool is_wide = is_directory_wide(expand);
    bool is_one = expand->directory.top_bits == 0;
    size_t seen = 0;
    if (is_wide)
        fetch_entries(expand, hashes, count, 0);
    of[2].late = 0;
    stretch *asked = begin_stretch(&of[0], hashes, count, 0, is_seen);
    for (size_t i = 0; i < asked->count; i++)
        find_any(expand, asked, i);
    for (size_t done = 0, turn = 1; done < count; done += STRETCH, turn++) {
        stretch *next = begin_stretch(&of[turn % 3], hashes, count,
                                      done + STRETCH, is_seen);
        if (is_wide)
            fetch_entries(expand, hashes, count, done + 2 * STRETCH);
        if (is_one)
            seen += ask_stretch(expand, asked, next, true);
        else
            seen += ask_stretch(expand, asked, next, false);
        fetch_late(asked);
        seen += answer_late(expand, &of[(turn + 1) % 3]);
        asked = next;
    }
    return seen +
           answer_late(expand, &of[((count + STRETCH - 1) / STRETCH + 2) % 3]);
}
