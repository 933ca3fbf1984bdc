/* pairs_cells.c - the calls that read a set's cells; the idea is in pairs.h */
#include "pairs.h"
#include "seenset/extra/raw.h"

#include <stdlib.h>

void pair_look_at_first_table(pair_scene *scene)
{
    seenset_table_info first;
    assert_int_equal(
        seenset_get_table_info(scene->part, 0, &first, sizeof first), 0);
    scene->bit_count = first.size_bits;
    scene->bits = malloc(first.size_bits);
    assert_non_null(scene->bits);
    int error =
        seenset_get_bits(scene->part, 0, 0, first.size_bits, scene->bits);
    assert_int_equal(error, SEENSET_OK);
    error = seenset_count_cells(scene->part, 0, 0, first.cell_count,
                                &scene->set_cells);
    assert_int_equal(error, SEENSET_OK);
}

const char *pair_call_get_bits(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    uint64_t count = scene->bit_count;
    uint8_t *bits = malloc(count);
    const char *wrong = NULL;
    if (bits == NULL || seenset_get_bits(scene->set, 0, 0, count, bits) != 0)
        wrong = "get_bits fails";
    for (uint64_t i = 0; wrong == NULL && i < count; i++) {
        if (bits[i] < scene->bits[i])
            wrong = "get_bits lacks a bit";
    }
    free(bits);
    return wrong;
}

const char *pair_call_get_counters(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    bool counts = scene->kind->options.layout == SEENSET_LAYOUT_COUNTING;
    uint64_t count = scene->bit_count;
    uint16_t *counters = calloc(count, sizeof *counters);
    const char *wrong = NULL;
    if (counters == NULL ||
        seenset_get_counters(scene->set, 0, 0, count, counters) !=
            (counts ? SEENSET_OK : SEENSET_EUNSUPPORTED))
        wrong = "get_counters fails";
    for (uint64_t i = 0; wrong == NULL && i < count; i++) {
        if (counts ? counters[i] < scene->bits[i] : counters[i] != 0)
            wrong = "get_counters lacks a count, or stores one of a bit";
    }
    free(counters);
    return wrong;
}

const char *pair_call_count_cells(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    seenset_table_info first;
    uint64_t set_count;
    if (seenset_get_table_info(scene->set, 0, &first, sizeof first) != 0 ||
        seenset_count_cells(scene->set, 0, 0, first.cell_count, &set_count) !=
            SEENSET_OK)
        return "count_cells fails";
    return set_count >= scene->set_cells ? NULL : "count_cells lacks a cell";
}
