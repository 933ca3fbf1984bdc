/* unions_kinds.c - the kinds of sets that are united; see unions.h */
#include "unions.h"

/* ---- kinds ---- */

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen bytes ok";

#define GROWN(n, to) {.capacity_items = (n)}, (to)

static const union_kind kinds[] = {
    {"fixed, half full",
     {.capacity_items = 20000, .on_full = SEENSET_ON_FULL_DEGRADE}, 10000},
    {"fixed, over-full",
     {.capacity_items = 5000, .on_full = SEENSET_ON_FULL_DEGRADE}, 10000},
    {"fixed, classic",
     {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 20000,
      .on_full = SEENSET_ON_FULL_REFUSE}, 9000},
    {"fixed, split blocks",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .capacity_items = 20000,
      .on_full = SEENSET_ON_FULL_DEGRADE}, 9000},
    {"fixed, keyed",
     {.capacity_items = 20000, .secret = secret,
      .on_full = SEENSET_ON_FULL_DEGRADE}, 9000},
    {"counting",
     {.layout = SEENSET_LAYOUT_COUNTING, .capacity_items = 40000}, 9000},
    {"fingerprint",
     {.layout = SEENSET_LAYOUT_FINGERPRINT, .capacity_items = 60000}, 9000},
    {"not grown", GROWN(30000, 10000)},
    {"full", GROWN(10000, 10000)},
    {"grown 2 x", GROWN(10000, 20000)},
    {"grown 20 x", GROWN(1000, 20000)},
    {"grown 1,000 x", GROWN(20, 20000)},
    {"grown 30,000 x", GROWN(1, 30000)},
    {"grown, 1e-6", {.capacity_items = 5000, .fp_rate = 1e-6}, 20000},
    {"grown, classic",
     {.layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 5000}, 20000},
    {"grown, split blocks",
     {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .capacity_items = 5000}, 20000},
    {"window by number",
     {.capacity_items = 40000, .on_full = SEENSET_ON_FULL_ROTATE}, 9000},
    {"window by age",
     {.capacity_items = 20000, .window_seconds = 1000}, 9000},
    {"window by age, grown",
     {.capacity_items = 8000, .window_seconds = 1000}, 20000}};

const union_kind *union_kinds(size_t *count)
{
    *count = TEST_COUNT(kinds);
    return kinds;
}

bool union_counts_keys(const union_kind *of)
{
    return of->options.layout == SEENSET_LAYOUT_COUNTING ||
           of->options.layout == SEENSET_LAYOUT_FINGERPRINT;
}

static bool is_window(const union_kind *of)
{
    return of->options.window_seconds > 0;
}

/* ---- sets ---- */

seenset *union_make(const union_kind *of)
{
    return is_window(of) ? window_make(of->options) : test_make(of->options);
}

/* Keys first to end - 1 of a stream, as 8 bytes. */
static void add_keys(seenset *set, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) {
        uint64_t key = test_mix(i);
        assert_true(seenset_add(set, &key, sizeof key) >= 0);
    }
}

uint64_t union_count_seen(const seenset *set, uint64_t first, uint64_t end)
{
    uint64_t seen = 0;
    for (uint64_t i = first; i < end; i++) {
        uint64_t key = test_mix(i);
        seen += seenset_has(set, &key, sizeof key) == 1;
    }
    return seen;
}

bool union_has_keys(const seenset *set, uint64_t first, uint64_t end)
{
    return union_count_seen(set, first, end) == end - first;
}

seenset *union_make_of(const union_kind *of, uint64_t first, uint64_t end)
{
    seenset *set = union_make(of);
    add_keys(set, first, end);
    return set;
}

seenset *union_copy(const seenset *set)
{
    seenset *copy = NULL;
    assert_int_equal(seenset_copy(&copy, set), SEENSET_OK);
    return copy;
}
