/*
 * queue_damage_log.c - damage to a queue's log.
 *
 * The log is cut at each length and changed at each byte. Cut at its end, it is
 * as a crash leaves it; changed in what had been safe, it is damaged, and the
 * record's item is lost and no other.
 *
 * And there are records whose checksum is right and whose content is not, after
 * a sound log: out of order, of the wrong shape, about bytes that are still to
 * come. A hostile file, or a fault of ours, can hold such ones.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <string.h>

#include "log/record.h"
#include "queue_damage_rows.h"

void damage_list_log_bytes(damage_list *to, disk *made)
{
    size_t size_bytes;
    const char *name = disk_name(made, "log-", 0);
    (void)damage_bytes(made, name, 0, &size_bytes);
    for (size_t i = 0; i < size_bytes; i++)
        damage_add_cut(to, name, i);
    for (size_t i = 0; i < size_bytes; i++)
        damage_add_changed(to, name, i);
}

/* ---- records ---- */

enum {
    NEXT = DAMAGE_CLOSED_ITEMS, /* the number of the next item */
    MOST_BYTES = 64             /* of a record */
};

typedef struct forged_record {
    const char *name;
    ss_record_type type;
    uint64_t item;
    const char *payload;
    size_t payload_bytes;
} forged_record;

/* Little-endian numbers in payloads: a URL's length; an item and a count. */
static const forged_record records[] = {
    {"push", SS_RECORD_PUSH, NEXT, "\1\0\0\0d", 5},
    {"push with data", SS_RECORD_PUSH, NEXT, "\1\0\0\0data", 8},
    {"push skips one", SS_RECORD_PUSH, NEXT + 1, "\1\0\0\0d", 5},
    {"push again", SS_RECORD_PUSH, NEXT - 1, "\1\0\0\0d", 5},
    {"push without a length", SS_RECORD_PUSH, NEXT, "\1\0\0", 3},
    {"push longer than it is", SS_RECORD_PUSH, NEXT, "\2\0\0\0d", 5},
    {"push over all items", SS_RECORD_PUSH, SS_ITEM_END, "\1\0\0\0d", 5},
    {"ack", SS_RECORD_ACK, NEXT, "\1\0\0\0\0\0\0\0\1\0\0\0", 12},
    {"ack of none", SS_RECORD_ACK, NEXT, "", 0},
    {"ack and a half", SS_RECORD_ACK, NEXT, "\1\0\0\0\0\0\0\0\1\0\0\0\2", 13},
    {"ack ahead", SS_RECORD_ACK, NEXT, "\6\0\0\0\0\0\0\0\1\0\0\0", 12},
    {"ack too long", SS_RECORD_ACK, NEXT, "\4\0\0\0\0\0\0\0\2\0\0\0", 12},
    {"ack out of order", SS_RECORD_ACK, NEXT + 1, "\1\0\0\0\0\0\0\0\1\0\0\0",
     12},
    {"mark", SS_RECORD_DURABLE, NEXT, "\40\0\0\0\0\0\0\0", 8},
    {"mark of what is to come", SS_RECORD_DURABLE, NEXT, "\0\0\1\0\0\0\0\0", 8},
    {"mark too short", SS_RECORD_DURABLE, NEXT, "\40\0\0\0\0\0\0", 7},
    {"hole", SS_RECORD_FILLER, NEXT, "nothing", 7},
    {"hole of two items", SS_RECORD_FILLER, NEXT + 2, "nothing", 7},
    {"hole of more than there can be", SS_RECORD_FILLER, SS_ITEM_END - 1,
     "nothing", 7},
    {"hole backwards", SS_RECORD_FILLER, NEXT - 1, "nothing", 7},
    {"record of no such type", (ss_record_type)'X', NEXT, "", 0},
    {"record of type zero", (ss_record_type)0, NEXT, "", 0},
};

/* The same of a window by age: a push has its time, and so has a renewal, in
 * front of the hash. */
static const forged_record timed_records[] = {
    {"timed push", SS_RECORD_TIMED_PUSH, NEXT, "\0\0\0\0\0\0\0\0\1\0\0\0d", 13},
    {"timed push of the last second", SS_RECORD_TIMED_PUSH, NEXT,
     "\377\377\377\377\377\377\377\377\1\0\0\0d", 13},
    {"timed push without a length", SS_RECORD_TIMED_PUSH, NEXT,
     "\0\0\0\0\0\0\0\0\1\0\0", 11},
    {"timed push longer than it is", SS_RECORD_TIMED_PUSH, NEXT,
     "\0\0\0\0\0\0\0\0\2\0\0\0d", 13},
    {"timed push skips one", SS_RECORD_TIMED_PUSH, NEXT + 1,
     "\0\0\0\0\0\0\0\0\1\0\0\0d", 13},
    {"push without its time", SS_RECORD_PUSH, NEXT, "\1\0\0\0d", 5},
    {"renewal", SS_RECORD_RENEWAL, NEXT, "\0\0\0\0\0\0\0\0hash hash", 16},
    {"renewal of the last second", SS_RECORD_RENEWAL, NEXT,
     "\377\377\377\377\377\377\377\377hash hash", 16},
    {"renewal too short", SS_RECORD_RENEWAL, NEXT, "\0\0\0\0\0\0\0\0hash ha",
     15},
    {"renewal too long", SS_RECORD_RENEWAL, NEXT, "\0\0\0\0\0\0\0\0hash hash",
     17},
    {"renewal out of order", SS_RECORD_RENEWAL, NEXT + 1,
     "\0\0\0\0\0\0\0\0hash hash", 16},
};

/* Of a queue with priorities: items 0 to 3 have 0, and are before what an open
 * reads again; 4 to 7 have 9, of which 4 is leased and 5 acked; then two have
 * 5, and two 9. A range is an item, a count and a priority. */
static const forged_record laned_records[] = {
    {"ack of priority 5", SS_RECORD_LANED_ACK, 12,
     "\10\0\0\0\0\0\0\0\2\0\0\0\5\0\0\0", 16},
    {"ack of priority 5 as 9", SS_RECORD_LANED_ACK, 12,
     "\10\0\0\0\0\0\0\0\2\0\0\0\11\0\0\0", 16},
    {"ack of priority 5 as 0", SS_RECORD_ACK, 12, "\10\0\0\0\0\0\0\0\1\0\0\0",
     12},
    {"ack of two priorities", SS_RECORD_LANED_ACK, 12,
     "\11\0\0\0\0\0\0\0\2\0\0\0\5\0\0\0", 16},
    {"ack of what is leased", SS_RECORD_LANED_ACK, 12,
     "\4\0\0\0\0\0\0\0\1\0\0\0\11\0\0\0", 16},
    {"ack of what is leased as 5", SS_RECORD_LANED_ACK, 12,
     "\4\0\0\0\0\0\0\0\1\0\0\0\5\0\0\0", 16},
    {"ack of priority 0 as 9", SS_RECORD_LANED_ACK, 12,
     "\1\0\0\0\0\0\0\0\1\0\0\0\11\0\0\0", 16},
    {"ack of no priority", SS_RECORD_LANED_ACK, 12,
     "\10\0\0\0\0\0\0\0\1\0\0\0\12\0\0\0", 16},
};

static void append(disk *on, const forged_record *of)
{
    uint8_t bytes[MOST_BYTES];
    size_t size_bytes;
    const char *log = disk_last_name(on, "log-");
    if (log == NULL)
        return;
    (void)damage_bytes(on, log, 0, &size_bytes);
    memcpy(bytes + SS_RECORD_HEADER_BYTES, of->payload, of->payload_bytes);
    ss_record_seal(bytes, damage_log_id(on), of->type, of->item,
                   of->payload_bytes);
    disk_put(on, log, size_bytes, bytes,
             SS_RECORD_HEADER_BYTES + of->payload_bytes);
}

/* A sound record before it, so that it is not the first after a checkpoint. */
static void make_record(const damage *of, disk *on)
{
    const forged_record *with = of->with;
    bool is_laned = with >= laned_records &&
                    with < laned_records + TEST_COUNT(laned_records);
    const forged_record sound = {"mark", SS_RECORD_DURABLE,
                                 is_laned ? with->item : NEXT,
                                 "\40\0\0\0\0\0\0\0", 8};
    append(on, &sound);
    append(on, with);
}

static void list_records(damage_list *to, disk *made, const forged_record *rows,
                         size_t count)
{
    const char *log = disk_name(made, "log-", 0);
    for (size_t i = 0; i < count; i++)
        damage_add(to, (damage){.make = make_record, .with = &rows[i]},
                   "%s + %s", log, rows[i].name);
}

void damage_list_records(damage_list *to, disk *made)
{
    list_records(to, made, records, TEST_COUNT(records));
    damage_add(to, (damage){.make = make_record, .with = &timed_records[0]},
               "%s + %s", disk_name(made, "log-", 0), timed_records[0].name);
}

void damage_list_timed_records(damage_list *to, disk *made)
{
    list_records(to, made, timed_records, TEST_COUNT(timed_records));
}

void damage_list_laned_records(damage_list *to, disk *made)
{
    list_records(to, made, laned_records, TEST_COUNT(laned_records));
}

void damage_append_hole(disk *on, uint64_t item)
{
    const forged_record hole = {"hole", SS_RECORD_FILLER, item, "nothing", 7};
    append(on, &hole);
}

void damage_append_push(disk *on, uint64_t item)
{
    const forged_record push = {"push", SS_RECORD_PUSH, item, "\1\0\0\0d", 5};
    append(on, &push);
}
