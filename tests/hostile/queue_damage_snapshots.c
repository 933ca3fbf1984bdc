/*
 * queue_damage_snapshots.c - damage to the sets and states of a queue.
 *
 * A snapshot is a cache: the log says what is what. A set that the MANIFEST
 * does not ask for is as good as unreadable, however sound its file is: an open
 * goes by the log, a verify names it, a repair removes it. Believed, it would
 * call new URLs seen, or take none in. A state that contradicts itself, or the
 * log, is as good as none.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdlib.h>
#include <string.h>

#include "items/state.h"
#include "queue_damage_rows.h"
#include "queue_records.h"

static const char first_log[] = "log-0000000000000000";

/* ---- sets of another kind ---- */

enum {
    KEYS = 2000 /* of a set that is put there */
};

typedef struct other_set {
    const char *name;
    seenset_options options;
    bool is_sealed; /* made of all its keys at once */
} other_set;

static const uint8_t secret[SEENSET_SECRET_BYTES] = "another";

#define PLAIN .capacity_items = 5000, .fp_rate = 1e-6
#define SIZED                                                                  \
    .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100000, .hash_count = 7

/* The first is of the queue's own kind: it is believed, and has forgotten. */
static const other_set plain_sets[] = {
    {"its kind", {PLAIN}, false},
    {"sealed", {.fp_rate = 1e-6}, true},
    {"keyed", {PLAIN, .secret = secret}, false},
    {"another capacity", {.capacity_items = 5001, .fp_rate = 1e-6}, false},
    {"another rate", {.capacity_items = 5000, .fp_rate = 1e-5}, false},
    {"classic", {PLAIN, .layout = SEENSET_LAYOUT_BLOOM}, false},
    {"counting", {PLAIN, .layout = SEENSET_LAYOUT_COUNTING}, false},
    {"one that degrades", {PLAIN, .on_full = SEENSET_ON_FULL_DEGRADE}, false},
    {"one that refuses", {PLAIN, .on_full = SEENSET_ON_FULL_REFUSE}, false},
    {"one that rotates", {PLAIN, .on_full = SEENSET_ON_FULL_ROTATE}, false},
};

#define KEYED                                                                  \
    .layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 500, .fp_rate = 0.01

/* What has no secret here gets that of the queue. */
static const other_set keyed_sets[] = {
    {"its kind", {KEYED}, false},
    {"keyed with another secret", {KEYED, .secret = secret}, false},
    {"another layout", {.capacity_items = 500, .fp_rate = 0.01}, false},
};

static const other_set sized_sets[] = {
    {"its kind", {SIZED}, false},
    {"of a scheme", {SIZED, .scheme = SEENSET_SCHEME_MD5_DIVMOD}, false},
    {"another size",
     {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100064, .hash_count = 7},
     false},
    {"other bits a key",
     {.layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100000, .hash_count = 6},
     false},
    {"the default", {.fp_rate = 0}, false},
};

/* With KEYS that are no URLs of the model's. */
static seenset *new_set(const other_set *of)
{
    uint64_t hashes[KEYS];
    seenset *set = NULL;
    for (uint64_t i = 0; i < KEYS; i++)
        hashes[i] = test_mix(i);
    if (of->is_sealed) {
        assert_int_equal(seenset_build_sealed_hashes(&set, &of->options, hashes,
                                                     KEYS, NULL, NULL),
                         SEENSET_OK);
        return set;
    }
    set = test_make(of->options);
    for (uint64_t i = 0; i < KEYS; i++)
        assert_true(seenset_add(set, &hashes[i], sizeof hashes[i]) >= 0);
    return set;
}

static void make_set(const damage *of, disk *on)
{
    const char *name = disk_last_name(on, "set-");
    size_t size_bytes;
    if (name == NULL)
        return;
    seenset *set = new_set(of->with);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    damage_write(on, name, bytes, size_bytes);
    free(bytes);
    seenset_free(set);
}

/* Where the log no longer has what the set held, nobody guesses. */
static void make_set_alone(const damage *of, disk *on)
{
    size_t size_bytes;
    const uint8_t *log = damage_bytes(on, first_log, 0, &size_bytes);
    make_set(of, on);
    if (log == NULL)
        return;
    damage_write(on, "log-0000000000000400", log, size_bytes);
    damage_remove(on, first_log);
}

static void list_sets(damage_list *to, disk *made, const other_set *sets,
                      size_t count)
{
    const char *name = disk_last_name(made, "set-");
    for (size_t i = 0; i < count; i++)
        damage_add(to, (damage){.make = make_set, .with = &sets[i]}, "%s is %s",
                   name, sets[i].name);
    damage_add(to, (damage){.make = make_set_alone, .with = &sets[1]},
               "%s is %s, log- is later", name, sets[1].name);
}

void damage_list_plain_sets(damage_list *to, disk *made)
{
    list_sets(to, made, plain_sets, TEST_COUNT(plain_sets));
}

/* With the secret of the queue, unless it has another one. */
static void make_keyed_set(const damage *of, disk *on)
{
    other_set set = *(const other_set *)of->with;
    damage keyed = *of;
    if (set.options.secret == NULL)
        set.options.secret = damage_keyed_set.secret;
    keyed.with = &set;
    make_set(&keyed, on);
}

void damage_list_keyed_sets(damage_list *to, disk *made)
{
    static const other_set open = {"not keyed", {KEYED}, false};
    const char *name = disk_last_name(made, "set-");
    for (size_t i = 0; i < TEST_COUNT(keyed_sets); i++)
        damage_add(to, (damage){.make = make_keyed_set, .with = &keyed_sets[i]},
                   "%s is %s", name, keyed_sets[i].name);
    damage_add(to, (damage){.make = make_set, .with = &open}, "%s is %s", name,
               open.name);
}

void damage_list_sized_sets(damage_list *to, disk *made)
{
    list_sets(to, made, sized_sets, TEST_COUNT(sized_sets));
}

/* ---- numbers of a state ---- */

/* Two entries and a range: see src/items/state.h. */
static const damage_field fields[] = {
    {"magic", 0, 8, false},          {"log id", 8, 4, false},
    {"reserved", 12, 4, false},      {"position", 16, 8, false},
    {"next item", 24, 8, false},     {"read item", 32, 8, false},
    {"read position", 40, 8, false}, {"dropped", 48, 8, false},
    {"refused", 56, 8, false},       {"not URLs", 64, 8, false},
    {"entries", 72, 8, false},       {"ranges", 80, 8, false},
    {"boot", 88, 8, false},          {"boot", 96, 8, false},
    {"steady clock", 104, 8, false}, {"wall clock", 112, 8, false},
    {"item", 120, 8, false},         {"at", 128, 8, false},
    {"due", 136, 8, false},          {"deliveries", 144, 4, false},
    {"held", 148, 4, false},         {"item", 152, 8, false},
    {"at", 160, 8, false},           {"first", 184, 8, false},
    {"end", 192, 8, false}};

void damage_list_state_numbers(damage_list *to, disk *made)
{
    const char *name = disk_last_name(made, "state-");
    damage_add_numbers(to, made, name, fields, TEST_COUNT(fields));
    /* as many bytes modulo 2^64; a length of a list was multiplied before it
     * was compared: RedisBloom#1027 */
    damage_add_forged(to, name, "entries", 72, 8, (UINT64_C(1) << 59) + 2);
    damage_add_forged(to, name, "ranges", 80, 8, (UINT64_C(1) << 60) + 1);
}

/* Of priority 0, 5, 8 (it has no items) and 9; and an entry. */
static const damage_field laned_fields[] = {
    {"read item", 120, 8, false},        {"read position", 128, 8, false},
    {"unacked items", 136, 8, false},    {"read item", 240, 8, false},
    {"read position", 248, 8, false},    {"unacked items", 256, 8, false},
    {"read item", 312, 8, false},        {"read position", 320, 8, false},
    {"unacked items", 328, 8, false},    {"read item", 336, 8, false},
    {"read position", 344, 8, false},    {"unacked items", 352, 8, false},
    {"forgotten hashes", 360, 8, false}, {"held", 396, 2, false},
    {"priority", 398, 2, false}};

/* Numbers of runs, and the first run; damage_list_delayed_numbers. */
static const damage_field delayed_fields[] = {
    {"runs", 368, 8, false},
    {"delayed items", 376, 8, false},
    {"delayed items", 384, 8, false},
    {"next run", 456, 8, false},
    {"number of run", 496, 8, false},
    {"records", 504, 8, false},
    {"lowest position", 512, 8, false},
    {"lane", 520, 8, false},
    {"taken", 528, 8, false},
    {"added to times", 536, 8, false}};

void damage_list_delayed_numbers(damage_list *to, disk *made)
{
    const char *name = disk_last_name(made, "state-");
    damage_add_numbers(to, made, name, delayed_fields,
                       TEST_COUNT(delayed_fields));
    damage_add_forged(to, name, "runs", 368, 8, (UINT64_C(1) << 60) + 2);
}

/* The same of a polite queue. */
static const damage_field polite_delayed_fields[] = {
    {"version", 7, 1, false},           {"ranges", 80, 8, false},
    {"bytes of hosts", 368, 8, false},  {"runs", 384, 8, false},
    {"delayed items", 392, 8, false},   {"delayed items", 400, 8, false},
    {"next run", 472, 8, false},        {"item", 480, 8, false},
    {"number of run", 512, 8, false},   {"records", 520, 8, false},
    {"lowest position", 528, 8, false}, {"lane", 536, 8, false},
    {"taken", 544, 8, false},           {"added to times", 552, 8, false}};

void damage_list_polite_delayed_numbers(damage_list *to, disk *made)
{
    const char *name = disk_last_name(made, "state-");
    damage_add_numbers(to, made, name, polite_delayed_fields,
                       TEST_COUNT(polite_delayed_fields));
    for (uint64_t item = 0; item <= 12; item++)
        damage_add_forged(to, name, "item", 480, 8, item);
    for (uint64_t version = 5; version <= 7; version++)
        damage_add_forged(to, name, "version", 7, 1, version);
    for (uint64_t log = 5; log <= 8; log++)
        damage_add_forged(to, "MANIFEST", "log version", 92, 4, log);
    damage_add_forged(to, name, "runs", 384, 8, (UINT64_C(1) << 60) + 2);
}

/* Also every small number of items. */
void damage_list_laned_numbers(damage_list *to, disk *made)
{
    const char *name = disk_last_name(made, "state-");
    damage_add_numbers(to, made, name, laned_fields, TEST_COUNT(laned_fields));
    for (unsigned lane = 0; lane < SS_LANES; lane++)
        for (uint64_t count = 0; count <= 12; count++)
            damage_add_forged(to, name, "unacked items", 136 + 24 * lane, 8,
                              count);
}

/* ---- a state and a log that do not agree ---- */

static void write_state(disk *on, ss_state *state, uint64_t position)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint8_t bytes[200];
    state->position = position;
    ss_state_encode(state, damage_log_id(on), bytes);
    damage_name(name, "state-", position);
    damage_write(on, name, bytes, ss_state_bytes(state));
}

/* The last item is leased, and all before it are done. It is said to be at a
 * place where it is, or not. */
static void make_entry(const damage *of, disk *on)
{
    size_t end;
    if (damage_bytes(on, first_log, 0, &end) == NULL)
        return;
    ss_state_entry entry = {.item = DAMAGE_CLOSED_ITEMS - 1,
                            .position = of->value,
                            .deliveries = 1,
                            .is_held = true};
    ss_state state = {
        .next_item = DAMAGE_CLOSED_ITEMS,
        .lanes = {{.read_item = DAMAGE_CLOSED_ITEMS, .read_position = end}},
        .entries = &entry,
        .entry_count = 1};
    write_state(on, &state, end);
}

/* At each record, and inside the last. */
void damage_list_state_entries(damage_list *to, disk *made)
{
    static const char what[] = "state- of an item at";
    size_t size_bytes;
    const uint8_t *log = damage_bytes(made, first_log, 0, &size_bytes);
    records of = records_begin(log, size_bytes);
    while (records_next(&of))
        damage_add_at(to, (damage){.make = make_entry, .value = of.at}, of.at,
                      what);
    damage_add_at(to, (damage){.make = make_entry, .value = of.end - 1},
                  of.end - 1, what);
}

/* What a state says that is the only one: it is possible, and the log has other
 * items, or no record there. Places are counted from the log's end if they are
 * negative, or 0. */
typedef struct other_state {
    const char *name;
    uint64_t next_item, read_item;
    int64_t read_position, position;
    bool has_push; /* after it */
} other_state;

static const other_state others[] = {
    {"state- of an item more", DAMAGE_CLOSED_ITEMS + 1, 0,
     SS_SEGMENT_HEADER_BYTES, 0, false},
    {"state- of all of the log, but for an item", DAMAGE_CLOSED_ITEMS,
     DAMAGE_CLOSED_ITEMS - 1, 0, 0, false},
    {"state- of all of the log and an item more", DAMAGE_CLOSED_ITEMS,
     DAMAGE_CLOSED_ITEMS + 1, 0, 0, false},
    {"state- from within a record", DAMAGE_CLOSED_ITEMS, 0,
     SS_SEGMENT_HEADER_BYTES, -1, false},
    {"state- of all of the log before a push, but for an item",
     DAMAGE_CLOSED_ITEMS, DAMAGE_CLOSED_ITEMS - 1, 0, 0, true},
    {"state- with a reader before items that it has read", DAMAGE_CLOSED_ITEMS,
     2, SS_SEGMENT_HEADER_BYTES, 0, false},
    {"state- with a reader within the header", DAMAGE_CLOSED_ITEMS, 0,
     SS_SEGMENT_HEADER_BYTES / 2, 0, false},
    {"state- with a reader within a record", DAMAGE_CLOSED_ITEMS, 1,
     SS_SEGMENT_HEADER_BYTES + 1, 0, false},
    {"state- with a reader within the last record", DAMAGE_CLOSED_ITEMS,
     DAMAGE_CLOSED_ITEMS, -1, 0, false},
};

static uint64_t place_of(int64_t place, size_t end)
{
    return (uint64_t)(place > 0 ? place : (int64_t)end + place);
}

static void make_other_state(const damage *of, disk *on)
{
    const other_state *to = of->with;
    const char *newest = disk_last_name(on, "state-");
    size_t end;
    if (newest == NULL || damage_bytes(on, first_log, 0, &end) == NULL)
        return;
    ss_state state = {
        .next_item = to->next_item,
        .lanes = {{.read_item = to->read_item,
                   .read_position = place_of(to->read_position, end)}}};
    damage_remove(on, newest);
    write_state(on, &state, place_of(to->position, end));
    if (to->has_push)
        damage_append_push(on, to->next_item);
}

void damage_list_other_states(damage_list *to, disk *made)
{
    (void)made;
    for (size_t i = 0; i < TEST_COUNT(others); i++)
        damage_add(to, (damage){.make = make_other_state, .with = &others[i]},
                   "%s", others[i].name);
}

/* As of the log's end, with everything still to be handed out; and a set of
 * the same position. Items come out until the first that is not counted. */
static void make_count(const damage *of, disk *on)
{
    size_t end;
    seenset_queue *queue;
    if (of->at > 0)
        damage_append_hole(on, of->at);
    if (ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL) != SEENSET_OK)
        return;
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    ss_state state = {.next_item = of->value,
                      .lanes = {{.read_position = SS_SEGMENT_HEADER_BYTES}}};
    if (damage_bytes(on, first_log, 0, &end) != NULL)
        write_state(on, &state, end);
}

void damage_list_state_counts(damage_list *to, disk *made)
{
    (void)made;
    for (uint64_t known = 0; known <= DAMAGE_CLOSED_ITEMS; known++) {
        for (uint64_t hole = 0; hole <= 20; hole += 20) {
            damage row = {.make = make_count, .value = known, .at = hole};
            damage_add_at(to, row, known,
                          hole > 0 ? "state- after a hole, of items:"
                                   : "state- of items:");
        }
    }
}
