/*
 * ours_build.c - making a whole set at once, against the limit of adding its
 * keys one line at a time.
 *
 * The limit here runs over all hashes of the set, as the build does. The table
 * is emptied before each build and its pages stay; what the build itself takes
 * and gives back is in its time.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "hash/xxh3.h"
#include "set/set.h"

typedef struct input {
    seenset *set;
    uint64_t *numbers;
    seenset_key *keys;
    uint64_t *hashes;
} input;

static void empty_table(const task *work)
{
    const input *from = work->subject;
    const ss_table *table = &ss_set_newest(from->set)->table;
    memset(table->words, 0,
           (size_t)ss_table_word_count(table) * sizeof(uint64_t));
}

static void build_hashes(const task *work)
{
    const input *from = work->subject;
    require(seenset_add_hash_parallel(from->set, from->hashes, work->operations,
                                      work->label.threads) == 0,
            "a build failed");
}

static void build_keys(const task *work)
{
    const input *from = work->subject;
    require(seenset_add_parallel(from->set, from->keys, work->operations,
                                 work->label.threads) == 0,
            "a build failed");
}

/* In one call: without batches there is no ramp between them. */
static void add_hashes(const task *work)
{
    const input *from = work->subject;
    require(seenset_add_hash_many(from->set, from->hashes, work->operations,
                                  NULL) == 0,
            "adding failed");
}

static void input_make(input *out, uint64_t items)
{
    seenset_options options = {.on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = items,
                               .fp_rate = 0.01};
    size_t count = (size_t)items;
    require(seenset_new(&out->set, &options) == 0, "no memory for a set");
    out->numbers = take(count, sizeof *out->numbers);
    out->keys = take(count, sizeof *out->keys);
    out->hashes = take(count, sizeof *out->hashes);
    for (size_t i = 0; i < count; i++) {
        out->numbers[i] = workload_mix(i);
        out->keys[i] = (seenset_key){&out->numbers[i], 8};
        out->hashes[i] = ss_hash_key(&out->numbers[i], 8);
    }
}

static void input_free(input *old)
{
    seenset_free(old->set);
    free(old->numbers);
    free(old->keys);
    free(old->hashes);
}

/* The last build's table must know every key. */
static void check_table(const input *from, uint64_t items)
{
    uint8_t *is_seen = take((size_t)items, 1);
    (void)seenset_has_hash_many(from->set, from->hashes, (size_t)items,
                                is_seen);
    require(memchr(is_seen, 0, (size_t)items) == NULL, "a build forgot a key");
    free(is_seen);
}

static void push_builds(task_list *list, task model)
{
    model.prepare = empty_table;
    model.load = NULL;
    model.label.subject = "blocked";
    model.label.fp_rate = 0.01;
    model.label.operation = "add_hash_many, one call";
    model.label.keys = "hash";
    model.run = add_hashes;
    task_add(list, &model);
    for (unsigned threads = 1; threads <= 2; threads++) {
        model.label.threads = threads;
        model.label.operation = "build_hashes";
        model.label.keys = "hash";
        model.run = build_hashes;
        task_add(list, &model);
        model.label.operation = "build";
        model.label.keys = "number";
        model.run = build_keys;
        task_add(list, &model);
    }
}

/* Of the limits the ones that can be best for this size, and that write. */
static void push_limits(task_list *list, workload *load, const seenset *set,
                        const window *all)
{
    static task_list every;
    every.count = 0;
    limits_random(&every, load, set);
    for (size_t i = 0; i < every.count; i++) {
        task *limit = &every.tasks[i];
        bool is_l1 = strcmp(limit->label.answer, "L1") == 0;
        size_t depth = limit->label.batch;
        if (strcmp(limit->label.operation, "read_write") != 0 ||
            (is_l1 ? depth < 24 || depth > 48 : depth < 64))
            continue;
        limit->label.keys = "all";
        limit->keys = all;
        task_add(list, limit);
    }
}

void ours_build(bench *to, uint64_t items)
{
    static task_list list;
    list.count = 0;
    input from;
    input_make(&from, items);
    window all = {.count = (size_t)items, .number_hashes = from.hashes};
    workload load = {.items = items, .answers = take((size_t)items, 1)};
    load.hits = all;
    push_limits(&list, &load, from.set, &all);
    task model = {.label = {.items = items},
                  .subject = &from,
                  .operations = (size_t)items};
    push_builds(&list, model);
    rounds_run(to, &list);
    check_table(&from, items);
    input_free(&from);
    free(load.answers);
}
