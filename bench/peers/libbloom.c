/*
 * libbloom.c - libbloom, the classic Bloom filter that Debian ships.
 *
 * It takes keys, not hashes (it hashes with MurmurHash2), one at a time. Its
 * bits are copied before the news are added, as ours are; the field is not
 * for callers, but adding again from the same state is kinder to it than a
 * table that fills up.
 */
#include "bench.h"

#include <bloom.h>
#include <stdlib.h>
#include <string.h>

typedef struct filter {
    struct bloom bloom;
    unsigned char *before;
} filter;

static filter *filter_make(const workload *load)
{
    filter *made = take(1, sizeof *made);
    require(bloom_init(&made->bloom, (int)load->items, 0.01) == 0,
            "libbloom has no memory");
    for (uint64_t i = 0; i < load->rest_count; i++) {
        uint64_t number = workload_rest(i);
        (void)bloom_add(&made->bloom, &number, sizeof number);
    }
    const window *hits = &load->hits;
    for (size_t i = 0; i < hits->count; i++) {
        (void)bloom_add(&made->bloom, &hits->numbers[i], 8);
        (void)bloom_add(&made->bloom, hits->url_keys[i].data,
                        (int)hits->url_bytes);
    }
    size_t bytes = (size_t)made->bloom.bytes;
    made->before = take(bytes, 1);
    memcpy(made->before, made->bloom.bf, bytes);
    return made;
}

static void take_news_out(const task *work)
{
    filter *to = work->subject;
    memcpy(to->bloom.bf, to->before, (size_t)to->bloom.bytes);
}

/* bloom_add answers 0 for a new key, as bloom_check does. */
static void add_numbers(const task *work)
{
    struct bloom *bloom = &((filter *)work->subject)->bloom;
    for (size_t i = 0; i < work->operations; i++)
        work->load->answers[i] =
            bloom_add(bloom, &work->keys->numbers[i], 8) == 0;
}

static void has_numbers(const task *work)
{
    struct bloom *bloom = &((filter *)work->subject)->bloom;
    for (size_t i = 0; i < work->operations; i++)
        work->load->answers[i] =
            (uint8_t)bloom_check(bloom, &work->keys->numbers[i], 8);
}

static void add_urls(const task *work)
{
    struct bloom *bloom = &((filter *)work->subject)->bloom;
    const window *keys = work->keys;
    const char *url = keys->urls;
    for (size_t i = 0; i < work->operations; i++, url += keys->url_bytes + 1)
        work->load->answers[i] =
            bloom_add(bloom, url, (int)keys->url_bytes) == 0;
}

static void has_urls(const task *work)
{
    struct bloom *bloom = &((filter *)work->subject)->bloom;
    const window *keys = work->keys;
    const char *url = keys->urls;
    for (size_t i = 0; i < work->operations; i++, url += keys->url_bytes + 1)
        work->load->answers[i] =
            (uint8_t)bloom_check(bloom, url, (int)keys->url_bytes);
}

static void push(task_list *list, task model, const char *keys,
                 void (*add)(const task *), void (*has)(const task *))
{
    size_t count = model.operations;
    model.label.keys = keys;
    task *added = task_add(list, &model);
    added->label.operation = "add";
    added->label.answer = "new";
    added->prepare = take_news_out;
    added->run = add;
    added->keys = &model.load->news;
    added->least = count - count / 30;
    added->most = count;

    task *hit = task_add(list, &model);
    hit->label.operation = "has";
    hit->label.answer = "seen";
    hit->run = has;
    hit->keys = &model.load->hits;
    hit->least = hit->most = count;

    task *miss = task_add(list, &model);
    miss->label.operation = "has";
    miss->label.answer = "never";
    miss->run = has;
    miss->keys = &model.load->misses;
    miss->most = count / 30;
}

void *libbloom_add_tasks(task_list *list, workload *load)
{
    task model = {.label = {.subject = "libbloom",
                            .items = load->items,
                            .fp_rate = 0.01,
                            .batch = 1},
                  .subject = filter_make(load),
                  .load = load,
                  .operations = workload_few(load)};
    push(list, model, "number", add_numbers, has_numbers);
    push(list, model, load->url_name, add_urls, has_urls);
    return model.subject;
}

void libbloom_free(void *subject)
{
    filter *old = subject;
    bloom_free(&old->bloom);
    free(old->before);
    free(old);
}
