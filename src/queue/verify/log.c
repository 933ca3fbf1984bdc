/*
 * log.c - reads the log of a queue to its end, past every damage.
 *
 * Each range of bytes without sound records is listed, and so is what is
 * missing between two files or after the last. How many items were lost in it
 * is known when a later record has an item number.
 */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/verify/verify.h"

#include "base/array.h"
#include "base/bits.h"

void ss_verify_report_first(ss_verification *run, const char *file,
                            uint64_t offset, const char *reason)
{
    if (run->report->reason[0] == '\0')
        ss_report_refuse(run->report, 0, file, offset, reason);
}

void ss_verify_report_at(ss_verification *run, uint64_t segment,
                         uint64_t position, const char *reason)
{
    char name[SS_FOLDER_NAME_BYTES];
    ss_folder_name(name, SS_FOLDER_LOG, segment);
    ss_verify_report_first(run, name, position - segment, reason);
}

/* Damage that follows damage without a gap is counted as one. */
static bool extend_damage(ss_verification *run, const ss_damage *damage)
{
    if (run->damage_count == run->open_damages)
        return false;
    ss_damage *last = &run->damages[run->damage_count - 1];
    if (last->is_header || last->to != damage->from ||
        last->segment != damage->segment)
        return false;
    last->to = damage->to;
    run->report->damaged_bytes += damage->to - damage->from;
    return true;
}

static int add_damage(ss_verification *run, ss_damage damage,
                      const char *reason)
{
    if (extend_damage(run, &damage))
        return SEENSET_OK;
    void *block = run->damages;
    if (!ss_array_reserve(&run->memory, &block, &run->damage_room,
                          run->damage_count + 1, sizeof *run->damages))
        return SEENSET_ENOMEM;
    run->damages = block;
    run->damages[run->damage_count++] = damage;
    run->report->damage_count++;
    run->report->damaged_bytes += damage.to - damage.from;
    ss_verify_report_at(run, damage.segment, damage.from, reason);
    return SEENSET_OK;
}

static int add_header_damage(ss_verification *run, uint64_t segment,
                             const char *reason)
{
    return add_damage(run,
                      (ss_damage){.segment = segment,
                                  .from = segment,
                                  .to = segment + SS_SEGMENT_HEADER_BYTES,
                                  .is_header = true},
                      reason);
}

/* The next record has this item number: those in between are lost. */
static void close_damages(ss_verification *run, uint64_t item)
{
    if (run->open_damages == run->damage_count)
        return;
    if (run->knows_item && item > run->next_item) {
        uint64_t lost = item - run->next_item;
        run->report->lost_items += lost;
        if (run->damages[run->open_damages].from < run->state_position)
            run->lost_before_state += lost;
    }
    for (; run->open_damages < run->damage_count; run->open_damages++)
        run->damages[run->open_damages].item = item;
    run->next_item = item;
    run->knows_item = true;
}

/* The first record at or after the newest state's position must have the
 * state's item number. */
static void compare_state(ss_verification *run, uint64_t at, uint64_t item)
{
    if (run->is_past_state || at < run->state_position)
        return;
    run->is_past_state = true;
    if (run->state_position > 0 && item != run->state_next_item)
        run->state_contradicts_log = true;
}

/* Does a reader of the newest state continue where a segment starts? */
static bool is_reader_at_segment(const ss_verification *run, uint64_t at)
{
    return ss_log_reader_segment_of(&run->listing.logs, at) == at;
}

/* A reader continues at a record, or before a segment's first, and the item
 * that it expects is the next to come there. */
static void compare_readers(ss_verification *run, const ss_record *record,
                            uint64_t at)
{
    for (unsigned i = 0; i < run->lane_count && !run->is_polite; i++) {
        const ss_state_lane *lane = &run->lanes[i];
        if (run->is_past_reader[i] || at < lane->read_position)
            continue;
        run->is_past_reader[i] = true;
        if ((at != lane->read_position &&
             !is_reader_at_segment(run, lane->read_position)) ||
            !ss_record_follows(record, lane->read_item))
            run->state_contradicts_log = true;
    }
}

/* No record was at or after a reader: then it has read all of them. */
static void compare_readers_at_end(ss_verification *run)
{
    uint64_t next = run->knows_item ? run->next_item : run->state_next_item;
    for (unsigned i = 0; i < run->lane_count && !run->is_polite; i++) {
        const ss_state_lane *lane = &run->lanes[i];
        if (run->is_past_reader[i])
            continue;
        if ((lane->read_position < run->log_end &&
             !is_reader_at_segment(run, lane->read_position)) ||
            lane->read_item != next)
            run->state_contradicts_log = true;
    }
}

/* Item numbers never go back, not even after a damage: the record that covers
 * it has a number as high as those before it. */
static bool is_in_order(ss_verification *run, const ss_record *record,
                        uint64_t at)
{
    const ss_record pushed = ss_record_pushed(record);
    const ss_record_kinds kinds = ss_queue_kinds(&run->set, &run->manifest);
    if (!ss_record_is_possible(record, at, run->files_end) ||
        !ss_record_is_of(record->type, kinds) ||
        !ss_record_is_of(pushed.type, kinds) ||
        (run->knows_item && record->item < run->next_item))
        return false;
    close_damages(run, record->item);
    if (!run->knows_item)
        run->next_item = record->item;
    run->knows_item = true;
    return ss_record_follows(record, run->next_item);
}

/* The entry of an item in the newest state, or their number. */
static size_t find_entry(const ss_verification *run, uint64_t item)
{
    size_t low = 0, high = run->entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->entries[middle].item < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < run->entry_count && run->entries[low].item == item
               ? low
               : run->entry_count;
}

static uint64_t host_of(const ss_verification *run, const ss_record *pushed)
{
    const ss_frontier of_rules = {.rules = run->manifest.rules};
    const ss_push push = ss_push_of(pushed);
    return ss_frontier_hash(&of_rules, push.url, push.url_len);
}

/* Where items may move, the last record of an entry before the state is where
 * it says. One of another host or lane is not its record. */
static void meet_again(ss_verification *run, const ss_record *record,
                       uint64_t at)
{
    const ss_record pushed = ss_record_pushed(record);
    size_t i = find_entry(run, pushed.item);
    if (at < run->lanes[0].read_position || at >= run->state_position ||
        !ss_record_is_push(pushed.type) || i == run->entry_count ||
        run->entries[i].lane != ss_record_lane(&pushed))
        return;
    uint64_t host = host_of(run, &pushed);
    ss_met_entry *met = &run->entries_met[i];
    if (met->is_met && met->host != host)
        return;
    *met = (ss_met_entry){host, true, run->entries[i].position == at};
}

/* All entries were met. */
static bool are_entries_there(const ss_verification *run)
{
    if (run->entries_met == NULL)
        return run->entries_seen == run->entry_count;
    for (size_t i = 0; i < run->entry_count; i++)
        if (!run->entries_met[i].is_there)
            return false;
    return true;
}

/* An item that the newest state knows is in the log where it says. */
static void compare_entries(ss_verification *run, const ss_record *record,
                            uint64_t at)
{
    if (run->entries_met != NULL) {
        meet_again(run, record, at);
        return;
    }
    for (; run->entries_seen < run->entry_count; run->entries_seen++) {
        const ss_state_entry *entry = &run->entries[run->entries_seen];
        if (entry->position > at)
            break;
        if (entry->position < at || entry->item != record->item ||
            !ss_record_is_push(record->type) ||
            ss_record_lane(record) != entry->lane)
            run->state_contradicts_log = true;
    }
}

/* An item that waits as of the newest state. */
static void count_waiting(ss_verification *run, const ss_record *record,
                          uint64_t at)
{
    if (!ss_record_is_push(record->type) || at >= run->state_position ||
        run->is_polite)
        return;
    unsigned i = ss_record_lane(record);
    const ss_state_lane *lane = &run->lanes[i];
    if (at >= lane->read_position && record->item >= lane->read_item &&
        ss_ranges_skip(&lane->ranges, record->item) == record->item)
        run->waiting[i]--;
}

/* In a polite queue: an item that is not acked as of the newest state, if no
 * ack comes before that. One that was moved counts once. Returns 0 or
 * SEENSET_ENOMEM. */
static int count_pending(ss_verification *run, const ss_record *record,
                         uint64_t at)
{
    const ss_record pushed = ss_record_pushed(record);
    if (!run->is_polite || !ss_record_is_push(pushed.type) ||
        at >= run->state_position || at < run->lanes[0].read_position ||
        ss_pending_has(&run->pending, pushed.item))
        return SEENSET_OK;
    if (!ss_pending_reserve(&run->pending, &run->memory, pushed.item))
        return SEENSET_ENOMEM;
    ss_pending_add(&run->pending, pushed.item);
    run->waiting[ss_record_lane(&pushed)]--;
    return SEENSET_OK;
}

static void uncount_acked(ss_verification *run, const ss_acked *acked)
{
    ss_pending *pending = &run->pending;
    uint64_t end = acked->first + acked->count;
    for (uint64_t item = ss_pending_next(pending, acked->first, end);
         item < end; item = ss_pending_next(pending, item + 1, end)) {
        run->waiting[acked->lane]++;
        ss_pending_remove(pending, &run->memory, item);
    }
}

static void uncount_acks(ss_verification *run, const ss_record *record,
                         uint64_t at)
{
    if (!run->is_polite || at >= run->state_position ||
        (record->type != SS_RECORD_ACK && record->type != SS_RECORD_LANED_ACK))
        return;
    size_t range_bytes = ss_record_range_bytes(record->type);
    for (size_t i = 0; i < record->payload_bytes; i += range_bytes) {
        const ss_acked acked = ss_acked_at(record, i);
        uncount_acked(run, &acked);
    }
}

/* Each lane has as many of them as the state says. One without lanes does not
 * say it. */
static void compare_waiting(ss_verification *run)
{
    for (unsigned i = 0; i < SS_LANES && run->lane_count == SS_LANES; i++)
        if (run->waiting[i] != 0)
            run->state_contradicts_log = true;
}

/* In a queue with priorities: an ack names that of its items. */
static bool is_ack_possible(const ss_verification *run, const ss_record *record)
{
    size_t range_bytes = ss_record_range_bytes(record->type);
    if (!run->manifest.is_extended ||
        (record->type != SS_RECORD_ACK && record->type != SS_RECORD_LANED_ACK))
        return true;
    for (size_t i = 0; i < record->payload_bytes; i += range_bytes) {
        const ss_acked acked = ss_acked_at(record, i);
        if (!ss_lane_runs_agree(&run->runs, acked.first,
                                acked.first + acked.count, acked.lane))
            return false;
    }
    return true;
}

static bool note_lane(ss_verification *run, const ss_record *record)
{
    return !run->manifest.is_extended || !ss_record_is_push(record->type) ||
           ss_lane_runs_note(&run->runs, &run->memory, record->item,
                             ss_record_lane(record));
}

static int count_record(ss_verification *run, const ss_record *record,
                        uint64_t segment, uint64_t at)
{
    if (!is_in_order(run, record, at))
        return add_damage(run,
                          (ss_damage){.segment = segment,
                                      .from = at,
                                      .to = at + ss_record_bytes(record)},
                          "a record is out of order");
    if (!is_ack_possible(run, record))
        return add_damage(run,
                          (ss_damage){.segment = segment,
                                      .from = at,
                                      .to = at + ss_record_bytes(record)},
                          SS_OTHER_LANE);
    if (!note_lane(run, record))
        return SEENSET_ENOMEM;
    compare_state(run, at, record->item);
    compare_readers(run, record, at);
    compare_entries(run, record, at);
    count_waiting(run, record, at);
    uncount_acks(run, record, at);
    int error = count_pending(run, record, at);
    if (error == SEENSET_OK)
        error = ss_verify_delayed(run, record, at);
    if (error != SEENSET_OK)
        return error;
    run->report->record_count++;
    run->next_item = record->item + ss_record_is_push(record->type);
    run->report->item_count += ss_record_is_push(record->type);
    if (record->type == SS_RECORD_DURABLE)
        run->durable_end =
            ss_higher(run->durable_end, ss_bits_load(record->payload, 8));
    return SEENSET_OK;
}

/* Nothing can be read at the reader: lists the damage and continues after it.
 */
static int pass_damage(ss_verification *run, uint64_t segment, uint64_t end,
                       bool is_last)
{
    uint64_t from = run->reader.position, to;
    if (from == segment) {
        ss_log_reader_seek(&run->reader, segment + SS_SEGMENT_HEADER_BYTES);
        return add_header_damage(run, segment, "the segment's header is wrong");
    }
    int was_durable = ss_recover_was_durable(&run->reader, from, end, &to);
    if (was_durable < 0)
        return was_durable;
    ss_log_reader_seek(&run->reader, to);
    if (is_last && was_durable == 0 && from >= run->durable_end) {
        run->report->torn_bytes = end - from;
        ss_log_reader_seek(&run->reader, end);
        return SEENSET_OK;
    }
    return add_damage(run,
                      (ss_damage){.segment = segment, .from = from, .to = to},
                      "no record can be read here");
}

/* Is the last segment what a crash left while it was made? The first of all was
 * made before the queue. */
static bool is_empty_last_segment(const ss_verification *run, uint64_t segment,
                                  uint64_t end)
{
    return end - segment <= SS_SEGMENT_HEADER_BYTES &&
           segment >= run->durable_end && segment > run->listing.logs.at[0];
}

static int check_segment(ss_verification *run, uint64_t segment, uint64_t end,
                         bool is_last)
{
    ss_record record;
    uint64_t at;
    int result;
    ss_log_reader_seek(&run->reader, segment);
    while (run->reader.position < end) {
        result = ss_log_reader_next(&run->reader, end, &record, &at);
        if (result == 0)
            break;
        if (result == 1)
            result = count_record(run, &record, segment, at);
        else if (result == SEENSET_EDAMAGED)
            result = pass_damage(run, segment, end, is_last);
        if (result != SEENSET_OK)
            return result;
    }
    return SEENSET_OK;
}

/* Can so many bytes be missing before the file at `next`? */
static int check_gap(ss_verification *run, uint64_t gap_bytes, uint64_t next)
{
    if (gap_bytes > run->gap_budget) {
        ss_verify_report_at(
            run, next, next,
            "too far from the log before it; if it is not a file of this "
            "queue, move it away");
        return SEENSET_EDAMAGED;
    }
    run->gap_budget -= gap_bytes;
    return SEENSET_OK;
}

/* What is missing from the end of a file to `next`. Of an empty file that is
 * its header, too; if a file ends within its header, that is listed already. */
static int add_gap(ss_verification *run, uint64_t segment, uint64_t end,
                   uint64_t next)
{
    static const char reason[] =
        "the file is too short, or the one after it is missing";
    int error =
        end == segment ? add_header_damage(run, segment, reason) : SEENSET_OK;
    ss_damage gap = {.segment = segment,
                     .from = ss_higher(end, segment + SS_SEGMENT_HEADER_BYTES),
                     .to = next};
    return error == SEENSET_OK && gap.from < gap.to
               ? add_damage(run, gap, reason)
               : error;
}

/* Checks one file of the log. */
static int check_file(ss_verification *run, size_t index)
{
    const ss_positions *logs = &run->listing.logs;
    uint64_t start = logs->at[index], size_bytes;
    bool is_last = index + 1 == logs->count;
    int error = ss_recover_length(&run->folder, start, &size_bytes);
    if (error != SEENSET_OK)
        return error;
    uint64_t next = is_last ? run->durable_end : logs->at[index + 1];
    uint64_t end = start + size_bytes;
    if (!is_last)
        end = ss_lower(end, next);
    if (is_last && is_empty_last_segment(run, start, end)) {
        run->log_end = start;
        return SEENSET_OK;
    }
    if (!is_last)
        error = check_gap(run, next - end, next);
    if (error == SEENSET_OK)
        error = check_segment(run, start, end, is_last);
    run->log_end = end - run->report->torn_bytes;
    return error == SEENSET_OK ? add_gap(run, start, end, next) : error;
}

/* An item that was moved has no number of its own where it is now. So if the
 * state has counted more than are left, and are lost by their numbers, the
 * others are lost, too, unless a record from before is found. */
static void count_lost_moves(ss_verification *run)
{
    uint64_t missing = 0;
    for (unsigned i = 0; i < SS_LANES; i++)
        missing += run->waiting[i] <= INT64_MAX ? run->waiting[i] : 0;
    if (run->manifest.has_moved && run->damage_count > 0 &&
        run->listing.logs.at[0] <= run->state_floor &&
        missing > run->lost_before_state)
        run->report->lost_items += missing - run->lost_before_state;
}

int ss_verify_log(ss_verification *run)
{
    const ss_positions *logs = &run->listing.logs;
    run->knows_item = logs->count > 0 && logs->at[0] == 0;
    for (size_t i = 0; i < logs->count; i++) {
        int error = check_file(run, i);
        if (error != SEENSET_OK)
            return error;
    }
    if (run->knows_item)
        compare_state(run, run->state_position, run->next_item);
    if (logs->count > 0) {
        compare_readers_at_end(run);
        compare_waiting(run);
    }
    int error = ss_verify_count_delayed(run);
    if (error != SEENSET_OK)
        return error;
    if (run->knows_item &&
        !(are_entries_there(run) && ss_verify_are_delayed_there(run)))
        run->state_contradicts_log = true;
    close_damages(run, ss_higher(run->next_item, run->state_next_item));
    count_lost_moves(run);
    return SEENSET_OK;
}
