/*
 * entry.h - a segment: the units of one prefix of hashes, in 9 to 16 pages.
 *
 * A segment has 2^u units, u being 12 but in the smallest tables, for the
 * hashes that share their upper `depth` bits; the next u bits name the unit.
 * Of its lines the last two are spill lines, which are no unit's home and take
 * what flows over at the end; the others, m of them, are homes: unit v's home
 * is line v m / 2^u.
 *
 * A directory entry is two lines of memory with all that a lookup needs: 16
 * addresses of pages. They are multiples of 64, so the lower six bits of each
 * are free for what else there is to know: of word 0 the number of pages, of
 * word 1 the depth, of word 2 a slot's width, of words 3 to 7 the number of
 * the segment's record.
 */
#ifndef SS_EXPAND_ENTRY_H
#define SS_EXPAND_ENTRY_H

#include <stdint.h>

enum {
    SS_PAGES_MIN = 9,
    SS_PAGES_MAX = 16,
    SS_ENTRY_WORDS = SS_PAGES_MAX,
    SS_ENTRY_BITS = 6, /* of a word that are no address */
    SS_ENTRY_MASK = (1 << SS_ENTRY_BITS) - 1,
    SS_ENTRY_ID = 3, /* the first word with bits of the record's number */
    SS_ENTRY_ID_WORDS = 5,
    SS_SPILL_LINES = 2,
    SS_UNIT_BITS_MIN = 8,
    SS_UNIT_BITS = 12,
    SS_UNITS_MAX = 1 << SS_UNIT_BITS,
    SS_STEP_SHIFT = 6 /* a page has 2^(u - 6) lines */
};

typedef struct ss_entry {
    uintptr_t words[SS_ENTRY_WORDS];
} ss_entry;

/* The same, unpacked. */
typedef struct ss_segment {
    uint32_t pages; /* how many */
    uint32_t depth; /* bits of the prefix */
    uint32_t width; /* bits of a slot */
    uint32_t id;    /* its record */
    uint64_t *page[SS_PAGES_MAX];
} ss_segment;

static inline uint32_t ss_entry_pages(const ss_entry *entry)
{
    return (uint32_t)entry->words[0] & SS_ENTRY_MASK;
}

static inline uint32_t ss_entry_depth(const ss_entry *entry)
{
    return (uint32_t)entry->words[1] & SS_ENTRY_MASK;
}

static inline uint32_t ss_entry_width(const ss_entry *entry)
{
    return (uint32_t)entry->words[2] & SS_ENTRY_MASK;
}

static inline uint32_t ss_entry_id(const ss_entry *entry)
{
    uint32_t id = 0;
    for (uint32_t i = 0; i < SS_ENTRY_ID_WORDS; i++)
        id |= ((uint32_t)entry->words[SS_ENTRY_ID + i] & SS_ENTRY_MASK)
              << (SS_ENTRY_BITS * i);
    return id;
}

static inline uint64_t *ss_entry_page(const ss_entry *entry, uint32_t i)
{
    return (uint64_t *)(entry->words[i] & ~(uintptr_t)SS_ENTRY_MASK);
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
    for (uint32_t i = 0; i < segment->pages; i++)
        entry.words[i] = (uintptr_t)segment->page[i];
    entry.words[0] |= segment->pages;
    entry.words[1] |= segment->depth;
    entry.words[2] |= segment->width;
    for (uint32_t i = 0; i < SS_ENTRY_ID_WORDS; i++)
        entry.words[SS_ENTRY_ID + i] |=
            segment->id >> (SS_ENTRY_BITS * i) & SS_ENTRY_MASK;
    return entry;
}

#endif
