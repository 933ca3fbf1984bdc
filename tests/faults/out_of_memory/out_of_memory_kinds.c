/* out_of_memory_kinds.c - sets of every kind that calls are made on */
#include "out_of_memory.h"

#include <stdio.h>
#include <time.h>

#include "hash/xxh3.h"
#include "set/set.h"

static const uint8_t secret[SEENSET_SECRET_BYTES] = "fifteen letters";

static void index_keys(void *context, const void *key, size_t key_len,
                       uint64_t size_bits, uint32_t hash_count,
                       uint64_t *indices)
{
    uint64_t hash = ss_hash_key(key, key_len);
    (void)context;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = test_mix(hash + i) % size_bits;
}

static const uint32_t factors[] = {3, 5, 7};
static const seenset_scheme_arguments seed = {.seed = 7},
                                      seeds = {.seeds = factors,
                                               .seed_count = 3};

/* Growing sets with one, two and four full tables: the list of tables has to
 * grow too, at some of them. */
const oom_kind oom_kinds[] = {
    {.name = "blocked",
     .options = {.on_full = SEENSET_ON_FULL_DEGRADE, .capacity_items = 1000},
     .fill_items = 100},
    {.name = "growing",
     .options = {.capacity_items = 64},
     .fill_items = OOM_FULL},
    {.name = "grown twice",
     .options = {.capacity_items = 64, .layout = SEENSET_LAYOUT_BLOOM},
     .fill_items = 3 * 64},
    {.name = "grown four times",
     .options = {.capacity_items = 32},
     .fill_items = 15 * 32},
    {.name = "bloom",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_DEGRADE},
     .fill_items = 100},
    {.name = "refusing",
     .options = {.on_full = SEENSET_ON_FULL_REFUSE, .capacity_items = 150},
     .fill_items = 100},
    {.name = "split_block",
     .options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .capacity_items = 64},
     .fill_items = OOM_FULL},
    {.name = "counting",
     .options = {.layout = SEENSET_LAYOUT_COUNTING, .capacity_items = 1000},
     .fill_items = 100},
    {.name = "fingerprint",
     .options = {.layout = SEENSET_LAYOUT_FINGERPRINT, .capacity_items = 1000},
     .fill_items = 100},
    {.name = "window",
     .options = {.on_full = SEENSET_ON_FULL_ROTATE, .capacity_items = 100},
     .fill_items = 250},
    {.name = "window by time",
     .options = {.on_full = SEENSET_ON_FULL_ROTATE,
                 .capacity_items = 100,
                 .window_seconds = 1000},
     .fill_items = 60,
     .is_late = true},
    {.name = "keyed",
     .options = {.capacity_items = 64, .secret = secret},
     .fill_items = OOM_FULL},
    {.name = "murmur",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .on_full = SEENSET_ON_FULL_DEGRADE,
                 .capacity_items = 1000,
                 .scheme = SEENSET_SCHEME_MURMUR3_128},
     .fill_items = 100},
    {.name = "seeded",
     .options = {.capacity_items = 64, .scheme_arguments = &seed},
     .fill_items = OOM_FULL},
    {.name = "seeds",
     .options = {.capacity_items = 1000,
                 .scheme = SEENSET_SCHEME_POLYNOMIAL,
                 .scheme_arguments = &seeds},
     .fill_items = 100},
    {.name = "caller's scheme",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .capacity_items = 1000,
                 .scheme = SEENSET_SCHEME_CALLER,
                 .index_function = index_keys},
     .fill_items = 100},
    {.name = "shared",
     .options = {.flags = SEENSET_FLAG_SHARED, .capacity_items = 1000},
     .fill_items = 100},
    {.name = "sealed", .fill_items = 100, .is_sealed = true},
    {.name = "mapped", .fill_items = 100, .is_view = true},
    {.name = "large", /* over 4 MiB: from mmap */
     .options = {.on_full = SEENSET_ON_FULL_DEGRADE, .size_bits = 5 << 23},
     .fill_items = 100}};
const size_t oom_kind_count = TEST_COUNT(oom_kinds);

seenset_options oom_options(const oom_scene *scene)
{
    seenset_options options = scene->kind->options;
    options.allocator = scene->allocator;
    return options;
}

seenset_open_options oom_open_options(const oom_scene *scene, uint32_t flags)
{
    const seenset_options *made = &scene->kind->options;
    return (seenset_open_options){.flags = flags,
                                  .secret = made->secret,
                                  .index_function = made->index_function,
                                  .allocator = scene->allocator};
}

static seenset *seal_some(const seenset_options *options, const char *prefix)
{
    seenset *set = NULL;
    uint64_t hashes[100];
    for (uint64_t i = 0; i < TEST_COUNT(hashes); i++)
        hashes[i] = test_mix(i + 1000 * (uint64_t)prefix[0]);
    assert_int_equal(seenset_build_sealed_hashes(
                         &set, options, hashes, TEST_COUNT(hashes), NULL, NULL),
                     SEENSET_OK);
    return set;
}

/* How many keys such a set is to hold. */
static uint64_t fill_of(const oom_scene *scene)
{
    int fill_items = scene->kind->fill_items;
    return fill_items == OOM_FULL ? scene->kind->options.capacity_items
                                  : (uint64_t)fill_items;
}

/* Time for the next table, after a quarter of the window. */
static uint64_t late_now(void *context)
{
    (void)context;
    return (uint64_t)time(NULL) + 300;
}

static const ss_clock late_clock = {.wall_seconds = late_now};

/* The set, saved, freed and mapped. */
static seenset *map_again(const oom_scene *scene, seenset *set)
{
    char path[TEST_PATH_BYTES];
    seenset_open_options options = {.allocator = scene->allocator};
    test_path(path, &scene->folder, "mapped");
    assert_int_equal(seenset_save(set, path), SEENSET_OK);
    seenset_free(set);
    assert_int_equal(seenset_open(&set, path, &options), SEENSET_OK);
    return set;
}

seenset *oom_make_set(const oom_scene *scene, const char *prefix)
{
    seenset *set = NULL;
    seenset_options options = oom_options(scene);
    if (scene->kind->is_sealed)
        return seal_some(&options, prefix);
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    uint64_t added = 0;
    for (int i = 0; added < fill_of(scene); i++) {
        char key[OOM_KEY_BYTES];
        int length = snprintf(key, sizeof key, "%s %d", prefix, i);
        int answer = seenset_add(set, key, (size_t)length);
        assert_true(answer >= 0);
        added += answer == 1;
    }
    if (scene->kind->is_late)
        set->clock = &late_clock;
    return scene->kind->is_view ? map_again(scene, set) : set;
}
