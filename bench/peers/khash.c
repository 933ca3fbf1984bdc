/*
 * khash.c - htslib's khash as a set of strings and of 64-bit numbers:
 * exact, a header of macros, among the fastest hash tables in C.
 *
 * kh_put returns whether the key was new; strings stay the caller's.
 */
#include "bench.h"

#include <htslib/khash.h>

/* The macros are khash's own, and so are their conversions. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-function"
KHASH_SET_INIT_STR(text)
KHASH_SET_INIT_INT64(number)
#pragma GCC diagnostic pop

static void empty_texts(const task *work)
{
    khash_t(text) **table = work->subject;
    kh_destroy(text, *table);
    *table = kh_init(text);
}

static void add_texts(const task *work)
{
    khash_t(text) *table = *(khash_t(text) **)work->subject;
    const window *keys = work->keys;
    const char *url = keys->urls;
    for (size_t i = 0; i < keys->count; i++, url += keys->url_bytes + 1) {
        int is_new = 0;
        (void)kh_put(text, table, url, &is_new);
        work->load->answers[i] = is_new > 0;
    }
}

static void has_texts(const task *work)
{
    khash_t(text) *table = *(khash_t(text) **)work->subject;
    const window *keys = work->keys;
    const char *url = keys->urls;
    for (size_t i = 0; i < keys->count; i++, url += keys->url_bytes + 1)
        work->load->answers[i] = kh_get(text, table, url) != kh_end(table);
}

static void empty_numbers(const task *work)
{
    khash_t(number) **table = work->subject;
    kh_destroy(number, *table);
    *table = kh_init(number);
}

static void add_numbers(const task *work)
{
    khash_t(number) *table = *(khash_t(number) **)work->subject;
    for (size_t i = 0; i < work->keys->count; i++) {
        int is_new = 0;
        (void)kh_put(number, table, work->keys->numbers[i], &is_new);
        work->load->answers[i] = is_new > 0;
    }
}

static void has_numbers(const task *work)
{
    khash_t(number) *table = *(khash_t(number) **)work->subject;
    const uint64_t *numbers = work->keys->numbers;
    for (size_t i = 0; i < work->keys->count; i++)
        work->load->answers[i] =
            kh_get(number, table, numbers[i]) != kh_end(table);
}

void khash_run(bench *to, workload *load)
{
    static task_list list;
    list.count = 0;
    khash_t(text) *texts = NULL;
    khash_t(number) *numbers = NULL;
    const exact_peer of_texts = {"khash", load->url_name, empty_texts,
                                 add_texts, has_texts};
    const exact_peer of_numbers = {"khash", "number", empty_numbers,
                                   add_numbers, has_numbers};
    exact_push(&list, &of_texts, &texts, load);
    exact_push(&list, &of_numbers, &numbers, load);
    rounds_run(to, &list);
    kh_destroy(text, texts);
    kh_destroy(number, numbers);
}
