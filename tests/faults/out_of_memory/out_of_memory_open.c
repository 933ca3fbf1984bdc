/* out_of_memory_open.c - the calls that make, open and free a set; the idea is
 * in out_of_memory.h */
#include <stdio.h>

#include "out_of_memory.h"
#include "stream.h"

/* ---- making and freeing ---- */

static int call_new(oom_scene *scene)
{
    seenset_options options = oom_options(scene);
    if (scene->kind->is_sealed)
        return SEENSET_EUNSUPPORTED;
    return seenset_new(&scene->made, &options);
}

static int call_from_bits(oom_scene *scene)
{
    static const uint8_t bytes[1 << 14] = {1};
    seenset_options options = oom_options(scene);
    options.capacity_items = 0;
    options.size_bits = 0;
    options.fp_rate = 0.0;
    options.on_full = SEENSET_ON_FULL_DEFAULT;
    options.window_generations = 0;
    options.window_seconds = 0;
    options.hash_count = options.layout == SEENSET_LAYOUT_BLOOM ||
                                 options.scheme > SEENSET_SCHEME_CHAIN
                             ? 3
                             : 8;
    if (scene->kind->is_sealed)
        return SEENSET_EUNSUPPORTED;
    return seenset_from_bits(&scene->made, &options, bytes, sizeof bytes);
}

static int call_copy(oom_scene *scene)
{
    return seenset_copy(&scene->made, scene->set);
}

static int call_free(oom_scene *scene)
{
    seenset_free(scene->set);
    scene->set = NULL;
    return SEENSET_OK;
}

/* ---- opening ---- */

static int call_open_view(oom_scene *scene)
{
    return seenset_open(&scene->made, scene->path, NULL);
}

static int call_open_copy(oom_scene *scene)
{
    return seenset_open(&scene->made, scene->path,
                        &(seenset_open_options){.flags = SEENSET_OPEN_COPY});
}

static int call_open_with_view(oom_scene *scene)
{
    seenset_open_options options = oom_open_options(scene, SEENSET_OPEN_VIEW);
    return seenset_open(&scene->made, scene->path, &options);
}

static int call_open_with_copy(oom_scene *scene)
{
    seenset_open_options options = oom_open_options(scene, SEENSET_OPEN_COPY);
    return seenset_open(&scene->made, scene->path, &options);
}

static int call_open_with_shared(oom_scene *scene)
{
    seenset_open_options options =
        oom_open_options(scene, SEENSET_OPEN_COPY | SEENSET_FLAG_SHARED);
    return seenset_open(&scene->made, scene->path, &options);
}

static int call_open_bytes(oom_scene *scene)
{
    return seenset_open_bytes(
        &scene->made, scene->bytes, scene->size_bytes,
        &(seenset_open_options){.flags = SEENSET_OPEN_COPY});
}

static int call_open_bytes_view(oom_scene *scene)
{
    return seenset_open_bytes(&scene->made, scene->bytes, scene->size_bytes,
                              NULL);
}

static int call_open_bytes_with(oom_scene *scene)
{
    seenset_open_options options = oom_open_options(scene, SEENSET_OPEN_COPY);
    return seenset_open_bytes(&scene->made, scene->bytes, scene->size_bytes,
                              &options);
}

static int call_open_report(oom_scene *scene)
{
    seenset_file_report report;
    seenset_open_options options = oom_open_options(scene, SEENSET_OPEN_VIEW);
    options.report = &report;
    return seenset_open(&scene->made, scene->path, &options);
}

static int call_open_bytes_report(oom_scene *scene)
{
    seenset_file_report report;
    seenset_open_options options = oom_open_options(scene, SEENSET_OPEN_VIEW);
    options.report = &report;
    return seenset_open_bytes(&scene->made, scene->bytes, scene->size_bytes,
                              &options);
}

static int call_read(oom_scene *scene)
{
    test_stream stream = {.bytes = scene->bytes,
                          .size_bytes = scene->size_bytes};
    seenset_open_options options = oom_open_options(scene, SEENSET_OPEN_COPY);
    return seenset_read(&scene->made, test_stream_read, &stream, &options);
}

/* Every golden file, copied and mapped: of every version. */
static int call_open_golden(oom_scene *scene)
{
    for (size_t i = 0; i < 2 * TEST_GOLDEN_COUNT; i++) {
        char path[TEST_PATH_BYTES];
        seenset *set = NULL;
        seenset_open_options options = oom_open_options(
            scene, i % 2 == 0 ? SEENSET_OPEN_COPY : SEENSET_OPEN_VIEW);
        snprintf(path, sizeof path, "%s/%s", SEENSET_TEST_GOLDEN,
                 test_goldens[i / 2].name);
        int error = seenset_open(&set, path, &options);
        if (error != SEENSET_OK)
            return error;
        seenset_free(set);
    }
    return SEENSET_OK;
}

/* ---- the table ---- */

enum {
    SET = OOM_SET | OOM_ALL_KINDS
};

const oom_row oom_open_rows[] = {
    {.name = "seenset_new", .needs = OOM_ALL_KINDS, .call = call_new},
    {.name = "seenset_from_bits",
     .needs = OOM_ALL_KINDS,
     .call = call_from_bits},
    {.name = "seenset_copy", .needs = SET, .call = call_copy},
    {.name = "seenset_free",
     .needs = SET | OOM_ALLOCATES_NOT,
     .call = call_free},
    {.name = "seenset_open",
     .needs = SET | OOM_FILE | OOM_NO_ALLOCATOR,
     .call = call_open_view},
    {.name = "seenset_open",
     .needs = SET | OOM_FILE | OOM_NO_ALLOCATOR,
     .call = call_open_copy},
    {.name = "seenset_open",
     .needs = SET | OOM_FILE,
     .call = call_open_with_view},
    {.name = "seenset_open",
     .needs = SET | OOM_FILE,
     .call = call_open_with_copy},
    {.name = "seenset_open",
     .needs = SET | OOM_FILE,
     .call = call_open_with_shared},
    {.name = "seenset_open", .call = call_open_golden},
    {.name = "seenset_open", .needs = SET | OOM_FILE, .call = call_open_report},
    {.name = "seenset_open_bytes",
     .needs = SET | OOM_BYTES,
     .call = call_open_bytes_report},
    {.name = "seenset_open_bytes",
     .needs = SET | OOM_BYTES | OOM_NO_ALLOCATOR,
     .call = call_open_bytes},
    {.name = "seenset_open_bytes",
     .needs = SET | OOM_BYTES | OOM_NO_ALLOCATOR,
     .call = call_open_bytes_view},
    {.name = "seenset_open_bytes",
     .needs = SET | OOM_BYTES,
     .call = call_open_bytes_with},
    {.name = "seenset_read", .needs = SET | OOM_BYTES, .call = call_read}};
const size_t oom_open_row_count = TEST_COUNT(oom_open_rows);
