/* info.c - what a set is, how full it is, and its bits */
#include "wasm/web.h"

#define INFO(FIELD)                                                            \
    FIELD(layout, info.layout)                                                 \
    FIELD(on_full, info.on_full)                                               \
    FIELD(is_sliding, (info.flags & SEENSET_FLAG_SLIDING) != 0)                \
    FIELD(is_read_only, info.is_read_only)                                     \
    FIELD(capacity_items, info.capacity_items)                                 \
    FIELD(fp_rate, info.fp_rate)                                               \
    FIELD(made_fp_rate, info.made_fp_rate)                                     \
    FIELD(added_items, info.added_items)                                       \
    FIELD(table_count, info.table_count)                                       \
    FIELD(is_keyed, info.is_keyed)                                             \
    FIELD(scheme, info.scheme)                                                 \
    FIELD(counter_bits, info.counter_bits)                                     \
    FIELD(fingerprint_bits, info.fingerprint_bits)                             \
    FIELD(window_generations, info.window_generations)                         \
    FIELD(window_seconds, info.window_seconds)                                 \
    FIELD(memory_bytes, info.memory_bytes)                                     \
    FIELD(format_version, info.format_version)                                 \
    FIELD(is_at_capacity, info.is_at_capacity)                                 \
    FIELD(seed_low, (uint32_t)info.seed)                                       \
    FIELD(seed_high, info.seed >> 32)                                          \
    FIELD(seeds, (uintptr_t)info.seeds)                                        \
    FIELD(seed_count, info.seed_count)                                         \
    FIELD(unit_bits, info.unit_bits)

const char *WEB_CALL(web_info_names)(void)
{
    return INFO(WEB_NAME);
}

int WEB_CALL(web_info)(const seenset *set)
{
    seenset_info info = {0};
    int error = seenset_get_info(set, &info, sizeof info);
    double *next = web_numbers;
    INFO(WEB_STORE)
    return error;
}

#define TABLE(FIELD)                                                           \
    FIELD(size_bits, table.size_bits)                                          \
    FIELD(hash_count, table.hash_count)                                        \
    FIELD(cell_bits, table.cell_bits)                                          \
    FIELD(cell_count, table.cell_count)                                        \
    FIELD(capacity_items, table.capacity_items)                                \
    FIELD(fp_rate, table.fp_rate)                                              \
    FIELD(added_items, table.added_items)                                      \
    FIELD(started_seconds, table.started_seconds)                              \
    FIELD(memory_bytes, table.memory_bytes)                                    \
    FIELD(block_bits, table.block_bits)                                        \
    FIELD(is_expired, table.is_expired)                                        \
    FIELD(layout, table.layout)

const char *WEB_CALL(web_table_info_names)(void)
{
    return TABLE(WEB_NAME);
}

int WEB_CALL(web_table_info)(const seenset *set, uint32_t number)
{
    seenset_table_info table = {0};
    int error = seenset_get_table_info(set, number, &table, sizeof table);
    double *next = web_numbers;
    TABLE(WEB_STORE)
    return error;
}

#define ESTIMATE(FIELD)                                                        \
    FIELD(capacity_items, estimate.capacity_items)                             \
    FIELD(added_items, estimate.added_items)                                   \
    FIELD(size_bits, estimate.size_bits)                                       \
    FIELD(set_bits, estimate.set_bits)                                         \
    FIELD(fill, estimate.fill)                                                 \
    FIELD(fp_rate, estimate.fp_rate)                                           \
    FIELD(current_fp_rate, estimate.current_fp_rate)                           \
    FIELD(fp_rate_error, estimate.fp_rate_error)                               \
    FIELD(estimated_items, estimate.estimated_items)                           \
    FIELD(wrong_items, estimate.wrong_items)                                   \
    FIELD(is_counted, estimate.is_counted)                                     \
    FIELD(is_wrong_at_least, estimate.is_wrong_at_least)                       \
    FIELD(is_skewed, estimate.is_skewed)

const char *WEB_CALL(web_estimate_names)(void)
{
    return ESTIMATE(WEB_NAME);
}

int WEB_CALL(web_estimate)(const seenset *set)
{
    seenset_estimate estimate = {0};
    int error = seenset_get_estimate(set, &estimate, sizeof estimate);
    double *next = web_numbers;
    ESTIMATE(WEB_STORE)
    return error;
}

#define STATS(FIELD)                                                           \
    FIELD(layout, stats.layout)                                                \
    FIELD(on_full, stats.on_full)                                              \
    FIELD(hash_count, stats.hash_count)                                        \
    FIELD(table_count, stats.table_count)                                      \
    FIELD(capacity_items, stats.capacity_items)                                \
    FIELD(added_items, stats.added_items)                                      \
    FIELD(size_bits, stats.size_bits)                                          \
    FIELD(set_bits, stats.set_bits)                                            \
    FIELD(fill, stats.fill)                                                    \
    FIELD(fp_rate, stats.fp_rate)                                              \
    FIELD(current_fp_rate, stats.current_fp_rate)                              \
    FIELD(estimated_items, stats.estimated_items)                              \
    FIELD(wrong_items, stats.wrong_items)                                      \
    FIELD(memory_bytes, stats.memory_bytes)                                    \
    FIELD(is_read_only, stats.is_read_only)                                    \
    FIELD(counter_bits, stats.counter_bits)                                    \
    FIELD(fingerprint_bits, stats.fingerprint_bits)                            \
    FIELD(scheme, stats.scheme)                                                \
    FIELD(is_keyed, stats.is_keyed)                                            \
    FIELD(window_generations, stats.window_generations)                        \
    FIELD(window_seconds, stats.window_seconds)                                \
    FIELD(full_counters, stats.full_counters)                                  \
    FIELD(overflow_bound, stats.overflow_bound)                                \
    FIELD(is_skewed, stats.is_skewed)                                          \
    FIELD(is_wrong_at_least, stats.is_wrong_at_least)

const char *WEB_CALL(web_stats_names)(void)
{
    return STATS(WEB_NAME);
}

int WEB_CALL(web_stats)(const seenset *set)
{
    seenset_stats stats = {0};
    int error = seenset_get_stats(set, &stats, sizeof stats);
    double *next = web_numbers;
    STATS(WEB_STORE)
    return error;
}

#define UNIFORMITY(FIELD)                                                      \
    FIELD(slice_count, uniformity.slice_count)                                 \
    FIELD(chi_square, uniformity.chi_square)                                   \
    FIELD(degrees_of_freedom, uniformity.degrees_of_freedom)                   \
    FIELD(p_value, uniformity.p_value)                                         \
    FIELD(is_skewed, uniformity.is_skewed)

const char *WEB_CALL(web_uniformity_names)(void)
{
    return UNIFORMITY(WEB_NAME);
}

int WEB_CALL(web_uniformity)(const seenset *set)
{
    seenset_uniformity uniformity = {0};
    int error = seenset_get_uniformity(set, &uniformity, sizeof uniformity);
    double *next = web_numbers;
    UNIFORMITY(WEB_STORE)
    return error;
}
