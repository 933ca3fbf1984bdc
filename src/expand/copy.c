/* copy.c - a table of its own with the slots of another */
#include "expand/expand.h"

#include <string.h>

/* The pages of the segment of a hash, to the copy's own. */
static bool copy_segment(ss_expand *to, const ss_entry *entry, uint64_t hash)
{
    ss_segment segment = ss_entry_unpack(entry);
    if (to->directory.top != NULL &&
        !ss_directory_ensure(&to->directory, hash, segment.depth))
        return false;
    for (uint32_t i = 0; i < segment.pages; i++) {
        uint64_t *page = ss_pool_take(&to->pool);
        memcpy(page, segment.page[i],
               (size_t)SS_LINE_BYTES << to->pool.line_shift);
        segment.page[i] = page;
    }
    ss_entry copied = ss_entry_pack(&segment);
    if (to->directory.top == NULL &&
        (!ss_directory_init(&to->directory, &to->memory, &copied) ||
         !ss_directory_ensure(&to->directory, hash, segment.depth)))
        return false;
    ss_directory_publish(&to->directory, hash, segment.depth, &copied);
    return true;
}

static bool copy_parts(ss_expand *to, const ss_expand *from)
{
    ss_pool_init(&to->pool, &to->memory, from->pool.line_shift);
    to->record_room = to->record_count = from->record_count;
    to->records =
        ss_memory_alloc(&to->memory, to->record_room, sizeof *to->records);
    if (to->records == NULL ||
        !ss_pool_ensure(&to->pool, ss_pool_used(&from->pool)))
        return false;
    memcpy(to->records, from->records, to->record_count * sizeof *to->records);
    uint64_t hash = 0;
    do {
        const ss_entry *entry = ss_directory_find(&from->directory, hash);
        uint32_t depth = ss_entry_depth(entry);
        if (!copy_segment(to, entry, hash))
            return false;
        hash += depth == 0 ? 0 : UINT64_C(1) << (64 - depth);
    } while (hash != 0);
    return true;
}

int ss_expand_copy(ss_expand **copy, const ss_expand *from,
                   const seenset_allocator *allocator)
{
    ss_memory memory;
    int rc = ss_memory_init(&memory, allocator);
    if (rc != SEENSET_OK)
        return rc;
    ss_expand *made = ss_memory_alloc(&memory, 1, sizeof *made);
    if (made == NULL)
        return SEENSET_ENOMEM;
    *made = ss_expand_empty_like(from);
    made->memory = memory;
    made->unit_bits = from->unit_bits;
    memcpy(made->steps, from->steps, sizeof made->steps);
    made->stored = from->stored;
    made->covered = from->covered;
    if (!copy_parts(made, from)) {
        ss_expand_free(made);
        return SEENSET_ENOMEM;
    }
    *copy = made;
    return SEENSET_OK;
}
