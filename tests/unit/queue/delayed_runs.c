/*
 * delayed_runs.c - runs of many blocks, and lists of them, beside a sorted
 * table.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "items/delayed/delays.h"
#include "items/delayed/run_write.h"
#include "queue_disk.h"
#include "support.h"

enum {
    ITEMS = 1000, /* eight blocks */
    LOG_ID = 77,
    LANE = 3,
    NUMBERS = 4 * ITEMS /* below which items are */
};

typedef struct world {
    disk *on;
    ss_memory memory;
    ss_folder folder;
    ss_run_files files;
    test_random random;
    ss_delay items[2 * ITEMS]; /* by number */
    size_t count;
    bool is_gone[2 * ITEMS];
} world;

static void begin(world *of, uint64_t seed)
{
    *of = (world){.on = disk_new(), .random = {seed}};
    assert_int_equal(ss_memory_init(&of->memory, NULL), SEENSET_OK);
    assert_int_equal(ss_folder_use(&of->folder, disk_io(of->on), DISK_FOLDER),
                     SEENSET_OK);
    of->files = (ss_run_files){
        .folder = &of->folder, .memory = &of->memory, .log_id = LOG_ID};
}

/* Items with gaps between them, many of them due at once, some long ago. */
static void draw(world *of, size_t count, uint64_t first)
{
    uint64_t number = first;
    for (size_t i = 0; i < count; i++) {
        number += 1 + test_random_below(&of->random, 3);
        of->items[of->count++] = (ss_delay){
            .item = number,
            .position = 50 + number * 3,
            .due_ns = (int64_t)test_random_below(&of->random, 200) - 10,
            .deliveries = (uint32_t)number % 7,
            .turn = 1 + (uint32_t)number % 1000};
    }
}

static int by_due(const void *a, const void *b)
{
    return ss_delay_is_before(a, b) ? -1 : ss_delay_is_before(b, a);
}

static int by_item(const void *a, const void *b)
{
    const ss_delay *one = a, *other = b;
    return one->item < other->item ? -1 : one->item > other->item;
}

/* Writes count of them as a run, from `first` on, each `step`-th. */
static ss_run_name write_run(world *of, uint64_t number, size_t first,
                             size_t step)
{
    static ss_delay sorted[2 * ITEMS];
    ss_run_writer to;
    size_t count = 0;
    for (size_t i = first; i < of->count; i += step)
        sorted[count++] = of->items[i];
    assert_int_equal(ss_run_begin(&to, &of->files, number, LANE), SEENSET_OK);
    qsort(sorted, count, sizeof *sorted, by_due);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(ss_run_put(&to, &sorted[i]), SEENSET_OK);
    assert_int_equal(ss_run_turn_to_items(&to), SEENSET_OK);
    qsort(sorted, count, sizeof *sorted, by_item);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(ss_run_put(&to, &sorted[i]), SEENSET_OK);
    assert_int_equal(ss_run_finish(&to), SEENSET_OK);
    assert_int_equal(to.name.count, count);
    assert_int_equal(to.name.floor, sorted[0].position);
    return to.name;
}

static void assert_same(const ss_delay *a, const ss_delay *b)
{
    assert_int_equal(a->item, b->item);
    assert_int_equal(a->position, b->position);
    assert_true(a->due_ns == b->due_ns);
    assert_int_equal(a->deliveries, b->deliveries);
    assert_int_equal(a->turn, b->turn);
}

/* The first of the table from a number on, that is not gone. */
static const ss_delay *next_in_table(const world *of, uint64_t from)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].item >= from && !of->is_gone[i])
            return &of->items[i];
    return NULL;
}

static const ss_delay *first_in_table(const world *of)
{
    const ss_delay *first = NULL;
    for (size_t i = 0; i < of->count; i++)
        if (!of->is_gone[i] &&
            (first == NULL || ss_delay_is_before(&of->items[i], first)))
            first = &of->items[i];
    return first;
}

/* ---- one run ---- */

static void check_orders(world *of, ss_run *run)
{
    ss_delay sorted[ITEMS], got;
    memcpy(sorted, of->items, sizeof sorted);
    qsort(sorted, ITEMS, sizeof *sorted, by_due);
    for (uint64_t i = 0; i < ITEMS; i++) {
        assert_int_equal(ss_run_read(run, &of->files, SS_RUN_BY_DUE, i, &got),
                         SEENSET_OK);
        assert_same(&got, &sorted[i]);
        assert_int_equal(ss_run_read(run, &of->files, SS_RUN_BY_ITEM, i, &got),
                         SEENSET_OK);
        assert_same(&got, &of->items[i]);
    }
}

/* Numbers in order, as a walk asks for them, and at random. */
static void check_finds(world *of, ss_run *run)
{
    uint64_t index, last = of->items[ITEMS - 1].item + 5;
    for (uint64_t i = 0; i < 2 * last; i++) {
        uint64_t item = i < last ? i : test_random_below(&of->random, last);
        const ss_delay *wanted = next_in_table(of, item);
        assert_int_equal(ss_run_find(run, &of->files, item, &index),
                         SEENSET_OK);
        assert_int_equal(index,
                         wanted == NULL ? ITEMS : (size_t)(wanted - of->items));
    }
}

static void check_due(world *of, ss_run *run)
{
    for (uint64_t now = 0; now < 210; now++) {
        uint64_t index, due = 0;
        for (size_t i = 0; i < of->count; i++)
            due += of->items[i].due_ns <= (int64_t)now;
        assert_int_equal(ss_run_find_due(run, &of->files, now, &index),
                         SEENSET_OK);
        assert_int_equal(index, due < run->next ? run->next : due);
    }
}

static void run_has_what_was_written(void **state)
{
    world of;
    ss_run run;
    (void)state;
    for (int open = 0; open < 2; open++) {
        begin(&of, 1);
        draw(&of, ITEMS, 5);
        of.files.stay_open = open == 1;
        const ss_run_name name = write_run(&of, 9, 0, 1);
        assert_int_equal(ss_run_open(&run, &of.files, &name), SEENSET_OK);
        if (open == 1)
            disk_io(of.on)->unlink(of.on,
                                   DISK_FOLDER "/delayed-0000000000000009");
        check_orders(&of, &run);
        check_finds(&of, &run);
        check_due(&of, &run);
        run.next = 300;
        check_due(&of, &run);
        ss_run_close(&run, &of.files);
        assert_int_equal(disk_open_files(of.on), 0);
        disk_free(of.on);
    }
}

/* Any number that its state may have wrongly. */
static void run_of_another_name_is_damaged(void **state)
{
    world of;
    ss_run run;
    (void)state;
    begin(&of, 2);
    draw(&of, ITEMS, 0);
    const ss_run_name name = write_run(&of, 9, 0, 1);
    ss_run_name other[4] = {name, name, name, name};
    other[0].number++;
    other[1].count++;
    other[2].floor--;
    other[3].lane--;
    for (size_t i = 0; i < TEST_COUNT(other); i++)
        assert_int_equal(ss_run_open(&run, &of.files, &other[i]),
                         SEENSET_EDAMAGED);
    of.files.log_id++;
    assert_int_equal(ss_run_open(&run, &of.files, &name), SEENSET_EDAMAGED);
    disk_free(of.on);
}

/* Reads all that there is, and returns the first error. */
static int read_all(world *of, const ss_run_name *name)
{
    ss_run run;
    ss_delay got;
    int error = ss_run_open(&run, &of->files, name);
    for (uint64_t i = 0; i < 2 * ITEMS && error == SEENSET_OK; i++)
        error = ss_run_read(&run, &of->files,
                            i < ITEMS ? SS_RUN_BY_DUE : SS_RUN_BY_ITEM,
                            i % ITEMS, &got);
    ss_run_close(&run, &of->files);
    return error;
}

static void each_byte_of_a_run_counts(void **state)
{
    world of;
    (void)state;
    begin(&of, 3);
    draw(&of, ITEMS, 0);
    const ss_run_name name = write_run(&of, 9, 0, 1);
    const char *file = disk_name(of.on, "delayed-", 0);
    size_t *size_bytes;
    assert_non_null(disk_file(of.on, file, &size_bytes));
    assert_int_equal(*size_bytes, (1 + 2 * 8) * SS_RUN_BLOCK_BYTES);
    for (size_t at = 0; at < *size_bytes; at += 61) {
        disk_flip(of.on, file, at);
        assert_int_equal(read_all(&of, &name), SEENSET_EDAMAGED);
        disk_flip(of.on, file, at);
    }
    assert_int_equal(read_all(&of, &name), SEENSET_OK);
    uint8_t *bytes = disk_file(of.on, file, &size_bytes); /* another's place */
    memcpy(bytes + 2 * SS_RUN_BLOCK_BYTES, bytes + SS_RUN_BLOCK_BYTES,
           SS_RUN_BLOCK_BYTES);
    assert_int_equal(read_all(&of, &name), SEENSET_EDAMAGED);
    disk_free(of.on);
}

/* ---- lists ---- */

static void add_run(world *of, ss_delays *to, const ss_run_name *name)
{
    ss_run run;
    assert_true(ss_delays_reserve(to, &of->memory));
    assert_int_equal(ss_run_open(&run, &of->files, name), SEENSET_OK);
    ss_delays_add(to, &run);
    to->items += name->count;
}

static void take_first(world *of, ss_delays *delays)
{
    ss_delay got;
    size_t run;
    const ss_delay *wanted = first_in_table(of);
    assert_int_equal(ss_delays_first(delays, &of->files, &got, &run),
                     wanted != NULL);
    if (wanted == NULL)
        return;
    assert_same(&got, wanted);
    of->is_gone[wanted - of->items] = true;
    ss_delays_take(delays, &of->files, run);
}

static void lose_one(world *of, ss_delays *delays)
{
    size_t i = test_random_below(&of->random, of->count);
    if (of->is_gone[i])
        return;
    of->is_gone[i] = true;
    assert_true(ss_ranges_add(&delays->gone, &of->memory, of->items[i].item,
                              of->items[i].item + 1));
    delays->items--;
}

static void check_list(world *of, ss_delays *delays)
{
    ss_delay got;
    uint64_t left = 0;
    for (size_t i = 0; i < of->count; i++)
        left += !of->is_gone[i];
    assert_int_equal(delays->items, left);
    for (uint64_t from = 0; from < 2 * NUMBERS; from += 3) {
        const ss_delay *wanted = next_in_table(of, from);
        assert_int_equal(ss_delays_next(delays, &of->files, from, &got),
                         wanted != NULL);
        if (wanted != NULL)
            assert_same(&got, wanted);
    }
}

static void list_is_a_table(void **state)
{
    world of;
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ss_delays delays = {0};
        bool is_merged;
        size_t runs = 9;
        begin(&of, seed);
        draw(&of, ITEMS, 0);
        for (size_t i = 0; i < runs; i++) {
            const ss_run_name name = write_run(&of, i, i, runs);
            add_run(&of, &delays, &name);
        }
        assert_int_equal(ss_delays_floor(&delays), of.items[0].position);
        for (int i = 0; i < 200; i++) {
            take_first(&of, &delays);
            lose_one(&of, &delays);
        }
        check_list(&of, &delays);
        assert_int_equal(
            ss_delays_merge(&delays, &of.files, ITEMS, 100, &is_merged),
            SEENSET_OK);
        assert_true(is_merged);
        assert_int_equal(delays.count, 2);
        assert_int_equal(
            ss_delays_merge(&delays, &of.files, ITEMS, 101, &is_merged),
            SEENSET_OK);
        assert_false(is_merged);
        check_list(&of, &delays);
        while (delays.items > 0)
            take_first(&of, &delays);
        assert_int_equal(delays.count, 0);
        assert_null(first_in_table(&of));
        take_first(&of, &delays);
        ss_delays_clear(&delays, &of.files);
        disk_free(of.on);
    }
}

/* Runs of a size are merged, and large ones are left alone. */
static void only_small_runs_are_merged(void **state)
{
    static const struct {
        uint64_t least;
        bool is_merged;
    } rows[] = {{125, true}, {63, true}, {62, true}, {7, false}, {8, true}};
    (void)state;
    for (size_t row = 0; row < TEST_COUNT(rows); row++) {
        world of;
        ss_delays delays = {0};
        bool is_merged;
        begin(&of, 5);
        draw(&of, ITEMS, 0);
        for (size_t i = 0; i < 8; i++) { /* of 125 items */
            const ss_run_name name = write_run(&of, i, i, 8);
            add_run(&of, &delays, &name);
        }
        assert_int_equal(ss_delays_merge(&delays, &of.files, rows[row].least,
                                         100, &is_merged),
                         SEENSET_OK);
        assert_int_equal(is_merged, rows[row].is_merged);
        check_list(&of, &delays);
        ss_delays_clear(&delays, &of.files);
        disk_free(of.on);
    }
}

/* Due times move with the clock of another boot, and keep their order. */
static void list_counts_what_is_due(void **state)
{
    world of;
    ss_delays delays = {0};
    ss_delays_figures figures;
    (void)state;
    begin(&of, 6);
    draw(&of, ITEMS, 0);
    for (size_t i = 0; i < 3; i++) {
        const ss_run_name name = write_run(&of, i, i, 3);
        add_run(&of, &delays, &name);
        delays.runs[i].shift_ns = 100;
    }
    for (uint64_t now = 0; now < 320; now++) {
        uint64_t delayed = 0, next = UINT64_MAX;
        for (size_t i = 0; i < of.count; i++) {
            int64_t due = of.items[i].due_ns + 100;
            delayed += due > (int64_t)now;
            if (due > (int64_t)now && (uint64_t)due < next)
                next = (uint64_t)due;
        }
        assert_int_equal(ss_delays_count(&delays, &of.files, now, &figures),
                         SEENSET_OK);
        assert_int_equal(figures.delayed, delayed);
        assert_true(figures.next_ns == next);
    }
    ss_delays_clear(&delays, &of.files);
    disk_free(of.on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_has_what_was_written),
        cmocka_unit_test(run_of_another_name_is_damaged),
        cmocka_unit_test(each_byte_of_a_run_counts),
        cmocka_unit_test(list_is_a_table),
        cmocka_unit_test(only_small_runs_are_merged),
        cmocka_unit_test(list_counts_what_is_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
