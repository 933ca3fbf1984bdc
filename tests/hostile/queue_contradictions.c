/*
 * queue_contradictions.c - a state that the log contradicts in one number.
 *
 * The file is whole and each of its numbers is possible, but the log has other
 * items than it counts, or no record where it was made. The open refuses it, or
 * goes by the log; verify finds it in any case, and a repair, which does
 * without it, keeps every item.
 */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "base/bits.h"
#include "queue/handle.h"
#include "queue/state.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "support.h"

enum {
    ITEMS = 3
};

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

/* A closed queue; the only state is rewritten. */
static disk *contradicted_queue(const contradiction *row)
{
    ss_directory folder;
    disk *on = disk_new();
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    assert_int_equal(model_push(queue, 0, ITEMS), ITEMS);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
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
    assert_int_equal(model_count(sound), ITEMS);
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
        assert_int_equal(model_count(on), ITEMS);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_may_contradict_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
