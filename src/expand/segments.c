/* segments.c - a table gone through segment by segment */
#include "expand/expand.h"

#include "expand/place.h"

uint64_t ss_expand_used_bits(const ss_expand *expand)
{
    uint64_t bits = 0, hash = 0, range;
    do {
        const ss_entry *entry = ss_directory_find(&expand->directory, hash);
        uint32_t depth = ss_entry_depth(entry);
        range = depth == 0 ? UINT64_MAX : UINT64_MAX >> depth; /* less 1 */
        bits += (uint64_t)expand->records[ss_entry_id(entry)].stored *
                ss_entry_width(entry);
        hash += range + 1;
    } while (hash != 0);
    return bits;
}

uint64_t ss_expand_room(const ss_expand *expand)
{
    uint64_t room = 0;
    for (uint32_t i = 0; i < expand->record_count; i++)
        room += expand->records[i].limit;
    return room;
}
