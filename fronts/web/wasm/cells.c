/* cells.c - the bits and counters of one table, and which of them are set */
#include "wasm/web.h"
#include "seenset/extra/raw.h"

int WEB_CALL(web_bits)(const seenset *set, uint32_t table, double first,
                       uint32_t count, uint8_t *bits)
{
    return seenset_get_bits(set, table, (uint64_t)first, count, bits);
}

int WEB_CALL(web_counters)(const seenset *set, uint32_t table, double first,
                           uint32_t count, uint16_t *counters)
{
    return seenset_get_counters(set, table, (uint64_t)first, count, counters);
}

int WEB_CALL(web_count_cells)(const seenset *set, uint32_t table, double first,
                              double count)
{
    uint64_t set_count = 0;
    int error = seenset_count_cells(set, table, (uint64_t)first,
                                    (uint64_t)count, &set_count);
    web_numbers[0] = (double)set_count;
    return error;
}

int WEB_CALL(web_to_bits)(const seenset *set, void *bytes, uint32_t room)
{
    size_t size_bytes = room;
    int error = seenset_to_bits(set, bytes, &size_bytes);
    web_numbers[0] = (double)size_bytes;
    return error;
}

/* ---- the places of a key, in a set that holds nothing else ---- */

enum {
    LOOK_CELLS = 4096
};

typedef struct search {
    const seenset *set;
    double *places;
    uint32_t room;
    uint32_t found;
} search;

static int look(search *search, uint64_t first, uint64_t count)
{
    uint8_t bits[LOOK_CELLS];
    int error = seenset_get_bits(search->set, 0, first, count, bits);
    for (uint64_t i = 0; error == SEENSET_OK && i < count; i++)
        if (bits[i] != 0 && search->found < search->room)
            search->places[search->found++] = (double)(first + i);
    return error;
}

/* Cells that are not 0 are few, so ranges are halved until they hold some and
 * are short. Returns an error, or how many places there are. */
static int halve(search *search, uint64_t first, uint64_t count)
{
    uint64_t set_count = 0;
    int error = seenset_count_cells(search->set, 0, first, count, &set_count);
    if (error != SEENSET_OK || set_count == 0)
        return error;
    if (count <= LOOK_CELLS)
        return look(search, first, count);
    error = halve(search, first, count / 2);
    return error != SEENSET_OK
               ? error
               : halve(search, first + count / 2, count - count / 2);
}

int WEB_CALL(web_places)(const seenset *set, double *places, uint32_t room)
{
    search search = {.set = set, .places = places, .room = room};
    seenset_table_info table = {0};
    int error = seenset_get_table_info(set, 0, &table, sizeof table);
    if (error == SEENSET_OK)
        error = halve(&search, 0, table.cell_count);
    return error != SEENSET_OK ? error : (int)search.found;
}
