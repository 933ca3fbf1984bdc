/*
 * queue_damage_queues.c - the queues that are damaged.
 *
 * Each is there for what its files have: several segments, one, none; a log
 * whose every record is known to be durable; snapshots with leases and acks, or
 * none yet; a set of a kind of its own. Their sets are small, so that thousands
 * of openings take seconds.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include <stdlib.h>
#include <string.h>

#include "queue/folder/manifest.h"
#include "queue_damage_rows.h"
#include "queue_model.h"

/* Of the layout that is planned fastest. */
static const seenset_options small = {
    .layout = SEENSET_LAYOUT_BLOOM, .capacity_items = 500, .fp_rate = 0.01};
const seenset_options damage_plain_set = {.capacity_items = 5000,
                                          .fp_rate = 1e-6};
const seenset_options damage_sized_set = {
    .layout = SEENSET_LAYOUT_BLOOM, .size_bits = 100000, .hash_count = 7};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen letters";
const seenset_options damage_keyed_set = {.layout = SEENSET_LAYOUT_BLOOM,
                                          .capacity_items = 500,
                                          .fp_rate = 0.01,
                                          .secret = secret};

/* ---- plain ones ---- */

static disk *new (void)
{
    disk *on = disk_new();
    return model_kill(on,
                      model_open(on, (seenset_queue_options){.set = &small}));
}

/* A few items, all in one segment, and a clean end; with a set, or without. */
static disk *closed_after(int (*last)(seenset_queue *queue))
{
    disk *on = disk_new();
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.set = &small});
    assert_int_equal(model_push(queue, 0, DAMAGE_CLOSED_ITEMS),
                     DAMAGE_CLOSED_ITEMS);
    assert_int_equal(last(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return on;
}

static disk *closed(void)
{
    return closed_after(seenset_queue_sync);
}

static disk *saved(void)
{
    return closed_after(seenset_queue_checkpoint);
}

/* Some segments, and a record that was cut off. */
static disk *torn(void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(
        on, (seenset_queue_options){.set = &small, .segment_bytes = 4096});
    assert_int_equal(model_push(queue, 0, 120), 120);
    disk *killed = model_kill(on, queue);
    size_t *length;
    (void)disk_file(killed, disk_last_name(killed, "log-"), &length);
    *length -= 10;
    return killed;
}

/* Every push was durable before the next, and a later record says so. */
static disk *synced(void)
{
    disk *on = disk_new();
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.set = &small});
    for (int i = 0; i < 12; i++)
        assert_int_equal(model_push(queue, i, i + 1), 1);
    return model_kill(on, queue);
}

/* ---- with sets of a given kind ---- */

static disk *with_set(const seenset_options *set)
{
    enum {
        HALF = DAMAGE_SET_ITEMS / 2
    };
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){.set = set});
    assert_int_equal(model_push(queue, 0, HALF), HALF);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(model_push(queue, HALF, 2 * HALF), HALF);
    return model_kill(on, queue);
}

static disk *plain(void)
{
    return with_set(&damage_plain_set);
}

static disk *sized(void)
{
    return with_set(&damage_sized_set);
}

/* ---- with leases ---- */

/* Items 5 to 7 are acked ahead of the reader, 0 and 1 are handed out, and
 * nothing else was touched. With a state and a set, or killed before them. */
static disk *with_leases(bool has_snapshots)
{
    static const seenset_options set = {.capacity_items = 200, .fp_rate = 0.01};
    const seenset_queue_options options = {.set = &set,
                                           .segment_bytes = 1 << 20};
    disk *on = disk_new();
    seenset_queue_item item = {0};
    seenset_queue *queue = model_open(on, options);
    assert_int_equal(model_push(queue, 0, 12), 12);
    disk *killed = disk_copy(on);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        if (i >= 5 && i <= 7)
            assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
    }
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    queue = model_open(on, options);
    for (int i = 0; i < 2; i++)
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    seenset_queue_item_free(&item);
    disk_free(has_snapshots ? killed : on);
    return has_snapshots ? on : killed;
}

static disk *leased(void)
{
    return with_leases(true);
}

static disk *bare(void)
{
    return with_leases(false);
}

/* ---- of kinds that version 2 of the MANIFEST is for ---- */

/* Three items and a snapshot; then, after a time, some of them once more and
 * two others. */
static disk *of_kind(seenset_queue_options options)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, options);
    assert_int_equal(model_push(queue, 0, 3), 3);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    disk_pass_ns(on, UINT64_C(60000000000));
    assert_int_equal(model_push(queue, 1, DAMAGE_CLOSED_ITEMS),
                     DAMAGE_CLOSED_ITEMS - 3);
    return model_kill(on, queue);
}

static disk *keyed(void)
{
    return of_kind((seenset_queue_options){.set = &damage_keyed_set});
}

static disk *sliding(void)
{
    static const seenset_options set = {.layout = SEENSET_LAYOUT_BLOOM,
                                        .on_full = SEENSET_ON_FULL_ROTATE,
                                        .flags = SEENSET_FLAG_SLIDING,
                                        .window_seconds = 100,
                                        .capacity_items = 500,
                                        .fp_rate = 0.01};
    return of_kind((seenset_queue_options){.set = &set});
}

static disk *exact(void)
{
    return of_kind((seenset_queue_options){.flags = SEENSET_QUEUE_EXACT});
}

/* The factors of its scheme are in its MANIFEST, which is of version 6. */
static disk *schemed(void)
{
    static const uint32_t factors[] = {31, 131, 1313};
    static const seenset_scheme_arguments utf16 = {
        .seeds = factors, .seed_count = 3, .unit_bits = 16};
    static const seenset_options set = {.scheme = SEENSET_SCHEME_POLYNOMIAL,
                                        .scheme_arguments = &utf16,
                                        .size_bits = 4096,
                                        .hash_count = 3};
    return of_kind((seenset_queue_options){.set = &set});
}

/* ---- with priorities ---- */

static void push_lane(seenset_queue *queue, int first, int end,
                      uint32_t priority)
{
    const seenset_queue_push_options options = {.priority = priority};
    for (int i = first; i < end; i++) {
        char url[32];
        uint8_t answer;
        model_url(i, url);
        const seenset_queue_entry entry = {.url = url, .url_len = strlen(url)};
        assert_int_equal(
            seenset_queue_push_many(queue, &entry, 1, &options, &answer),
            SEENSET_OK);
        assert_int_equal(answer, SEENSET_ANSWER_NEW);
    }
}

/* One that has the items, and one that has none and is blocked. */
static void set_hosts(seenset_queue *queue)
{
    static const seenset_queue_host_settings some = {
        .flags = SEENSET_QUEUE_HOST_BUDGET, .budget = 5000};
    static const seenset_queue_host_settings all = {
        .flags = SEENSET_QUEUE_HOST_BUDGET | SEENSET_QUEUE_HOST_DELAY |
                 SEENSET_QUEUE_HOST_BLOCK,
        .budget = 2,
        .delay_seconds = 10,
        .block_seconds = 3600};
    assert_int_equal(seenset_queue_set_host(queue, "a.example", 9, &some),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_set_host(queue, "B.example", 9, &all),
                     SEENSET_OK);
}

/* Of priority 0 four items wait; of 9 one is leased, one acked, and four wait;
 * of 5 two wait, which came after the set was written. The state is of the
 * log's end. */
static disk *with_lanes(const seenset_queue_politeness *politeness)
{
    disk *on = disk_new();
    seenset_queue_item item = {0};
    seenset_queue *queue = model_open(
        on, (seenset_queue_options){.set = &small, .politeness = politeness});
    if (politeness != NULL)
        set_hosts(queue);
    push_lane(queue, 0, 4, 0);
    push_lane(queue, 4, 8, 9);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    push_lane(queue, 8, 10, 5);
    push_lane(queue, 10, 12, 9);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_OK);
    assert_int_equal(seenset_queue_save_leases(queue), SEENSET_OK);
    seenset_queue_item_free(&item);
    return model_kill(on, queue);
}

static disk *laned(void)
{
    return with_lanes(NULL);
}

static disk *polite(void)
{
    return with_lanes(&model_at_once);
}

/* The same, but items were moved in its log: some before its newest state,
 * which is of version 6, one of them leased, and some after it. */
static disk *moved(void)
{
    disk *on = disk_new();
    seenset_queue_item item = {0};
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.set = &small,
                                               .politeness = &model_at_once});
    set_hosts(queue);
    push_lane(queue, 0, 4, 0);
    push_lane(queue, 4, 8, 9);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    push_lane(queue, 8, 10, 5);
    push_lane(queue, 10, 12, 9);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(item.number, 4);
    for (uint64_t i = 0; i <= 4; i += 2)
        model_move(queue, i);
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(seenset_queue_ack(queue, item.lease), SEENSET_OK);
    assert_int_equal(seenset_queue_save_leases(queue), SEENSET_OK);
    model_move(queue, 2);
    model_move(queue, 9);
    seenset_queue_item_free(&item);
    return model_kill(on, queue);
}

const damage_queue damage_queues[] = {
    {"a queue with a past",
     model_past,
     false,
     NULL,
     {damage_list_files, damage_list_gone}},
    {"a queue that was closed",
     closed,
     false,
     NULL,
     {damage_list_files, damage_list_gone, damage_list_records,
      damage_list_other_states}},
    {"a queue that was saved and closed",
     saved,
     false,
     NULL,
     {damage_list_files, damage_list_gone, damage_list_far_files,
      damage_list_state_counts, damage_list_state_entries}},
    {"a torn queue", torn, false, NULL, {damage_list_files, damage_list_gone}},
    {"a new queue", new, false, NULL, {damage_list_files, damage_list_gone}},
    {"a queue that synced each push",
     synced,
     false,
     NULL,
     {damage_list_log_bytes}},
    {"a queue with a set for 5,000",
     plain,
     false,
     NULL,
     {damage_list_plain_sets}},
    {"a queue with a set of 100,000 bits",
     sized,
     false,
     NULL,
     {damage_list_sized_sets}},
    {"a queue with leases, which end",
     leased,
     false,
     NULL,
     {damage_list_manifest_numbers, damage_list_state_numbers}},
    {"a queue with leases, which go on",
     leased,
     true,
     NULL,
     {damage_list_state_numbers}},
    {"a queue before its first snapshot",
     bare,
     false,
     NULL,
     {damage_list_manifest_numbers}},
    {"a keyed queue",
     keyed,
     false,
     secret,
     {damage_list_files, damage_list_second_manifest_numbers,
      damage_list_keyed_sets}},
    {"a queue with a sliding window by age",
     sliding,
     false,
     NULL,
     {damage_list_files, damage_list_second_manifest_numbers,
      damage_list_timed_records}},
    {"an exact queue",
     exact,
     false,
     NULL,
     {damage_list_files, damage_list_second_manifest_numbers,
      damage_list_exact_sets}},
    {"a queue with the factors of its scheme",
     schemed,
     false,
     NULL,
     {damage_list_files, damage_list_sixth_manifest_numbers}},
    {"a queue with priorities",
     laned,
     true,
     NULL,
     {damage_list_files, damage_list_laned_numbers, damage_list_laned_records,
      damage_list_impolite_records}},
    {"a polite queue, whose leases go on",
     polite,
     true,
     NULL,
     {damage_list_files, damage_list_gone, damage_list_polite_manifest,
      damage_list_polite_state, damage_list_laned_records,
      damage_list_polite_records}},
    {"a polite queue whose items were moved",
     moved,
     true,
     NULL,
     {damage_list_files, damage_list_gone, damage_list_polite_state,
      damage_list_moved_records}},
    {"a polite queue with a past",
     model_polite_past,
     false,
     NULL,
     {damage_list_files, damage_list_gone}},
    {"a queue with delayed items, which go on",
     damage_delayed,
     true,
     NULL,
     {damage_list_files, damage_list_gone, damage_list_delayed_numbers}},
    {"a queue with delayed items, which end",
     damage_delayed,
     false,
     NULL,
     {damage_list_files, damage_list_gone, damage_list_delayed_numbers}},
    {"a polite queue with delayed items, which go on",
     damage_polite_delayed,
     true,
     NULL,
     {damage_list_files, damage_list_gone, damage_list_polite_delayed_numbers}},
    {"a polite queue with delayed items, which end",
     damage_polite_delayed,
     false,
     NULL,
     {damage_list_files, damage_list_gone}},
};
const size_t damage_queue_count = TEST_COUNT(damage_queues);

/* ---- what is done with all of them ---- */

damage_list damage_list_all(const damage_queue *of, disk *made)
{
    damage_list list = {0};
    for (int i = 0; i < DAMAGE_LISTERS && of->listers[i] != NULL; i++)
        of->listers[i](&list, made);
    assert_true(list.count > 0);
    return list;
}

int damage_open(const damage_queue *of, disk *on, test_memory *memory,
                seenset_queue **out, seenset_queue_report *report)
{
    test_memory_init(memory);
    memory->most_bytes = DAMAGE_MOST_BYTES;
    memory->is_bare = true;
    const seenset_options set = {.allocator = &memory->allocator,
                                 .secret = of->secret};
    const seenset_queue_options options = {
        .set = &set,
        .flags = SEENSET_QUEUE_MUST_EXIST |
                 (of->keeps_leases ? SEENSET_QUEUE_KEEP_LEASES : 0),
        .report = report};
    *out = NULL;
    return ss_queue_open(disk_io(on), out, DISK_FOLDER, &options);
}

seenset_options damage_given(const damage_queue *of)
{
    return (seenset_options){.secret = of->secret};
}

int damage_try_manifest(const damage_queue *of, disk *on)
{
    test_memory memory;
    ss_memory reading;
    ss_folder folder;
    ss_manifest manifest;
    seenset *set = NULL;
    const seenset_options given = damage_given(of);
    test_memory_init(&memory);
    memory.most_bytes = DAMAGE_MOST_BYTES;
    memory.is_bare = true;
    assert_int_equal(ss_memory_init(&reading, &memory.allocator), SEENSET_OK);
    assert_int_equal(ss_folder_use(&folder, disk_io(on), DISK_FOLDER),
                     SEENSET_OK);
    int error = ss_manifest_read(&manifest, &folder, &reading, &given, NULL);
    if (error != SEENSET_OK || manifest.is_exact)
        return error;
    manifest.set.allocator = &memory.allocator;
    error = seenset_new(&set, &manifest.set);
    seenset_free(set);
    return error;
}

bool damage_is_large(const damage_queue *of, disk *on,
                     const seenset_queue_report *verified)
{
    return verified->damaged_bytes > DAMAGE_MOST_BYTES ||
           damage_try_manifest(of, on) == SEENSET_ENOMEM;
}
