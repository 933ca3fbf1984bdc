/* cells.c - see cells.h */
#include "frontier/turns/cells.h"

#include <string.h>

enum {
    FIRST_POINTERS = 8
};

#define LARGE_BYTES ((size_t)8 << 20)
#define AT_ONCE_BYTES ((size_t)4 << 20)

void *ss_cells_take(const seenset_allocator *memory, size_t size_bytes)
{
    return memory->allocate(memory->context, size_bytes, 8);
}

void ss_cells_give(const seenset_allocator *memory, void *block,
                   size_t size_bytes)
{
    if (block != NULL)
        memory->release(memory->context, block, size_bytes);
}

bool ss_cells_reserve_pointers(const seenset_allocator *memory, void **pointers,
                               uint32_t *room, uint32_t wanted)
{
    if (wanted <= *room)
        return true;
    uint32_t more = *room == 0 ? FIRST_POINTERS : *room;
    while (more < wanted)
        more *= 2;
    void *made = ss_cells_take(memory, more * sizeof(void *));
    if (made == NULL)
        return false;
    if (*room > 0)
        memcpy(made, *pointers, *room * sizeof(void *));
    ss_cells_give(memory, *pointers, *room * sizeof(void *));
    *pointers = made;
    *room = more;
    return true;
}

void ss_cells_init(ss_cells *cells, size_t cell_bytes)
{
    *cells = (ss_cells){.cell_bytes = cell_bytes};
}

static size_t piece_bytes(const ss_cells *cells)
{
    return SS_PIECE_CELLS * cells->cell_bytes;
}

/* How many pieces are taken after the first so many. */
static uint32_t at_once(const ss_cells *cells, uint32_t count)
{
    size_t bytes = piece_bytes(cells);
    return count * bytes < LARGE_BYTES ? 1
                                       : (uint32_t)(AT_ONCE_BYTES / bytes + 1);
}

void ss_cells_free(ss_cells *cells, const seenset_allocator *memory)
{
    for (uint32_t i = 0, count; i < cells->piece_count; i += count) {
        count = at_once(cells, i);
        ss_cells_give(memory, cells->pieces[i], count * piece_bytes(cells));
    }
    ss_cells_give(memory, cells->pieces,
                  cells->piece_room * sizeof *cells->pieces);
    ss_cells_init(cells, cells->cell_bytes);
}

static bool add_pieces(ss_cells *cells, const seenset_allocator *memory)
{
    void *pointers = cells->pieces;
    uint32_t count = at_once(cells, cells->piece_count);
    if (!ss_cells_reserve_pointers(memory, &pointers, &cells->piece_room,
                                   cells->piece_count + count))
        return false;
    cells->pieces = pointers;
    unsigned char *piece = ss_cells_take(memory, count * piece_bytes(cells));
    for (uint32_t i = 0; piece != NULL && i < count; i++)
        cells->pieces[cells->piece_count++] = piece + i * piece_bytes(cells);
    return piece != NULL;
}

bool ss_cells_reserve(ss_cells *cells, const seenset_allocator *memory,
                      uint32_t wanted)
{
    while (ss_cells_room(cells) < wanted) {
        if (!add_pieces(cells, memory))
            return false;
    }
    return true;
}

uint64_t ss_cells_bytes(const ss_cells *cells)
{
    return (uint64_t)cells->piece_count * piece_bytes(cells) +
           cells->piece_room * sizeof *cells->pieces;
}
