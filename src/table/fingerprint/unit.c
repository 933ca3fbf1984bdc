/* unit.c - a unit's slots, one by one; and what an add does that
 * cannot simply store its slot */
#include "table/fingerprint/unit.h"

#include "lines/line_portable.h"
#include "table/fingerprint/insert.h"

enum {
    WINDOW = 16 /* lines in which slots are sought that can be one */
};

/* A forged line may have zeros for slots, which match all. */
static uint64_t slot_of(uint64_t slot, uint32_t width)
{
    return slot != 0 ? slot : ss_slot_void(width);
}

uint32_t ss_fingerprint_read(const ss_fingerprint_place *place, uint32_t width,
                             uint64_t slots[SS_END_MAX])
{
    uint32_t places = ss_line_slots(width), count = 0;
    const uint64_t *line = place->line;
    uint32_t first = ss_line_end(line[SS_SLOT_WORDS], place->unit);
    uint32_t end = ss_line_end(line[SS_SLOT_WORDS], place->unit + 1);
    for (uint32_t left = place->left;; left--) {
        uint32_t here = end < places ? end : places;
        for (; first < here; first++)
            slots[count++] = slot_of(ss_line_slot(line, width, first), width);
        if (end <= places || left == 0)
            return count;
        first -= places;
        end -= places;
        line += SS_LINE_WORDS;
    }
}

/* Which line after the home a unit's slot is in; what it is in that line goes
 * to *at. */
static uint32_t find_slot(const ss_fingerprint_place *place, uint32_t width,
                          uint32_t index, uint32_t *at)
{
    uint32_t slots = ss_line_slots(width);
    uint32_t begin = ss_line_end(place->line[SS_SLOT_WORDS], place->unit);
    *at = (begin + index) % slots;
    return (begin + index) / slots;
}

/* Puts another slot in the place of slot number `index`. */
static void replace_slot(const ss_fingerprint_place *place, uint32_t width,
                         uint32_t index, uint64_t slot)
{
    uint32_t at;
    uint32_t from = find_slot(place, width, index, &at);
    uint64_t *line = place->line + from * SS_LINE_WORDS;
    uint64_t change = ss_line_slot(line, width, at) ^ slot;
    uint32_t word = at * width / SS_WORD_BITS;
    uint32_t shift = at * width % SS_WORD_BITS;
    line[word] ^= change << shift;
    line[word + 1] ^= change >> 1 >> (63 - shift);
}

/* One count less in each line from the home on to where the row of slots ends,
 * which is so many lines after it. */
static uint32_t lower_ends(const ss_fingerprint_place *place, uint32_t slots)
{
    uint64_t *ends = place->line + SS_SLOT_WORDS;
    uint32_t after = 0, last = ss_line_last(*ends);
    *ends -= ss_line_ones_after(place->unit);
    while (last > slots && after < place->left) {
        ends += SS_LINE_WORDS;
        last = ss_line_last(*ends);
        *ends -= SS_ENDS_ONE;
        after++;
    }
    return after;
}

/* Takes out slot number `index` of a unit. */
static void delete_slot(const ss_fingerprint_place *place, uint32_t width,
                        uint32_t index)
{
    uint32_t at;
    uint32_t from = find_slot(place, width, index, &at);
    uint32_t last = lower_ends(place, ss_line_slots(width));
    for (; from <= last; from++, at = 0) {
        uint64_t *line = place->line + from * SS_LINE_WORDS;
        uint64_t in = 0;
        if (from < last)
            in = ss_line_slot(line + SS_LINE_WORDS, width, 0);
        ss_line_pull(line, width, at, in);
    }
}

/* ---- slots that are cut ---- */

/* Two slots of a unit, and what they have in common. */
typedef struct pair {
    ss_fingerprint_place unit;
    uint32_t first, second; /* their numbers */
    uint32_t length;        /* bits of the prefix of both */
    bool is_found;
} pair;

static uint32_t common_length(uint64_t a, uint64_t b, uint32_t width)
{
    uint32_t least = ss_slot_length(a, width), other = ss_slot_length(b, width);
    least = other < least ? other : least;
    if (a == b)
        return least;
    uint32_t same = (uint32_t)__builtin_clzll(a ^ b) - (64 - width);
    return same < least ? same : least;
}

static void look_for_pair(const ss_fingerprint_place *unit, uint32_t width,
                          pair *best)
{
    uint64_t slots[SS_END_MAX];
    uint32_t count = ss_fingerprint_read(unit, width, slots);
    for (uint32_t i = 0; i + 1 < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            uint32_t length = common_length(slots[i], slots[j], width);
            if (!best->is_found || length > best->length)
                *best = (pair){*unit, i, j, length, true};
        }
    }
}

/* Of two slots one is left. It is marked as one that stays by being cut. */
static void unite(const pair *two, uint32_t width)
{
    uint64_t slots[SS_END_MAX];
    uint32_t most = width - 2;
    uint32_t length = two->length < most ? two->length : most;
    (void)ss_fingerprint_read(&two->unit, width, slots);
    replace_slot(&two->unit, width, two->first,
                 ss_fingerprint_cut(slots[two->first], width, length));
    delete_slot(&two->unit, width, two->second);
}

/* How many lines after the home nothing more can be pushed on: there is no
 * line after it, or a count is at its most. */
static uint32_t find_jam(const ss_fingerprint_place *place)
{
    uint32_t after = 0;
    while (after < place->left &&
           ss_line_last(place->line[after * SS_LINE_WORDS + SS_SLOT_WORDS]) <
               SS_END_MAX)
        after++;
    return after;
}

/* So many lines after the home, or before it. */
static void look_in_line(const ss_fingerprint_place *place, int64_t after,
                         uint32_t width, pair *best)
{
    ss_fingerprint_place unit = {.line = place->line + after * SS_LINE_WORDS,
                                 .left = (uint32_t)(place->left - after)};
    for (unit.unit = 0; unit.unit < SS_LINE_UNITS; unit.unit++)
        look_for_pair(&unit, width, best);
}

static bool is_full(const ss_fingerprint_place *place, int64_t after,
                    uint32_t width)
{
    if (after < -(int64_t)place->before)
        return false;
    const uint64_t *line = place->line + after * SS_LINE_WORDS;
    return ss_line_last(line[SS_SLOT_WORDS]) >= ss_line_slots(width);
}

/*
 * Makes one slot of two, in the lines before a jam. Full lines up to a jam, of
 * a sound table, have as many slots as places, 9 or more a line of eight units:
 * so there are two in one unit. Mostly they are near; if not, they are in the
 * lines before those, as far back as lines are full. False: there are none, in
 * a forged table.
 */
static bool relieve(const ss_fingerprint_place *place, uint32_t width)
{
    pair best = {.is_found = false};
    int64_t jam = find_jam(place);
    int64_t first = jam >= WINDOW ? jam - WINDOW + 1 : 0;
    for (int64_t after = first; after <= jam; after++)
        look_in_line(place, after, width, &best);
    while (!best.is_found && is_full(place, --first, width))
        look_in_line(place, first, width, &best);
    if (best.is_found)
        unite(&best, width);
    return best.is_found;
}

/* All slots of a unit that equal one become one that stays. */
static void make_permanent(const ss_fingerprint_place *place, uint32_t width,
                           uint64_t slot)
{
    uint64_t slots[SS_END_MAX];
    uint32_t count = ss_fingerprint_read(place, width, slots);
    bool is_last = true;
    while (count-- > 0) {
        if (slots[count] != slot)
            continue;
        if (is_last)
            replace_slot(place, width, count,
                         ss_fingerprint_cut(slot, width, width - 2));
        else
            delete_slot(place, width, count);
        is_last = false;
    }
}

/* Slots that equal one; SS_FINGERPRINT_COPIES where it is covered for ever. */
static uint32_t count_copies(const ss_fingerprint_place *place, uint32_t width,
                             uint64_t slot)
{
    uint64_t slots[SS_END_MAX];
    uint32_t copies = 0;
    uint32_t count = ss_fingerprint_read(place, width, slots);
    for (uint32_t i = 0; i < count; i++) {
        if (!ss_fingerprint_covers(slots[i], slot))
            continue;
        if (!ss_fingerprint_is_whole(slots[i]))
            return SS_FINGERPRINT_COPIES;
        copies++;
    }
    return copies;
}

void ss_fingerprint_put(const ss_fingerprint_place *place, uint32_t width,
                        uint64_t slot)
{
    for (;;) {
        uint32_t copies = count_copies(place, width, slot);
        if (copies >= SS_FINGERPRINT_COPIES)
            return;
        if (copies + 1 == SS_FINGERPRINT_COPIES) {
            make_permanent(place, width, slot);
            return;
        }
        if (insert(place, width, slot) || !relieve(place, width))
            return;
    }
}

/* ---- taking out, and counting ---- */

/* The slot that was not cut goes: each other key keeps one of its own. */
bool ss_fingerprint_remove(ss_table *table, uint64_t hash)
{
    uint32_t width = table->hash_count;
    uint64_t slots[SS_END_MAX];
    ss_fingerprint_place place = ss_fingerprint_place_of(table, hash);
    uint32_t count = ss_fingerprint_read(&place, width, slots);
    bool was_there = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!ss_slot_matches(slots[i], place.query))
            continue;
        was_there = true;
        if (slots[i] == place.query) {
            delete_slot(&place, width, i);
            break;
        }
    }
    return was_there;
}

bool ss_fingerprint_remove_key(ss_table *table, const void *key, size_t key_len)
{
    return ss_fingerprint_remove(table, ss_hash_key(key, key_len));
}

uint64_t ss_fingerprint_count(const ss_table *table, uint64_t hash)
{
    ss_fingerprint_place place = ss_fingerprint_place_of(table, hash);
    return count_copies(&place, table->hash_count, place.query);
}

uint64_t ss_fingerprint_count_key(const ss_table *table, const void *key,
                                  size_t key_len)
{
    return ss_fingerprint_count(table, ss_hash_key(key, key_len));
}
