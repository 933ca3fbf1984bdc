/* queue_model.c - a crawl at random; the idea is in queue_model.h */
#define _POSIX_C_SOURCE 200809L
#include "queue_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen letters";

/* A place of each URL, and of some others. */
static void place_urls(void *context, const void *key, size_t key_len,
                       uint64_t size_bits, uint32_t hash_count,
                       uint64_t *indices)
{
    (void)context;
    uint64_t hash = seenset_hash(key, key_len);
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = test_mix(hash + i) % size_bits;
}

enum {
    FEW = 10 /* keys that a set which grows is made for */
};

static const uint32_t factors[] = {31, 131, 1313, 13131};
static const seenset_scheme_arguments utf16 = {
    .seeds = factors, .seed_count = 4, .unit_bits = 16};

const seenset_queue_politeness model_at_once = {
    .host_leases = SEENSET_QUEUE_MAX_HOST_LEASES, .budget = UINT32_MAX};

const model_kind model_kinds[] = {
    {"plain", {.capacity_items = MODEL_URLS, .fp_rate = 1e-9}, 0, NULL},
    {"keyed",
     {.capacity_items = MODEL_URLS, .fp_rate = 1e-9, .secret = secret},
     0,
     NULL},
    {"exact", {.capacity_items = MODEL_URLS}, 1, NULL},
    {"md5-divmod",
     {.capacity_items = MODEL_URLS,
      .fp_rate = 1e-9,
      .scheme = SEENSET_SCHEME_MD5_DIVMOD},
     0,
     NULL},
    {"caller's scheme",
     {.capacity_items = MODEL_URLS,
      .fp_rate = 1e-9,
      .scheme = SEENSET_SCHEME_CALLER,
      .index_function = place_urls},
     0,
     NULL},
    {"polynomial, UTF-16, own factors",
     {.size_bits = UINT64_C(1) << 22,
      .hash_count = 4,
      .scheme = SEENSET_SCHEME_POLYNOMIAL,
      .scheme_arguments = &utf16},
     0,
     NULL},
    {"wide counters",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .capacity_items = MODEL_URLS,
      .fp_rate = 1e-9,
      .counter_bits = 8},
     0,
     NULL},
    {"window by number",
     {.on_full = SEENSET_ON_FULL_ROTATE,
      .capacity_items = MODEL_URLS,
      .window_generations = 3,
      .fp_rate = 1e-9},
     0,
     NULL},
    {"sliding by number",
     {.on_full = SEENSET_ON_FULL_ROTATE,
      .capacity_items = 8 * MODEL_URLS,
      .flags = SEENSET_FLAG_SLIDING,
      .fp_rate = 1e-6},
     0,
     NULL},
    {"window by age",
     {.on_full = SEENSET_ON_FULL_ROTATE,
      .capacity_items = MODEL_URLS,
      .window_seconds = 86400,
      .fp_rate = 1e-9},
     0,
     NULL},
    {"sliding by age, keyed",
     {.on_full = SEENSET_ON_FULL_ROTATE,
      .capacity_items = MODEL_URLS,
      .flags = SEENSET_FLAG_SLIDING,
      .window_seconds = 86400,
      .fp_rate = 1e-9,
      .secret = secret},
     0,
     NULL},
    {"window by age that grew",
     {.on_full = SEENSET_ON_FULL_ROTATE,
      .capacity_items = FEW,
      .window_seconds = 86400,
      .fp_rate = 1e-9},
     0,
     NULL},
    {"that grew", {.capacity_items = FEW, .fp_rate = 1e-9}, 0, NULL},
    {"polite",
     {.capacity_items = MODEL_URLS, .fp_rate = 1e-9},
     0,
     &model_at_once},
    {"polite and exact", {.capacity_items = MODEL_URLS}, 1, &model_at_once},
};
const size_t model_kind_count = TEST_COUNT(model_kinds);

const model_kind *model_kind_after(int *place, const char *begin)
{
    for (size_t tried = 0; tried < model_kind_count; tried++) {
        const model_kind *kind =
            &model_kinds[(size_t)(*place)++ % model_kind_count];
        if (strncmp(kind->name, begin, strlen(begin)) == 0)
            return kind;
    }
    fail_msg("no kind of queue begins with '%s'", begin);
    return NULL;
}

void model_set_kind(model *of, const model_kind *kind)
{
    of->options.set = &kind->set;
    of->options.politeness = kind->politeness;
    of->options.flags |= kind->exact ? SEENSET_QUEUE_EXACT : 0;
}

void model_init(model *of, uint64_t seed, seenset_queue_durability durability)
{
    *of = (model){.random = {seed},
                  .url_count = 64,
                  .is_each = durability == SEENSET_QUEUE_DURABILITY_EACH,
                  .has_lanes = seed / 2 % 2 == 1,
                  .options = {.set = &model_kinds[0].set,
                              .durability = durability,
                              .segment_bytes = 4096,
                              .snapshot_bytes = 6000}};
}

unsigned model_priority(int number)
{
    static const unsigned priorities[] = {0, 4, 0, 9, 1};
    return priorities[(size_t)number % TEST_COUNT(priorities)];
}

void model_url(int number, char text[32])
{
    snprintf(text, 32, "http://a.example/%d", number);
}

int model_number(const void *url, size_t url_len)
{
    char text[32];
    int number = url_len > 17 ? atoi((const char *)url + 17) : -1;
    if (number < 0 || number >= MODEL_URLS)
        return -1;
    model_url(number, text);
    return strlen(text) == url_len && memcmp(text, url, url_len) == 0 ? number
                                                                      : -1;
}

seenset_queue *model_open(disk *on, seenset_queue_options options)
{
    static const seenset_options quick = {.fp_rate = 0.01};
    seenset_queue *queue = NULL;
    if (options.set == NULL && disk_name(on, "MANIFEST", 0) == NULL)
        options.set = &quick;
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options),
                     SEENSET_OK);
    return queue;
}

int model_push(seenset_queue *queue, int first, int end)
{
    int count = 0;
    char url[32];
    for (int i = first; i < end; i++) {
        model_url(i, url);
        int answer = seenset_queue_push(queue, url, strlen(url), NULL, 0);
        assert_in_range(answer, 0, 1);
        count += answer;
    }
    return count;
}

int model_drain(seenset_queue *queue, int *counts)
{
    seenset_queue_item item = {0};
    int count = 0, result;
    while ((result = seenset_queue_pop(queue, &item)) == 1) {
        int number = model_number(item.url, item.url_len);
        if (counts != NULL && number >= 0)
            counts[number]++;
        count++;
    }
    seenset_queue_item_free(&item);
    return result < 0 ? result : count;
}

int model_count(disk *on)
{
    seenset_queue *queue = model_open(on, (seenset_queue_options){0});
    int count = model_drain(queue, NULL);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    return count;
}

disk *model_kill(disk *on, seenset_queue *queue)
{
    disk *killed = disk_copy(on);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
    return killed;
}

static disk *past_of(const seenset_queue_politeness *politeness)
{
    enum {
        LATER = 20
    };
    disk *on = disk_new();
    seenset_queue_item item = {0};
    seenset_queue *queue = model_open(
        on, (seenset_queue_options){
                .set = &(const seenset_options){.capacity_items = 500,
                                                .fp_rate = 0.01},
                .segment_bytes = 4096,
                .politeness = politeness});
    int old = MODEL_PAST_ITEMS - LATER;
    assert_int_equal(model_push(queue, 0, old), old);
    for (int i = 0; i < MODEL_PAST_POPPED; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        if (i % 3 != 0)
            assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
    }
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(model_push(queue, old, MODEL_PAST_ITEMS), LATER);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    seenset_queue_item_free(&item);
    return model_kill(on, queue);
}

disk *model_past(void)
{
    return past_of(NULL);
}

disk *model_polite_past(void)
{
    return past_of(&model_at_once);
}

static int below(model *of, int limit)
{
    return (int)test_random_below(&of->random, (uint64_t)limit);
}

void model_promise(model *of)
{
    memcpy(of->is_push_safe, of->is_pushed, sizeof of->is_pushed);
    memcpy(of->is_ack_safe, of->is_acked, sizeof of->is_acked);
    memcpy(of->again_safe, of->again, sizeof of->again);
    memcpy(of->done_safe, of->done, sizeof of->done);
    memcpy(of->is_forgotten_safe, of->is_forgotten, sizeof of->is_forgotten);
    memcpy(of->is_marked_safe, of->is_marked, sizeof of->is_marked);
}

int model_push_entry(const model *of, seenset_queue *queue,
                     const seenset_queue_entry *entry, int number, bool again)
{
    uint8_t answer = 0;
    const seenset_queue_push_options options = {
        .priority = of->has_lanes ? model_priority(number) : 0,
        .flags = again ? SEENSET_QUEUE_AGAIN : 0};
    if (!of->has_lanes)
        return seenset_queue_push(queue, entry->url, entry->url_len,
                                  entry->data, entry->data_len);
    int error = seenset_queue_push_many(queue, entry, 1, &options, &answer);
    return error != 0 ? error : answer;
}

/* One of the URLs that are visited again: it is pushed again, or forgotten and
 * pushed, or forgotten. */
static void visit_again(model *of, seenset_queue *queue)
{
    char url[32];
    int i = below(of, MODEL_AGAIN), way = below(of, 3);
    model_url(of->url_count + i, url);
    const seenset_queue_entry entry = {.url = url, .url_len = strlen(url)};
    int answer = 1;
    if (way > 0) {
        answer = seenset_queue_forget(queue, url, strlen(url));
        of->error = answer < 0 ? answer : 0;
        of->is_forgotten[i] |= answer == 1;
    }
    if (of->error != 0 || way == 2)
        return;
    if (of->is_each)
        model_promise(of); /* what comes next may not be answered */
    bool is_new = way == 0 || of->is_forgotten[i];
    of->again_tried[i]++;
    of->is_forgotten[i] = of->is_forgotten_safe[i] = false;
    answer = model_push_entry(of, queue, &entry, of->url_count + i, way == 0);
    of->error = answer < 0 ? answer : 0;
    of->again[i] += answer == 1;
    if (is_new && answer == 0)
        of->is_refuted = true;
}

/* Puts a URL into the set; the first time it must be new. */
static void mark_one(model *of, seenset_queue *queue)
{
    static const seenset_queue_push_options only = {
        .flags = SEENSET_QUEUE_SEEN_ONLY};
    char url[32];
    uint8_t answer = 0;
    int i = below(of, MODEL_MARKED);
    bool is_new = !of->is_mark_tried[i];
    model_url(of->url_count + MODEL_AGAIN + i, url);
    const seenset_queue_entry entry = {.url = url, .url_len = strlen(url)};
    of->is_mark_tried[i] = true;
    of->error = seenset_queue_push_many(queue, &entry, 1, &only, &answer);
    if (of->error == 0 && (is_new != (answer == SEENSET_ANSWER_NEW)) &&
        (is_new || of->is_marked[i]))
        of->is_refuted = true;
    of->is_marked[i] |= of->error == 0;
}

static void push_one(model *of, seenset_queue *queue)
{
    char url[32], data[300];
    int number = below(of, of->url_count);
    model_url(number, url);
    memset(data, 'x', sizeof data);
    const seenset_queue_entry entry = {.url = url,
                                       .url_len = strlen(url),
                                       .data = data,
                                       .data_len =
                                           (size_t)below(of, sizeof data)};
    int answer = model_push_entry(of, queue, &entry, number, false);
    of->error = answer < 0 ? answer : 0;
    if (answer >= 0)
        of->is_pushed[number] = true;
}

static void push_some(model *of, seenset_queue *queue)
{
    char urls[8][32];
    seenset_queue_entry pushes[8];
    int numbers[8], count = 1 + below(of, 8);
    for (int i = 0; i < count; i++) {
        numbers[i] = below(of, of->url_count);
        model_url(numbers[i], urls[i]);
        pushes[i] =
            (seenset_queue_entry){.url = urls[i], .url_len = strlen(urls[i])};
    }
    of->error =
        seenset_queue_push_many(queue, pushes, (size_t)count, NULL, NULL);
    for (int i = 0; i < count && of->error == 0; i++)
        of->is_pushed[numbers[i]] = true;
}

static void pop_one(model *of, seenset_queue *queue)
{
    seenset_queue_item item = {0};
    if (of->lease_count == MODEL_LEASES)
        return;
    int result = seenset_queue_pop(queue, &item);
    of->error = result < 0 ? result : 0;
    if (result == 1) {
        of->leases[of->lease_count] = item.lease;
        of->leased_urls[of->lease_count++] =
            model_number(item.url, item.url_len);
    }
    seenset_queue_item_free(&item);
}

static void drop_lease(model *of, int index)
{
    of->lease_count--;
    of->leases[index] = of->leases[of->lease_count];
    of->leased_urls[index] = of->leased_urls[of->lease_count];
}

static void ack_one(model *of, seenset_queue *queue)
{
    if (of->lease_count == 0)
        return;
    int index = below(of, of->lease_count), url = of->leased_urls[index];
    bool is_again = url >= of->url_count;
    int again = is_again ? url - of->url_count : 0;
    of->is_ack_tried[url] = true;
    of->done_tried[again] += is_again;
    of->error = seenset_queue_ack(queue, of->leases[index]);
    of->is_acked[url] |= of->error == 0;
    of->done[again] += is_again && of->error == 0;
    drop_lease(of, index);
}

static void nack_one(model *of, seenset_queue *queue)
{
    if (of->lease_count == 0)
        return;
    int index = below(of, of->lease_count);
    of->error = seenset_queue_nack(queue, of->leases[index], NULL);
    drop_lease(of, index);
}

/* Puts off all that it has, so that files of delayed items are needed. */
static void nack_all(model *of, seenset_queue *queue)
{
    for (; of->lease_count > 0 && of->error == 0; of->lease_count--) {
        const seenset_queue_nack_options how = {
            .delay_seconds = below(of, MODEL_MOST_DELAY)};
        of->error =
            seenset_queue_nack(queue, of->leases[of->lease_count - 1], &how);
    }
}

void model_put_off(model *of, seenset_queue *queue, int count)
{
    for (int i = 0; i < count && of->error == 0; i++)
        push_one(of, queue);
    for (int i = 0; i < count && of->error == 0; i++)
        pop_one(of, queue);
    nack_all(of, queue);
    assert_int_equal(of->error, 0);
    if (of->is_each)
        model_promise(of);
}

static void sync_all(model *of, seenset_queue *queue)
{
    of->error = seenset_queue_sync(queue);
    if (of->error == 0)
        model_promise(of);
}

static void open_again(model *of, const ss_io *io, const char *dir,
                       seenset_queue **queue)
{
    of->error = seenset_queue_close(*queue);
    *queue = NULL;
    if (of->error == 0)
        model_promise(of);
    of->lease_count = 0;
    int error = ss_queue_open(io, queue, dir, &of->options);
    if (error != 0) {
        of->error = error;
        *queue = NULL;
    }
}

void model_step(model *of, const ss_io *io, const char *dir,
                seenset_queue **queue)
{
    int chance = below(of, 100);
    of->steps++;
    of->error = 0;
    if (chance < 5 && of->has_lanes)
        visit_again(of, *queue);
    else if (chance < 7 && of->has_lanes)
        mark_one(of, *queue);
    else if (chance < 35)
        push_one(of, *queue);
    else if (chance < 42)
        push_some(of, *queue);
    else if (chance < 68)
        pop_one(of, *queue);
    else if (chance < 90)
        ack_one(of, *queue);
    else if (chance < 92)
        nack_one(of, *queue);
    else if (chance < 93)
        nack_all(of, *queue);
    else if (chance < 96)
        sync_all(of, *queue);
    else if (chance < 98)
        of->error = seenset_queue_checkpoint(*queue);
    else
        open_again(of, io, dir, queue);
    if (of->is_each)
        model_promise(of);
}
