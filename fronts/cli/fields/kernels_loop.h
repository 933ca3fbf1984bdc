/*
 * kernels_loop.h - the loops of kernels.h, for one kind of processor.
 *
 * Included once by each kind, after its `needle`, `make_needle`, `find_in_64`
 * and `prefix_xor`, with KERNELS as the name of what it defines.
 */
#ifndef KERNELS
#error "include this from a kernel: see kernels.h"
#endif

#include <stdbool.h>
#include <stdint.h>

#include "fields/csv.h"
#include "stream/split/store_ends.h"

#define BLOCK_BYTES ((size_t)64)
#define NO_FIELD ((field_span){SIZE_MAX, SIZE_MAX})

/* A line, and how far its fields are counted off. */
typedef struct walk {
    const field_search *search;
    field_span *out;
    size_t column; /* of the field that begins at start */
    size_t start;
    size_t found; /* fields that were wanted */
} walk;

/* A field ends at offset `end`. Returns whether all that are wanted are known.
 */
static inline bool end_field(walk *line, size_t end)
{
    const field_search *search = line->search;
    if (line->column == search->wanted[line->found]) {
        line->out[line->found++] = (field_span){line->start, end};
        if (line->found == search->wanted_count)
            return true;
    }
    line->column++;
    line->start = end + 1;
    return false;
}

/* The same for each bit. */
static inline bool end_fields(walk *line, size_t at, uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1)
        if (end_field(line, at + (size_t)__builtin_ctzll(bits)))
            return true;
    return false;
}

/* The line ends at offset `end`, and so does its last field. */
static inline void end_line(walk *line, size_t end)
{
    if (end_field(line, end))
        return;
    while (line->found < line->search->wanted_count)
        line->out[line->found++] = NO_FIELD;
}

/* The bits of the bytes of a block that are in the line: `size` are left. */
static inline uint64_t bits_of(size_t size)
{
    return size >= BLOCK_BYTES ? UINT64_MAX : (UINT64_C(1) << size) - 1;
}

static inline size_t start_of(const field_search *search, size_t line)
{
    return line == 0 ? 0 : search->line_ends[line - 1] + 1;
}

/* ---- delimited ---- */

static inline void walk_delimited(walk *line, size_t end, needle delimiter)
{
    const char *data = line->search->data;
    for (size_t at = line->start; at < end; at += BLOCK_BYTES) {
        uint64_t bits = find_in_64(data + at, delimiter) & bits_of(end - at);
        if (end_fields(line, at, bits))
            return;
    }
    end_line(line, end);
}

static void find_delimited(const field_search *search, size_t first,
                           size_t count, field_span *out)
{
    const needle delimiter = make_needle(search->delimiter);
    for (size_t i = first; i < first + count; i++) {
        walk line = {
            .search = search, .out = out, .start = start_of(search, i)};
        walk_delimited(&line, search->line_ends[i], delimiter);
        out += search->wanted_count;
    }
}

/* ---- CSV ---- */

/* What a block of CSV is made of. */
typedef struct csv_block {
    uint64_t inside;  /* from each opening quote to before its closing one */
    uint64_t closing; /* the closing quotes */
    uint64_t wild;    /* opening quotes where none may open */
} csv_block;

/* quotes, breaks: where they are. break: what ends a field. The state is that
 * before the block. */
static inline csv_block read_block(uint64_t quotes, uint64_t breaks,
                                   csv_state state)
{
    csv_block block;
    uint64_t turned = state == CSV_QUOTED ? UINT64_MAX : 0;
    block.inside = prefix_xor(quotes) ^ turned;
    block.closing = quotes & ~block.inside;
    uint64_t before = (breaks & ~block.inside) | block.closing;
    bool may_open = state == CSV_START || state == CSV_CLOSED;
    block.wild = quotes & block.inside & ~(before << 1 | (may_open ? 1 : 0));
    return block;
}

/* The state after a block; breaks: as above. */
static inline csv_state state_after(const csv_block *block, uint64_t breaks)
{
    const uint64_t last = UINT64_C(1) << 63;
    if (block->inside & last)
        return CSV_QUOTED;
    if (block->closing & last)
        return CSV_CLOSED;
    return breaks & last ? CSV_START : CSV_PLAIN;
}

/* A record byte by byte. */
static void walk_wild(walk *line, size_t end)
{
    const field_search *search = line->search;
    for (;;) {
        size_t stop =
            csv_field_end(search->data, end, line->start, search->delimiter);
        if (stop == end)
            break;
        if (end_field(line, stop))
            return;
    }
    end_line(line, end);
}

static inline void walk_csv(walk *line, size_t end, needle delimiter,
                            needle quote)
{
    const walk fresh = *line;
    const char *data = line->search->data;
    csv_state state = CSV_START;
    for (size_t at = line->start; at < end; at += BLOCK_BYTES) {
        uint64_t known = bits_of(end - at);
        uint64_t breaks = find_in_64(data + at, delimiter) & known;
        uint64_t quotes = find_in_64(data + at, quote) & known;
        csv_block block = read_block(quotes, breaks, state);
        if (block.wild != 0) {
            *line = fresh;
            walk_wild(line, end);
            return;
        }
        if (end_fields(line, at, breaks & ~block.inside))
            return;
        state = state_after(&block, breaks);
    }
    end_line(line, end);
}

static void find_csv(const field_search *search, size_t first, size_t count,
                     field_span *out)
{
    const needle delimiter = make_needle(search->delimiter);
    const needle quote = make_needle('"');
    for (size_t i = first; i < first + count; i++) {
        walk line = {
            .search = search, .out = out, .start = start_of(search, i)};
        walk_csv(&line, search->line_ends[i], delimiter, quote);
        out += search->wanted_count;
    }
}

/* ---- records ---- */

/* How far a piece of CSV is split into records. */
typedef struct cut {
    char separator, delimiter;
    csv_state state;
    const char *data;
    size_t at;
    size_t *ends;
    size_t count, room;
} cut;

/* Byte by byte up to offset `end`, or the last end that there is room for. */
static void cut_bytes(cut *piece, size_t end)
{
    for (; piece->at < end && piece->count < piece->room; piece->at++) {
        char byte = piece->data[piece->at];
        if (byte == piece->separator && piece->state != CSV_QUOTED) {
            piece->ends[piece->count++] = piece->at;
            piece->state = CSV_START;
        } else {
            piece->state = csv_next(piece->state, byte, piece->delimiter);
        }
    }
}

/* 64 bytes; there is room for as many ends. */
static inline void cut_block(cut *piece, needle separator, needle delimiter,
                             needle quote)
{
    const char *data = piece->data + piece->at;
    uint64_t separators = find_in_64(data, separator);
    uint64_t breaks = find_in_64(data, delimiter) | separators;
    csv_block block = read_block(find_in_64(data, quote), breaks, piece->state);
    if (block.wild != 0) {
        cut_bytes(piece, piece->at + BLOCK_BYTES);
        return;
    }
    piece->count += store_ends(piece->ends + piece->count, piece->at,
                               separators & ~block.inside);
    piece->state = state_after(&block, breaks);
    piece->at += BLOCK_BYTES;
}

static size_t split_csv(char separator, char delimiter, unsigned *state,
                        const char *data, size_t size, size_t *ends,
                        size_t room)
{
    cut piece = {.separator = separator,
                 .delimiter = delimiter,
                 .state = (csv_state)*state,
                 .data = data,
                 .ends = ends,
                 .room = room};
    const needle separators = make_needle(separator);
    const needle delimiters = make_needle(delimiter);
    const needle quotes = make_needle('"');
    while (size - piece.at >= BLOCK_BYTES && room - piece.count >= BLOCK_BYTES)
        cut_block(&piece, separators, delimiters, quotes);
    cut_bytes(&piece, size);
    *state = piece.count == room ? CSV_START : piece.state;
    return piece.count;
}

const field_kernels KERNELS = {
    .delimited = find_delimited, .csv = find_csv, .split = split_csv};
