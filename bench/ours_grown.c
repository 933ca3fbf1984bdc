/*
 * ours_grown.c - what it costs not to know n: sets that were made for fewer
 * keys than came, beside one that was made for them.
 *
 * A grown set has two tables, and a key that was never added is asked of both.
 * Adds are of all keys to an empty set, so growth on the way is part of them.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "hash/xxh3.h"

enum {
    BATCH = 4096
};

typedef struct keys {
    size_t items;
    uint64_t *hashes; /* items that are added, and as many that never are */
    uint8_t *answers; /* a byte each */
} keys;

typedef struct subject {
    const char *name;
    const keys *keys;
    seenset_options options;
    seenset *set;   /* of all keys */
    seenset *added; /* where they are added anew */
} subject;

typedef struct asking {
    const subject *of;
    int is_never;
} asking;

static seenset *make(const subject *of)
{
    seenset *set;
    require(seenset_new(&set, &of->options) == 0, "no memory for a set");
    return set;
}

static void empty(const task *work)
{
    subject *of = work->subject;
    seenset_free(of->added);
    of->added = make(of);
}

static void add_batches(const task *work)
{
    const subject *of = work->subject;
    const keys *from = of->keys;
    for (size_t done = 0; done < from->items; done += BATCH) {
        size_t left = from->items - done;
        require(seenset_add_hash_many(of->added, from->hashes + done,
                                      left < BATCH ? left : BATCH,
                                      from->answers + done) == 0,
                "adding failed");
    }
}

static void add_singles(const task *work)
{
    const subject *of = work->subject;
    const keys *from = of->keys;
    for (size_t i = 0; i < from->items; i++)
        from->answers[i] =
            (uint8_t)seenset_add_hash(of->added, from->hashes[i]);
}

static const uint64_t *asked_of(const asking *what)
{
    const keys *from = what->of->keys;
    return from->hashes + (what->is_never ? from->items : 0);
}

static void ask_batches(const task *work)
{
    const asking *what = work->subject;
    const keys *from = what->of->keys;
    const uint64_t *hashes = asked_of(what);
    for (size_t done = 0; done < from->items; done += BATCH) {
        size_t left = from->items - done;
        (void)seenset_has_hash_many(what->of->set, hashes + done,
                                    left < BATCH ? left : BATCH,
                                    from->answers + done);
    }
}

static void ask_singles(const task *work)
{
    const asking *what = work->subject;
    const uint64_t *hashes = asked_of(what);
    uint8_t *answers = what->of->keys->answers;
    for (size_t i = 0; i < what->of->keys->items; i++)
        answers[i] = (uint8_t)seenset_has_hash(what->of->set, hashes[i]);
}

/* ---- what is measured ---- */

static task task_of(const subject *of, const char *operation,
                    const char *answer, size_t batch)
{
    return (task){.label = {.subject = of->name,
                            .operation = operation,
                            .keys = "hash",
                            .answer = answer,
                            .items = of->keys->items,
                            .fp_rate = of->options.fp_rate,
                            .batch = batch},
                  .operations = of->keys->items};
}

static void add_adds(task_list *list, subject *of)
{
    task model = task_of(of, "add_hash_many", "new", BATCH);
    model.subject = of;
    model.prepare = empty;
    model.run = add_batches;
    task_add(list, &model);
    model.label.operation = "add_hash";
    model.label.batch = 1;
    model.run = add_singles;
    task_add(list, &model);
}

static void add_lookups(task_list *list, asking *what)
{
    const char *answer = what->is_never ? "never" : "seen";
    task model = task_of(what->of, "has_hash_many", answer, BATCH);
    model.subject = what;
    model.run = ask_batches;
    task_add(list, &model);
    model.label.operation = "has_hash";
    model.label.batch = 1;
    model.run = ask_singles;
    task_add(list, &model);
}

/* Fills it, and writes down what it takes. */
static void fill(bench *to, subject *of)
{
    seenset_stats stats;
    task model = task_of(of, "memory", NULL, 0);
    of->set = make(of);
    require(seenset_add_hash_many(of->set, of->keys->hashes, of->keys->items,
                                  NULL) == 0,
            "adding failed");
    seenset_get_stats(of->set, &stats, sizeof stats);
    require(stats.current_fp_rate <= of->options.fp_rate * 1.05,
            "it did not keep its promise");
    double bits = (double)stats.memory_bytes * 8.0 / (double)of->keys->items;
    record_figure(to, &model.label, "bits a key", &bits, 1, 0);
}

static void finish(subject *of)
{
    const keys *from = of->keys;
    (void)seenset_has_hash_many(of->set, from->hashes, from->items,
                                from->answers);
    require(memchr(from->answers, 0, from->items) == NULL,
            "a grown set forgot a key");
    seenset_free(of->set);
    seenset_free(of->added);
}

/* A set made for as many, and others made for fewer that grew. */
static void compare(bench *to, const keys *from, double fp_rate)
{
    static task_list list;
    subject subjects[] = {
        {.name = "sized right",
         .options = {.capacity_items = from->items,
                     .on_full = SEENSET_ON_FULL_DEGRADE}},
        {.name = "grown from 1,000", .options = {.capacity_items = 1000}},
        {.name = "grown from 1 million",
         .options = {.capacity_items = 1000000}}};
    size_t count = from->items > 1000000 ? 3 : 2;
    asking askings[3][2];
    list.count = 0;
    for (size_t i = 0; i < count; i++) {
        subjects[i].keys = from;
        subjects[i].options.fp_rate = fp_rate;
        fill(to, &subjects[i]);
        add_adds(&list, &subjects[i]);
        for (int is_never = 0; is_never < 2; is_never++) {
            askings[i][is_never] = (asking){&subjects[i], is_never};
            add_lookups(&list, &askings[i][is_never]);
        }
    }
    rounds_run(to, &list);
    for (size_t i = 0; i < count; i++)
        finish(&subjects[i]);
}

static void compare_at(bench *to, size_t items, const double *rates,
                       size_t count)
{
    keys from = {.items = items,
                 .hashes = take(2 * items, sizeof *from.hashes),
                 .answers = take(items, 1)};
    for (uint64_t i = 0; i < 2 * items; i++) {
        uint64_t number = workload_mix(i);
        from.hashes[i] = ss_hash_key(&number, sizeof number);
    }
    for (size_t i = 0; i < count; i++)
        compare(to, &from, rates[i]);
    free(from.hashes);
    free(from.answers);
}

static const double rates[] = {0.01, 1e-4, 1e-6};

void ours_grown(bench *to)
{
    compare_at(to, 1000000, rates, 3);
    if (!to->is_quick)
        compare_at(to, 10000000, rates, 3);
}

void ours_grown_large(bench *to)
{
    compare_at(to, 100000000, rates, 1);
}
