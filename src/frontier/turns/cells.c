/* cells.c - see cells.h */
#include "frontier/turns/cells.h"

#include <string.h>

enum {
    FIRST_POINTERS = 8
};

static void *take(const seenset_allocator *memory, size_t size_bytes)
{
    return memory->allocate(memory->context, size_bytes, 8);
}

static void give(const seenset_allocator *memory, void *block,
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
    void *made = take(memory, more * sizeof(void *));
    if (made == NULL)
        return false;
    if (*room > 0)
        memcpy(made, *pointers, *room * sizeof(void *));
    give(memory, *pointers, *room * sizeof(void *));
    *pointers = made;
    *room = more;
    return true;
}

void ss_cells_free_pointers(const seenset_allocator *memory, void *pointers,
                            uint32_t room)
{
    give(memory, pointers, room * sizeof(void *));
}

void ss_cells_init(ss_cells *cells, size_t cell_bytes)
{
    *cells = (ss_cells){.cell_bytes = cell_bytes};
}

/* The bytes that are taken at a time after the first `count` pieces. */
static size_t bytes_at_once(const ss_cells *cells, uint32_t count)
{
    size_t piece = ss_cells_piece_bytes(cells);
    return count * piece < SS_CELLS_LARGE_BYTES ? piece
                                                : SS_CELLS_AT_ONCE_BYTES;
}

static uint32_t pieces_at_once(const ss_cells *cells, uint32_t count)
{
    return (uint32_t)(bytes_at_once(cells, count) /
                      ss_cells_piece_bytes(cells));
}

void ss_cells_free(ss_cells *cells, const seenset_allocator *memory)
{
    for (uint32_t i = 0; i < cells->piece_count; i += pieces_at_once(cells, i))
        give(memory, cells->pieces[i], bytes_at_once(cells, i));
    ss_cells_free_pointers(memory, cells->pieces, cells->piece_room);
    ss_cells_init(cells, cells->cell_bytes);
}

static bool add_pieces(ss_cells *cells, const seenset_allocator *memory)
{
    void *pointers = cells->pieces;
    uint32_t count = pieces_at_once(cells, cells->piece_count);
    if (!ss_cells_reserve_pointers(memory, &pointers, &cells->piece_room,
                                   cells->piece_count + count))
        return false;
    cells->pieces = pointers;
    unsigned char *made =
        take(memory, bytes_at_once(cells, cells->piece_count));
    if (made == NULL)
        return false;
    cells->bytes += bytes_at_once(cells, cells->piece_count);
    for (uint32_t i = 0; i < count; i++)
        cells->pieces[cells->piece_count++] =
            made + i * ss_cells_piece_bytes(cells);
    return true;
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
    return cells->bytes + cells->piece_room * sizeof *cells->pieces;
}
