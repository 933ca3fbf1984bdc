/*
 * append_start.c - which sets are mapped to be added to, and what such a set
 * remembers (append.h).
 */
#include "base/bits.h"
#include "base/order.h"
#include "file/append.h"
#include "file/journal/journal.h"
#include "set/view/remembered.h"

bool ss_append_is_possible(const ss_header *header)
{
    return ss_bits_is_little_endian() && header->version > 2 &&
           ss_header_can_journal(header) &&
           ss_header_file_bytes(header) >= SS_JOURNAL_LEAST_BYTES;
}

/* What is remembered at a time is one record, so that it is there whole or not
 * at all. */
int ss_append_start(seenset *set, const ss_header *header,
                    const seenset_open_options *options)
{
    bool can_journal = ss_append_is_possible(header);
    uint64_t most = can_journal ? ss_journal_most_items(header) : 0;
    uint64_t room = ss_lower(most + 1, SS_JOURNAL_MOST_HASHES);
    int error = ss_remembered_start(set, room);
    if (error != SEENSET_OK)
        return error;
    ss_remembered *remembered = set->remembered;
    remembered->at_capacity = options->at_capacity;
    remembered->at_capacity_context = options->at_capacity_context;
    remembered->can_journal = can_journal;
    remembered->most_items = most;
    remembered->set_checksum = header->checksum;
    remembered->is_identified = ss_journal_is_identified(header);
    return SEENSET_OK;
}
