/* layouts.c - the list of layouts */
#include "table/layouts.h"

#include "table/blocked.h"
#include "table/bloom.h"
#include "table/counting.h"
#include "table/foreign_index.h"
#include "table/fuse_table.h"

const ss_layout *ss_layout_find(seenset_layout id, bool is_shared)
{
    switch (id) {
    case SEENSET_LAYOUT_BLOCKED:
        return is_shared ? &ss_blocked_shared : ss_blocked_best();
    case SEENSET_LAYOUT_BLOOM:
        return is_shared ? &ss_bloom_shared : &ss_bloom_single;
    case SEENSET_LAYOUT_COUNTING:
        return is_shared ? NULL : &ss_counting;
    case SEENSET_LAYOUT_SEALED:
        return is_shared ? NULL : &ss_sealed;
    default:
        return NULL;
    }
}

const ss_layout *ss_layout_find_foreign(seenset_layout id)
{
    switch (id) {
    case SEENSET_LAYOUT_BLOOM:
        return &ss_foreign_bloom;
    case SEENSET_LAYOUT_COUNTING:
        return &ss_foreign_counting;
    default:
        return NULL;
    }
}
