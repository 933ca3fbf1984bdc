/* cells.c - see cells.h */
#include "frontier/turns/cells.h"

#include <string.h>

enum {
    FIRST_POINTERS = 8
};

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

void ss_cells_free(ss_cells *cells, const seenset_allocator *memory)
{
    for (uint32_t i = 0; i < cells->piece_count; i++)
        ss_cells_give(memory, cells->pieces[i], piece_bytes(cells));
    ss_cells_give(memory, cells->pieces,
                  cells->piece_room * sizeof *cells->pieces);
    ss_cells_init(cells, cells->cell_bytes);
}

static bool add_piece(ss_cells *cells, const seenset_allocator *memory)
{
    void *pointers = cells->pieces;
    if (!ss_cells_reserve_pointers(memory, &pointers, &cells->piece_room,
                                   cells->piece_count + 1))
        return false;
    cells->pieces = pointers;
    unsigned char *piece = ss_cells_take(memory, piece_bytes(cells));
    if (piece != NULL)
        cells->pieces[cells->piece_count++] = piece;
    return piece != NULL;
}

bool ss_cells_reserve(ss_cells *cells, const seenset_allocator *memory,
                      uint32_t wanted)
{
    while (ss_cells_room(cells) < wanted) {
        if (!add_piece(cells, memory))
            return false;
    }
    return true;
}

uint64_t ss_cells_bytes(const ss_cells *cells)
{
    return (uint64_t)cells->piece_count * piece_bytes(cells) +
           cells->piece_room * sizeof *cells->pieces;
}
