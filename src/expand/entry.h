/*
 * entry.h - a segment: the units of one prefix of hashes, in 9 to 16 pages.
 *
 * A segment has 2^u units, u being 12 but in the smallest tables, for the
 * hashes that share their upper `depth` bits; the next u bits name the unit.
 * Of its lines the last two are spill lines, which are no unit's home and take
 * what flows over at the end; the others, m of them, are homes: unit v's home
 * is line v m / 2^u.
 *
 * A directory entry is one line of memory with all that a lookup needs: 16
 * page numbers of 29 bits, then pages, depth, width and the segment's number.
 */
#ifndef SS_EXPAND_ENTRY_H
#define SS_EXPAND_ENTRY_H

#include <stdint.h>

#include "base/bits.h"

enum {
    SS_PAGES_MIN = 9,
    SS_PAGES_MAX = 16,
    SS_PAGE_BITS = 29,
    SS_SPILL_LINES = 2,
    SS_UNIT_BITS_MIN = 8,
    SS_UNIT_BITS = 12,
    SS_UNITS_MAX = 1 << SS_UNIT_BITS,
    SS_STEP_SHIFT = 6 /* a page has 2^(u - 6) lines */
};

typedef struct ss_entry {
    uint64_t words[SS_LINE_WORDS];
} ss_entry;

/* The same, unpacked. */
typedef struct ss_segment {
    uint32_t pages; /* how many */
    uint32_t depth; /* bits of the prefix */
    uint32_t width; /* bits of a slot */
    uint32_t id;    /* its record */
    uint32_t page[SS_PAGES_MAX];
} ss_segment;

/* The upper 48 bits of the last word. */
#define SS_ENTRY_META(entry) ((entry)->words[7] >> 16)

static inline uint32_t ss_entry_pages(const ss_entry *entry)
{
    return (uint32_t)(SS_ENTRY_META(entry) & 31);
}

static inline uint32_t ss_entry_depth(const ss_entry *entry)
{
    return (uint32_t)(SS_ENTRY_META(entry) >> 5 & 63);
}

static inline uint32_t ss_entry_width(const ss_entry *entry)
{
    return (uint32_t)(SS_ENTRY_META(entry) >> 11 & 63);
}

static inline uint32_t ss_entry_id(const ss_entry *entry)
{
    return (uint32_t)(SS_ENTRY_META(entry) >> 17 & 0xFFFFFFF);
}

static inline uint32_t ss_entry_page(const ss_entry *entry, uint32_t i)
{
    uint32_t bit = i * SS_PAGE_BITS;
    uint32_t word = bit / SS_WORD_BITS, shift = bit % SS_WORD_BITS;
    uint64_t bits = entry->words[word] >> shift | entry->words[word + 1]
                                                      << 1 << (63 - shift);
    return (uint32_t)bits & ((UINT32_C(1) << SS_PAGE_BITS) - 1);
}

static inline ss_segment ss_entry_unpack(const ss_entry *entry)
{
    ss_segment segment = {.pages = ss_entry_pages(entry),
                          .depth = ss_entry_depth(entry),
                          .width = ss_entry_width(entry),
                          .id = ss_entry_id(entry)};
    for (uint32_t i = 0; i < segment.pages; i++)
        segment.page[i] = ss_entry_page(entry, i);
    return segment;
}

static inline ss_entry ss_entry_pack(const ss_segment *segment)
{
    ss_entry entry = {{0}};
    for (uint32_t i = 0; i < segment->pages; i++) {
        uint32_t bit = i * SS_PAGE_BITS;
        uint32_t word = bit / SS_WORD_BITS, shift = bit % SS_WORD_BITS;
        uint64_t page = segment->page[i];
        entry.words[word] |= page << shift;
        if (shift + SS_PAGE_BITS > SS_WORD_BITS)
            entry.words[word + 1] |= page >> (SS_WORD_BITS - shift);
    }
    uint64_t meta = segment->pages | (uint64_t)segment->depth << 5 |
                    (uint64_t)segment->width << 11 |
                    (uint64_t)segment->id << 17;
    entry.words[7] |= meta << 16;
    return entry;
}

#endif
