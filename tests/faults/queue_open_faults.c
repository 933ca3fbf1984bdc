/*
 * queue_open_faults.c - what opening a queue hardly ever meets: memory or the
 * disk fail at each step, whatever there is to recover; a state contradicts the
 * log in one number; a file ends before it should. What fails is told, takes
 * nothing with it, and works the next time.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "queue/handle.h"
#include "queue/state.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    BIG_BYTES = 300000 /* more than is read at once */
};

#define LEASE_NS UINT64_C(61000000000) /* longer than one lasts */

static const char first_log[] = "log-0000000000000000";

/* ---- queues ---- */

/* Pushes the URLs first..end-1, each with so much data. */
static void push_some(seenset_queue *queue, int first, int end,
                      size_t data_bytes)
{
    static const char data[BIG_BYTES];
    for (int i = first; i < end; i++) {
        char url[16];
        int len = snprintf(url, sizeof url, "url %d", i);
        assert_int_equal(
            seenset_queue_push(queue, url, (size_t)len, data, data_bytes), 1);
    }
}

static void pop_some(seenset_queue *queue, int count, uint64_t *leases)
{
    seenset_queue_item item = {0};
    for (int i = 0; i < count; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        leases[i] = item.lease;
    }
    seenset_queue_item_free(&item);
}

/* What the disk holds while the queue is open: its process was killed. */
static disk *kill_it(disk *on, seenset_queue *queue)
{
    disk *killed = disk_copy(on);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
    return killed;
}

static disk *close_it(disk *on, seenset_queue *queue)
{
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return on;
}

/* Items of a sound queue once no lease holds any more; uses it up. */
static int count_items(disk *on, bool keep_leases)
{
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.keep_leases = keep_leases});
    seenset_queue_item item = {0};
    int count = 0;
    disk_pass_ns(on, LEASE_NS);
    while (seenset_queue_pop(queue, &item) == 1)
        count++;
    seenset_queue_item_free(&item);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return count;
}

/* Three items, none of them handed out, and a clean end. */
static disk *closed_queue(void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    push_some(queue, 0, 3, 0);
    return close_it(on, queue);
}

/* The first thing behind the snapshots is an ack. */
static disk *acked_queue(void)
{
    disk *on = closed_queue();
    uint64_t leases[2];
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    pop_some(queue, 2, leases);
    assert_int_equal(seenset_queue_ack_many(queue, leases, 2), SEENSET_OK);
    return kill_it(on, queue);
}

/* Six items that are handed out; item 1 is acked. */
static seenset_queue *open_leased(disk *on, uint64_t leases[6])
{
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    push_some(queue, 0, 6, 0);
    pop_some(queue, 6, leases);
    assert_int_equal(seenset_queue_ack(queue, leases[1]), SEENSET_OK);
    return queue;
}

/* A snapshot with the leases of items 0, 2, 4 and 5. */
static disk *leased_queue(void)
{
    disk *on = disk_new();
    uint64_t leases[6];
    seenset_queue *queue = open_leased(on, leases);
    assert_int_equal(seenset_queue_ack(queue, leases[3]), SEENSET_OK);
    return close_it(on, queue);
}

/* One of those leases was acked behind the snapshot. */
static disk *leased_and_acked_queue(void)
{
    disk *on = disk_new();
    uint64_t leases[6];
    seenset_queue *queue = open_leased(on, leases);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_ack(queue, leases[2]), SEENSET_OK);
    return kill_it(on, queue);
}

/* Two items were acked, and the reader began again before them. */
static disk *reread_queue(void)
{
    disk *on = leased_queue();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    push_some(queue, 6, 7, 0);
    return close_it(on, queue);
}

/* More items than one chunk, and the set grows among the last of them too. */
static disk *grown_queue(void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(
        on, (seenset_queue_options){
                .set = &(const seenset_options){.on_full = SEENSET_ON_FULL_GROW,
                                                .capacity_items = 10,
                                                .fp_rate = 1e-6}});
    push_some(queue, 0, 700, 0);
    return kill_it(on, queue);
}

static disk *big_queue(void)
{
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    push_some(queue, 0, 1, BIG_BYTES);
    return kill_it(on, queue);
}

/* The last record is torn. */
static disk *torn_queue(void)
{
    size_t *size_bytes;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    push_some(queue, 0, 4, 0);
    on = kill_it(on, queue);
    assert_non_null(disk_file(on, first_log, &size_bytes));
    *size_bytes -= 1;
    return on;
}

/* The next segment has a name, and not yet a whole header. */
static disk *unborn_queue(void)
{
    size_t *size_bytes;
    char name[SS_FOLDER_NAME_BYTES];
    disk *on = closed_queue();
    assert_non_null(disk_file(on, first_log, &size_bytes));
    ss_directory_name(name, SS_FOLDER_LOG, *size_bytes);
    disk_put(on, name, 0, "SEENLOG", 7);
    return on;
}

/* ---- opening ---- */

typedef struct opening {
    const char *name;
    disk *(*make)(void);
    int items;
    bool keep_leases;
} opening;

static const opening openings[] = {
    {"closed", closed_queue, 3, false},
    {"acked", acked_queue, 1, false},
    {"leased", leased_queue, 4, false},
    {"leased and acked", leased_and_acked_queue, 4, false},
    {"leases that go on", leased_and_acked_queue, 4, true},
    {"read again", reread_queue, 5, false},
    {"grown", grown_queue, 700, false},
    {"big", big_queue, 1, false},
    {"torn", torn_queue, 3, false},
    {"unborn", unborn_queue, 3, false},
};

/* Opens while allocation `at` fails; whether there were as many. */
static bool open_without_memory(const opening *row, disk *on, size_t at,
                                bool is_lasting, int *failures)
{
    test_memory memory;
    seenset_queue *queue = NULL;
    test_memory_init(&memory);
    memory.fail_at = at;
    memory.is_lasting = is_lasting;
    seenset_queue_options options = {
        .set = &(const seenset_options){.allocator = &memory.allocator},
        .keep_leases = row->keep_leases};
    int error = ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options);
    bool is_hit = memory.calls >= at;
    memory.fail_at = 0;
    if (error == SEENSET_OK) {
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    } else {
        assert_int_equal(error, SEENSET_ENOMEM);
        assert_null(queue);
        assert_true(is_hit);
        ++*failures;
    }
    assert_int_equal(memory.live_blocks, 0);
    return is_hit;
}

static void opening_may_lack_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * TEST_COUNT(openings); i++) {
        const opening *row = &openings[i / 2];
        disk *made = row->make();
        int failures = 0;
        bool is_hit = true;
        for (size_t at = 1; is_hit; at++) {
            disk *on = disk_copy(made);
            is_hit = open_without_memory(row, on, at, i % 2 == 1, &failures);
            assert_int_equal(count_items(on, row->keep_leases), row->items);
            disk_free(on);
        }
        print_message("%s: %d times\n", row->name, failures);
        assert_true(failures > 5);
        disk_free(made);
    }
}

/* A copy of a disk on which operation `at` fails, and perhaps all later. */
static disk *failing_copy(disk *made, long at, bool is_lasting)
{
    disk *on = disk_copy(made);
    *disk_faults_of(on) = (disk_faults){.fail_at = disk_operations(on) + at,
                                        .error = EIO,
                                        .is_lasting = is_lasting};
    return on;
}

/* Whether the operation that is to fail was reached; none fails from now. */
static bool end_faults(disk *on)
{
    bool is_hit = disk_operations(on) >= disk_faults_of(on)->fail_at;
    *disk_faults_of(on) = (disk_faults){.fail_at = 0};
    return is_hit;
}

static void opening_may_lack_a_disk(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * TEST_COUNT(openings); i++) {
        const opening *row = &openings[i / 2];
        disk *made = row->make();
        int failures = 0;
        bool is_hit = true;
        for (long at = 1; is_hit; at++) {
            seenset_queue *queue = NULL;
            disk *on = failing_copy(made, at, i % 2 == 1);
            seenset_queue_options options = {.keep_leases = row->keep_leases};
            int error =
                ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options);
            is_hit = end_faults(on);
            if (error == SEENSET_OK) {
                assert_false(disk_has_failed(on));
                assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
            } else {
                assert_int_equal(error, SEENSET_EIO);
                assert_true(is_hit);
                failures++;
            }
            assert_int_equal(count_items(on, row->keep_leases), row->items);
            disk_free(on);
        }
        assert_true(failures > 5);
        disk_free(made);
    }
}

/* ---- states that the log contradicts ---- */

typedef struct contradiction {
    const char *name;
    uint64_t more_items, read_items; /* read_items: and read to the end */
    uint64_t earlier_bytes;          /* is its position */
    const char *reason; /* why the queue does not open; NULL: it does */
} contradiction;

static void rewrite_state(disk *on, const ss_directory *folder,
                          const contradiction *row)
{
    char moved[SS_FOLDER_NAME_BYTES];
    ss_memory memory;
    ss_state state;
    size_t *size_bytes;
    const char *name = disk_name(on, SS_FOLDER_STATE, 0);
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    assert_non_null(name);
    assert_null(disk_name(on, SS_FOLDER_STATE, 1));
    uint8_t *bytes = disk_file(on, name, &size_bytes);
    uint32_t log_id = (uint32_t)ss_bits_load(bytes + 8, 8);
    assert_int_equal(
        ss_state_decode(&state, &memory, log_id, bytes, *size_bytes),
        SEENSET_OK);
    state.next_item += row->more_items;
    if (row->read_items > 0) {
        state.read_item = row->read_items;
        state.read_position = state.position;
    }
    state.position -= row->earlier_bytes;
    ss_state_encode(&state, log_id, bytes);
    ss_directory_name(moved, SS_FOLDER_STATE, state.position);
    if (row->earlier_bytes > 0) {
        disk_put(on, moved, 0, bytes, *size_bytes);
        ss_directory_remove(folder, name);
    }
    ss_state_free(&state, &memory);
}

/* A closed queue of three items; the only state is rewritten. */
static disk *contradicted_queue(const contradiction *row)
{
    ss_directory folder;
    disk *on = closed_queue();
    assert_int_equal(ss_directory_init(&folder, disk_io(on), DISK_FOLDER), 0);
    ss_directory_remove(&folder, "state-0000000000000000");
    rewrite_state(on, &folder, row);
    return on;
}

static void check_refused(disk *on, const char *reason)
{
    seenset_queue *queue = NULL;
    seenset_queue_report report;
    seenset_queue_options options = {.report = &report};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_EDAMAGED);
    assert_string_equal(report.reason, reason);
}

static void states_may_contradict_the_log(void **state)
{
    static const contradiction rows[] = {
        {"an item more than the log has", 1, 0, 0,
         "the log lacks items of its snapshots"},
        {"one item is not read, and all of the log", 0, 2, 0,
         "the log lacks items of its snapshots"},
        {"it was made within a record", 0, 0, 1, NULL},
    };
    static const contradiction none = {.name = "none"};
    (void)state;
    disk *sound = contradicted_queue(&none);
    assert_int_equal(ss_queue_verify(disk_io(sound), DISK_FOLDER, NULL), 0);
    assert_int_equal(count_items(sound, false), 3);
    disk_free(sound);
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        seenset_queue_report report;
        print_message("%s\n", rows[i].name);
        disk *on = contradicted_queue(&rows[i]);
        if (rows[i].reason != NULL)
            check_refused(on, rows[i].reason);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &report),
                         SEENSET_EDAMAGED);
        assert_memory_equal(report.file, SS_FOLDER_STATE, 6);
        assert_int_equal(ss_queue_repair(disk_io(on), DISK_FOLDER, NULL), 0);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, NULL), 0);
        assert_int_equal(count_items(on, false), 3);
        disk_free(on);
    }
}

/* ---- reading ---- */

/* Files can be shorter than they were when somebody asked, or gone. */
static void readers_meet_an_early_end(void **state)
{
    static const char start[10] = "SEENLOG";
    uint64_t first = 0;
    const ss_positions segments = {&first, 1, 1};
    ss_memory memory;
    ss_directory folder;
    ss_log_reader reader;
    ss_record record;
    (void)state;
    disk *on = disk_new();
    assert_int_equal(ss_memory_init(&memory, NULL), SEENSET_OK);
    assert_int_equal(ss_directory_init(&folder, disk_io(on), DISK_FOLDER), 0);
    assert_int_equal(
        ss_log_reader_init(&reader, &folder, &memory, &segments, 7, 4096),
        SEENSET_OK);
    assert_int_equal(ss_log_reader_find(&reader, 100), SEENSET_EIO);
    assert_int_equal(errno, ENOENT);
    disk_put(on, first_log, 0, start, sizeof start);
    assert_int_equal(ss_log_reader_next(&reader, 100, &record, NULL),
                     SEENSET_EDAMAGED);
    assert_int_equal(reader.position, 0);
    assert_int_equal(ss_log_reader_find(&reader, 100), 0);
    uint8_t header[SS_SEGMENT_HEADER_BYTES + sizeof start] = {0};
    ss_segment_encode(header, 7, 0);
    disk_put(on, first_log, 0, header, sizeof header);
    ss_log_reader_seek(&reader, 0);
    assert_int_equal(ss_log_reader_next(&reader, 1000, &record, NULL),
                     SEENSET_EDAMAGED);
    assert_int_equal(reader.position, SS_SEGMENT_HEADER_BYTES);
    ss_log_reader_free(&reader);
    disk_free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_may_lack_memory),
        cmocka_unit_test(opening_may_lack_a_disk),
        cmocka_unit_test(states_may_contradict_the_log),
        cmocka_unit_test(readers_meet_an_early_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
