/*
 * open_matrix_figures.c - the calls that ask what a set is made of: its bits,
 * counters, figures; the idea is in open_matrix.h
 */
#include "open_matrix.h"
#include "seenset/extra/raw.h"

#include <stdlib.h>
#include <string.h>

const char *matrix_get_bits(matrix_opened *at)
{
    uint8_t bits[64];
    memset(bits, 9, sizeof bits);
    int error = seenset_get_bits(at->set, 0, 3, sizeof bits, bits);
    if (!matrix_is_allowed(at, error))
        return "get_bits answered what it must not";
    for (size_t i = 0; i < sizeof bits; i++)
        if (error == 0 ? bits[i] > 1 : bits[i] != 9)
            return "bits were stored that are none";
    return NULL;
}

const char *matrix_get_counters(matrix_opened *at)
{
    uint16_t counters[64];
    memset(counters, 0xEE, sizeof counters);
    int error = seenset_get_counters(at->set, 0, 3, 64, counters);
    if (!matrix_is_counting(at) ? error != SEENSET_EUNSUPPORTED
                                : !matrix_is_allowed(at, error))
        return "get_counters answered what it must not";
    for (size_t i = 0; error != 0 && i < 64; i++)
        if (counters[i] != 0xEEEE)
            return "counters were stored after an error";
    return NULL;
}

const char *matrix_count_cells(matrix_opened *at)
{
    uint64_t set_count = 77;
    int error = seenset_count_cells(at->set, 0, 3, 64, &set_count);
    if (!matrix_is_allowed(at, error))
        return "count_cells answered what it must not";
    return error == 0 ? (set_count <= 64 ? NULL : "more cells than there are")
           : set_count == 77 ? NULL
                             : "a count was stored after an error";
}

/* Both are of the header, which is sound. */
const char *matrix_get_info(matrix_opened *at)
{
    const matrix_file *from = at->from;
    uint32_t flags = from->of->options.flags & SEENSET_FLAG_SLIDING;
    seenset_info info;
    int error = seenset_get_info(at->set, &info, sizeof info);
    if (at->is_shared)
        flags |= SEENSET_FLAG_SHARED;
    return error == 0 && info.flags == flags &&
                   info.format_version == from->version &&
                   info.is_read_only == at->is_view
               ? NULL
               : "get_info answered what it must not";
}

const char *matrix_get_table_info(matrix_opened *at)
{
    seenset_table_info info;
    int error = seenset_get_table_info(at->set, 0, &info, sizeof info);
    return error == 0 && info.size_bits > 0 && info.capacity_items > 0 &&
                   info.memory_bytes * 8 >= info.cell_count * info.cell_bits
               ? NULL
               : "get_table_info answered what it must not";
}

const char *matrix_get_stats(matrix_opened *at)
{
    seenset_stats stats = {.added_items = 77};
    int error = seenset_get_stats(at->set, &stats, sizeof stats);
    if (!matrix_is_allowed(at, error))
        return "get_stats was refused";
    bool is_told = stats.added_items > 77 && stats.set_bits <= stats.size_bits;
    return error == 0 ? (is_told ? NULL : "the statistics are wrong")
           : stats.added_items == 77 ? NULL
                                     : "statistics were stored after an error";
}

const char *matrix_get_estimate(matrix_opened *at)
{
    seenset_estimate estimate = {.added_items = 77};
    int error = seenset_get_estimate(at->set, &estimate, sizeof estimate);
    if (!matrix_is_allowed(at, error))
        return "get_estimate was refused";
    bool is_told =
        estimate.added_items > 77 && estimate.set_bits <= estimate.size_bits;
    return error == 0 ? (is_told ? NULL : "the statistics are wrong")
           : estimate.added_items == 77
               ? NULL
               : "statistics were stored after an error";
}

const char *matrix_get_uniformity(matrix_opened *at)
{
    seenset_uniformity found = {.chi_square = -7};
    int error = seenset_get_uniformity(at->set, &found, sizeof found);
    if (!matrix_is_allowed(at, error))
        return "get_uniformity was refused";
    if (error != 0)
        return found.chi_square == -7 ? NULL : "it was stored after an error";
    return found.chi_square >= 0 && found.p_value <= 1 ? NULL
                                                       : "it is no measure";
}

const char *matrix_to_bits(matrix_opened *at)
{
    size_t needed = 0, room;
    seenset_info info;
    (void)seenset_get_info(at->set, &info, sizeof info);
    bool is_one = info.table_count == 1 && !at->from->of->is_sealed;
    int expected = is_one ? SEENSET_ESPACE : SEENSET_EUNSUPPORTED;
    if (seenset_to_bits(at->set, NULL, &needed) != expected)
        return "to_bits needed no room";
    uint8_t *bytes = malloc(needed + 1);
    assert_non_null(bytes);
    room = needed;
    int error = seenset_to_bits(at->set, bytes, &room);
    free(bytes);
    if (is_one ? !matrix_is_allowed(at, error) : error != expected)
        return "to_bits answered what it must not";
    return room == needed ? NULL : "to_bits has other lengths";
}
