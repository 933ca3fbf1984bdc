/* promises_sets.c - the story of a cell of sets; the idea is in promises.h */
#include "promises_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "set/set.h"

static const uint64_t year_seconds = UINT64_C(365) * 24 * 3600;
static const uint64_t began_seconds = 1700000000;

/* ---- time ---- */

static uint64_t wall_seconds(void *context)
{
    return ((const world *)context)->wall_seconds;
}

static uint64_t steady_ns(void *context)
{
    const world *of = context;
    return (of->true_seconds - began_seconds) * UINT64_C(1000000000);
}

static bool boot_id(void *context, uint8_t id[SS_CLOCK_BOOT_BYTES])
{
    memset(id, ((const world *)context)->returned_seconds > 0, 16);
    return true;
}

static bool is_sliding(const world *of)
{
    return (of->options.flags & SEENSET_FLAG_SLIDING) != 0;
}

/* So long that keys of each time come to be forgotten; see is_expired. */
static uint64_t story_seconds(const world *of)
{
    return 2 * (WINDOW_SECONDS + 3 * promise_span_seconds(of));
}

static void pass(world *of, int step)
{
    promise_time time = of->cell->time;
    if (time == TIME_STILL)
        return;
    uint64_t seconds = story_seconds(of) / STEPS;
    of->true_seconds += seconds;
    of->wall_seconds += seconds;
    if (step == JUMP_AT) {
        of->jumped_seconds = of->true_seconds;
        if (time == TIME_BACK)
            of->wall_seconds -= WINDOW_SECONDS;
        if (time == TIME_AHEAD)
            of->wall_seconds += year_seconds;
    }
    if (step == RETURN_AT) {
        of->returned_seconds = of->true_seconds;
        if (time == TIME_AHEAD)
            of->wall_seconds -= year_seconds;
    }
}

/* ---- making ---- */

static void give_clock(world *of, seenset *set)
{
    set->clock = &of->clock;
}

static seenset *make(world *of)
{
    seenset *set = NULL;
    assert_int_equal(seenset_new(&set, &of->options), SEENSET_OK);
    give_clock(of, set);
    if (promise_is_aged(of))
        set->generations[0].started_seconds = of->wall_seconds;
    return set;
}

seenset *promise_open_file(world *of, uint32_t flags)
{
    seenset *opened = NULL;
    seenset_open_options options = {
        .flags = flags | (flags == SEENSET_OPEN_COPY
                              ? of->options.flags & SEENSET_FLAG_SHARED
                              : 0),
        .secret = of->options.secret,
        .allocator = &of->memory.allocator};
    assert_int_equal(seenset_save(of->set, of->path), SEENSET_OK);
    assert_int_equal(seenset_open(&opened, of->path, &options), SEENSET_OK);
    give_clock(of, opened);
    return opened;
}

static void reopen(world *of, uint32_t flags)
{
    seenset *opened = promise_open_file(of, flags);
    seenset_free(of->set);
    of->set = opened;
}

static void enter(world *of, const promise_cell *cell)
{
    *of = (world){.cell = cell, .options = cell->kind->options};
    test_memory_init(&of->memory);
    test_folder_make(&of->folder);
    test_path(of->path, &of->folder, "set");
    of->true_seconds = of->wall_seconds = began_seconds;
    of->clock = (ss_clock){wall_seconds, steady_ns, boot_id, of};
    of->options.allocator = &of->memory.allocator;
    if (!cell->kind->is_large)
        of->options.capacity_items = cell->capacity_items;
    if (of->options.window_seconds > 0)
        of->options.window_seconds =
            WINDOW_SECONDS * (cell->planted == PROMISE_WINDOW ? 50 : 1);
    of->capacity_items = cell->kind->is_large ? 1000000 : cell->capacity_items;
    of->fp_rate = of->options.fp_rate > 0 ? of->options.fp_rate : 0.01;
    if (cell->kind->is_sealed)
        return;
    of->set = make(of);
    if (cell->state == STATE_MERGED)
        of->other = make(of);
    of->settled_bytes = of->memory.live_bytes;
}

static void leave(world *of)
{
    seenset_free(of->set);
    seenset_free(of->other);
    free(of->records);
    test_folder_remove(&of->folder);
    assert_int_equal(of->memory.live_blocks, 0);
}

/* ---- keys ---- */

bool promise_has(const world *of, const seenset *set, uint64_t n)
{
    uint64_t number = promise_number(of, n);
    return seenset_has(set, &number, sizeof number) == 1;
}

static record *new_record(world *of)
{
    if (of->record_count == of->record_room) {
        of->record_room = of->record_room * 2 + 1024;
        of->records =
            realloc(of->records, of->record_room * sizeof *of->records);
        assert_non_null(of->records);
    }
    record *made = &of->records[of->record_count++];
    *made = (record){.added_seconds = of->true_seconds, .copies = 1};
    return made;
}

static void note(world *of, uint8_t answer)
{
    record *made = new_record(of);
    made->is_held = answer != SEENSET_ANSWER_REFUSED;
    made->was_new = answer == 1;
    made->is_kept = answer == 1 || is_sliding(of);
    of->news += answer == 1;
    of->first_seen += answer == 0;
}

/* So many new keys, one at a time or as a batch. */
static void add(world *of, seenset *set, size_t count, bool is_batch)
{
    uint64_t numbers[BATCH];
    seenset_key keys[BATCH];
    uint8_t is_new[BATCH];
    for (size_t i = 0; i < count; i++) {
        numbers[i] = promise_number(of, of->record_count + i);
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
    }
    if (is_batch)
        (void)seenset_add_many(set, keys, count, is_new);
    for (size_t i = 0; !is_batch && i < count; i++) {
        int answer = seenset_add(set, keys[i].data, keys[i].len);
        is_new[i] = answer < 0 ? SEENSET_ANSWER_REFUSED : (uint8_t)answer;
    }
    for (size_t i = 0; i < count; i++)
        note(of, is_new[i]);
}

/* A counting set counts every tenth key three times. */
static void add_copies(world *of, uint64_t first)
{
    for (uint64_t n = first; n < of->record_count; n++) {
        record *known = &of->records[n];
        uint64_t number = promise_number(of, n);
        if (n % 10 != 0 || !known->is_held)
            continue;
        for (int i = 0; i < 2; i++) {
            if (seenset_add(of->set, &number, sizeof number) == 0)
                known->copies++;
        }
    }
}

/* Some keys come again. That renews them in a sliding window, else only where
 * they were forgotten. */
static void add_again(world *of)
{
    enum {
        REPEATS = 32
    };
    for (uint64_t i = 0; i < REPEATS && of->record_count > 0; i++) {
        uint64_t n =
            test_mix(of->record_count * REPEATS + i) % of->record_count;
        record *known = &of->records[n];
        uint64_t number = promise_number(of, n);
        int answer = seenset_add(of->set, &number, sizeof number);
        assert_in_range(answer + 1, 1, 2);
        of->news += answer == 1;
        of->renewals += answer == 0;
        if (answer == 1 || is_sliding(of)) {
            known->added_seconds = of->true_seconds;
            known->is_kept = true;
        }
    }
}

static void add_until(world *of, uint64_t end)
{
    uint64_t first = of->record_count;
    for (unsigned round = 0; of->record_count < end; round++) {
        uint64_t left = end - of->record_count;
        seenset *set = of->other != NULL && round % 2 ? of->other : of->set;
        add(of, set, left < BATCH ? (size_t)left : BATCH, round % 4 < 2);
    }
    if (of->options.layout == SEENSET_LAYOUT_COUNTING && of->other == NULL)
        add_copies(of, first);
}

/* A sample of what is owed, on the way. */
static void look(world *of)
{
    enum {
        LOOKS = 50
    };
    for (uint64_t i = 0; i < LOOKS && of->record_count > 0; i++) {
        uint64_t n = test_mix(of->record_count + i) % of->record_count;
        bool is_there = promise_has(of, of->set, n) ||
                        (of->other != NULL && promise_has(of, of->other, n));
        of->forgot |= promise_is_owed(of, n) && !is_there;
    }
}

/* ---- a cell's story ---- */

/* Keys in all: so much of a capacity a window, or at once. */
static uint64_t key_count(const world *of)
{
    static const unsigned halves[STATES] = {1, 2, 8, 2, 2, 2};
    uint64_t count = of->capacity_items * halves[of->cell->state] / 2;
    return of->cell->time == TIME_STILL
               ? count
               : count * story_seconds(of) / WINDOW_SECONDS;
}

static void merge(world *of)
{
    assert_int_equal(seenset_merge(of->set, of->other), SEENSET_OK);
    seenset_free(of->other);
    of->other = NULL;
}

static void change_state(world *of, int step)
{
    promise_state state = of->cell->state;
    if (step == HALFWAY && state == STATE_MERGED)
        merge(of);
    if ((step == HALFWAY && state == STATE_REOPENED) ||
        (step == RETURN_AT && of->cell->time == TIME_REBOOT))
        reopen(of, SEENSET_OPEN_COPY);
    if (step == STEPS && state == STATE_VIEWED)
        reopen(of, SEENSET_OPEN_VIEW);
    if (step == HALFWAY)
        of->settled_bytes = of->memory.live_bytes;
}

static void seal(world *of)
{
    uint64_t count = key_count(of);
    uint64_t *numbers = malloc(count * sizeof *numbers);
    seenset_key *keys = malloc(count * sizeof *keys);
    assert_true(numbers != NULL && keys != NULL);
    for (uint64_t i = 0; i < count; i++) {
        numbers[i] = promise_number(of, i);
        keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
        note(of, 1);
    }
    seenset_options options = of->options;
    options.capacity_items = 0;
    assert_int_equal(
        seenset_build_sealed(&of->set, &options, keys, count, NULL, NULL),
        SEENSET_OK);
    of->settled_bytes = of->memory.live_bytes;
    if (of->cell->state == STATE_REOPENED)
        reopen(of, SEENSET_OPEN_COPY);
    if (of->cell->state == STATE_VIEWED)
        reopen(of, SEENSET_OPEN_VIEW);
    free(keys);
    free(numbers);
}

static void live(world *of)
{
    uint64_t total = key_count(of);
    if (of->cell->kind->is_sealed) {
        seal(of);
        return;
    }
    for (int step = 1; step <= STEPS; step++) {
        pass(of, step);
        add_until(of, total * (uint64_t)step / STEPS);
        if (promise_is_aged(of) && of->other == NULL)
            add_again(of);
        change_state(of, step);
        if (step % 5 == 0)
            look(of);
    }
}

/* ---- planted faults ---- */

static void plant(world *of)
{
    ss_generation *newest = ss_set_newest(of->set);
    size_t size_bytes = (size_t)ss_set_word_count(newest) * 8;
    switch (of->cell->planted) {
    case PROMISE_RATE: /* a quarter of the table is full */
        memset(newest->table.words, 0xFF, size_bytes / 4);
        break;
    case PROMISE_NEVER: /* and here it is empty */
        memset(newest->table.words, 0, size_bytes / 64);
        break;
    case PROMISE_COUNT:
        newest->added_items = of->news + 1;
        break;
    case PROMISE_MEMORY:
        of->memory.live_bytes += 100;
        break;
    default:
        break;
    }
}

static void unplant(world *of)
{
    if (of->cell->planted == PROMISE_MEMORY)
        of->memory.live_bytes -= 100;
}

/* ---- which promises a cell makes ---- */

static const char *why_not(const world *of, promise which)
{
    bool is_view = of->cell->state == STATE_VIEWED;
    if (which == PROMISE_MEMORY && is_view)
        return "a view's memory is its file's";
    if (which != PROMISE_WINDOW)
        return NULL;
    if (of->options.on_full != SEENSET_ON_FULL_ROTATE)
        return "only windows forget";
    if (promise_is_aged(of) ? of->cell->time == TIME_STILL
                            : of->cell->state != STATE_PAST)
        return "nothing is old enough to be forgotten";
    return NULL;
}

const char *promise_skip(const promise_cell *cell)
{
    const promise_kind *kind = cell->kind;
    bool is_aged_kind = kind->options.window_seconds > 0;
    if (cell->time != TIME_STILL && !is_aged_kind)
        return "the set asks no clock";
    if (cell->time == TIME_REBOOT && cell->state != STATE_REOPENED)
        return "what is in memory ends with the machine";
    if (kind->is_sealed && cell->state == STATE_PAST)
        return "a sealed set has the keys that it was made of";
    if (kind->is_sealed && cell->state == STATE_MERGED)
        return "sealed sets do not merge";
    return NULL;
}

void promise_run_set(const promise_cell *cell, promise_verdict *verdict)
{
    world *of = malloc(sizeof *of);
    assert_non_null(of);
    enter(of, cell);
    live(of);
    plant(of);
    for (promise which = 0; which <= PROMISE_SAVED; which++) {
        verdict->skipped[which] = why_not(of, which);
        if (verdict->skipped[which] != NULL)
            continue;
        verdict->wrong[which] = promise_judge(of, which);
    }
    unplant(of);
    leave(of);
    free(of);
}
