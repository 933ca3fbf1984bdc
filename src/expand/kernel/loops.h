/*
 * loops.h - a kernel's row of functions.
 *
 * Before it is included a kernel defines
 *
 *     bool line_match(const uint64_t *line, uint32_t width, uint32_t first,
 *                     uint32_t end, uint64_t query)
 *         does a slot of places first, ..., end - 1 cover the query, of those
 *         that the line has?
 *     bool line_match_row(...)
 *         the same, for many lines of one width
 *     uint64_t line_push(uint64_t *line, uint32_t width, uint32_t place,
 *                        uint64_t slot, uint64_t ones)
 *         what ss_line_push does
 *
 * and TWIN_ROW and TWIN_NAME. The common widths are compiled each on its own.
 */
#include "expand/kernel/recut_lines.h"
#include "lines/home_line.h"
#include "expand/kernel/move_slots.h"
#include "expand/rebuild.h"
#include "expand/kernel/kernels.h"

/* Where a key is, found once for all that is done there. */
typedef struct seat {
    const ss_entry *entry;
    uint64_t *line; /* the unit's home */
    uint64_t query;
    uint16_t at; /* the number of that line */
    uint8_t unit, width;
} seat;

static SS_ALWAYS_INLINE seat find_seat(const ss_expand *expand, uint64_t hash,
                                       uint32_t u)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    ss_place place = ss_place_with(expand, entry, hash, u);
    return (seat){.entry = entry,
                  .line =
                      ss_place_line_with(entry, place.line, u - SS_STEP_SHIFT),
                  .query = place.query,
                  .at = (uint16_t)place.line,
                  .unit = (uint8_t)place.unit,
                  .width = (uint8_t)place.width};
}

/* The line so many after a unit's home. A page may end before; what is fetched
 * then is only not the line that is asked for. */
static SS_ALWAYS_INLINE void fetch_after(const seat *home, uint32_t count)
{
    if (SS_HAS_PREFETCH)
        SS_PREFETCH(home->line + (size_t)count * SS_LINE_WORDS);
}

enum {
    FAR_PAGES = 1 << 10 /* of 4 KiB; no core's cache has more */
};

static SS_ALWAYS_INLINE bool is_table_far(const ss_expand *expand)
{
    return expand->pool.fresh > FAR_PAGES;
}

/* width: home->width, and constant where it can be */
static SS_ALWAYS_INLINE bool look_beyond(const ss_expand *expand,
                                         const seat *home, uint32_t width)
{
    uint32_t slots = ss_line_slots(width), at = home->at;
    uint64_t ends = home->line[SS_SLOT_WORDS];
    uint32_t first = ss_line_end(ends, home->unit);
    uint32_t end = ss_line_end(ends, home->unit + 1u);
    while (end > slots) {
        first = first > slots ? first - slots : 0;
        end -= slots;
        const uint64_t *line = ss_place_line(&expand->pool, home->entry, ++at);
        if (line_match(line, width, first, end, home->query))
            return true;
    }
    return false;
}

/* The lines after the home of a unit that goes on there. */
static SS_NOINLINE bool has_beyond(const ss_expand *expand, const seat *home)
{
    switch (home->width) {
    case 14:
        return look_beyond(expand, home, 14);
    case 15:
        return look_beyond(expand, home, 15);
    case 16:
        return look_beyond(expand, home, 16);
    default:
        return look_beyond(expand, home, home->width);
    }
}

static SS_ALWAYS_INLINE bool seat_has(const ss_expand *expand, const seat *at)
{
    int is_seen = look_wide(at->line, at->unit, at->width, at->query);
    return is_seen == BEYOND ? has_beyond(expand, at) : is_seen;
}

static SS_NOINLINE int has_slowly(const ss_expand *expand, uint64_t hash)
{
    seat at = find_seat(expand, hash, expand->unit_bits);
    return seat_has(expand, &at);
}

/* Of a key that is not seen in its unit's home line. */
static SS_NOINLINE int has_later(const ss_expand *expand, uint64_t hash)
{
    seat at = find_seat(expand, hash, SS_UNIT_BITS);
    return has_beyond(expand, &at);
}

/* What one lookup does if it is rare: other widths, and units that go on. */
static SS_NOINLINE int has_any(const ss_expand *expand, uint64_t hash,
                               const uint64_t *line, uint32_t unit,
                               uint32_t width, uint64_t query)
{
    int is_seen = look(line, unit, width, query);
    return is_seen == BEYOND ? has_later(expand, hash) : is_seen;
}

/*
 * All but the smallest tables have the most units. How many lookups a processor
 * has under way is how many have room in its queue: so what is rare is sought
 * from the beginning, in a call that is the last thing done, and no register is
 * saved for it. Where lines come from far away, the next one comes at the same
 * time: a unit may go on there.
 */
static int kernel_has(const ss_expand *expand, uint64_t hash)
{
    if (__builtin_expect(expand->unit_bits != SS_UNIT_BITS, 0))
        return has_slowly(expand, hash);
    seat at = find_seat(expand, hash, SS_UNIT_BITS);
    int is_seen;
    if (is_table_far(expand))
        fetch_after(&at, 1);
    switch (at.width) {
    case 14:
        is_seen = look(at.line, at.unit, 14, at.query);
        break;
    case 16:
        is_seen = look(at.line, at.unit, 16, at.query);
        break;
    default:
        return has_any(expand, hash, at.line, at.unit, at.width, at.query);
    }
    return is_seen == BEYOND ? has_later(expand, hash) : is_seen;
}

/* The line with a free place for what is pushed on from line `at`, or `lines`:
 * there is none, or a count would pass its most. */
static SS_ALWAYS_INLINE uint32_t find_gap(const ss_expand *expand,
                                          const ss_entry *entry, uint32_t at,
                                          uint32_t lines, uint32_t slots)
{
    for (; at < lines; at++) {
        const uint64_t *line = ss_place_line(&expand->pool, entry, at);
        uint32_t last = ss_line_last(line[SS_SLOT_WORDS]);
        if (last < slots)
            return at;
        if (last == SS_END_MAX)
            return lines;
    }
    return lines;
}

/* Stores a slot; what it pushes out of a line goes to the front of the next. */
static SS_ALWAYS_INLINE bool insert(const ss_expand *expand, const seat *home,
                                    uint32_t width, uint64_t slot)
{
    uint64_t *line = home->line;
    uint32_t slots = ss_line_slots(width), at = home->at;
    uint32_t to = ss_line_end(line[SS_SLOT_WORDS], home->unit + 1u);
    uint64_t ones = ss_line_ones_after(home->unit);
    if (ss_line_last(line[SS_SLOT_WORDS]) < slots) {
        (void)line_push(line, width, to, slot, ones);
        return true;
    }
    uint32_t lines = ss_place_lines(expand, ss_entry_pages(home->entry));
    uint32_t gap = find_gap(expand, home->entry, at, lines, slots);
    if (gap == lines)
        return false;
    for (;;) {
        if (to < slots) {
            slot = line_push(line, width, to, slot, ones);
            to = slots;
        } else {
            line[SS_SLOT_WORDS] += ones;
        }
        if (at == gap)
            return true;
        to -= slots;
        ones = SS_ENDS_ONE;
        line = ss_place_line(&expand->pool, home->entry, ++at);
    }
}

static SS_ALWAYS_INLINE bool insert_wide(const ss_expand *expand,
                                         const seat *home, uint64_t slot)
{
    switch (home->width) {
    case 14:
        return insert(expand, home, 14, slot);
    case 15:
        return insert(expand, home, 15, slot);
    case 16:
        return insert(expand, home, 16, slot);
    default:
        return insert(expand, home, home->width, slot);
    }
}

static bool kernel_insert(ss_expand *expand, const ss_entry *entry,
                          ss_place place, uint64_t slot)
{
    seat home = {.entry = entry,
                 .line = ss_place_line(&expand->pool, entry, place.line),
                 .at = (uint16_t)place.line,
                 .unit = (uint8_t)place.unit,
                 .width = (uint8_t)place.width};
    return insert_wide(expand, &home, slot);
}

/* 1 new, 0 seen, SS_EXPAND_FULL */
static SS_ALWAYS_INLINE int seat_add(ss_expand *expand, const seat *at,
                                     uint32_t u)
{
    if (seat_has(expand, at))
        return 0;
    uint32_t unit_bits = ss_entry_depth(at->entry) + u;
    uint32_t length = ss_place_length(unit_bits, at->width);
    uint64_t slot = ss_place_slot(at->query, at->width, length);
    ss_segment_record *record = &expand->records[ss_entry_id(at->entry)];
    if (record->stored >= record->limit || !insert_wide(expand, at, slot))
        return SS_EXPAND_FULL;
    record->stored++;
    expand->stored++;
    ss_place_cover(expand, ss_place_covers(unit_bits + length));
    return 1;
}

static int kernel_try_add(ss_expand *expand, uint64_t hash)
{
    if (expand->unit_bits == SS_UNIT_BITS) {
        seat at = find_seat(expand, hash, SS_UNIT_BITS);
        fetch_after(&at, 1);
        fetch_after(&at, 2);
        return seat_add(expand, &at, SS_UNIT_BITS);
    }
    seat at = find_seat(expand, hash, expand->unit_bits);
    return seat_add(expand, &at, expand->unit_bits);
}

/*
 * A batch asks for what it needs in order: a key's directory entry, if the
 * directory is too large for a core's cache, and LINES_AHEAD keys later its
 * line. With it comes the next one, if the unit is the last of its line; or, of
 * an add, when the line has come, those that it pushes slots on to.
 */
enum {
    NEAR_BYTES = 1 << 17, /* a directory that stays in a core's cache */
    LINES_AHEAD = 64,
    ENTRIES_AHEAD = 2 * LINES_AHEAD,
    NEXT_AHEAD = 24
};

static SS_ALWAYS_INLINE void fetch_entry(const ss_expand *expand, uint64_t hash)
{
    const ss_entry *entry = ss_directory_find(&expand->directory, hash);
    SS_PREFETCH(&entry->words[0]);
    SS_PREFETCH(&entry->words[SS_ENTRY_WORDS / 2]);
}

static SS_ALWAYS_INLINE void fetch_line(const ss_expand *expand, uint64_t hash,
                                        uint32_t u, seat *to)
{
    *to = find_seat(expand, hash, u);
    SS_PREFETCH(to->line);
}

/* The lines that an add pushes slots on to: where a line is full by a few
 * slots, about a line for each three of them is, too. */
static SS_ALWAYS_INLINE void fetch_chain(const seat *home)
{
    uint32_t last = ss_line_last(home->line[SS_SLOT_WORDS]);
    bool goes_on = last * home->width >= SS_SLOT_LINE_BITS;
    bool goes_far = last * home->width >= SS_SLOT_LINE_BITS + 3u * home->width;
    fetch_after(home, goes_on);
    fetch_after(home, 2 * goes_on);
    fetch_after(home, 3 * goes_far);
}

/* Begins a batch: seats of its first keys. */
static SS_ALWAYS_INLINE void fill_ring(const ss_expand *expand,
                                       const uint64_t *hashes, size_t count,
                                       bool is_wide, uint32_t u, seat *ring)
{
    for (size_t i = 0; is_wide && i < count && i < ENTRIES_AHEAD; i++)
        fetch_entry(expand, hashes[i]);
    for (size_t i = 0; i < count && i < LINES_AHEAD; i++)
        fetch_line(expand, hashes[i], u, &ring[i]);
}

static SS_ALWAYS_INLINE bool is_directory_wide(const ss_expand *expand)
{
    return ss_directory_bytes(&expand->directory) > NEAR_BYTES;
}

#include "expand/kernel/batch_lookup.h"

static size_t kernel_has_many(const ss_expand *expand, const uint64_t *hashes,
                              size_t count, uint8_t *is_seen)
{
    if (expand->unit_bits == SS_UNIT_BITS)
        return has_stretches(expand, hashes, count, is_seen);
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        is_seen[i] = (uint8_t)has_slowly(expand, hashes[i]);
        seen += is_seen[i];
    }
    return seen;
}

/* A segment grew, and its lines are others: the seats of key `i`, which found
 * it full, and of those after it that were found. */
static SS_NOINLINE bool grow_in_batch(ss_expand *expand, const uint64_t *hashes,
                                      size_t count, size_t i, seat *ring)
{
    if (!ss_rebuild_grow(expand, hashes[i]))
        return false;
    for (size_t j = i; j < count && j < i + LINES_AHEAD; j++)
        fetch_line(expand, hashes[j], SS_UNIT_BITS, &ring[j % LINES_AHEAD]);
    return true;
}

/* How many keys of a batch were added: all, if there was memory. */
static size_t add_ring(ss_expand *expand, const uint64_t *hashes, size_t count,
                       uint8_t *is_new)
{
    seat ring[LINES_AHEAD];
    bool is_wide = is_directory_wide(expand), is_far = is_table_far(expand);
    fill_ring(expand, hashes, count, is_wide, SS_UNIT_BITS, ring);
    for (size_t i = 0; i < count; i++) {
        if (is_far && i + NEXT_AHEAD < count)
            fetch_chain(&ring[(i + NEXT_AHEAD) % LINES_AHEAD]);
        seat *at = &ring[i % LINES_AHEAD];
        int one = seat_add(expand, at, SS_UNIT_BITS);
        while (one == SS_EXPAND_FULL) {
            if (!grow_in_batch(expand, hashes, count, i, ring))
                return i;
            one = seat_add(expand, at, SS_UNIT_BITS);
        }
        is_new[i] = (uint8_t)one;
        if (i + LINES_AHEAD < count)
            fetch_line(expand, hashes[i + LINES_AHEAD], SS_UNIT_BITS, at);
        if (is_wide && i + ENTRIES_AHEAD < count)
            fetch_entry(expand, hashes[i + ENTRIES_AHEAD]);
    }
    return count;
}

static size_t kernel_add_many(ss_expand *expand, const uint64_t *hashes,
                              size_t count, uint8_t *is_new)
{
    size_t i = 0;
    for (; i < count && expand->unit_bits < SS_UNIT_BITS; i++) {
        int one;
        while ((one = kernel_try_add(expand, hashes[i])) == SS_EXPAND_FULL)
            if (!ss_rebuild_grow(expand, hashes[i]))
                return i;
        is_new[i] = (uint8_t)one;
    }
    return i + add_ring(expand, hashes + i, count - i, is_new + i);
}

const ss_expand_kernel TWIN_ROW = {.name = TWIN_NAME,
                                   .has = kernel_has,
                                   .has_many = kernel_has_many,
                                   .try_add = kernel_try_add,
                                   .add_many = kernel_add_many,
                                   .insert = kernel_insert,
                                   .read_lengths = kernel_read_lengths,
                                   .fits = kernel_fits,
                                   .cut = kernel_cut,
                                   .moves = {.narrow = move_narrow,
                                             .count_halves = move_count_halves,
                                             .part = move_part}};
