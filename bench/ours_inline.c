/*
 * ours_inline.c - single adds and lookups through seenset/extra/inline.h,
 * beside the calls that they stand for.
 *
 * A table is filled up to its news and copied; each loop of adds starts from
 * that copy. The smallest table is restored and gone over many times in one
 * loop, as one time would be too short for the clock: the copy is under a
 * fiftieth of the time.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "hash/xxh3.h"
#include "inline_loops.h"

enum {
    LEAST_OPERATIONS = 200000,
    MOST_KEYS = 4 << 20,
    FILL_BATCH = 4096
};

typedef struct key_window {
    uint64_t *numbers, *hashes;
} key_window;

typedef struct inlined {
    seenset *set;
    const seenset_view *view;
    size_t bytes;
    uint64_t *before;     /* the words without the news, */
    uint64_t added_items; /* and how many keys those are */
    size_t count;         /* keys in each window */
    size_t times;         /* that a loop goes over them */
    key_window hits, news, misses;
    uint8_t *answers;
} inlined;

/* What one loop does; the label has how it is called. */
typedef struct job {
    inlined *on;
    inline_loop *loop;
    const uint64_t *keys;
    bool is_restored; /* before each time */
} job;

static void restore(const inlined *on)
{
    memcpy(on->view->words, on->before, on->bytes);
    *on->view->added_items = on->added_items;
}

static void run_job(const task *work)
{
    const job *now = work->subject;
    for (size_t i = 0; i < now->on->times; i++) {
        if (now->is_restored)
            restore(now->on);
        now->loop(now->on->view, now->keys, now->on->count, now->on->answers);
    }
}

/* ---- the calls ---- */

static void call_add_hash(const seenset_view *view, const uint64_t *keys,
                          size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_add_hash(view->set, keys[i]);
}

static void call_has_hash(const seenset_view *view, const uint64_t *keys,
                          size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_has_hash(view->set, keys[i]);
}

static void call_add_number(const seenset_view *view, const uint64_t *keys,
                            size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_add(view->set, &keys[i], sizeof *keys);
}

static void call_has_number(const seenset_view *view, const uint64_t *keys,
                            size_t count, uint8_t *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = (uint8_t)seenset_has(view->set, &keys[i], sizeof *keys);
}

const inline_loops *inline_loops_of_calls(void)
{
    static const inline_loops all = {.add_hash = call_add_hash,
                                     .has_hash = call_has_hash,
                                     .add_number = call_add_number,
                                     .has_number = call_has_number};
    return &all;
}

/* ---- a table, filled ---- */

static key_window keys_make(uint64_t first, size_t count)
{
    key_window made = {take(count, sizeof(uint64_t)),
                       take(count, sizeof(uint64_t))};
    for (size_t i = 0; i < count; i++) {
        made.numbers[i] = workload_mix(first + i);
        made.hashes[i] = ss_hash_key(&made.numbers[i], sizeof(uint64_t));
    }
    return made;
}

static void keys_free(const key_window *old)
{
    free(old->numbers);
    free(old->hashes);
}

static void fill(const inlined *on, uint64_t rest)
{
    uint64_t hashes[FILL_BATCH];
    while (rest > 0) {
        size_t count = rest < FILL_BATCH ? (size_t)rest : FILL_BATCH;
        for (size_t i = 0; i < count; i++)
            hashes[i] = workload_rest(--rest);
        require(seenset_add_hash_many(on->set, hashes, count, NULL) == 0,
                "cannot fill the table");
    }
    require(seenset_add_hash_many(on->set, on->hits.hashes, on->count, NULL) ==
                0,
            "cannot fill the table");
}

static void inlined_make(inlined *out, uint64_t items)
{
    seenset_options options = {.on_full = SEENSET_ON_FULL_DEGRADE,
                               .capacity_items = items,
                               .fp_rate = 0.01};
    require(seenset_new(&out->set, &options) == 0, "no memory for a set");
    out->count = items / 4 < MOST_KEYS ? (size_t)items / 4 : MOST_KEYS;
    out->times = (LEAST_OPERATIONS - 1) / out->count + 1;
    out->hits = keys_make(0, out->count);
    out->news = keys_make(UINT64_C(1) << 40, out->count);
    out->misses = keys_make(UINT64_C(2) << 40, out->count);
    out->answers = take(out->count, 1);
    fill(out, items - 2 * (uint64_t)out->count);
    require(seenset_get_view(out->set, &out->view) == 0 &&
                out->view->words != NULL,
            "a set without a view");
    out->bytes =
        (size_t)(out->view->blocks * out->view->blocks_per_key * 8 * 8);
    out->before = take(out->bytes, 1);
    memcpy(out->before, out->view->words, out->bytes);
    out->added_items = *out->view->added_items;
}

static void inlined_free(const inlined *old)
{
    keys_free(&old->hits);
    keys_free(&old->news);
    keys_free(&old->misses);
    free(old->answers);
    free(old->before);
    seenset_free(old->set);
}

/* Both ways to add leave the table that the calls leave. */
static void check_adds(const inlined *on, const inline_loops *all)
{
    inline_loop *adds[] = {all->add_hash, all->run_hash};
    uint64_t *after = take(on->bytes, 1);
    restore(on);
    call_add_hash(on->view, on->news.hashes, on->count, on->answers);
    memcpy(after, on->view->words, on->bytes);
    for (size_t i = 0; i < 2; i++) {
        if (adds[i] == NULL)
            continue;
        restore(on);
        adds[i](on->view, on->news.hashes, on->count, on->answers);
        require(memcmp(after, on->view->words, on->bytes) == 0,
                "other bits than by calls");
    }
    free(after);
}

static size_t count_seen(const inlined *on, inline_loop *has,
                         const uint64_t *numbers)
{
    size_t ones = 0;
    has(on->view, numbers, on->count, on->answers);
    for (size_t i = 0; i < on->count; i++)
        ones += on->answers[i] == 1;
    return ones;
}

/* A false positive may be twice as frequent as planned, and some. */
static void check_loops(const inlined *on, const inline_loops *all)
{
    check_adds(on, all);
    require(count_seen(on, all->has_number, on->hits.numbers) == on->count &&
                count_seen(on, all->has_number, on->misses.numbers) <=
                    on->count / 50 + 50,
            "wrong answers");
}

/* ---- tasks ---- */

typedef struct job_list {
    size_t count;
    job jobs[MOST_TASKS];
    task_list tasks;
} job_list;

static void push(job_list *list, const task *model, inline_loop *loop,
                 const char *answer)
{
    bool is_number = strcmp(model->label.keys, "number") == 0;
    bool is_new = strcmp(answer, "new") == 0;
    inlined *on = model->subject;
    const key_window *of = is_new                        ? &on->news
                           : strcmp(answer, "seen") == 0 ? &on->hits
                                                         : &on->misses;
    if (loop == NULL)
        return;
    job *made = &list->jobs[list->count++];
    *made = (job){on, loop, is_number ? of->numbers : of->hashes, is_new};
    task *added = task_add(&list->tasks, model);
    added->label.answer = answer;
    added->subject = made;
    added->run = run_job;
}

static void push_loops(job_list *list, task model, const char *name,
                       const inline_loops *all)
{
    check_loops(model.subject, all);
    model.label.subject = name;
    for (int number = 0; number < 2; number++) {
        inline_loop *add = number ? all->add_number : all->add_hash;
        inline_loop *run = number ? all->run_number : all->run_hash;
        inline_loop *has = number ? all->has_number : all->has_hash;
        inline_loop *look = number ? all->look_number : all->look_hash;
        model.label.keys = number ? "number" : "hash";
        model.label.operation = "single add";
        push(list, &model, add, "new");
        push(list, &model, add, "seen");
        model.label.operation = "single add, in a run";
        push(list, &model, run, "new");
        push(list, &model, run, "seen");
        model.label.operation = "single has";
        push(list, &model, has, "seen");
        push(list, &model, has, "never");
        model.label.operation = "single has, in a run";
        push(list, &model, look, "seen");
        push(list, &model, look, "never");
    }
}

static void run_size(bench *to, uint64_t items)
{
    static job_list list;
    inlined on = {0};
    list.count = 0;
    list.tasks.count = 0;
    inlined_make(&on, items);
    task model = {.label = {.items = items, .fp_rate = 0.01, .batch = 1},
                  .subject = &on,
                  .operations = on.count * on.times};
    push_loops(&list, model, "call", inline_loops_of_calls());
    push_loops(&list, model, "inline.h", inline_loops_plain());
    push_loops(&list, model, "inline.h, -march=native", inline_loops_native());
    rounds_run(to, &list.tasks);
    inlined_free(&on);
}

void ours_inline(bench *to)
{
    static const uint64_t items[] = {10000, 1000000, 10000000, 100000000};
    unsigned rounds = to->rounds;
    for (size_t i = 0; i < (to->is_quick ? 3u : 4u); i++) {
        to->rounds = items[i] <= 1000000 ? 3 * rounds : rounds;
        run_size(to, items[i]);
    }
    to->rounds = rounds;
}
