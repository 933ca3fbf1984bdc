/*
 * layout.h - what a layout is, and a table of it.
 *
 * A table is an array of words, a whole number of 64-byte lines, and a row of
 * functions that know how its layout reads them. It takes 64-bit hashes, not
 * keys, and knows nothing of capacity, files, growth or errors: after its
 * shape is checked (ss_plan_is_shape) nothing here can fail. A table that grows
 * in place may need memory to add; ss_table_reserve gets it before.
 *
 * A new layout is one file that defines a row, one line in layouts.c, and its
 * formulas in plan/.
 *
 * Invariant: words past size_bits, and the bits of the last word past it, are
 * zero.
 */
#ifndef SS_TABLE_LAYOUT_H
#define SS_TABLE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seenset/plan.h"
#include "table/batch.h"
#include "table/sealed/fuse.h"
#include "table/sample.h"

typedef struct ss_table ss_table;

/*
 * What a layout is and can do, the same for each way to do it. Whether threads
 * can share a table, keys can be removed, or an index scheme can say the
 * places, is a matter of rows (layouts.h): the layout has such a row or not.
 */
typedef struct ss_layout_traits {
    seenset_layout id;
    const char *name;
    uint32_t first_file_version; /* older formats do not have it */
    /* Built from all keys at once; nothing can be added. A table's shape is
     * its `fuse`, not m and k. */
    bool is_built_once;
    /* Grows in place: it has no words, m and k, but its `expand`. */
    bool is_expandable;
    bool can_grow;    /* a set can be a list of such tables: growth, windows */
    bool can_merge;   /* two tables of one shape make one of both's keys */
    bool can_compare; /* cells are bits, and equal keys set equal bits */
    /* A key has one slot of k bits, and an add that is answered "seen" one
     * more (fingerprint.h): m is the bits of all lines of slots. */
    bool has_slots;
    /* m and k mean what they mean in the classic filter: any k, any m, and
     * each key's cells anywhere */
    bool is_classic;
    /* k is one of min, min + step, ..., max. */
    uint32_t min_hash_count;
    uint32_t max_hash_count;
    uint32_t hash_count_step;
    /* m is a multiple of this, and at most that. */
    uint64_t (*unit_bits)(uint32_t hash_count);
    uint64_t max_size_bits;
    /* Cells are counters of min to max bits, of the default if no width is
     * asked for; or, where all three are 0, bits. */
    uint32_t min_counter_bits;
    uint32_t max_counter_bits;
    uint32_t default_counter_bits;
} ss_layout_traits;

/* One way to do a layout: its functions. */
typedef struct ss_layout {
    const ss_layout_traits *traits;
    const char *name; /* "portable", "avx2", "shared", ... */
    bool is_shared;   /* threads may set bits of a table while others read */
    bool
        is_inlined; /* callers compute its places too: seenset/extra/inline.h */
    /* What a place is drawn from, a range for ss_hash_range, in steps of
     * range_step_bits: lines of a region, or bits. */
    uint64_t (*range)(uint64_t size_bits, uint32_t hash_count);
    uint32_t range_step_bits;
    uint64_t range_ignores; /* bits of a hash that count as 0 in the drawing */
    /*
     * The bits, counted from the table's first, that a hash's lookup may read:
     * one of each line, counter or slot that it does. Returns how many. Where a
     * scheme says the places, of a key.
     */
    uint32_t (*list_bits)(const ss_table *table, uint64_t hash,
                          uint64_t bits[SEENSET_MAX_HASH_COUNT]);
    uint32_t (*list_key_bits)(const ss_table *table, const void *key,
                              size_t key_len,
                              uint64_t bits[SEENSET_MAX_HASH_COUNT]);
    /* NULL: the layout cannot do this */
    /* true: the key was new, and now is in the table */
    bool (*add)(ss_table *table, uint64_t hash);
    /* 1 or 0; an int, like the public call, which can so make a tail call */
    int (*has)(const ss_table *table, uint64_t hash);
    /* the same for a key: hashed where its bits are tested, without a call */
    bool (*add_key)(ss_table *table, const void *key, size_t key_len);
    int (*has_key)(const ss_table *table, const void *key, size_t key_len);
    /* is_new[i], is_seen[i]: 1 or 0, in order; returns how many were 1 */
    size_t (*add_many)(ss_table *table, const ss_batch *batch, uint8_t *is_new);
    size_t (*has_many)(const ss_table *table, const ss_batch *batch,
                       uint8_t *is_seen);
    /* has_many of hashes, in bits that lie at any address, as in a file; they
     * are in its order. NULL: tables only. */
    void (*has_bytes)(const uint8_t *bytes, uint64_t range,
                      const uint64_t *hashes, size_t count, uint8_t *is_seen);
    /* Lookups and adds of two tables at a time: a row that is called with the
     * first of them, whose `other` is the other. A key that the first has is
     * seen, and else goes to the other. NULL: one is asked after the other. */
    const struct ss_layout *both;
    /*
     * Building goes by probes: a key probes k / probe_bits places, and place
     * v + 1 comes probe_steps steps of the hash chain after place v. add_probes
     * sets the bits of probe number `probe` for x values of that probe, close
     * together in the table; returns how many set a bit that was not set.
     */
    uint32_t probe_bits;
    uint32_t probe_steps;
    size_t (*add_probes)(ss_table *table, uint32_t probe, const uint64_t *xs,
                         size_t count);
    /* Counting only, else NULL. remove: false if the key is not in the table.
     * count: the least of the key's counters. */
    bool (*remove)(ss_table *table, uint64_t hash);
    uint64_t (*count)(const ss_table *table, uint64_t hash);
    bool (*remove_key)(ss_table *table, const void *key, size_t key_len);
    uint64_t (*count_key)(const ss_table *table, const void *key,
                          size_t key_len);
    /* Cells that are not 0, and merging, where a cell is not a bit. */
    uint64_t (*count_cells)(const ss_table *table);
    /* Counters that are full, and stay so. */
    uint64_t (*count_full)(const ss_table *table);
    void (*merge)(ss_table *into, const ss_table *from);
    /* May `into` take the keys of a table of its layout and of another shape?
     * NULL: never. */
    bool (*can_take)(const ss_table *into, const ss_table *from);
    /* What the cells of a part of the table show. */
    ss_sample (*sample)(const ss_table *table, const ss_part *part);
    /* What keys put into some lines, and how many places a key has there
     * (spread.h). NULL: nothing that a weak hash would put unevenly. */
    double (*events)(const ss_table *table, ss_lines lines, double *places);
    /* Can words that came from outside be such a table's? Asked of its lines
     * in order, some at a time: line number *line is the first of them. carry:
     * what is kept between calls, 0 before the first. NULL: any can. Every
     * other function stays within the table whatever the words are. */
    bool (*are_sound)(const ss_table *table, const uint64_t *words,
                      uint64_t line, uint64_t line_count, uint32_t *carry);
} ss_layout;

struct ss_table {
    const ss_layout *layout;
    uint64_t *words;
    uint64_t size_bits;  /* m: bits, or counters */
    uint64_t range;      /* bloom: m; blocked: the lines of one region */
    uint32_t hash_count; /* k */
    uint32_t cell_bits;  /* 1, or those of a counter */
    /* tables whose cells a scheme names (foreign_index.h): no hash functions */
    const struct ss_scheme *scheme;
    const struct ss_scheme_arguments *scheme_arguments;
    ss_fuse_shape fuse;       /* sealed tables */
    struct ss_expand *expand; /* expandable ones; words is NULL */
    ss_table *other; /* of the first of two tables of a set: the second, for
                        layout->both */
};

#endif
