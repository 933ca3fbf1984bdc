/*
 * figures.h - the figures of a set, a plan and a queue, once for all fronts.
 *
 * A row for each figure, and each front makes of the rows what it needs: the
 * named tuples of Python, the objects of JavaScript, the members of JSON, the
 * gauges of Prometheus and the fields of SEEN.INFO. The types for Python and
 * TypeScript are written from it by make types. So a row that is added
 * here appears in all of them, and a member of a public struct that has no row
 * fails the test `figures`.
 *
 *     FIGURE(kind, member, name, python, redis, meaning)
 *
 *     kind      how the member is shown: see below
 *     member    of the struct
 *     name      in JSON and Prometheus; JavaScript has it in camel case
 *     python    in the named tuple
 *     redis     in the reply of SEEN.INFO or SEEN.OVERLAP; "": it is not there,
 *               as it does not apply in a server
 *     meaning   a line, without a full stop
 *
 *     U32, U64, REAL, FLAG   a number, or true and false
 *     LAYOUT, ON_FULL, SCHEME, DURABILITY, NORMALISE, SITE
 *                            an enum, by its name
 *     SLIDING, SHARED        a bit of the member, which has flags
 *     SEED                   a uint64_t of which every bit counts
 *     SEEDS, QUEUE_SEEDS     the factors of a scheme: of seenset_info and of
 *                            seenset_queue_stats, where seed_count says how
 *                            many
 *     WRONG                  a REAL which may be the least that it can be: the
 *                            struct's is_wrong_at_least
 *     PRIORITIES             a uint64_t for each priority of a queue
 *     TEXT                   an array of char, to its NUL
 */
#ifndef FIGURES_FIGURES_H
#define FIGURES_FIGURES_H

/* ---- a set ---- */

#define FIGURES_PLANNED(FIGURE)                                                \
    FIGURE(U64, capacity_items, capacity_items, "capacity", "capacity",        \
           "different keys it is made for")                                    \
    FIGURE(REAL, fp_rate, fp_rate, "fp_rate", "rate",                          \
           "false-positive rate promised at capacity")                         \
    FIGURE(U64, added_items, added_items, "added", "added",                    \
           "adds that were answered new")

#define FIGURES_SET(FIGURE)                                                    \
    FIGURE(LAYOUT, layout, layout, "layout", "layout",                         \
           "how its bits are arranged")                                        \
    FIGURE(ON_FULL, on_full, on_full, "on_full", "on-full",                    \
           "what it does past its capacity")                                   \
    FIGURES_PLANNED(FIGURE)                                                    \
    FIGURE(U32, table_count, table_count, "tables", "tables",                  \
           "tables it is made of")                                             \
    FIGURE(U64, memory_bytes, memory_bytes, "memory_bytes", "",                \
           "memory that the set takes, or its mapping")                        \
    FIGURE(FLAG, is_read_only, is_read_only, "is_read_only", "",               \
           "it is a view of a file")                                           \
    FIGURE(FLAG, is_keyed, is_keyed, "is_keyed", "keyed",                      \
           "it is hashed under a secret")                                      \
    FIGURE(U32, counter_bits, counter_bits, "counter_bits", "counter-bits",    \
           "bits of a counter; 0: there are none")                             \
    FIGURE(U32, fingerprint_bits, fingerprint_bits, "fingerprint_bits",        \
           "fingerprint-bits", "bits of a fingerprint or of its slot; else 0") \
    FIGURE(U32, window_generations, window_generations, "generations",         \
           "window-tables", "tables of a window; else 0")                      \
    FIGURE(U64, window_seconds, window_seconds, "window_seconds",              \
           "window-seconds", "length of a window by age; else 0")              \
    FIGURE(SCHEME, scheme, scheme, "scheme", "scheme", "index scheme")

/* What it is beside that: seenset_info. */
#define FIGURES_INFO_ONLY(FIGURE)                                              \
    FIGURE(REAL, made_fp_rate, made_fp_rate, "made_fp_rate", "made-rate",      \
           "rate it was made with, which some merges raise the promise over")  \
    FIGURE(FLAG, is_at_capacity, is_at_capacity, "is_at_capacity",             \
           "at-capacity", "its rate rises, or it refuses new keys")            \
    FIGURE(SLIDING, flags, is_sliding, "is_sliding", "sliding",                \
           "a key that is seen again is renewed")                              \
    FIGURE(SHARED, flags, is_shared, "is_shared", "",                          \
           "several threads may add at once")                                  \
    FIGURE(FLAG, is_checked, is_checked, "is_checked", "",                     \
           "a view whose blocks are checked as they are read")                 \
    FIGURE(FLAG, is_copied, is_copied, "is_copied", "",                        \
           "a view that was read into memory, as the machine is big-endian")   \
    FIGURE(U32, format_version, format_version, "format_version", "",          \
           "version of the file it was opened from; 0: none")                  \
    FIGURE(                                                                    \
        U64, journal_items, journal_items, "journal_items", "",                \
        "keys in the journal beside the file, which are in the set as well")   \
    FIGURE(U64, journal_bytes, journal_bytes, "journal_bytes", "",             \
           "length of that journal; 0: there was none")                        \
    FIGURE(U64, journal_missing_items, journal_missing_items, "missing", "",   \
           "keys it lacks at most, as its journal was not there")              \
    FIGURE(SEED, seed, seed, "seed", "seed", "seed of its scheme")             \
    FIGURE(SEEDS, seeds, seeds, "seeds", "seeds", "factors of its scheme")     \
    FIGURE(U32, unit_bits, unit_bits, "unit_bits", "unit-bits",                \
           "bits of the units that its scheme hashes: 8 or 16; else 0")

#define FIGURES_INFO(FIGURE)                                                   \
    FIGURES_SET(FIGURE)                                                        \
    FIGURES_INFO_ONLY(FIGURE)

/* How full it is. */
#define FIGURES_FILL(FIGURE)                                                   \
    FIGURE(U64, size_bits, size_bits, "size_bits", "size-bits",                \
           "bits, or counters, of all tables")                                 \
    FIGURE(U64, set_bits, set_bits, "set_bits", "set-bits",                    \
           "bits that are set, or counters that are not 0")                    \
    FIGURE(REAL, fill, fill, "fill", "fill",                                   \
           "part of the bits, or counters, that are set")                      \
    FIGURE(REAL, current_fp_rate, current_fp_rate, "current_fp_rate",          \
           "rate-now", "false-positive rate of the bits as they are")          \
    FIGURE(REAL, estimated_items, estimated_items, "estimated_items",          \
           "estimated-keys", "different keys, estimated from the bits")        \
    FIGURE(WRONG, wrong_items, wrong_items, "wrong_items", "",                 \
           "expected number of new keys that were answered seen")              \
    FIGURE(FLAG, is_wrong_at_least, is_wrong_at_least, "is_wrong_at_least",    \
           "",                                                                 \
           "how many were answered seen is not known, and wrong_items is the " \
           "least that it can be")                                             \
    FIGURE(FLAG, is_skewed, is_skewed, "is_skewed", "skewed",                  \
           "the hash is too weak for the keys, and figures of the bits are "   \
           "not to be trusted")

#define FIGURES_STATS_ONLY(FIGURE)                                             \
    FIGURE(U32, hash_count, hash_count, "hash_count", "",                      \
           "bits that a key sets in the newest table")                         \
    FIGURE(U64, full_counters, full_counters, "full_counters", "",             \
           "counters that are full and stay so, or slots that were cut")       \
    FIGURE(REAL, overflow_bound, overflow_bound, "overflow_bound", "",         \
           "chance that any counter is full, at most")

#define FIGURES_STATS(FIGURE)                                                  \
    FIGURES_SET(FIGURE)                                                        \
    FIGURES_FILL(FIGURE)                                                       \
    FIGURES_STATS_ONLY(FIGURE)

#define FIGURES_ESTIMATE_ONLY(FIGURE)                                          \
    FIGURE(REAL, fp_rate_error, fp_rate_error, "fp_rate_error",                \
           "rate-now-error",                                                   \
           "standard deviation of current_fp_rate, as a part of it")           \
    FIGURE(FLAG, is_counted, is_counted, "is_counted", "counted",              \
           "every bit was read")

#define FIGURES_ESTIMATE(FIGURE)                                               \
    FIGURES_PLANNED(FIGURE)                                                    \
    FIGURES_FILL(FIGURE)                                                       \
    FIGURES_ESTIMATE_ONLY(FIGURE)

#define FIGURES_TABLE(FIGURE)                                                  \
    FIGURE(LAYOUT, layout, layout, "layout", "",                               \
           "how its bits are arranged; expandable: it grows in place, and "    \
           "has no cells")                                                     \
    FIGURE(U64, size_bits, size_bits, "size_bits", "", "bits, or counters")    \
    FIGURE(U32, hash_count, hash_count, "hash_count", "",                      \
           "bits that a key sets")                                             \
    FIGURE(U32, cell_bits, cell_bits, "cell_bits", "",                         \
           "bits of a cell: 1, or those of a counter or fingerprint")          \
    FIGURE(U64, cell_count, cell_count, "cell_count", "", "cells")             \
    FIGURE(U32, block_bits, block_bits, "block_bits", "",                      \
           "bits of a block; 0: it has none")                                  \
    FIGURE(U64, capacity_items, capacity_items, "capacity", "",                \
           "different keys it is made for")                                    \
    FIGURE(REAL, fp_rate, fp_rate, "fp_rate", "",                              \
           "false-positive rate promised at capacity")                         \
    FIGURE(U64, added_items, added_items, "added", "",                         \
           "adds that were answered new")                                      \
    FIGURE(U64, memory_bytes, memory_bytes, "memory_bytes", "",                \
           "memory of its cells")                                              \
    FIGURE(U64, started_seconds, started_seconds, "started_seconds", "",       \
           "windows by age: when it was begun, since 1970; else 0")            \
    FIGURE(FLAG, is_expired, is_expired, "is_expired", "",                     \
           "it is past its time, and its keys are forgotten")

#define FIGURES_UNIFORMITY(FIGURE)                                             \
    FIGURE(U64, slice_count, slice_count, "slice_count", "",                   \
           "slices that were counted; 0: nothing was measured")                \
    FIGURE(REAL, chi_square, chi_square, "chi_square", "",                     \
           "distance of the slices from even ones")                            \
    FIGURE(REAL, degrees_of_freedom, degrees_of_freedom, "degrees_of_freedom", \
           "", "chi_square that a good hash gives on average")                 \
    FIGURE(REAL, p_value, p_value, "p_value", "",                              \
           "chance that a good hash gives so large a chi_square")              \
    FIGURE(FLAG, is_skewed, is_skewed, "is_skewed", "",                        \
           "so small a chance that the hash is too weak for the keys")

/* ---- two sets ---- */

#define FIGURES_OVERLAP(FIGURE)                                                \
    FIGURE(REAL, jaccard, jaccard, "jaccard", "jaccard",                       \
           "intersection / union, 0 to 1")                                     \
    FIGURE(REAL, jaccard_error, jaccard_error, "jaccard_error",                \
           "jaccard-error", "its standard error")                              \
    FIGURE(REAL, union_items, union_items, "union_items", "union",             \
           "different keys in either")                                         \
    FIGURE(REAL, union_items_error, union_items_error, "union_error",          \
           "union-error", "its standard error")                                \
    FIGURE(REAL, intersection_items, intersection_items, "intersection_items", \
           "intersection", "keys in both")                                     \
    FIGURE(REAL, intersection_items_error, intersection_items_error,           \
           "intersection_error", "intersection-error", "its standard error")   \
    FIGURE(REAL, a_items, a_items, "self_items", "first", "keys in the first") \
    FIGURE(REAL, b_items, b_items, "other_items", "second",                    \
           "keys in the other")                                                \
    FIGURE(REAL, a_only_items, a_only_items, "self_only_items",                \
           "only-in-first", "keys in the first alone")                         \
    FIGURE(REAL, b_only_items, b_only_items, "other_only_items",               \
           "only-in-second", "keys in the other alone")                        \
    FIGURE(REAL, a_items_error, a_items_error, "self_error", "first-error",    \
           "standard error of the keys in the first")                          \
    FIGURE(REAL, b_items_error, b_items_error, "other_error", "second-error",  \
           "standard error of the keys in the other")                          \
    FIGURE(REAL, a_only_items_error, a_only_items_error, "self_only_error",    \
           "only-in-first-error",                                              \
           "standard error of the keys in the first alone")                    \
    FIGURE(REAL, b_only_items_error, b_only_items_error, "other_only_error",   \
           "only-in-second-error",                                             \
           "standard error of the keys in the other alone")

/* ---- a plan ---- */

#define FIGURES_PLAN(FIGURE)                                                   \
    FIGURE(LAYOUT, layout, layout, "layout", "", "how the bits are arranged")  \
    FIGURE(U64, capacity_items, capacity_items, "capacity", "",                \
           "n, different keys")                                                \
    FIGURE(REAL, fp_rate, fp_rate, "fp_rate", "",                              \
           "p, the rate promised at capacity")                                 \
    FIGURE(U64, size_bits, size_bits, "size_bits", "", "m, bits")              \
    FIGURE(U32, hash_count, hash_count, "hash_count", "",                      \
           "k, bits that a key sets")                                          \
    FIGURE(REAL, bits_per_key, bits_per_key, "bits_per_key", "", "m / n")      \
    FIGURE(REAL, expected_fp_rate, expected_fp_rate, "expected_fp_rate", "",   \
           "what the formula gives for n, m and k")                            \
    FIGURE(REAL, floor_bits, floor_bits, "floor_bits", "",                     \
           "no structure keeps p for n keys in fewer bits")

/* A set that grows, once it has a number of keys. */
#define FIGURES_GROWTH(FIGURE)                                                 \
    FIGURE(LAYOUT, layout, layout, "layout", "",                               \
           "how the bits of its first table are arranged")                     \
    FIGURE(U32, table_count, table_count, "tables", "",                        \
           "tables it is made of")                                             \
    FIGURE(U64, first_capacity_items, first_capacity_items, "first_capacity",  \
           "", "different keys its first table is made for")                   \
    FIGURE(U64, added_items, added_items, "added", "", "keys that it has")     \
    FIGURE(U64, capacity_items, capacity_items, "capacity", "",                \
           "keys of all tables when they are full")                            \
    FIGURE(REAL, fp_rate, fp_rate, "fp_rate", "",                              \
           "rate promised at every number of keys")                            \
    FIGURE(REAL, expected_fp_rate, expected_fp_rate, "expected_fp_rate", "",   \
           "rate of all tables together with these keys")                      \
    FIGURE(                                                                    \
        U64, size_bits, size_bits, "size_bits", "",                            \
        "bits of all tables; of one that grows in place, all of its memory")   \
    FIGURE(REAL, bits_per_key, bits_per_key, "bits_per_key", "",               \
           "size_bits for each key")                                           \
    FIGURE(REAL, floor_bits, floor_bits, "floor_bits", "",                     \
           "no structure keeps the rate in fewer bits")                        \
    FIGURE(U64, memory_bytes, memory_bytes, "memory_bytes", "",                \
           "memory of the set")                                                \
    FIGURE(REAL, wrong_items, wrong_items, "wrong_items", "",                  \
           "expected number of new keys that were answered seen by then")      \
    FIGURE(U32, probe_count, probe_count, "probe_count", "",                   \
           "places in memory that a lookup reads, at most")                    \
    FIGURE(U32, hash_count, hash_count, "hash_count", "",                      \
           "bits that a key sets in the newest table")                         \
    FIGURE(REAL, mean_tables_asked, mean_tables_asked, "mean_tables_asked",    \
           "", "tables that a lookup of a key in the set reads")               \
    FIGURE(U64, expanded_items, expanded_items, "expanded", "",                \
           "keys in the table that grows in place; 0: there is none")

/* ---- a queue ---- */

/* What is counted, and so is there at once. */
#define FIGURES_QUEUE_COUNTS(FIGURE)                                           \
    FIGURE(U64, pending_items, pending, "pending", "",                         \
           "items not acked, and not under a lease now")                       \
    FIGURE(U64, leased_items, leased, "leased", "",                            \
           "items under a lease that has not ended")                           \
    FIGURE(                                                                    \
        U64, delayed_items, delayed, "delayed", "",                            \
        "pending items that were given back with a delay that has not ended")  \
    FIGURE(U64, pushed_items, pushed, "pushed", "",                            \
           "items that were ever pushed")                                      \
    FIGURE(U64, acked_items, acked, "acked", "", "items that were ever acked")

/* Of a polite queue; 0 in others. */
#define FIGURES_QUEUE_HOSTS(FIGURE)                                            \
    FIGURE(REAL, seconds_to_next, seconds_to_next, "seconds_to_next", "",      \
           "seconds until an item may be handed out")                          \
    FIGURE(U64, host_count, host_count, "hosts", "",                           \
           "hosts that a polite queue remembers")                              \
    FIGURE(U64, over_budget_items, over_budget, "over_budget", "",             \
           "URLs refused as their host had all of its budget")                 \
    FIGURE(REAL, delay_seconds, host_delay_seconds, "host_delay_seconds", "",  \
           "seconds between two URLs of a host")                               \
    FIGURE(U64, budget, host_budget, "host_budget", "",                        \
           "URLs that are taken of a host; 0: any number")                     \
    FIGURE(U32, host_leases, host_leases, "host_leases", "",                   \
           "URLs of a host out at a time; 0: the queue is not polite")         \
    FIGURE(SITE, hosts_by, hosts_by, "hosts_by", "",                           \
           "what a host is: host, host-port or domain")                        \
    FIGURE(FLAG, is_delay_from_start, is_delay_from_start,                     \
           "is_delay_from_start", "",                                          \
           "the delay counts from the hand-out, not from the end")

/* What its files show. */
#define FIGURES_QUEUE_FILES(FIGURE)                                            \
    FIGURE(U64, dropped_items, dropped_as_seen, "dropped", "",                 \
           "URLs that were dropped as seen")                                   \
    FIGURE(U64, refused_items, refused, "refused", "",                         \
           "new URLs that a full set refused")                                 \
    FIGURE(U64, not_url_items, not_url, "not_urls", "",                        \
           "lines that were not URLs")                                         \
    FIGURE(U64, forgotten_items, forgotten, "forgotten", "",                   \
           "URLs that were forgotten, and not pushed since")                   \
    FIGURE(REAL, seconds_to_due, seconds_to_due, "seconds_to_due", "",         \
           "seconds until the next lease or delay ends")                       \
    FIGURE(NORMALISE, normalise, normalise, "normalise", "",                   \
           "how URLs are normalised: off or url")                              \
    FIGURE(U64, log_bytes, log_bytes, "log_bytes", "",                         \
           "length of the log files")                                          \
    FIGURE(U64, segment_count, segments, "segments", "", "log files")          \
    FIGURE(U64, torn_bytes, torn_bytes, "torn_bytes", "",                      \
           "unfinished bytes at the log's end when it was opened")             \
    FIGURE(PRIORITIES, priority_items, priorities, "by_priority", "",          \
           "items not acked, of each priority from 0 to 9")                    \
    FIGURE(SEED, seed, seed, "seed", "", "seed of the set's scheme")           \
    FIGURE(QUEUE_SEEDS, seeds, seeds, "seeds", "",                             \
           "factors of the set's scheme")                                      \
    FIGURE(U32, unit_bits, unit_bits, "unit_bits", "",                         \
           "bits of the units that the set's scheme hashes: 8 or 16; else 0")  \
    FIGURES_QUEUE_HOSTS(FIGURE)

/* What is so while a handle is open. */
#define FIGURES_QUEUE_OPEN(FIGURE)                                             \
    FIGURE(WRONG, wrong_items, wrong_items, "wrong_items", "",                 \
           "expected number of new URLs that were dropped by mistake")         \
    FIGURE(FLAG, is_wrong_at_least, is_wrong_at_least, "is_wrong_at_least",    \
           "",                                                                 \
           "how many were dropped by mistake is not known, and wrong_items "   \
           "is the least that it can be")                                      \
    FIGURE(REAL, seconds_to_full, seconds_to_full, "seconds_to_full", "",      \
           "seconds until its set is at capacity, at the rate so far")         \
    FIGURE(DURABILITY, durability, durability, "durability", "",               \
           "when pushes are durable: each, interval or none")                  \
    FIGURE(U64, unsynced_bytes, unsynced_bytes, "unsynced_bytes", "",          \
           "bytes of the log that are not yet known to be durable")            \
    FIGURE(U64, failed_checkpoints, failed_checkpoints, "failed_checkpoints",  \
           "",                                                                 \
           "checkpoints that failed since it was opened; tried again later")   \
    FIGURE(U64, memory_bytes, memory_bytes, "memory_bytes", "",                \
           "memory of the whole queue")

#define FIGURES_QUEUE(FIGURE)                                                  \
    FIGURES_QUEUE_COUNTS(FIGURE)                                               \
    FIGURES_QUEUE_FILES(FIGURE)                                                \
    FIGURES_QUEUE_OPEN(FIGURE)

/* What a check of its folder found. */
#define FIGURES_QUEUE_REPORT(FIGURE)                                           \
    FIGURE(TEXT, file, file, "file", "",                                       \
           "the file at fault, in the folder; empty: none")                    \
    FIGURE(U64, offset, offset, "offset", "",                                  \
           "offset of the first damage in that file")                          \
    FIGURE(TEXT, reason, reason, "reason", "",                                 \
           "one line; empty: nothing is wrong")                                \
    FIGURE(U64, segment_count, segments, "segments", "", "log files")          \
    FIGURE(U64, record_count, records, "records", "", "sound records in them") \
    FIGURE(U64, item_count, items, "items", "", "pushes among these")          \
    FIGURE(U64, log_bytes, log_bytes, "log_bytes", "",                         \
           "length of the log files")                                          \
    FIGURE(U64, damage_count, damages, "damages", "",                          \
           "places where the log is damaged")                                  \
    FIGURE(U64, damaged_bytes, damaged_bytes, "damaged_bytes", "",             \
           "bytes without a record")                                           \
    FIGURE(U64, lost_items, lost_items, "lost_items", "",                      \
           "items that were in these bytes")                                   \
    FIGURE(U64, torn_bytes, torn_bytes, "torn_bytes", "",                      \
           "unfinished bytes at the very end, which are not damage")

#endif
