/*
 * queue_damage_polite.c - damage to what only a polite queue has: the rules in
 * its MANIFEST, the hosts in its state, and the records of hosts and of items
 * that were moved in its log.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <string.h>

#include "base/bits.h"
#include "log/record.h"
#include "queue_damage_rows.h"

/* ---- the MANIFEST: see src/queue/folder/rules.h ---- */

static const damage_field rules[] = {
    {"version", 7, 1, false},       {"log version", 92, 4, false},
    {"delay", 124, 8, false},       {"budget", 132, 8, false},
    {"host leases", 140, 4, false}, {"by", 144, 4, false},
    {"from start", 148, 4, false},  {"reserved", 152, 4, true}};

static const struct {
    const char *name;
    unsigned at, size_bytes;
    uint64_t value;
} rule_limits[] = {
    {"version", 7, 1, 5},
    {"version", 7, 1, 6},
    {"log version", 92, 4, 4},
    {"delay", 124, 8, 31622400000},
    {"delay", 124, 8, 31622400001},
    {"host leases", 140, 4, 65536},
    {"by", 144, 4, 1},
    {"by", 144, 4, 3},
};

void damage_list_polite_manifest(damage_list *to, disk *made)
{
    damage_add_numbers(to, made, "MANIFEST", rules, TEST_COUNT(rules));
    for (size_t i = 0; i < TEST_COUNT(rule_limits); i++)
        damage_add_forged(to, "MANIFEST", rule_limits[i].name,
                          rule_limits[i].at, rule_limits[i].size_bytes,
                          rule_limits[i].value);
    damage_add_cut(to, "MANIFEST", 128);
    damage_add_cut(to, "MANIFEST", 159);
}

/* ---- the state: one entry, and two hosts ---- */

static const damage_field state_fields[] = {{"version", 7, 1, false},
                                            {"next item", 24, 8, false},
                                            {"entries", 72, 8, false},
                                            {"ranges", 80, 8, false},
                                            {"read item", 120, 8, false},
                                            {"read position", 128, 8, false},
                                            {"unacked items", 136, 8, false},
                                            {"read item", 336, 8, false},
                                            {"unacked items", 352, 8, false},
                                            {"bytes of hosts", 368, 8, false},
                                            {"over budget", 376, 8, false},
                                            {"item", 384, 8, false},
                                            {"at", 392, 8, false},
                                            {"due", 400, 8, false},
                                            {"priority", 412, 1, false},
                                            {"hosts", 416, 8, false},
                                            {"hash", 424, 8, false},
                                            {"ready", 432, 8, false},
                                            {"taken", 440, 8, false},
                                            {"delay", 448, 8, false},
                                            {"budget", 456, 8, false},
                                            {"length of name", 464, 4, false}};

/* Also every small number of items. */
void damage_list_polite_state(damage_list *to, disk *made)
{
    const char *name = disk_last_name(made, "state-");
    damage_add_numbers(to, made, name, state_fields, TEST_COUNT(state_fields));
    damage_add_forged(to, name, "version", 7, 1, 4);
    damage_add_forged(to, name, "version", 7, 1, 6);
    damage_add_forged(to, name, "delay", 448, 8, 31622400001);
    for (unsigned lane = 0; lane < SS_LANES; lane += 9)
        for (uint64_t count = 0; count <= 12; count++)
            damage_add_forged(to, name, "unacked items", 136 + 24 * lane, 8,
                              count);
    for (uint64_t item = 0; item <= 12; item++)
        damage_add_forged(to, name, "item", 384, 8, item);
    damage_add_forged(to, name, "version", 7, 1, 5);
}

/* ---- records of hosts ---- */

/* What a HOST record has at some places; the rest is zero, and a name. */
typedef struct host_record {
    const char *name;
    uint64_t sets, delay, budget, until;
    uint32_t cut; /* bytes off its end */
} host_record;

static const host_record hosts[] = {
    {"a delay", 1, 0, 0, 0, 0},
    {"a delay as all", 1, UINT64_MAX, 0, 0, 0},
    {"a delay over the most", 1, 31622400001, 0, 0, 0},
    {"a budget", 4, 0, 1000, 0, 0},
    {"any budget", 4, 0, UINT64_MAX, 0, 0},
    {"a block that is over", 2, 0, 0, 1, 0},
    {"a block for ever", 2, 0, 0, UINT64_MAX, 0},
    {"nothing", 0, 0, 0, 0, 0},
    {"what is not known", 8, 0, 0, 0, 0},
    {"more than four bytes", UINT64_C(1) << 32, 0, 0, 0, 0},
    {"a host without a name", 1, 5, 0, 0, 9},
    {"half a record", 1, 5, 0, 0, 10},
};

static void append_host(disk *on, const host_record *of, uint64_t item,
                        ss_record_type type)
{
    static const char host[] = "c.example";
    uint8_t bytes[SS_RECORD_HEADER_BYTES + SS_HOST_PREFIX_BYTES + sizeof host];
    uint8_t *payload = bytes + SS_RECORD_HEADER_BYTES;
    size_t size_bytes,
        payload_bytes = SS_HOST_PREFIX_BYTES + sizeof host - 1 - of->cut;
    const char *log = disk_last_name(on, "log-");
    if (log == NULL)
        return;
    (void)damage_bytes(on, log, 0, &size_bytes);
    memset(bytes, 0, sizeof bytes);
    ss_bits_store(payload + 32, 8, of->sets);
    ss_bits_store(payload + 40, 8, of->delay);
    ss_bits_store(payload + 48, 8, of->budget);
    ss_bits_store(payload + 56, 8, of->until);
    memcpy(payload + SS_HOST_PREFIX_BYTES, host, sizeof host - 1);
    ss_record_seal(bytes, damage_log_id(on), type, item, payload_bytes);
    disk_put(on, log, size_bytes, bytes,
             SS_RECORD_HEADER_BYTES + payload_bytes);
}

static void make_host(const damage *of, disk *on)
{
    append_host(on, of->with, of->value, SS_RECORD_HOST);
}

static void make_handed(const damage *of, disk *on)
{
    append_host(on, of->with, of->value, SS_RECORD_HANDED);
}

/* ---- records of items that are moved ---- */

/* One of them: the item, and its push. */
typedef struct moved_record {
    const char *name;
    uint64_t item, next; /* and what the record says of the next item */
    char type;
    unsigned priority;
    const char *url;
    unsigned cut; /* bytes off its end */
} moved_record;

#define URL_OF(number) "http://a.example/" number

static const moved_record moves[] = {
    {"an item", 3, 12, 'P', 0, URL_OF("3"), 0},
    {"an item again", 2, 12, 'P', 0, URL_OF("2"), 0},
    {"an item with a priority", 8, 12, 'Q', 5, URL_OF("8"), 0},
    {"a leased item", 4, 12, 'Q', 9, URL_OF("4"), 0},
    {"an item that was acked", 5, 12, 'Q', 9, URL_OF("5"), 0},
    {"another priority", 8, 12, 'Q', 4, URL_OF("8"), 0},
    {"no priority", 8, 12, 'P', 0, URL_OF("8"), 0},
    {"another host", 3, 12, 'P', 0, "http://c.example/3", 0},
    {"an item that was not pushed", 12, 12, 'P', 0, URL_OF("12"), 0},
    {"out of order", 3, 13, 'P', 0, URL_OF("3"), 0},
    {"with a time", 3, 12, 'T', 0, URL_OF("3"), 0},
    {"of no push", 3, 12, 'A', 0, URL_OF("3"), 0},
    {"of itself", 3, 12, 'V', 0, URL_OF("3"), 0},
    {"cut", 3, 12, 'P', 0, URL_OF("3"), 1},
    {"cut to nothing", 3, 12, 'P', 0, URL_OF("3"), 22},
    {"cut before its type", 3, 12, 'P', 0, URL_OF("3"), 23},
};

static void make_moved(const damage *of, disk *on)
{
    const moved_record *with = of->with;
    uint8_t bytes[100] = {0}, *payload = bytes + SS_RECORD_HEADER_BYTES;
    size_t size_bytes, url_len = strlen(with->url);
    const ss_push push = {.url_len = url_len, .lane = with->priority};
    ss_record_type type = (ss_record_type)with->type;
    const char *log = disk_last_name(on, "log-");
    if (log == NULL)
        return;
    (void)damage_bytes(on, log, 0, &size_bytes);
    ss_bits_store(payload, 8, with->item);
    payload[8] = (uint8_t)with->type;
    ss_record_put_push_prefix(payload + SS_MOVED_PREFIX_BYTES, type, &push);
    size_t prefix = SS_MOVED_PREFIX_BYTES + ss_record_push_prefix_bytes(type);
    memcpy(payload + prefix, with->url, url_len);
    size_t payload_bytes = prefix + url_len - with->cut;
    ss_record_seal(bytes, damage_log_id(on), SS_RECORD_MOVED, with->next,
                   payload_bytes);
    disk_put(on, log, size_bytes, bytes,
             SS_RECORD_HEADER_BYTES + payload_bytes);
}

void damage_list_moved_records(damage_list *to, disk *made)
{
    const char *log = disk_name(made, "log-", 0);
    for (size_t i = 0; i < TEST_COUNT(moves); i++)
        damage_add(to, (damage){.make = make_moved, .with = &moves[i]},
                   "%s + a move: %s", log, moves[i].name);
    damage_add_forged(to, "MANIFEST", "log version", 92, 4, 5);
    damage_add_forged(to, "MANIFEST", "log version", 92, 4, 7);
}

enum {
    NEXT = 12 /* the item that comes next in it */
};

void damage_list_polite_records(damage_list *to, disk *made)
{
    static const host_record none = {"", 0, 0, 0, 0, SS_HOST_PREFIX_BYTES + 9};
    const char *log = disk_name(made, "log-", 0);
    for (size_t i = 0; i < TEST_COUNT(hosts); i++)
        damage_add(
            to, (damage){.make = make_host, .with = &hosts[i], .value = NEXT},
            "%s + a host's record: %s", log, hosts[i].name);
    damage_add(to,
               (damage){.make = make_host, .with = hosts, .value = NEXT + 1},
               "%s + a host's record out of order", log);
    damage_add(to, (damage){.make = make_handed, .with = &none, .value = NEXT},
               "%s + a hand-out", log);
    damage_add(to, (damage){.make = make_handed, .with = hosts, .value = NEXT},
               "%s + a hand-out with bytes", log);
    damage_add(to, (damage){.make = make_moved, .with = moves}, "%s + a move",
               log);
}

/* In a queue that is not polite they are out of place. */
void damage_list_impolite_records(damage_list *to, disk *made)
{
    static const host_record none = {"", 0, 0, 0, 0, SS_HOST_PREFIX_BYTES + 9};
    const char *log = disk_name(made, "log-", 0);
    damage_add(to, (damage){.make = make_host, .with = hosts, .value = NEXT},
               "%s + a host's record", log);
    damage_add(to, (damage){.make = make_handed, .with = &none, .value = NEXT},
               "%s + a hand-out", log);
}
