/* pairs_sets.c - the calls on sets; the idea is in pairs.h */
#include "pairs.h"
#include "seenset/extra/raw.h"
#include "stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool takes_hashes(const pair_scene *scene)
{
    const seenset_options *options = &scene->kind->options;
    return options->secret == NULL && options->scheme <= SEENSET_SCHEME_CHAIN &&
           options->scheme_arguments == NULL;
}

/* ---- asking ---- */

/* Some keys that are known, each time others. */
static void choose(pair_turn *turn, uint32_t chosen[PAIR_BATCH])
{
    pair_look(turn);
    for (size_t i = 0; i < PAIR_BATCH; i++) {
        do {
            turn->next = (turn->next + 61) % PAIR_KEYS;
        } while (turn->before[turn->next] == 0);
        chosen[i] = turn->next;
    }
}

static const char *call_has(pair_turn *turn)
{
    uint32_t chosen[PAIR_BATCH];
    choose(turn, chosen);
    for (size_t i = 0; i < PAIR_BATCH; i++) {
        seenset_key key = pair_key(turn->scene, chosen[i]);
        if (seenset_has(turn->scene->set, key.data, key.len) != 1)
            return "has forgets a key";
    }
    return NULL;
}

/* The integer whose bytes are a key's. */
static uint64_t integer_of(const seenset_key *key)
{
    return test_fetch(key->data, (unsigned)key->len);
}

static const char *ask_many(pair_turn *turn, bool are_integers)
{
    uint32_t chosen[PAIR_BATCH];
    seenset_key keys[PAIR_BATCH];
    uint64_t integers[PAIR_BATCH];
    uint8_t is_seen[PAIR_BATCH];
    const seenset *set = turn->scene->set;
    choose(turn, chosen);
    for (size_t i = 0; i < PAIR_BATCH; i++) {
        keys[i] = pair_key(turn->scene, chosen[i]);
        integers[i] = integer_of(&keys[i]);
    }
    if ((are_integers ? seenset_has_u64_many(set, integers, PAIR_BATCH, is_seen)
                      : seenset_has_many(set, keys, PAIR_BATCH, is_seen)) != 0)
        return "has_many or has_u64_many fails";
    return memchr(is_seen, 0, sizeof is_seen) == NULL
               ? NULL
               : "has_many or has_u64_many forgets a key";
}

static const char *call_has_many(pair_turn *turn)
{
    return ask_many(turn, false);
}

static const char *call_has_u64_many(pair_turn *turn)
{
    return ask_many(turn, true);
}

static const char *call_has_hash(pair_turn *turn)
{
    int right = takes_hashes(turn->scene) ? 1 : SEENSET_EUNSUPPORTED;
    uint32_t chosen[PAIR_BATCH];
    choose(turn, chosen);
    for (size_t i = 0; i < PAIR_BATCH; i++)
        if (seenset_has_hash(turn->scene->set,
                             turn->scene->hashes[chosen[i]]) != right)
            return "has_hash forgets a key";
    return NULL;
}

static const char *call_has_hash_many(pair_turn *turn)
{
    int right = takes_hashes(turn->scene) ? SEENSET_OK : SEENSET_EUNSUPPORTED;
    uint32_t chosen[PAIR_BATCH];
    uint64_t hashes[PAIR_BATCH];
    uint8_t is_seen[PAIR_BATCH];
    choose(turn, chosen);
    for (size_t i = 0; i < PAIR_BATCH; i++)
        hashes[i] = turn->scene->hashes[chosen[i]];
    if (seenset_has_hash_many(turn->scene->set, hashes, PAIR_BATCH, is_seen) !=
        right)
        return "has_hash_many fails";
    for (size_t i = 0; right == SEENSET_OK && i < PAIR_BATCH; i++)
        if (is_seen[i] != 1)
            return "has_hash_many forgets a key";
    return NULL;
}

static const char *call_count(pair_turn *turn)
{
    bool counts = pair_counts(turn->scene->kind);
    seenset_key key = pair_key(turn->scene, turn->round % PAIR_OLD);
    uint64_t count = 0;
    int error = seenset_count(turn->scene->set, key.data, key.len, &count);
    if (error != (counts ? SEENSET_OK : SEENSET_EUNSUPPORTED))
        return "count fails";
    if (counts && count == 0)
        return "count forgets a key";
    return NULL;
}

static const char *call_count_hash(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    bool counts = pair_counts(scene->kind) && takes_hashes(scene);
    uint64_t count = 0;
    int error = seenset_count_hash(
        scene->set, scene->hashes[turn->round % PAIR_OLD], &count);
    if (error != (counts ? SEENSET_OK : SEENSET_EUNSUPPORTED))
        return "count_hash fails";
    if (counts && count == 0)
        return "count_hash forgets a key";
    return NULL;
}

static const char *call_get_info(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    uint64_t news = __atomic_load_n(&scene->news, __ATOMIC_ACQUIRE);
    uint32_t flags = scene->kind->options.flags;
    seenset_info info;
    if (seenset_get_info(scene->set, &info, sizeof info) != SEENSET_OK)
        return "get_info fails";
    if (info.added_items < scene->start.added_items + news)
        return "get_info has too few keys";
    return info.flags == flags && info.table_count == scene->start.table_count
               ? NULL
               : "get_info is wrong";
}

static const char *call_get_view(pair_turn *turn)
{
    const seenset_view *view;
    return seenset_get_view(turn->scene->set, &view) == 0 &&
                   view->set == turn->scene->set
               ? NULL
               : "get_view fails";
}

static const char *call_get_table_info(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    uint64_t news = __atomic_load_n(&scene->news, __ATOMIC_ACQUIRE);
    uint64_t added_items = 0;
    for (uint32_t i = 0; i < scene->start.table_count; i++) {
        seenset_table_info info;
        if (seenset_get_table_info(scene->set, i, &info, sizeof info) != 0)
            return "get_table_info fails";
        added_items += info.added_items;
    }
    return added_items >= scene->start.added_items + news
               ? NULL
               : "get_table_info has too few keys";
}

static const char *call_get_estimate(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    uint64_t news = __atomic_load_n(&scene->news, __ATOMIC_ACQUIRE);
    seenset_estimate estimate;
    if (seenset_get_estimate(scene->set, &estimate, sizeof estimate) != 0)
        return "get_estimate fails";
    if (estimate.added_items < scene->start.added_items + news)
        return "get_estimate has too few keys";
    if (estimate.set_bits < scene->start.set_bits)
        return "get_estimate lacks bits";
    return NULL;
}

static const char *call_copy(pair_turn *turn)
{
    seenset *copy;
    pair_look(turn);
    if (seenset_copy(&copy, turn->scene->set) != SEENSET_OK)
        return "copy fails";
    const char *wrong = pair_holds(turn, copy) ? NULL : "copy forgets a key";
    seenset_free(copy);
    return wrong;
}

static const char *check_file(pair_turn *turn, const char *path, uint32_t flags)
{
    seenset_open_options options = {
        .flags = flags, .secret = turn->scene->kind->options.secret};
    seenset *opened;
    if (seenset_open(&opened, path, &options) != SEENSET_OK)
        return "save leaves a file that is refused";
    const char *wrong = pair_holds(turn, opened) ? NULL : "save forgets a key";
    seenset_free(opened);
    return wrong;
}

/* Into one file for both threads at times, which then holds either's. */
static const char *call_save(pair_turn *turn)
{
    bool is_common = turn->round % 4 == 3;
    char common[TEST_PATH_BYTES];
    test_path(common, &turn->scene->folder, "common");
    const char *path = is_common ? common : turn->path;
    pair_look(turn);
    if (seenset_save(turn->scene->set, path) != SEENSET_OK)
        return "save fails";
    if (seenset_verify(path, NULL) != SEENSET_OK)
        return "save leaves a file that is not sound";
    if (is_common) /* the other thread may have looked before */
        memset(turn->before + PAIR_OLD, 0, PAIR_KEYS - PAIR_OLD);
    return check_file(turn, path,
                      turn->round % 2 ? SEENSET_OPEN_COPY : SEENSET_OPEN_VIEW);
}

static const char *call_write_bytes(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY,
                                    .secret = scene->kind->options.secret};
    seenset *opened = NULL;
    size_t size_bytes = 0;
    (void)seenset_write_bytes(scene->set, NULL, &size_bytes);
    uint8_t *bytes = malloc(size_bytes);
    const char *wrong = NULL;
    pair_look(turn);
    if (bytes == NULL ||
        seenset_write_bytes(scene->set, bytes, &size_bytes) != SEENSET_OK)
        wrong = "write_bytes fails";
    else if (seenset_open_bytes(&opened, bytes, size_bytes, &options) != 0)
        wrong = "write_bytes leaves bytes that are refused";
    else if (!pair_holds(turn, opened))
        wrong = "write_bytes forgets a key";
    seenset_free(opened);
    free(bytes);
    return wrong;
}

/* Read again. error: of writing it. The stream is freed. */
static const char *judge_stream(pair_turn *turn, test_stream *stream, int error)
{
    const pair_scene *scene = turn->scene;
    seenset_open_options options = {.secret = scene->kind->options.secret};
    seenset *opened = NULL;
    const char *wrong = NULL;
    if (error != SEENSET_OK)
        wrong = "write fails";
    else if (seenset_read(&opened, test_stream_read, stream, &options) != 0)
        wrong = "write leaves a stream that is refused";
    else if (stream->at != stream->size_bytes)
        wrong = "read leaves bytes";
    else if (!pair_holds(turn, opened))
        wrong = "write forgets a key";
    seenset_free(opened);
    test_stream_free(stream);
    return wrong;
}

static const char *call_write(pair_turn *turn)
{
    test_stream stream = {0};
    pair_look(turn);
    int error = seenset_write(turn->scene->set, test_stream_write, &stream);
    return judge_stream(turn, &stream, error);
}

/* In one part: keys that come between two would be in one of them alone. */
static const char *call_write_part(pair_turn *turn)
{
    const seenset *set = turn->scene->set;
    test_stream stream = {0};
    size_t size_bytes = 0;
    (void)seenset_write_bytes(set, NULL, &size_bytes);
    pair_look(turn);
    int error =
        seenset_write_part(set, 0, size_bytes, test_stream_write, &stream);
    return judge_stream(turn, &stream, error);
}

static const char *call_contains(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    int right = scene->is_comparable ? 1 : SEENSET_EUNSUPPORTED;
    if (test_is_superset(scene->set, scene->part) != right)
        return "contains misses a bit";
    if (test_is_superset(scene->set, scene->set) != right)
        return "a set does not contain itself";
    if (test_is_superset(scene->full, scene->set) != right)
        return "contains finds a bit that no key has";
    return NULL;
}

static const char *call_overlap(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    seenset_overlap found = {.jaccard = 77};
    int error =
        seenset_get_overlap(scene->set, scene->part, &found, sizeof found);
    if (error == SEENSET_EUNSUPPORTED && !scene->is_comparable)
        return found.jaccard > 76 ? NULL : "overlap stores after an error";
    if (error != SEENSET_OK)
        return "overlap fails";
    return found.jaccard >= 0 && found.jaccard <= 1 ? NULL
                                                    : "overlap is no part";
}

/* ---- two sets ---- */

static seenset *empty_twin(const pair_scene *scene, bool grows)
{
    seenset *into = NULL;
    seenset_options options = scene->kind->options;
    options.flags = 0;
    if ((scene->kind->options.flags & SEENSET_FLAG_SHARED) != 0)
        options.on_full =
            grows ? SEENSET_ON_FULL_GROW : SEENSET_ON_FULL_DEGRADE;
    return seenset_new(&into, &options) == SEENSET_OK ? into : NULL;
}

static const char *call_merge_from(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    seenset *into =
        scene->kind->is_sealed ? NULL : empty_twin(scene, turn->round % 2 == 0);
    if (into == NULL) /* sealed sets don't merge: into itself will do */
        return scene->kind->is_sealed ? NULL : "no set to merge into";
    pair_look(turn);
    const char *wrong = NULL;
    if (seenset_merge(into, scene->set) != SEENSET_OK)
        wrong = "merge fails";
    else if (!pair_holds(turn, into))
        wrong = "merge forgets a key";
    seenset_free(into);
    return wrong;
}

static const char *call_intersect_from(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    int right = scene->is_comparable ? SEENSET_OK : SEENSET_EUNSUPPORTED;
    seenset *into;
    if (seenset_copy(&into, scene->full) != SEENSET_OK)
        return "no set to intersect with";
    pair_look(turn);
    const char *wrong = NULL;
    if (seenset_intersect(into, scene->set) != right)
        wrong = "intersect fails";
    else if (!pair_holds(turn, into))
        wrong = "intersect forgets a key";
    seenset_free(into);
    return wrong;
}

/* ---- adding ---- */

/* The next of the thread's keys; half are the other thread's as well. */
static uint32_t next_key(pair_turn *turn)
{
    uint32_t n = turn->next++ % PAIR_SHARE;
    return PAIR_OLD + turn->number * (PAIR_SHARE / 2) + n;
}

static void note(pair_scene *scene, uint32_t n, int answer)
{
    if (answer == 1)
        __atomic_fetch_add(&scene->news, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&scene->known[n], 1, __ATOMIC_RELEASE);
}

static const char *call_add(pair_turn *turn)
{
    for (size_t i = 0; i < PAIR_BATCH; i++) {
        uint32_t n = next_key(turn);
        seenset_key key = pair_key(turn->scene, n);
        int answer = seenset_add(turn->scene->set, key.data, key.len);
        if (answer < 0)
            return "add fails";
        note(turn->scene, n, answer);
    }
    return NULL;
}

static const char *call_add_hash(pair_turn *turn)
{
    if (!takes_hashes(turn->scene))
        return seenset_add_hash(turn->scene->set, 1) == SEENSET_EUNSUPPORTED
                   ? NULL
                   : "add_hash takes a hash";
    for (size_t i = 0; i < PAIR_BATCH; i++) {
        uint32_t n = next_key(turn);
        int answer = seenset_add_hash(turn->scene->set, turn->scene->hashes[n]);
        if (answer < 0)
            return "add_hash fails";
        note(turn->scene, n, answer);
    }
    return NULL;
}

/* The three calls that add many. */
typedef enum form {
    KEYS,
    INTEGERS,
    HASHES
} form;

static const char *add_many(pair_turn *turn, form as)
{
    uint32_t chosen[PAIR_BATCH];
    seenset_key keys[PAIR_BATCH];
    uint64_t numbers[PAIR_BATCH];
    uint8_t is_new[PAIR_BATCH];
    seenset *set = turn->scene->set;
    for (size_t i = 0; i < PAIR_BATCH; i++) {
        chosen[i] = next_key(turn);
        keys[i] = pair_key(turn->scene, chosen[i]);
        numbers[i] = as == HASHES ? turn->scene->hashes[chosen[i]]
                                  : integer_of(&keys[i]);
    }
    int error = as == KEYS ? seenset_add_many(set, keys, PAIR_BATCH, is_new)
                : as == INTEGERS
                    ? seenset_add_u64_many(set, numbers, PAIR_BATCH, is_new)
                    : seenset_add_hash_many(set, numbers, PAIR_BATCH, is_new);
    if (error != SEENSET_OK)
        return "a call that adds many fails";
    for (size_t i = 0; i < PAIR_BATCH; i++)
        note(turn->scene, chosen[i], is_new[i]);
    return NULL;
}

static const char *call_add_many(pair_turn *turn)
{
    return add_many(turn, KEYS);
}

static const char *call_add_u64_many(pair_turn *turn)
{
    return add_many(turn, INTEGERS);
}

static const char *call_add_hash_many(pair_turn *turn)
{
    return add_many(turn, takes_hashes(turn->scene) ? HASHES : KEYS);
}

/* Calls that need the set to themselves have no call: no pair has them. */
const pair_row pair_set_rows[] = {
    {"seenset_has", PAIR_ASKS, call_has},
    {"seenset_has_many", PAIR_ASKS, call_has_many},
    {"seenset_has_hash", PAIR_ASKS, call_has_hash},
    {"seenset_has_hash_many", PAIR_ASKS, call_has_hash_many},
    {"seenset_has_u64_many", PAIR_ASKS, call_has_u64_many},
    {"seenset_count", PAIR_ASKS, call_count},
    {"seenset_count_hash", PAIR_ASKS, call_count_hash},
    {"seenset_get_bits", PAIR_ASKS, pair_call_get_bits},
    {"seenset_get_counters", PAIR_ASKS, pair_call_get_counters},
    {"seenset_get_stats", PAIR_ASKS, pair_call_get_stats},
    {"seenset_get_estimate", PAIR_ASKS, call_get_estimate},
    {"seenset_get_uniformity", PAIR_ASKS, pair_call_get_uniformity},
    {"seenset_to_bits", PAIR_ASKS, pair_call_to_bits},
    {"seenset_count_cells", PAIR_ASKS, pair_call_count_cells},
    {"seenset_get_info", PAIR_ASKS, call_get_info},
    {"seenset_get_table_info", PAIR_ASKS, call_get_table_info},
    {"seenset_get_view", PAIR_ASKS, call_get_view},
    {"seenset_copy", PAIR_ASKS, call_copy},
    {"seenset_save", PAIR_ASKS, call_save},
    {"seenset_write", PAIR_ASKS, call_write},
    {"seenset_write_part", PAIR_ASKS, call_write_part},
    {"seenset_write_bytes", PAIR_ASKS, call_write_bytes},
    {"seenset_is_superset", PAIR_ASKS, call_contains},
    {"seenset_get_overlap", PAIR_ASKS, call_overlap},
    {"seenset_merge", PAIR_ASKS, call_merge_from},
    {"seenset_intersect", PAIR_ASKS, call_intersect_from},
    {"seenset_add", PAIR_ADDS, call_add},
    {"seenset_add_many", PAIR_ADDS, call_add_many},
    {"seenset_add_hash", PAIR_ADDS, call_add_hash},
    {"seenset_add_hash_many", PAIR_ADDS, call_add_hash_many},
    {"seenset_add_u64_many", PAIR_ADDS, call_add_u64_many},
    {"seenset_merge", PAIR_CHANGES, NULL},
    {"seenset_intersect", PAIR_CHANGES, NULL},
    {"seenset_add_parallel", PAIR_CHANGES, NULL},
    {"seenset_add_hash_parallel", PAIR_CHANGES, NULL},
    {"seenset_remove", PAIR_CHANGES, NULL},
    {"seenset_remove_hash", PAIR_CHANGES, NULL},
    {"seenset_clear", PAIR_CHANGES, NULL},
    {"seenset_expect", PAIR_CHANGES, NULL},
    {"seenset_set_time", PAIR_CHANGES, NULL},
    {"seenset_append", PAIR_CHANGES, NULL},
    {"seenset_free", PAIR_ENDS, NULL},
};
const size_t pair_set_row_count = TEST_COUNT(pair_set_rows);
