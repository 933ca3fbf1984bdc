/*
 * rows.c - every layout, every twin of it, every operation, in one table; and
 * peers, each in the same rounds.
 *
 * Keys are ready hashes, the same for all. A filter has all keys when it is
 * asked. Before a loop that adds it is a copy without the news, before one that
 * removes a copy of the full one, and the copy is not timed. A quarter of the
 * keys are asked for, added and removed, at most 250,000. Times are those that
 * the processor spent on this thread.
 *
 * What each row is to reach is in report/rows.py.
 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "hash/xxh3.h"

enum {
    BATCH = 4096,
    MOST_WINDOW = 250000
};

/* ---- a task ---- */

typedef struct job {
    contestant *of;
    bench_loop *loop;
    const uint64_t *hashes;
    const void *origin; /* what a copy is made of first; NULL: none is */
    uint64_t *scratch;  /* of a build: hashes that may be put in order */
} job;

/* A large copy may have gone past the caches. Where a table fits them, its
 * lines are asked for, so that all begin alike. */
static void make_copy(const task *work)
{
    const job *now = work->subject;
    contestant *of = now->of;
    if (of->changed != NULL)
        of->peer.discard(of->changed);
    of->changed = of->peer.copy(now->origin);
    if (work->passes > 0)
        of->peer.has(of->changed, now->hashes, work->operations,
                     work->load->answers);
}

static void run_loop(const task *work)
{
    const job *now = work->subject;
    void *filter = now->origin != NULL ? now->of->changed : now->of->full;
    size_t batch = work->label.batch > 1 ? BATCH : work->operations;
    for (size_t i = 0; i < work->operations; i += batch) {
        size_t left = work->operations - i;
        now->loop(filter, now->hashes + i, left < batch ? left : batch,
                  work->load->answers + i);
    }
}

static void copy_hashes(const task *work)
{
    const job *now = work->subject;
    memcpy(now->scratch, now->hashes, work->operations * sizeof *now->scratch);
}

static void run_build(const task *work)
{
    const job *now = work->subject;
    now->of->peer.discard(now->of->peer.build(now->scratch, work->operations,
                                              work->label.fp_rate));
}

/* ---- the rows' operations ---- */

typedef enum keys_of {
    SEEN,
    NEVER,
    NEW
} keys_of;

typedef struct operation {
    row_loop loop;
    const char *name;
    keys_of keys;
    bool is_batch;
    bool is_changing;
} operation;

static const operation operations[] = {
    {ROW_ADD, "add", NEW, false, true},
    {ROW_INLINE_ADD, "inline add", NEW, false, true},
    {ROW_ADDER, "inline adder", NEW, false, true},
    {ROW_ADD_MANY, "add, batches", NEW, true, true},
    {ROW_HAS, "has", SEEN, false, false},
    {ROW_HAS, "has", NEVER, false, false},
    {ROW_INLINE_HAS, "inline has", SEEN, false, false},
    {ROW_INLINE_HAS, "inline has", NEVER, false, false},
    {ROW_LOOKER, "inline looker", SEEN, false, false},
    {ROW_LOOKER, "inline looker", NEVER, false, false},
    {ROW_HAS_MANY, "has, batches", SEEN, true, false},
    {ROW_HAS_MANY, "has, batches", NEVER, true, false},
    {ROW_REMOVE, "remove", SEEN, false, true}};

static const char *const answers_of[] = {"seen", "never", "new"};

enum {
    OPERATIONS = sizeof operations / sizeof *operations,
    MOST_JOBS = MOST_CONTESTANTS * (OPERATIONS + 1)
};

typedef struct arena {
    row_keys keys;
    workload load; /* of which the answers, and what limits need */
    contestants list;
    size_t job_count;
    job jobs[MOST_JOBS];
    task_list tasks;
} arena;

static const uint64_t *hashes_of(const row_keys *keys, keys_of which)
{
    if (which == NEVER)
        return keys->misses;
    return which == SEEN ? keys->hashes
                         : keys->hashes + keys->items - keys->asked;
}

/* Tables that fit a cache are in it, and the smallest are gone over until the
 * clock is fine enough. */
static unsigned passes_of(const arena *in)
{
    if (in->keys.items > 1000000)
        return 0;
    return in->keys.asked < MOST_WINDOW ? 20 : 1;
}

static task model_of(arena *in, const contestant *of, const char *name)
{
    return (task){.label = {.subject = of->name,
                            .twin = of->twin,
                            .operation = name,
                            .keys = "hash",
                            .items = in->keys.items,
                            .fp_rate = in->keys.fp_rate,
                            .batch = 1},
                  .is_cpu_time = true,
                  .passes = passes_of(in),
                  .load = &in->load,
                  .most = SIZE_MAX};
}

/* What is left in the answers: all that was added is seen, new or removed, but
 * for false positives, which may be twice as many as planned, and some. */
static void set_bounds(task *of, const contestant *by, keys_of which)
{
    size_t wrong =
        (size_t)((double)of->operations * of->label.fp_rate * 2) + 50;
    if (which == NEVER)
        of->most = wrong;
    else if (which == SEEN)
        of->least = of->operations;
    else if (!by->peer.is_blind)
        of->least = of->operations > wrong ? of->operations - wrong : 0;
}

static void push(arena *in, contestant *of, const operation *what)
{
    bool is_able = of->loops[what->loop] != NULL &&
                   (!what->is_changing || of->peer.copy != NULL);
    if (!is_able)
        return;
    job *made = &in->jobs[in->job_count++];
    *made = (job){.of = of,
                  .loop = of->loops[what->loop],
                  .hashes = hashes_of(&in->keys, what->keys)};
    task model = model_of(in, of, what->name);
    model.label.answer = answers_of[what->keys];
    model.label.batch = what->is_batch ? BATCH : 1;
    model.subject = made;
    model.run = run_loop;
    model.operations = in->keys.asked;
    if (what->is_changing) {
        made->origin = what->keys == NEW ? of->before : of->full;
        model.prepare = make_copy;
    }
    set_bounds(&model, of, what->keys);
    task_add(&in->tasks, &model);
}

static void push_build(arena *in, contestant *of)
{
    if (of->peer.build == NULL)
        return;
    job *made = &in->jobs[in->job_count++];
    *made =
        (job){.of = of, .hashes = in->keys.hashes, .scratch = in->load.scratch};
    task model = model_of(in, of, "build");
    model.label.answer = "new";
    model.load = NULL;
    model.subject = made;
    model.prepare = copy_hashes;
    model.run = run_build;
    model.operations = (size_t)in->keys.items;
    model.passes = 0;
    task_add(&in->tasks, &model);
}

/* ---- the peers' tables ---- */

contestant *contestant_add(contestants *list, const bench_peer *peer,
                           const char *twin)
{
    require(list->count < MOST_CONTESTANTS, "too many rows");
    contestant *added = &list->all[list->count++];
    *added = (contestant){.name = peer->name, .twin = twin, .peer = *peer};
    added->loops[ROW_HAS] = peer->has;
    added->loops[ROW_ADD] = peer->add;
    added->loops[ROW_REMOVE] = peer->remove;
    added->loops[ROW_HAS_MANY] = peer->has_many;
    added->loops[ROW_ADD_MANY] = peer->add_many;
    return added;
}

static void fill_made(contestant *of, const arena *in)
{
    const row_keys *keys = &in->keys;
    size_t old = (size_t)keys->items - keys->asked;
    uint8_t *answers = take((size_t)keys->items, 1);
    of->full = of->peer.make(keys->items, keys->fp_rate);
    require(of->full != NULL, "a peer cannot make such a filter");
    of->peer.add(of->full, keys->hashes, old, answers);
    of->before = of->peer.copy != NULL ? of->peer.copy(of->full) : NULL;
    of->peer.add(of->full, keys->hashes + old, keys->asked, answers);
    free(answers);
}

static void fill(contestant *of, arena *in)
{
    const row_keys *keys = &in->keys;
    if (of->full != NULL)
        return;
    if (of->peer.make != NULL) {
        fill_made(of, in);
        return;
    }
    size_t count = (size_t)keys->items;
    memcpy(in->load.scratch, keys->hashes, count * sizeof *keys->hashes);
    of->full = of->peer.build(in->load.scratch, count, keys->fp_rate);
    require(of->full != NULL, "a peer cannot build such a filter");
}

static void empty(contestant *old)
{
    void *filters[] = {old->before, old->full, old->changed};
    for (size_t i = 0; i < 3; i++)
        if (filters[i] != NULL)
            old->peer.discard(filters[i]);
}

/* ---- a size ---- */

static void keys_make(row_keys *out, uint64_t items, double fp_rate)
{
    size_t asked = items / 4 < MOST_WINDOW ? (size_t)items / 4 : MOST_WINDOW;
    *out = (row_keys){.items = items, .fp_rate = fp_rate, .asked = asked};
    out->hashes = take((size_t)items, sizeof *out->hashes);
    out->misses = take(asked, sizeof *out->misses);
    for (uint64_t i = 0; i < items + asked; i++) {
        uint64_t number = workload_mix(i);
        uint64_t *to = i < items ? out->hashes + i : out->misses + i - items;
        *to = ss_hash_key(&number, sizeof number);
    }
}

static void arena_make(arena *out, bench *to, uint64_t items)
{
    *out = (arena){.load = {.items = items}};
    keys_make(&out->keys, items, 0.01);
    out->load.answers = take((size_t)items, 1);
    out->load.scratch = take((size_t)items, sizeof *out->load.scratch);
    out->load.hits =
        (window){.count = out->keys.asked, .number_hashes = out->keys.hashes};
    rows_add_sets(&out->list, &out->keys);
    rows_add_libbloom(&out->list);
    rows_add_khash(&out->list);
    rows_add_opened(&out->list, to->peers, to->peer_count);
}

static void arena_free(arena *old)
{
    for (size_t i = 0; i < old->list.count; i++)
        empty(&old->list.all[i]);
    free(old->keys.hashes);
    free(old->keys.misses);
    free(old->load.answers);
    free(old->load.scratch);
}

static void record_bits(bench *to, arena *in, const contestant *of)
{
    if (of->peer.bits == NULL)
        return;
    task model = model_of(in, of, "memory");
    double bits = of->peer.bits(of->full) / (double)in->keys.items;
    record_figure(to, &model.label, "bits a key", &bits, 1, 0);
}

/* Lines of the default layout's table; it is the first. */
static void push_limits(arena *in)
{
    limits_random(&in->tasks, &in->load, in->list.all[0].full);
    for (size_t i = 0; i < in->tasks.count; i++) {
        in->tasks.tasks[i].is_cpu_time = true;
        in->tasks.tasks[i].passes = passes_of(in);
    }
}

/* What is compared takes turns: one operation of all, then the next. */
static void push_all(arena *in)
{
    push_limits(in);
    for (size_t k = 0; k < OPERATIONS; k++)
        for (size_t i = 0; i < in->list.count; i++)
            push(in, &in->list.all[i], &operations[k]);
    for (size_t i = 0; i < in->list.count; i++)
        push_build(in, &in->list.all[i]);
}

static void run_size(bench *to, uint64_t items)
{
    arena *in = take(1, sizeof *in);
    arena_make(in, to, items);
    for (size_t i = 0; i < in->list.count; i++) {
        fill(&in->list.all[i], in);
        record_bits(to, in, &in->list.all[i]);
    }
    push_all(in);
    rounds_run(to, &in->tasks);
    arena_free(in);
    free(in);
}

void rows_run(bench *to)
{
    static const uint64_t items[] = {10000, 1000000, 10000000};
    unsigned rounds = to->rounds;
    if (to->items > 0) {
        run_size(to, to->items);
        return;
    }
    for (size_t i = 0; i < (to->is_quick ? 2u : 3u); i++) {
        to->rounds = items[i] <= 1000000 ? 2 * rounds : rounds;
        run_size(to, items[i]);
    }
    to->rounds = rounds;
}
