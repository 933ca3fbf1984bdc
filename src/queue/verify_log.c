/*
 * queue_inspect_log.c - the log of a queue, walked through past every damage.
 *
 * Each stretch without sound records is listed, and closed once a record after
 * it says how the item numbers go on. So is what is missing between two files,
 * or after the last.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/verify.h"

#include "base/array.h"
#include "base/bits.h"

/* Damage right behind damage is one. */
static bool extend_damage(ss_verification *inspection, const ss_damage *damage)
{
    if (inspection->damage_count == inspection->open_damages)
        return false;
    ss_damage *last = &inspection->damages[inspection->damage_count - 1];
    if (last->is_header || last->to != damage->from ||
        last->segment != damage->segment)
        return false;
    last->to = damage->to;
    inspection->report->damaged_bytes += damage->to - damage->from;
    return true;
}

static int add_damage(ss_verification *inspection, ss_damage damage,
                      const char *reason)
{
    if (extend_damage(inspection, &damage))
        return SEENSET_OK;
    void *block = inspection->damages;
    if (!ss_array_reserve(&inspection->memory, &block, &inspection->damage_room,
                          inspection->damage_count + 1,
                          sizeof *inspection->damages))
        return SEENSET_ENOMEM;
    inspection->damages = block;
    inspection->damages[inspection->damage_count++] = damage;
    inspection->report->damage_count++;
    inspection->report->damaged_bytes += damage.to - damage.from;
    ss_verify_note_at(inspection, damage.segment, damage.from, reason);
    return SEENSET_OK;
}

static int add_header_damage(ss_verification *inspection, uint64_t segment,
                             const char *reason)
{
    return add_damage(inspection,
                      (ss_damage){.segment = segment,
                                  .from = segment,
                                  .to = segment + SS_SEGMENT_HEADER_BYTES,
                                  .is_header = true},
                      reason);
}

/* What was lost is known once the next record says its number. */
static void close_damages(ss_verification *inspection, uint64_t item)
{
    if (inspection->open_damages == inspection->damage_count)
        return;
    if (inspection->knows_item && item > inspection->next_item)
        inspection->report->lost_items += item - inspection->next_item;
    for (; inspection->open_damages < inspection->damage_count;
         inspection->open_damages++)
        inspection->damages[inspection->open_damages].item = item;
    inspection->next_item = item;
    inspection->knows_item = true;
}

/* The newest state's position and item number are of one record. */
static void compare_state(ss_verification *inspection, uint64_t at,
                          uint64_t item)
{
    if (inspection->is_past_state || at < inspection->state_position)
        return;
    inspection->is_past_state = true;
    if (inspection->state_position > 0 && item != inspection->state_next_item)
        inspection->is_state_denied = true;
}

static bool is_in_order(ss_verification *inspection, const ss_record *record,
                        uint64_t at)
{
    if (!ss_record_is_possible(record, at, inspection->files_end))
        return false;
    close_damages(inspection, record->item);
    if (!inspection->knows_item)
        inspection->next_item = record->item;
    inspection->knows_item = true;
    return ss_record_follows(record, inspection->next_item);
}

static int count_record(ss_verification *inspection, const ss_record *record,
                        uint64_t segment, uint64_t at)
{
    if (!is_in_order(inspection, record, at))
        return add_damage(inspection,
                          (ss_damage){.segment = segment,
                                      .from = at,
                                      .to = at + ss_record_bytes(record)},
                          "a record is out of order");
    compare_state(inspection, at, record->item);
    inspection->report->record_count++;
    inspection->next_item = record->item + (record->type == SS_RECORD_PUSH);
    inspection->report->item_count += record->type == SS_RECORD_PUSH;
    if (record->type == SS_RECORD_MARK)
        inspection->safe = ss_verify_higher(inspection->safe,
                                            ss_bits_load(record->payload, 8));
    return SEENSET_OK;
}

/* Nothing can be read at `from`; goes on behind it, if that is somewhere. */
static int pass_damage(ss_verification *inspection, uint64_t segment,
                       uint64_t end, bool is_last)
{
    uint64_t from = inspection->reader.position, to;
    if (from == segment) {
        ss_log_reader_seek(&inspection->reader,
                           segment + SS_SEGMENT_HEADER_BYTES);
        return add_header_damage(inspection, segment,
                                 "the segment's header is wrong");
    }
    int marked = ss_recover_is_marked(&inspection->reader, from, end, &to);
    if (marked < 0)
        return marked;
    ss_log_reader_seek(&inspection->reader, to);
    if (is_last && marked == 0 && from >= inspection->safe) {
        inspection->report->torn_bytes = end - from;
        ss_log_reader_seek(&inspection->reader, end);
        return SEENSET_OK;
    }
    return add_damage(inspection,
                      (ss_damage){.segment = segment, .from = from, .to = to},
                      "no record can be read here");
}

/* Did a crash come before the last segment's first record? The first of all
 * was there before the queue was. */
static bool is_unborn(const ss_verification *inspection, uint64_t segment,
                      uint64_t end)
{
    return end - segment <= SS_SEGMENT_HEADER_BYTES &&
           segment >= inspection->safe &&
           segment > inspection->listing.logs.at[0];
}

static int walk_segment(ss_verification *inspection, uint64_t segment,
                        uint64_t end, bool is_last)
{
    ss_record record;
    uint64_t at;
    int result;
    ss_log_reader_seek(&inspection->reader, segment);
    while (inspection->reader.position < end) {
        result = ss_log_reader_next(&inspection->reader, end, &record, &at);
        if (result == 0)
            break;
        if (result == 1)
            result = count_record(inspection, &record, segment, at);
        else if (result == SEENSET_EDAMAGED)
            result = pass_damage(inspection, segment, end, is_last);
        if (result != SEENSET_OK)
            return result;
    }
    return SEENSET_OK;
}

/* May so much be missing before the file at `next`? */
static int check_gap(ss_verification *inspection, uint64_t gap_bytes,
                     uint64_t next)
{
    if (gap_bytes > inspection->gap_room) {
        ss_verify_note_at(
            inspection, next, next,
            "too far behind the log before it; if it is no file of this "
            "queue, move it away");
        return SEENSET_EDAMAGED;
    }
    inspection->gap_room -= gap_bytes;
    return SEENSET_OK;
}

/* From the end of a file to where the log must go on. An empty file lacks its
 * header in any case; of one that ends within it, it was found to be wrong. */
static int look_at_gap(ss_verification *inspection, uint64_t segment,
                       uint64_t end, uint64_t next)
{
    static const char reason[] =
        "the file is too short, or the one behind it missing";
    int error = end == segment ? add_header_damage(inspection, segment, reason)
                               : SEENSET_OK;
    ss_damage gap = {
        .segment = segment,
        .from = ss_verify_higher(end, segment + SS_SEGMENT_HEADER_BYTES),
        .to = next};
    return error == SEENSET_OK && gap.from < gap.to
               ? add_damage(inspection, gap, reason)
               : error;
}

int ss_verify_log(ss_verification *inspection)
{
    const ss_positions *logs = &inspection->listing.logs;
    inspection->knows_item = logs->count > 0 && logs->at[0] == 0;
    for (size_t i = 0; i < logs->count; i++) {
        uint64_t start = logs->at[i], size_bytes;
        bool is_last = i + 1 == logs->count;
        int error = ss_recover_length(&inspection->folder, start, &size_bytes);
        if (error != SEENSET_OK)
            return error;
        uint64_t end = start + size_bytes;
        uint64_t next = is_last ? inspection->safe : logs->at[i + 1];
        if (!is_last && end > next)
            end = next;
        if (is_last && is_unborn(inspection, start, end)) {
            inspection->log_end = start;
            break;
        }
        error = is_last ? SEENSET_OK : check_gap(inspection, next - end, next);
        if (error == SEENSET_OK)
            error = walk_segment(inspection, start, end, is_last);
        inspection->log_end = end - inspection->report->torn_bytes;
        if (error == SEENSET_OK)
            error = look_at_gap(inspection, start, end, next);
        if (error != SEENSET_OK)
            return error;
    }
    if (inspection->knows_item)
        compare_state(inspection, inspection->state_position,
                      inspection->next_item);
    close_damages(inspection, ss_verify_higher(inspection->next_item,
                                               inspection->state_next_item));
    return SEENSET_OK;
}
