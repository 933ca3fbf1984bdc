/* out_of_memory_sets.c - the calls on a set that is there; the idea is in
 * out_of_memory.h */
#include "out_of_memory.h"
#include "seenset/extra/raw.h"

#include <stdlib.h>
#include <string.h>

/* ---- sealing and building ---- */

static int call_seal(oom_scene *scene)
{
    seenset_options options = {.secret = scene->kind->options.secret,
                               .allocator = scene->allocator};
    return seenset_build_sealed(&scene->made, &options, scene->keys, OOM_KEYS,
                                NULL, NULL);
}

static int call_seal_hashes(oom_scene *scene)
{
    seenset_options options = {.hash_count = 3, .allocator = scene->allocator};
    return seenset_build_sealed_hashes(&scene->made, &options, scene->hashes,
                                       OOM_KEYS, NULL, NULL);
}

/* Enough of them for several threads to share them out. */
enum {
    BUILD_KEYS = 300000
};

static void enter_build(oom_scene *scene)
{
    seenset_options options = {.size_bits = UINT64_C(9) << 23,
                               .capacity_items = BUILD_KEYS,
                               .allocator = scene->allocator};
    assert_int_equal(seenset_new(&scene->set, &options), SEENSET_OK);
    scene->size_bytes = BUILD_KEYS * sizeof(uint64_t);
    scene->bytes = malloc(scene->size_bytes);
    assert_non_null(scene->bytes);
    for (uint64_t i = 0; i < BUILD_KEYS; i++) {
        uint64_t hash = test_mix(i);
        memcpy(scene->bytes + i * sizeof hash, &hash, sizeof hash);
    }
}

static int call_build_hashes(oom_scene *scene)
{
    return seenset_add_hash_parallel(scene->set, (const uint64_t *)scene->bytes,
                                     BUILD_KEYS, 2);
}

static void enter_build_keys(oom_scene *scene)
{
    seenset_key *keys = malloc(BUILD_KEYS * sizeof *keys);
    enter_build(scene);
    assert_non_null(keys);
    for (size_t i = 0; i < BUILD_KEYS; i++)
        keys[i] = (seenset_key){scene->texts, 1 + i % 64};
    free(scene->bytes);
    scene->bytes = (uint8_t *)keys;
}

static int call_build(oom_scene *scene)
{
    return seenset_add_parallel(scene->set, (const seenset_key *)scene->bytes,
                                BUILD_KEYS, 2);
}

/* ---- adding and asking ---- */

/* Adds until one key is new and fails, or all are there. */
static int call_add(oom_scene *scene)
{
    memset(scene->answers, SEENSET_ANSWER_REFUSED, sizeof scene->answers);
    for (int i = 0; i < OOM_KEYS; i++) {
        int answer =
            seenset_add(scene->set, scene->keys[i].data, scene->keys[i].len);
        if (answer < 0)
            return answer;
        scene->answers[i] = (uint8_t)answer;
    }
    return SEENSET_OK;
}

static int call_add_hash(oom_scene *scene)
{
    for (int i = 0; i < OOM_KEYS; i++) {
        int answer = seenset_add_hash(scene->set, scene->hashes[i]);
        if (answer < 0)
            return answer;
    }
    return SEENSET_OK;
}

static int call_add_many(oom_scene *scene)
{
    return seenset_add_many(scene->set, scene->keys, OOM_KEYS, scene->answers);
}

static int call_add_hash_many(oom_scene *scene)
{
    return seenset_add_hash_many(scene->set, scene->hashes, OOM_KEYS,
                                 scene->answers);
}

static int call_add_u64_many(oom_scene *scene)
{
    return seenset_add_u64_many(scene->set, scene->hashes, OOM_KEYS,
                                scene->answers);
}

/* The oldest generations of a window are forgotten by what comes later. */
static bool is_window(const oom_scene *scene)
{
    return scene->kind->options.on_full == SEENSET_ON_FULL_ROTATE;
}

/* What was answered "new" or "seen" is there. */
static void check_keys(oom_scene *scene, int result)
{
    (void)result;
    if (scene->kind->is_sealed || scene->kind->is_view || is_window(scene))
        return;
    for (int i = 0; i < OOM_KEYS; i++) {
        const seenset_key *key = &scene->keys[i];
        if (scene->answers[i] != SEENSET_ANSWER_REFUSED)
            assert_int_equal(seenset_has(scene->set, key->data, key->len), 1);
    }
}

/* The same of the hashes, which were added as integers. */
static void check_integers(oom_scene *scene, int result)
{
    uint8_t bytes[8];
    (void)result;
    if (scene->kind->is_sealed || scene->kind->is_view || is_window(scene))
        return;
    for (int i = 0; i < OOM_KEYS; i++) {
        test_store(bytes, sizeof bytes, scene->hashes[i]);
        if (scene->answers[i] != SEENSET_ANSWER_REFUSED)
            assert_int_equal(seenset_has(scene->set, bytes, sizeof bytes), 1);
    }
}

static void check_hashes(oom_scene *scene, int result)
{
    (void)result;
    for (int i = 0; i < OOM_KEYS && !is_window(scene); i++) {
        if (seenset_has_hash(scene->set, scene->hashes[i]) == 0)
            assert_int_not_equal(result, SEENSET_OK);
    }
}

static int call_has(oom_scene *scene)
{
    return seenset_has(scene->set, "old 1", 5);
}

static int call_has_hash(oom_scene *scene)
{
    return seenset_has_hash(scene->set, scene->hashes[0]);
}

static int call_has_many(oom_scene *scene)
{
    return seenset_has_many(scene->set, scene->keys, OOM_KEYS, scene->answers);
}

static int call_has_hash_many(oom_scene *scene)
{
    return seenset_has_hash_many(scene->set, scene->hashes, OOM_KEYS,
                                 scene->answers);
}

static int call_has_u64_many(oom_scene *scene)
{
    return seenset_has_u64_many(scene->set, scene->hashes, OOM_KEYS,
                                scene->answers);
}

static int call_get_view(oom_scene *scene)
{
    const seenset_view *view;
    return seenset_get_view(scene->set, &view);
}

static int call_remove(oom_scene *scene)
{
    return seenset_remove(scene->set, "new 1", 5);
}

static int call_count(oom_scene *scene)
{
    uint64_t count;
    return seenset_count(scene->set, "old 1", 5, &count);
}

static int call_remove_hash(oom_scene *scene)
{
    return seenset_remove_hash(scene->set, seenset_hash("new 1", 5));
}

static int call_count_hash(oom_scene *scene)
{
    uint64_t count;
    return seenset_count_hash(scene->set, scene->hashes[0], &count);
}

static int call_get_bits(oom_scene *scene)
{
    return seenset_get_bits(scene->set, 0, 0, OOM_KEYS, scene->answers);
}

static int call_get_counters(oom_scene *scene)
{
    uint16_t counters[OOM_KEYS];
    int error = seenset_get_counters(scene->set, 0, 0, OOM_KEYS, counters);
    return error == SEENSET_EUNSUPPORTED ? SEENSET_OK : error;
}

static int call_get_stats(oom_scene *scene)
{
    seenset_stats stats;
    return seenset_get_stats(scene->set, &stats, sizeof stats);
}

static int call_get_estimate(oom_scene *scene)
{
    seenset_estimate estimate;
    return seenset_get_estimate(scene->set, &estimate, sizeof estimate);
}

static int call_get_uniformity(oom_scene *scene)
{
    seenset_uniformity found;
    return seenset_get_uniformity(scene->set, &found, sizeof found);
}

static int call_to_bits(oom_scene *scene)
{
    static uint8_t bytes[1 << 17];
    size_t size_bytes = sizeof bytes;
    return seenset_to_bits(scene->set, bytes, &size_bytes);
}

static int call_get_info(oom_scene *scene)
{
    seenset_info info;
    return seenset_get_info(scene->set, &info, sizeof info);
}

static int call_get_table_info(oom_scene *scene)
{
    seenset_table_info info;
    return seenset_get_table_info(scene->set, 0, &info, sizeof info);
}

static int call_count_cells(oom_scene *scene)
{
    uint64_t set_count;
    return seenset_count_cells(scene->set, 0, 0, OOM_KEYS, &set_count);
}

static int call_clear(oom_scene *scene)
{
    return seenset_clear(scene->set);
}

static int call_expect(oom_scene *scene)
{
    return seenset_expect(scene->set, OOM_KEYS);
}

static int call_set_time(oom_scene *scene)
{
    return seenset_set_time(scene->set, 1);
}

/* ---- two sets ---- */

static int call_merge(oom_scene *scene)
{
    return seenset_merge(scene->set, scene->other);
}

static int call_intersect(oom_scene *scene)
{
    return seenset_intersect(scene->set, scene->other);
}

static int call_contains(oom_scene *scene)
{
    return test_is_superset(scene->set, scene->other);
}

static int call_overlap(oom_scene *scene)
{
    seenset_overlap found;
    return seenset_get_overlap(scene->set, scene->other, &found, sizeof found);
}

/* ---- files ---- */

static int call_save(oom_scene *scene)
{
    return seenset_save(scene->set, scene->path);
}

static int call_write_bytes(oom_scene *scene)
{
    size_t size_bytes = scene->size_bytes;
    return seenset_write_bytes(scene->set, scene->bytes, &size_bytes);
}

/* The stream's own bytes are the test's. */
static int discard(void *context, const void *bytes, size_t size_bytes)
{
    (void)context;
    (void)bytes;
    (void)size_bytes;
    return 0;
}

static int call_write(oom_scene *scene)
{
    return seenset_write(scene->set, discard, NULL);
}

static int call_write_part(oom_scene *scene)
{
    return seenset_write_part(scene->set, 0, 100, discard, NULL);
}

static int call_verify(oom_scene *scene)
{
    seenset_file_report report;
    return seenset_verify(scene->path, &report);
}

/* A small file, saved whole; tests/faults/append.c has one with a journal. */
static int call_append(oom_scene *scene)
{
    seenset_open_options options = oom_open_options(scene, SEENSET_OPEN_APPEND);
    int error = seenset_open(&scene->made, scene->path, &options);
    return error == 0 ? seenset_append(scene->made, scene->path) : error;
}

/* Without a journal there is nothing to allocate for. */
static int call_compact(oom_scene *scene)
{
    seenset_open_options options = oom_open_options(scene, SEENSET_OPEN_VIEW);
    return seenset_compact(scene->path, &options);
}

/* ---- the table ---- */

enum {
    SET = OOM_SET | OOM_ALL_KINDS,
    ASK = SET | OOM_ALLOCATES_NOT,
    TWO = SET | OOM_OTHER
};

const oom_row oom_set_rows[] = {
    {.name = "seenset_build_sealed", .needs = OOM_ALL_KINDS, .call = call_seal},
    {.name = "seenset_build_sealed_hashes", .call = call_seal_hashes},
    {.name = "seenset_add_parallel",
     .needs = OOM_NEEDS_NO_THREAD,
     .enter = enter_build_keys,
     .call = call_build},
    {.name = "seenset_add_hash_parallel",
     .needs = OOM_NEEDS_NO_THREAD,
     .enter = enter_build,
     .call = call_build_hashes},
    {.name = "seenset_add",
     .needs = SET | OOM_CHANGES_SOME | OOM_CAN_DO_WITHOUT,
     .call = call_add,
     .check = check_keys},
    {.name = "seenset_add_hash",
     .needs = SET | OOM_CHANGES_SOME | OOM_CAN_DO_WITHOUT,
     .call = call_add_hash,
     .check = check_hashes},
    {.name = "seenset_add_many",
     .needs = SET | OOM_CHANGES_SOME | OOM_CAN_DO_WITHOUT,
     .call = call_add_many,
     .check = check_keys},
    {.name = "seenset_add_hash_many",
     .needs = SET | OOM_CHANGES_SOME | OOM_CAN_DO_WITHOUT,
     .call = call_add_hash_many,
     .check = check_hashes},
    {.name = "seenset_add_u64_many",
     .needs = SET | OOM_CHANGES_SOME | OOM_CAN_DO_WITHOUT,
     .call = call_add_u64_many,
     .check = check_integers},
    {.name = "seenset_has", .needs = ASK, .call = call_has},
    {.name = "seenset_has_hash", .needs = ASK, .call = call_has_hash},
    {.name = "seenset_has_many", .needs = ASK, .call = call_has_many},
    {.name = "seenset_has_hash_many", .needs = ASK, .call = call_has_hash_many},
    {.name = "seenset_has_u64_many", .needs = ASK, .call = call_has_u64_many},
    {.name = "seenset_get_view", .needs = ASK, .call = call_get_view},
    {.name = "seenset_remove", .needs = ASK, .call = call_remove},
    {.name = "seenset_count", .needs = ASK, .call = call_count},
    {.name = "seenset_remove_hash", .needs = ASK, .call = call_remove_hash},
    {.name = "seenset_count_hash", .needs = ASK, .call = call_count_hash},
    {.name = "seenset_get_bits", .needs = ASK, .call = call_get_bits},
    {.name = "seenset_get_counters", .needs = ASK, .call = call_get_counters},
    {.name = "seenset_get_stats", .needs = ASK, .call = call_get_stats},
    {.name = "seenset_get_estimate", .needs = ASK, .call = call_get_estimate},
    {.name = "seenset_get_uniformity",
     .needs = ASK,
     .call = call_get_uniformity},
    {.name = "seenset_to_bits", .needs = ASK, .call = call_to_bits},
    {.name = "seenset_get_info", .needs = ASK, .call = call_get_info},
    {.name = "seenset_get_table_info",
     .needs = ASK,
     .call = call_get_table_info},
    {.name = "seenset_count_cells", .needs = ASK, .call = call_count_cells},
    {.name = "seenset_clear", .needs = ASK, .call = call_clear},
    {.name = "seenset_expect", .needs = ASK, .call = call_expect},
    {.name = "seenset_set_time", .needs = ASK, .call = call_set_time},
    {.name = "seenset_merge", .needs = TWO, .call = call_merge},
    {.name = "seenset_intersect",
     .needs = TWO | OOM_ALLOCATES_NOT,
     .call = call_intersect},
    {.name = "seenset_is_superset",
     .needs = TWO | OOM_ALLOCATES_NOT,
     .call = call_contains},
    {.name = "seenset_get_overlap", .needs = TWO, .call = call_overlap},
    {.name = "seenset_save", .needs = ASK | OOM_FILE, .call = call_save},
    {.name = "seenset_write", .needs = SET, .call = call_write},
    {.name = "seenset_write_part", .needs = SET, .call = call_write_part},
    {.name = "seenset_write_bytes",
     .needs = ASK | OOM_BYTES,
     .call = call_write_bytes},
    {.name = "seenset_append", .needs = SET | OOM_FILE, .call = call_append},
    {.name = "seenset_compact", .needs = ASK | OOM_FILE, .call = call_compact},
    {.name = "seenset_verify", .needs = ASK | OOM_FILE, .call = call_verify}};
const size_t oom_set_row_count = TEST_COUNT(oom_set_rows);
