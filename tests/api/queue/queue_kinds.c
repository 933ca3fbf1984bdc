/* queue_kinds.c - the table of kinds, and places; see queue_kinds.h */
#include "queue_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static const uint8_t secret[SEENSET_SECRET_BYTES] = "of sixteen bytes";

/* What schemes are given. */
static const uint32_t factors[] = {31, 131, 1313, 13131};
static const seenset_scheme_arguments utf16 = {
    .seeds = factors, .seed_count = 4, .unit_bits = 16};
static const seenset_scheme_arguments seeded = {.seed = 0x5eed};

/* Places of a caller's own. */
static void place_urls(void *context, const void *key, size_t key_len,
                       uint64_t size_bits, uint32_t hash_count,
                       uint64_t *indices)
{
    (void)context;
    uint64_t hash = seenset_hash(key, key_len);
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = test_mix(hash + i) % size_bits;
}

/* So that nothing waits for a turn: hosts are as if there were none. */
static const seenset_queue_politeness at_once = {
    .host_leases = SEENSET_QUEUE_MAX_HOST_LEASES};

static const queue_kind kinds[] = {
    {"default", .options = {.set = NULL}},
    {"durable within an interval",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_INTERVAL,
                 .interval_seconds = 0.001}},
    {"durable when told",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"normalising",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE,
                 .normalise = SEENSET_QUEUE_NORMALISE_URL}},
    {"short segments",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE,
                 .segment_bytes = 4096,
                 .snapshot_bytes = 8192}},
    {"growing",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_GROW,
                                              .capacity_items = 10},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"refusing",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_REFUSE,
                                              .capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"degrading",
     .options = {.set = &(const seenset_options){.on_full =
                                                     SEENSET_ON_FULL_DEGRADE,
                                                 .capacity_items = QUEUE_ROOM,
                                                 .fp_rate = 1e-9},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"window by number",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_ROTATE,
                                              .capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"classic",
     .options = {.set = &(const seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                                 .capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"split blocks",
     .options = {.set = &(const seenset_options){.layout =
                                                     SEENSET_LAYOUT_SPLIT_BLOCK,
                                                 .capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"counting",
     .options = {.set =
                     &(const seenset_options){.layout = SEENSET_LAYOUT_COUNTING,
                                              .capacity_items = QUEUE_ROOM,
                                              .fp_rate = 1e-9},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"keyed",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM,
                                                 .secret = secret}}},
    {"exact", .options = {.flags = SEENSET_QUEUE_EXACT}},
    {"exact, durable when told, short segments",
     .options = {.flags = SEENSET_QUEUE_EXACT,
                 .durability = SEENSET_QUEUE_DURABILITY_NONE,
                 .segment_bytes = 4096,
                 .snapshot_bytes = 8192}},
    {"exact and refusing",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_REFUSE,
                                              .capacity_items = QUEUE_ROOM},
                 .flags = SEENSET_QUEUE_EXACT}},
    {"in memory",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM}},
     .is_in_memory = true},
    {"in memory, keyed, short segments",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM,
                                                 .secret = secret},
                 .segment_bytes = 4096},
     .is_in_memory = true},
    {"in memory, exact, normalising",
     .options = {.flags = SEENSET_QUEUE_EXACT,
                 .normalise = SEENSET_QUEUE_NORMALISE_URL},
     .is_in_memory = true},
    {"in memory, refusing",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_REFUSE,
                                              .capacity_items = QUEUE_ROOM}},
     .is_in_memory = true},
    {"polite", .options = {.politeness = &at_once}},
    {"polite, durable when told, short segments",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE,
                 .segment_bytes = 4096,
                 .snapshot_bytes = 8192,
                 .politeness = &at_once}},
    {"polite, in memory, short segments",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM},
                 .segment_bytes = 4096,
                 .politeness = &at_once},
     .is_in_memory = true},
    {"a scheme",
     .options = {.set = &(const seenset_options){.scheme =
                                                     SEENSET_SCHEME_MURMUR3_128,
                                                 .capacity_items = QUEUE_ROOM,
                                                 .fp_rate = 1e-9}}},
    {"a scheme with factors of UTF-16 units",
     .options = {.set = &(const seenset_options){.scheme =
                                                     SEENSET_SCHEME_POLYNOMIAL,
                                                 .scheme_arguments = &utf16,
                                                 .capacity_items = QUEUE_ROOM,
                                                 .fp_rate = 1e-9},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"seeded",
     .options = {.set = &(const seenset_options){.capacity_items = QUEUE_ROOM,
                                                 .scheme_arguments = &seeded},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"the caller's scheme",
     .options = {.set =
                     &(const seenset_options){.scheme = SEENSET_SCHEME_CALLER,
                                              .index_function = place_urls,
                                              .capacity_items = QUEUE_ROOM,
                                              .fp_rate = 1e-9},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"counters of 16 bits",
     .options = {.set =
                     &(const seenset_options){.layout = SEENSET_LAYOUT_COUNTING,
                                              .counter_bits = 16,
                                              .capacity_items = QUEUE_ROOM,
                                              .fp_rate = 1e-9}}},
    {"window of three tables",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_ROTATE,
                                              .window_generations = 3,
                                              .capacity_items = QUEUE_ROOM}}},
    {"sliding window by number",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_ROTATE,
                                              .flags = SEENSET_FLAG_SLIDING,
                                              .capacity_items = QUEUE_ROOM}}},
    {"window by age",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_ROTATE,
                                              .window_seconds = 86400,
                                              .capacity_items = QUEUE_ROOM}}},
    {"sliding window by age, keyed",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_ROTATE,
                                              .window_seconds = 86400,
                                              .flags = SEENSET_FLAG_SLIDING,
                                              .secret = secret,
                                              .capacity_items = QUEUE_ROOM},
                 .durability = SEENSET_QUEUE_DURABILITY_NONE}},
    {"sliding window by age, in memory",
     .options = {.set =
                     &(const seenset_options){.on_full = SEENSET_ON_FULL_ROTATE,
                                              .window_seconds = 86400,
                                              .flags = SEENSET_FLAG_SLIDING,
                                              .capacity_items = QUEUE_ROOM}},
     .is_in_memory = true},
};

bool queue_kind_normalises(const queue_kind *kind)
{
    return kind->options.normalise == SEENSET_QUEUE_NORMALISE_URL;
}

bool queue_kind_is_polite(const queue_kind *kind)
{
    return kind->options.politeness != NULL;
}

seenset_on_full queue_kind_on_full(const queue_kind *kind)
{
    const seenset_options *set = kind->options.set;
    if (set != NULL && set->on_full != SEENSET_ON_FULL_DEFAULT)
        return set->on_full;
    return set != NULL && (set->layout == SEENSET_LAYOUT_COUNTING ||
                           set->scheme > SEENSET_SCHEME_CHAIN)
               ? SEENSET_ON_FULL_DEGRADE
               : SEENSET_ON_FULL_GROW;
}

seenset_queue_durability queue_kind_durability(const queue_kind *kind)
{
    if (kind->is_in_memory)
        return SEENSET_QUEUE_DURABILITY_NONE;
    return kind->options.durability == SEENSET_QUEUE_DURABILITY_DEFAULT
               ? SEENSET_QUEUE_DURABILITY_EACH
               : kind->options.durability;
}

static const queue_kind *kind_after(const queue_kind *kind)
{
    return kind == NULL ? kinds : kind + 1;
}

/* The tests get the next kind, first of all the first; false after the last. */
static bool next_kind(queue_place *at, struct CMUnitTest *tests,
                      size_t test_count)
{
    const queue_kind *next = kind_after(at->kind);
    if (next == kinds + TEST_COUNT(kinds))
        return false;
    *at = (queue_place){.kind = next, .options = next->options};
    if (at->options.lease_seconds == 0.0)
        at->options.lease_seconds = 1e9;
    print_message("---- %s ----\n", next->name);
    for (size_t i = 0; i < test_count; i++)
        tests[i].initial_state = at;
    return true;
}

static bool next_kept_kind(queue_place *at, struct CMUnitTest *tests,
                           size_t test_count)
{
    const queue_kind *next = kind_after(at->kind);
    while (next < kinds + TEST_COUNT(kinds) && next->is_in_memory)
        at->kind = next++;
    return next_kind(at, tests, test_count);
}

/* Is there more than one thread, if the test starts none? */
static bool has_thread(const queue_kind *kind)
{
    return queue_kind_durability(kind) == SEENSET_QUEUE_DURABILITY_INTERVAL;
}

static int run_kinds(bool (*next)(queue_place *, struct CMUnitTest *, size_t),
                     struct CMUnitTest *tests, size_t test_count, bool runs_all)
{
    queue_place place = {0};
    int failed = 0, run = 0;
    while (next(&place, tests, test_count)) {
        if (!runs_all && !has_thread(place.kind))
            continue;
        if (queue_kind_normalises(place.kind) && !test_has_urls())
            continue;
        failed += _cmocka_run_group_tests(place.kind->name, tests, test_count,
                                          NULL, NULL);
        run++;
    }
    return failed != 0 || run == 0;
}

int queue_run_kinds(struct CMUnitTest *tests, size_t test_count)
{
    return run_kinds(next_kind, tests, test_count, !TEST_HAS_THREAD_SANITIZER);
}

int queue_run_kinds_in_threads(struct CMUnitTest *tests, size_t test_count)
{
    return run_kinds(next_kind, tests, test_count, true);
}

int queue_run_kept_kinds(struct CMUnitTest *tests, size_t test_count)
{
    return run_kinds(next_kept_kind, tests, test_count,
                     !TEST_HAS_THREAD_SANITIZER);
}

/* ---- places ---- */

int queue_place_enter(void **state)
{
    queue_place *at = *state;
    test_folder_make(&at->folder);
    queue_place_open(at);
    return 0;
}

int queue_place_leave(void **state)
{
    queue_place *at = *state;
    int error = seenset_queue_close(at->queue);
    at->queue = NULL;
    test_folder_remove(&at->folder);
    return error;
}

void queue_place_open(queue_place *at)
{
    queue_place_open_with(at, &at->options);
}

void queue_place_open_with(queue_place *at,
                           const seenset_queue_options *options)
{
    assert_null(at->queue);
    const char *dir = at->kind->is_in_memory ? NULL : at->folder.path;
    assert_int_equal(seenset_queue_open(&at->queue, dir, options), SEENSET_OK);
}

void queue_place_close(queue_place *at)
{
    seenset_queue *queue = at->queue;
    at->queue = NULL;
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

void queue_place_reopen(queue_place *at)
{
    queue_place_close(at);
    queue_place_open(at);
}

const seenset_options *queue_place_given(const queue_place *at,
                                         seenset_options *given)
{
    const seenset_options *set = at->kind->options.set;
    if (set == NULL || (set->secret == NULL && set->index_function == NULL))
        return NULL;
    *given = (seenset_options){.secret = set->secret,
                               .index_function = set->index_function,
                               .index_context = set->index_context};
    return given;
}

int queue_place_look(const queue_place *at, seenset_queue_stats *out,
                     seenset_stats *set, seenset_queue_report *report)
{
    seenset_options given;
    size_t set_bytes = set == NULL ? 0 : sizeof *set;
    const seenset_queue_options options = {.set = queue_place_given(at, &given),
                                           .report = report};
    return options.set == NULL
               ? seenset_queue_look(
                     at->folder.path,
                     &(const seenset_queue_options){.report = report}, out,
                     sizeof *out, set, set_bytes)
               : seenset_queue_look(at->folder.path, &options, out, sizeof *out,
                                    set, set_bytes);
}

int queue_place_look_at_once(const queue_place *at, seenset_queue_stats *out,
                             seenset_stats *set)
{
    seenset_options given;
    const seenset_queue_options options = {.set = queue_place_given(at, &given),
                                           .flags = SEENSET_QUEUE_SET_AT_ONCE};
    return seenset_queue_look(at->folder.path, &options, out, sizeof *out, set,
                              sizeof *set);
}

int queue_place_verify(const queue_place *at, seenset_queue_report *report)
{
    seenset_options given;
    const seenset_queue_options options = {.set = queue_place_given(at, &given),
                                           .report = report};
    return options.set == NULL
               ? seenset_queue_verify(
                     at->folder.path,
                     &(const seenset_queue_options){.report = report})
               : seenset_queue_verify(at->folder.path, &options);
}

int queue_place_repair(const queue_place *at, seenset_queue_report *report)
{
    seenset_options given;
    const seenset_queue_options options = {.set = queue_place_given(at, &given),
                                           .report = report};
    return options.set == NULL
               ? seenset_queue_repair(
                     at->folder.path,
                     &(const seenset_queue_options){.report = report})
               : seenset_queue_repair(at->folder.path, &options);
}

/* ---- calls on a queue ---- */

static const char url_begin[] = "http://a.example/";

void queue_url(int number, char text[QUEUE_URL_BYTES])
{
    snprintf(text, QUEUE_URL_BYTES, "%s%d", url_begin, number);
}

int queue_url_number(const seenset_queue_item *item)
{
    char text[QUEUE_URL_BYTES];
    if (item->url_len < sizeof url_begin)
        return -1;
    int number = atoi((const char *)item->url + sizeof url_begin - 1);
    queue_url(number, text);
    return strcmp(text, item->url) == 0 ? number : -1;
}

int queue_push(seenset_queue *queue, int number)
{
    char url[QUEUE_URL_BYTES];
    queue_url(number, url);
    return seenset_queue_push(queue, url, strlen(url), NULL, 0);
}

void queue_push_new(seenset_queue *queue, int first, int end)
{
    size_t count = (size_t)(end - first);
    char(*urls)[QUEUE_URL_BYTES] = malloc(count * sizeof *urls);
    seenset_queue_entry *entries = malloc(count * sizeof *entries);
    uint8_t *answers = malloc(count);
    assert_true(urls != NULL && entries != NULL && answers != NULL);
    for (size_t i = 0; i < count; i++) {
        queue_url(first + (int)i, urls[i]);
        entries[i] =
            (seenset_queue_entry){.url = urls[i], .url_len = strlen(urls[i])};
    }
    assert_int_equal(
        seenset_queue_push_many(queue, entries, count, NULL, answers),
        SEENSET_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(answers[i], SEENSET_ANSWER_NEW);
    free(urls);
    free(entries);
    free(answers);
}

uint64_t queue_pop(seenset_queue *queue, int number)
{
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_pop(queue, &item), 1);
    assert_int_equal(queue_url_number(&item), number);
    uint64_t lease = item.lease;
    seenset_queue_item_free(&item);
    return lease;
}

void queue_assert_empty(seenset_queue *queue)
{
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_pop(queue, &item), 0);
    assert_null(item.memory);
}

void queue_assert_left(seenset_queue *queue, int first, int end)
{
    uint64_t leases[100];
    size_t count = 0;
    for (int number = first; number < end; number++) {
        leases[count++] = queue_pop(queue, number);
        if (count < TEST_COUNT(leases) && number + 1 < end)
            continue;
        assert_int_equal(seenset_queue_ack_many(queue, leases, count), 0);
        count = 0;
    }
    queue_assert_empty(queue);
}

seenset_queue_stats queue_stats_of(seenset_queue *queue)
{
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_int_equal(stats.pending_items + stats.leased_items +
                         stats.acked_items,
                     stats.pushed_items);
    return stats;
}
