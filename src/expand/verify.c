/* verify.c - every invariant of a table, held against every line */
#include "expand/image/audit.h"
#include "expand/expand.h"
#include "expand/place.h"

/* What the walk over all segments adds up. */
typedef struct walk {
    const ss_expand *expand;
    const char *fault; /* the first, or NULL */
    uint64_t stored, covered, pages;
} walk;

static void require(walk *to, bool holds, const char *fault)
{
    if (!holds && to->fault == NULL)
        to->fault = fault;
}

static bool is_entry_sound(walk *to, const ss_entry *entry)
{
    uint32_t pages = ss_entry_pages(entry), width = ss_entry_width(entry);
    require(to, pages >= SS_PAGES_MIN && pages <= SS_PAGES_MAX,
            "a segment has a number of pages that none has");
    require(to, width >= SS_WIDTH_MIN && width <= SS_WIDTH_MAX,
            "a segment has slots of a width that none has");
    require(to, ss_entry_id(entry) < to->expand->record_count,
            "a segment has no record");
    for (uint32_t i = 0; i < pages && to->fault == NULL; i++)
        require(to, ss_entry_page(entry, i) != NULL, "a segment lacks a page");
    return to->fault == NULL;
}

static void check_segment(walk *to, const ss_entry *entry)
{
    ss_audit found;
    if (!is_entry_sound(to, entry))
        return;
    to->fault = ss_audit_segment(to->expand, entry, true, &found);
    require(to, found.stored == to->expand->records[ss_entry_id(entry)].stored,
            "a segment's record has another number of slots");
    to->stored += found.stored;
    to->covered += found.covered;
    to->pages += ss_entry_pages(entry);
}

const char *ss_expand_verify(const ss_expand *expand)
{
    walk to = {.expand = expand};
    uint64_t hash = 0, segments = 0;
    do {
        const ss_entry *entry = ss_directory_find(&expand->directory, hash);
        check_segment(&to, entry);
        uint32_t depth = ss_entry_depth(entry);
        hash += depth == 0 ? 0 : UINT64_C(1) << (64 - depth);
        segments++;
    } while (hash != 0 && to.fault == NULL);
    require(&to, segments == expand->record_count,
            "there are records of segments that are not");
    require(&to, to.stored == expand->stored,
            "the table has another number of slots");
    require(&to, to.pages == ss_pool_used(&expand->pool),
            "pages are lost, or of two segments");
    require(&to, expand->covered == UINT64_MAX || to.covered == expand->covered,
            "the table covers another part of the hashes");
    return to.fault;
}
