/*
 * evenness.h - does a table have its keys as evenly as a good hash puts them?
 *
 * A set whose keys share some bits of their hashes, as those of a shard do
 * where the shards are bits of the hash, has nearly all keys in a few blocks.
 * These are soon full, and call every other key of the shard seen, while the
 * table as a whole is nearly empty. No figure that is a mean over all blocks
 * shows it. table/spread.h has what is measured.
 */
#ifndef SS_SET_FIGURES_EVENNESS_H
#define SS_SET_FIGURES_EVENNESS_H

#include "table/spread.h"
#include "table/table.h"

/* A set is called skewed by a chance of at most this, if its hash is good. */
#define SS_EVENNESS_ALARM 1e-9

typedef struct ss_evenness {
    uint64_t slices; /* 0: nothing was measured */
    double chi_square, freedom;
    double chance; /* of such a chi_square, at most */
} ss_evenness;

/* What a part of a table shows, in as many slices as it has chunks; of one that
 * grows in place, the records of its segments. If threads may add meanwhile, a
 * part that looks skewed is read three times more. */
ss_evenness ss_evenness_of_part(const ss_table *table, const ss_part *part);

/* The same, and slices that are as small as they can be, too: those whose
 * chance is less. Reads all of the table twice; five times where threads may
 * add meanwhile. */
ss_evenness ss_evenness_of(const ss_table *table);

#endif
