/*
 * cells.h - an array that grows by pieces of 128 and moves none of them.
 *
 *     pieces   [ 0 ... 127 ]  [ 128 ... 255 ]  [ 256 ...
 *
 * So an array of ten million hosts grows as fast as a small one, and never
 * takes the memory of two. From 16 MiB on pieces are taken 4 MiB at a time, one
 * after another in memory: so that the system has large pages for them.
 */
#ifndef SS_FRONTIER_TURNS_CELLS_H
#define SS_FRONTIER_TURNS_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seenset/base.h"

enum {
    SS_PIECE_CELLS = 128
};

typedef struct ss_cells {
    size_t cell_bytes;
    unsigned char **pieces;
    uint32_t piece_count, piece_room;
    uint64_t bytes; /* of all pieces */
} ss_cells;

/* From so many bytes on, so many are taken at a time. */
#define SS_CELLS_LARGE_BYTES ((size_t)16 << 20)
#define SS_CELLS_AT_ONCE_BYTES ((size_t)4 << 20)

static inline size_t ss_cells_piece_bytes(const ss_cells *cells)
{
    return SS_PIECE_CELLS * cells->cell_bytes;
}

/* Of the first pieces each was taken by itself: so many. */
static inline uint32_t ss_cells_alone(const ss_cells *cells)
{
    size_t bytes = ss_cells_piece_bytes(cells);
    if (bytes == 0)
        return 0;
    uint32_t most = (uint32_t)((SS_CELLS_LARGE_BYTES + bytes - 1) / bytes);
    return cells->piece_count < most ? cells->piece_count : most;
}

/* Makes room for so many pointers in all, of which there are *room, and gives
 * them back. They are copied. False: no memory. */
bool ss_cells_reserve_pointers(const seenset_allocator *memory, void **pointers,
                               uint32_t *room, uint32_t wanted);
void ss_cells_free_pointers(const seenset_allocator *memory, void *pointers,
                            uint32_t room);

void ss_cells_init(ss_cells *cells, size_t cell_bytes);
void ss_cells_free(ss_cells *cells, const seenset_allocator *memory);

static inline uint32_t ss_cells_room(const ss_cells *cells)
{
    return cells->piece_count * SS_PIECE_CELLS;
}

static inline void *ss_cells_at(const ss_cells *cells, uint32_t index)
{
    return cells->pieces[index / SS_PIECE_CELLS] +
           index % SS_PIECE_CELLS * cells->cell_bytes;
}

/* Makes room for so many cells in all, with any bytes. False: no memory. */
bool ss_cells_reserve(ss_cells *cells, const seenset_allocator *memory,
                      uint32_t wanted);

uint64_t ss_cells_bytes(const ss_cells *cells);

#endif
