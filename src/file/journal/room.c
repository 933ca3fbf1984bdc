/*
 * room.c - how many keys a set's journal takes, which is how many are
 * missing at most where it is not there.
 *
 * When is a journal worth it? Who opens the set reads all of the journal and
 * lists its hashes by the blocks that they touch (set/view/deferred.h). That
 * takes about 50 ns for a hash and 20 more for each block, so the journal may
 * have MOST_HASHES and touch MOST_PLACES blocks: a few milliseconds. A table
 * that grows in place has them beside it (set/view/overlay.h), in a place each.
 * As keys that came one by one it may be a share of the file as long.
 */
#include "base/order.h"
#include "file/header/fields.h"
#include "file/journal/journal.h"
#include "set/set.h"
#include "set/view/deferred.h"
#include "table/layouts.h"
#include "table/table.h"

enum {
    MOST_PLACES = 1 << 17,
    SHARE = 8
};

/* How many blocks of its newest table a hash may touch. */
static uint32_t places_of(const ss_header *header)
{
    const ss_table_record *newest =
        &header->records[header->generation_count - 1];
    if (newest->is_expandable)
        return 1;
    ss_table table =
        ss_table_make(ss_layout_find(header->layout, false), newest->size_bits,
                      newest->hash_count, header->cell_bits, NULL);
    return ss_deferred_places(&table);
}

uint64_t ss_journal_most_items(const ss_header *header)
{
    uint64_t record_bytes = SS_JOURNAL_RECORD_BYTES + sizeof(uint64_t);
    uint64_t file_bytes = ss_header_file_bytes(header);
    if (file_bytes < SS_JOURNAL_LEAST_BYTES)
        file_bytes = SS_JOURNAL_LEAST_BYTES; /* no writer makes such a one */
    uint64_t by_share = file_bytes / SHARE / record_bytes;
    uint64_t by_places = MOST_PLACES / places_of(header);
    return ss_lower(by_share, ss_lower(SS_JOURNAL_MOST_ITEMS, by_places));
}

int ss_journal_miss(const ss_header *header, bool is_needed, seenset *set,
                    seenset_file_report *report)
{
    if (!header->has_journal)
        return SEENSET_OK;
    if (is_needed)
        return ss_header_refuse(report, SEENSET_EJOURNAL, AT_JOURNAL_MARK,
                                "its journal is not here: compact the file "
                                "first, or open it without the journal");
    if (set != NULL)
        set->journal_missing_items = ss_journal_most_items(header);
    return SEENSET_OK;
}
