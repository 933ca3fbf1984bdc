/* visit.c - the slots of a table in order, and those of another added to it */
#include "expand/expand.h"

#include "expand/rebuild.h"
#include "expand/kernel/kernels.h"
#include "expand/unit.h"

typedef struct visitor {
    const ss_expand *expand;
    bool (*visit)(void *context, ss_prefix prefix);
    void *context;
} visitor;

/* By prefix, a shorter one before those that it is a part of: the slot less
 * its lowest bit, then that bit, the higher the shorter. */
static bool is_after(uint64_t a, uint64_t b)
{
    uint64_t low_a = a & (a - 1), low_b = b & (b - 1);
    return low_a != low_b ? low_a > low_b : a < b;
}

static void sort_slots(uint64_t *slots, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t slot = slots[i];
        uint32_t at = i;
        for (; at > 0 && is_after(slots[at - 1], slot); at--)
            slots[at] = slots[at - 1];
        slots[at] = slot;
    }
}

static bool visit_unit(const visitor *by, const ss_entry *entry, uint64_t hash,
                       uint32_t unit_bits)
{
    ss_place place = ss_place_of(by->expand, entry, hash);
    uint64_t slots[SS_END_MAX];
    uint32_t count = ss_unit_read(&by->expand->pool, entry, place, slots);
    sort_slots(slots, count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t rest = slots[i] & (slots[i] - 1);
        ss_prefix prefix = {hash | rest << (64 - place.width) >> unit_bits,
                            unit_bits + ss_slot_length(slots[i], place.width)};
        if (!by->visit(by->context, prefix))
            return false;
    }
    return true;
}

bool ss_expand_visit(const ss_expand *expand,
                     bool (*visit)(void *context, ss_prefix prefix),
                     void *context)
{
    visitor by = {expand, visit, context};
    uint64_t hash = 0;
    do {
        const ss_entry *entry = ss_directory_find(&expand->directory, hash);
        uint32_t bits = ss_place_unit_bits(expand, ss_entry_depth(entry));
        if (!visit_unit(&by, entry, hash, bits))
            return false;
        hash += UINT64_C(1) << (64 - bits);
    } while (hash != 0);
    return true;
}

/* Is a whole prefix stood for by one slot of its unit? */
static bool is_covered(const ss_expand *expand, const ss_entry *entry,
                       ss_place place, uint32_t length)
{
    uint64_t slots[SS_END_MAX];
    uint32_t count = ss_unit_read(&expand->pool, entry, place, slots);
    for (uint32_t i = 0; i < count; i++)
        if (ss_slot_matches(slots[i], place.query) &&
            ss_slot_length(slots[i], place.width) <= length)
            return true;
    return false;
}

/* Takes out the slots of a unit that another slot of it covers and exceeds:
 * what they stand for is part of that. */
static void drop_covered(ss_expand *expand, const ss_entry *entry,
                         ss_place place, uint64_t slot)
{
    uint64_t slots[SS_END_MAX];
    uint32_t count = ss_unit_read(&expand->pool, entry, place, slots);
    uint32_t unit_bits = ss_place_unit_bits(expand, ss_entry_depth(entry));
    for (uint32_t i = count; i-- > 0;) {
        if (slots[i] == slot || !ss_slot_matches(slot, slots[i]) ||
            __builtin_ctzll(slots[i]) > __builtin_ctzll(slot))
            continue;
        uint32_t bits = unit_bits + ss_slot_length(slots[i], place.width);
        ss_unit_delete(&expand->pool, entry, place, i);
        ss_place_uncover(expand, ss_place_covers(bits));
        expand->records[ss_entry_id(entry)].stored--;
        expand->stored--;
    }
}

/* Stores a prefix, or the part of it that is in the unit of a hash. */
static int put_in_unit(ss_expand *expand, uint64_t hash, uint32_t bits)
{
    for (;;) {
        const ss_entry *entry = ss_directory_find(&expand->directory, hash);
        ss_place place = ss_place_of(expand, entry, hash);
        uint32_t unit_bits = ss_place_unit_bits(expand, ss_entry_depth(entry));
        uint32_t most = ss_place_length(unit_bits, place.width);
        uint32_t length = bits > unit_bits ? bits - unit_bits : 0;
        length = length < most ? length : most;
        if (is_covered(expand, entry, place, length))
            return 0;
        ss_segment_record *record = &expand->records[ss_entry_id(entry)];
        uint64_t slot = ss_place_slot(place.query, place.width, length);
        if (record->stored < record->limit &&
            expand->kernel->insert(expand, entry, place, slot)) {
            record->stored++;
            expand->stored++;
            ss_place_cover(expand, ss_place_covers(unit_bits + length));
            drop_covered(expand, entry, place, slot);
            return 1;
        }
        if (!ss_rebuild_grow(expand, hash))
            return SEENSET_ENOMEM;
    }
}

/* Adds a prefix, of another table perhaps: all hashes under it are seen, and
 * slots that are part of it are taken out. 1: stored; 0: it was covered;
 * SEENSET_ENOMEM. */
static int put(ss_expand *expand, ss_prefix prefix)
{
    uint64_t hash = prefix.prefix, left = 0;
    int is_new = 0;
    if (prefix.bits < 64)
        left = prefix.bits == 0 ? UINT64_MAX : UINT64_MAX >> prefix.bits;
    uint64_t last = hash | left;
    for (;;) {
        int one = put_in_unit(expand, hash, prefix.bits);
        if (one < 0)
            return one;
        is_new |= one;
        const ss_entry *entry = ss_directory_find(&expand->directory, hash);
        uint32_t bits = ss_place_unit_bits(expand, ss_entry_depth(entry));
        uint64_t unit = UINT64_MAX >> bits; /* less 1 */
        if (last - (hash & ~unit) <= unit)
            return is_new;
        hash = (hash & ~unit) + unit + 1;
    }
}

typedef struct merging {
    ss_expand *into;
    int rc;
} merging;

static bool merge_one(void *context, ss_prefix prefix)
{
    merging *merge = context;
    int is_new = put(merge->into, prefix);
    if (is_new < 0)
        merge->rc = is_new;
    return is_new >= 0;
}

int ss_expand_merge(ss_expand *expand, const ss_expand *from)
{
    merging merge = {expand, SEENSET_OK};
    (void)ss_expand_visit(from, merge_one, &merge);
    return merge.rc;
}
