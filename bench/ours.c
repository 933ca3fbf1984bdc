/*
 * ours.c - the library itself: one key at a time and in batches, each layout.
 *
 * A table is filled up to its news and copied. Every add loop starts from that
 * copy and adds the news, so the table then holds what it was made for; the
 * queries that follow in the same round meet it full. The words stay where
 * they are, so all loops, the limits' too, run on the same pages.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "set/set.h"

typedef struct table {
    seenset *set;
    ss_generation *generation;
    size_t bytes;
    uint64_t *before; /* the words without the news */
} table;

static const size_t batches[] = {64, 512, 4096};
enum {
    BATCH_COUNT = sizeof batches / sizeof *batches,
    FILL_BATCH = 4096
};

/* ---- a table, filled ---- */

static void fill(seenset *set, const workload *load)
{
    uint64_t hashes[FILL_BATCH];
    uint8_t is_new[FILL_BATCH];
    uint64_t left = load->rest_count;
    while (left > 0) {
        size_t count = left < FILL_BATCH ? (size_t)left : FILL_BATCH;
        for (size_t i = 0; i < count; i++)
            hashes[i] = workload_rest(--left);
        require(seenset_add_hash_many(set, hashes, count, is_new) == 0,
                "cannot fill the table");
    }
    const window *hits = &load->hits;
    require(seenset_add_many(set, hits->number_keys, hits->count, NULL) == 0 &&
                seenset_add_many(set, hits->url_keys, hits->count, NULL) == 0,
            "cannot fill the table");
}

static void table_make(table *out, const workload *load, seenset_layout layout,
                       double fp_rate)
{
    seenset_options options = {.layout = layout,
                               .on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = load->items,
                               .fp_rate = fp_rate};
    *out = (table){0};
    require(seenset_new(&out->set, &options) == 0, "no memory for a set");
    fill(out->set, load);
    out->generation = ss_set_newest(out->set);
    out->bytes =
        (size_t)ss_table_word_count(&out->generation->table) * sizeof(uint64_t);
    out->before = take(out->bytes, 1);
    memcpy(out->before, out->generation->table.words, out->bytes);
}

static void table_free(table *old)
{
    seenset_free(old->set);
    free(old->before);
}

static void take_news_out(const task *work)
{
    const table *to = work->subject;
    memcpy(to->generation->table.words, to->before, to->bytes);
}

/* ---- the loops ---- */

static void add_numbers(const task *work)
{
    seenset *set = ((const table *)work->subject)->set;
    const uint64_t *numbers = work->keys->numbers;
    for (size_t i = 0; i < work->operations; i++)
        work->load->answers[i] =
            (uint8_t)seenset_add(set, &numbers[i], sizeof *numbers);
}

static void has_numbers(const task *work)
{
    const seenset *set = ((const table *)work->subject)->set;
    const uint64_t *numbers = work->keys->numbers;
    for (size_t i = 0; i < work->operations; i++)
        work->load->answers[i] =
            (uint8_t)seenset_has(set, &numbers[i], sizeof *numbers);
}

static void add_urls(const task *work)
{
    seenset *set = ((const table *)work->subject)->set;
    const window *keys = work->keys;
    const char *url = keys->urls;
    for (size_t i = 0; i < work->operations; i++, url += keys->url_bytes + 1)
        work->load->answers[i] =
            (uint8_t)seenset_add(set, url, keys->url_bytes);
}

static void has_urls(const task *work)
{
    const seenset *set = ((const table *)work->subject)->set;
    const window *keys = work->keys;
    const char *url = keys->urls;
    for (size_t i = 0; i < work->operations; i++, url += keys->url_bytes + 1)
        work->load->answers[i] =
            (uint8_t)seenset_has(set, url, keys->url_bytes);
}

static size_t batch_from(const task *work, size_t i)
{
    size_t left = work->operations - i;
    return left < work->label.batch ? left : work->label.batch;
}

static const seenset_key *keys_of(const task *work)
{
    return strcmp(work->label.keys, "number") == 0 ? work->keys->number_keys
                                                   : work->keys->url_keys;
}

static void add_many(const task *work)
{
    seenset *set = ((const table *)work->subject)->set;
    const seenset_key *keys = keys_of(work);
    for (size_t i = 0; i < work->operations; i += work->label.batch)
        (void)seenset_add_many(set, keys + i, batch_from(work, i),
                               work->load->answers + i);
}

static void has_many(const task *work)
{
    const seenset *set = ((const table *)work->subject)->set;
    const seenset_key *keys = keys_of(work);
    for (size_t i = 0; i < work->operations; i += work->label.batch)
        (void)seenset_has_many(set, keys + i, batch_from(work, i),
                               work->load->answers + i);
}

static void add_hash_many(const task *work)
{
    seenset *set = ((const table *)work->subject)->set;
    const uint64_t *hashes = work->keys->number_hashes;
    for (size_t i = 0; i < work->operations; i += work->label.batch)
        (void)seenset_add_hash_many(set, hashes + i, batch_from(work, i),
                                    work->load->answers + i);
}

static void has_hash_many(const task *work)
{
    const seenset *set = ((const table *)work->subject)->set;
    const uint64_t *hashes = work->keys->number_hashes;
    for (size_t i = 0; i < work->operations; i += work->label.batch)
        (void)seenset_has_hash_many(set, hashes + i, batch_from(work, i),
                                    work->load->answers + i);
}

static void add_u64_many(const task *work)
{
    seenset *set = ((const table *)work->subject)->set;
    const uint64_t *numbers = work->keys->numbers;
    for (size_t i = 0; i < work->operations; i += work->label.batch)
        (void)seenset_add_u64_many(set, numbers + i, batch_from(work, i),
                                   work->load->answers + i);
}

static void has_u64_many(const task *work)
{
    const seenset *set = ((const table *)work->subject)->set;
    const uint64_t *numbers = work->keys->numbers;
    for (size_t i = 0; i < work->operations; i += work->label.batch)
        (void)seenset_has_u64_many(set, numbers + i, batch_from(work, i),
                                   work->load->answers + i);
}

/* ---- the tasks of a table ---- */

typedef struct loops {
    const char *keys, *add_name, *has_name;
    void (*add)(const task *);
    void (*has)(const task *);
    size_t batch;
} loops;

/* A false positive is a new key answered "seen": twice the rate, and some. */
static size_t most_wrong(const task *model)
{
    return (size_t)((double)model->operations * model->label.fp_rate * 2) + 50;
}

static void push_add(task_list *list, const task *model, const loops *with)
{
    task *add = task_add(list, model);
    add->label.operation = with->add_name;
    add->label.keys = with->keys;
    add->label.batch = with->batch;
    add->label.answer = "new";
    add->prepare = take_news_out;
    add->run = with->add;
    add->keys = &model->load->news;
    add->least = model->operations - most_wrong(model);
    add->most = model->operations;
}

static void push_has(task_list *list, const task *model, const loops *with,
                     bool is_hit)
{
    task *has = task_add(list, model);
    has->label.operation = with->has_name;
    has->label.keys = with->keys;
    has->label.batch = with->batch;
    has->label.answer = is_hit ? "seen" : "never";
    has->run = with->has;
    has->keys = is_hit ? &model->load->hits : &model->load->misses;
    has->least = is_hit ? model->operations : 0;
    has->most = is_hit ? model->operations : most_wrong(model);
}

/* Adds first: the queries then meet a table that holds its news. */
static void push_all(task_list *list, const task *model, const loops *all,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        push_add(list, model, &all[i]);
    for (size_t i = 0; i < count; i++)
        push_has(list, model, &all[i], true);
    for (size_t i = 0; i < count; i++)
        push_has(list, model, &all[i], false);
}

static void push_table(task_list *list, table *of, workload *load,
                       const char *name, double fp_rate, bool is_whole)
{
    task model = {
        .label = {.subject = name, .items = load->items, .fp_rate = fp_rate},
        .subject = of,
        .load = load,
        .operations = is_whole ? load->news.count : workload_few(load)};
    loops all[2 + 4 * BATCH_COUNT];
    size_t count = 0;
    all[count++] = (loops){"number", "add", "has", add_numbers, has_numbers, 1};
    if (is_whole)
        all[count++] =
            (loops){load->url_name, "add", "has", add_urls, has_urls, 1};
    for (size_t i = is_whole ? 0 : BATCH_COUNT - 1; i < BATCH_COUNT; i++) {
        all[count++] = (loops){"hash",        "add_hash_many", "has_hash_many",
                               add_hash_many, has_hash_many,   batches[i]};
        all[count++] = (loops){"number",     "add_u64_many", "has_u64_many",
                               add_u64_many, has_u64_many,   batches[i]};
        all[count++] = (loops){"number", "add_many", "has_many",
                               add_many, has_many,   batches[i]};
        all[count++] = (loops){load->url_name, "add_many", "has_many",
                               add_many,       has_many,   batches[i]};
    }
    push_all(list, &model, all, count);
}

/* ---- groups ---- */

typedef struct variant {
    const char *name;
    seenset_layout layout;
    double fp_rate;
} variant;

/* The limits and our default table, in the same rounds. */
static void run_first(bench *to, workload *load)
{
    static task_list list;
    list.count = 0;
    table blocked;
    table_make(&blocked, load, SEENSET_LAYOUT_BLOCKED, 0.01);
    limits_hash(&list, load);
    limits_random(&list, load, blocked.set);
    push_table(&list, &blocked, load, "blocked", 0.01, true);
    rounds_run(to, &list);
    table_free(&blocked);
}

/* The classic layout beside libbloom; small rates. */
static void run_others(bench *to, workload *load)
{
    static const variant variants[] = {
        {"blocked", SEENSET_LAYOUT_BLOCKED, 1e-6},
        {"bloom", SEENSET_LAYOUT_BLOOM, 0.01},
        {"bloom", SEENSET_LAYOUT_BLOOM, 1e-6}};
    enum {
        COUNT = sizeof variants / sizeof *variants
    };
    static task_list list;
    list.count = 0;
    table tables[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        table_make(&tables[i], load, variants[i].layout, variants[i].fp_rate);
        push_table(&list, &tables[i], load, variants[i].name,
                   variants[i].fp_rate, false);
    }
    void *libbloom = libbloom_add_tasks(&list, load);
    rounds_run(to, &list);
    libbloom_free(libbloom);
    for (size_t i = 0; i < COUNT; i++)
        table_free(&tables[i]);
}

void ours_run(bench *to, workload *load)
{
    run_first(to, load);
    run_others(to, load);
}
