/* layouts.h - what the command has to say of each layout */
#ifndef TEXT_LAYOUTS_H
#define TEXT_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "seenset/seenset.h"

typedef struct layout_words {
    const char *title;       /* after its name, in the table of a plan */
    const char *hash_counts; /* what to say of a -k that it does not have */
    const char *not_new;     /* why 'new' does not take it, or NULL */
    const char *not_sized;   /* why a plan of it takes no -m, or NULL */
    uint32_t bits_per_place; /* k of those that a lookup finds together */
    bool can_grow;           /* a set can have several tables */
    bool is_classic;         /* k bits anywhere among m, as in textbooks */
    bool is_built_once;      /* of all keys, and never changed */
    bool has_counters;
    bool has_slots; /* one for each add, with a fingerprint */
    bool has_schemes;
} layout_words;

/* Of 0, what is said of the default layout. */
const layout_words *layouts_words(seenset_layout layout);

/* The layout of that name that can be asked for, or SEENSET_LAYOUT_DEFAULT. */
seenset_layout layouts_find(const char *name);

/* What is wrong with -k for a layout, or NULL; 0: -k, or a layout, is not
 * given. */
const char *layouts_wrong_hash_count(seenset_layout layout,
                                     uint32_t hash_count);

/* What is wrong with --counter-bits for a layout, or NULL; 0: not given. */
const char *layouts_wrong_counter_bits(seenset_layout layout,
                                       uint32_t counter_bits);

#endif
