/* layouts.c - the table of what the command says of each layout */
#include "text/layouts.h"

#include <string.h>

static const layout_words rows[] = {
    [SEENSET_LAYOUT_BLOCKED] = {.title = " (default)",
                                .bits_per_place = 8,
                                .can_grow = true,
                                .hash_counts =
                                    "-k of the blocked layout is 8, 16 or 24; "
                                    "--layout bloom takes any up to 255"},
    [SEENSET_LAYOUT_BLOOM] = {.title = " (classic)",
                              .bits_per_place = 1,
                              .can_grow = true,
                              .is_classic = true,
                              .has_schemes = true},
    [SEENSET_LAYOUT_COUNTING] = {.title = "",
                                 .bits_per_place = 1,
                                 .has_counters = true,
                                 .has_schemes = true},
    [SEENSET_LAYOUT_SEALED] =
        {.title = "",
         .bits_per_place = 1,
         .is_built_once = true,
         .hash_counts = "-k of a sealed set is 3 or 4",
         .not_new = "--layout sealed: 'seenset seal' makes such a set of all "
                    "its keys at once",
         .not_sized = "-m is not for a sealed set, whose size follows from -n "
                      "and -p"},
    [SEENSET_LAYOUT_SPLIT_BLOCK] = {.title = "",
                                    .bits_per_place = 8,
                                    .can_grow = true,
                                    .hash_counts =
                                        "-k of the split_block layout is 8"},
    [SEENSET_LAYOUT_FINGERPRINT] = {
        .title = "",
        .bits_per_place = 32,
        .has_slots = true,
        .hash_counts = "-k of the fingerprint layout, the bits of a slot, is "
                       "8 to 32"}};

enum {
    ROW_COUNT = sizeof rows / sizeof rows[0]
};

const layout_words *layouts_words(seenset_layout layout)
{
    static const seenset_layout usual = SEENSET_LAYOUT_BLOCKED;
    bool is_known =
        layout != SEENSET_LAYOUT_DEFAULT && (unsigned)layout < ROW_COUNT;
    return &rows[is_known ? layout : usual];
}

seenset_layout layouts_find(const char *name)
{
    for (int i = 1; i < (int)ROW_COUNT; i++)
        if (rows[i].title != NULL &&
            strcmp(name, seenset_layout_name((seenset_layout)i)) == 0)
            return (seenset_layout)i;
    return SEENSET_LAYOUT_DEFAULT;
}

const char *layouts_wrong_hash_count(seenset_layout layout, uint32_t hash_count)
{
    seenset_plan plan = {.layout = layout,
                         .capacity_items = 1,
                         .fp_rate = 0.5,
                         .hash_count = hash_count};
    const char *wrong = layouts_words(layout)->hash_counts;
    if (layout == SEENSET_LAYOUT_DEFAULT || hash_count == 0 || wrong == NULL)
        return NULL;
    return seenset_plan_solve(&plan) == SEENSET_EINVAL ? wrong : NULL;
}

const char *layouts_wrong_counter_bits(seenset_layout layout,
                                       uint32_t counter_bits)
{
    if (counter_bits == 1)
        return "--counter-bits must be 2 to 16: a counter of 1 bit is a bit, "
               "and no key can be removed from bits";
    if (counter_bits != 0 && !layouts_words(layout)->has_counters)
        return "--counter-bits is for --layout counting";
    return NULL;
}
