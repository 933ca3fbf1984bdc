/* queue_records.c - see queue_records.h */
#include "queue_records.h"

#include "base/bits.h"

records records_begin(const uint8_t *bytes, size_t size_bytes)
{
    return (records){.bytes = bytes,
                     .size_bytes = size_bytes,
                     .log_id = (uint32_t)ss_bits_load(bytes + 8, 4),
                     .at = SS_SEGMENT_HEADER_BYTES,
                     .end = SS_SEGMENT_HEADER_BYTES};
}

bool records_next(records *of)
{
    if (ss_record_decode(of->bytes + of->end, of->size_bytes - of->end,
                         of->log_id, &of->record) != SS_DECODED_RECORD)
        return false;
    of->at = of->end;
    of->end += ss_record_bytes(&of->record);
    return true;
}

bool records_have_moved(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < SS_SEGMENT_HEADER_BYTES)
        return false;
    records of = records_begin(bytes, size_bytes);
    return records_find(&of, SS_RECORD_MOVED, 0);
}

bool records_find(records *of, ss_record_type type, int n)
{
    while (records_next(of))
        if (of->record.type == type && n-- == 0)
            return true;
    return false;
}
