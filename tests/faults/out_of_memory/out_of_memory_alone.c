/*
 * out_of_memory_alone.c - the calls that take no set and no queue; the idea is
 * in out_of_memory.h
 */
#include "foreign_files.h"
#include "out_of_memory.h"

#include <string.h>

#include "seenset/extra/bits.h"
#include "seenset/extra/formulas.h"
#include "url/normalise.h"

static int call_make_secret(oom_scene *scene)
{
    return seenset_make_secret(scene->answers);
}

static int call_error_name(oom_scene *scene)
{
    (void)scene;
    return (int)strlen(seenset_error_name(SEENSET_ENOMEM));
}

static int call_strerror(oom_scene *scene)
{
    (void)scene;
    return (int)strlen(seenset_strerror(SEENSET_ENOMEM));
}

static int call_version(oom_scene *scene)
{
    (void)scene;
    return (int)strlen(seenset_version());
}

static int call_version_number(oom_scene *scene)
{
    (void)scene;
    return (int)seenset_version_number();
}

static int call_hash(oom_scene *scene)
{
    return seenset_hash(scene->texts[0], 3) != 0 ? SEENSET_OK : SEENSET_EINVAL;
}

static int call_shard(oom_scene *scene)
{
    (void)scene;
    return seenset_shard(UINT64_MAX, 7) < 7 ? SEENSET_OK : SEENSET_EINVAL;
}

static int call_scheme_name(oom_scene *scene)
{
    (void)scene;
    return (int)strlen(seenset_scheme_name(SEENSET_SCHEME_CHAIN));
}

static int call_layout_name(oom_scene *scene)
{
    (void)scene;
    return (int)strlen(seenset_layout_name(SEENSET_LAYOUT_BLOOM));
}

static int call_on_full_name(oom_scene *scene)
{
    (void)scene;
    return (int)strlen(seenset_on_full_name(SEENSET_ON_FULL_GROW));
}

static int call_plan_solve(oom_scene *scene)
{
    seenset_plan plan = {.capacity_items = 1000, .fp_rate = 0.01};
    (void)scene;
    return seenset_plan_solve(&plan);
}

static int call_plan_solve_scheme(oom_scene *scene)
{
    seenset_plan plan = {.capacity_items = 1000, .fp_rate = 0.01};
    (void)scene;
    return seenset_plan_solve_scheme(&plan, SEENSET_SCHEME_POLYNOMIAL, NULL);
}

static int call_plan_grown(oom_scene *scene)
{
    const seenset_plan first = {.capacity_items = 100, .fp_rate = 0.01};
    seenset_plan_growth grown;
    (void)scene;
    return seenset_plan_grown(&first, 1000, &grown, sizeof grown);
}

static int call_plan_numbers(oom_scene *scene)
{
    uint32_t bits, hashes;
    (void)scene;
    double sum = seenset_plan_fp_rate(SEENSET_LAYOUT_BLOCKED, 10, 4096, 8) +
                 seenset_plan_item_estimate(9, 4096, 8) +
                 seenset_plan_wrong_items(SEENSET_LAYOUT_BLOCKED, 10, 4096, 8) +
                 seenset_plan_floor_bits(10, 0.1) +
                 seenset_plan_source_rate(0.1, 2) +
                 seenset_plan_union_rate(0.1, 2) +
                 seenset_plan_overflow_bound(10, 4096, 8, 4);
    return sum > 0 ? seenset_plan_whole_bits(0.01, &bits, &hashes)
                   : SEENSET_EINVAL;
}

static int call_bits(oom_scene *scene)
{
    uint8_t field[1] = {0};
    char text[9];
    size_t room = sizeof text;
    uint64_t ones;
    (void)scene;
    bool is_done = seenset_bits_set(field, 1, 1) == SEENSET_OK &&
                   seenset_bits_toggle(field, 1, 2) == SEENSET_OK &&
                   seenset_bits_clear(field, 1, 1) == SEENSET_OK &&
                   seenset_bits_test(field, 1, 2) == 1 &&
                   seenset_bits_count(field, 1, &ones) == SEENSET_OK;
    return is_done ? seenset_bits_print(field, 1, text, &room) : SEENSET_EINVAL;
}

/* Without libpsl it refuses, and takes no memory for that, too. */
static int call_url_site(oom_scene *scene)
{
    size_t start, len;
    (void)scene;
    int error = seenset_url_site("http://www.example.co.uk/", 25,
                                 SEENSET_URL_SITE_DOMAIN, &start, &len);
    if (error == SEENSET_EUNSUPPORTED)
        return SEENSET_OK;
    return error == SEENSET_OK && (start != 11 || len != 13) ? SEENSET_ECORRUPT
                                                             : error;
}

/* A host that libidn2 has work with, and a path that uriparser has. */
static int call_url_normalise(oom_scene *scene)
{
    static const char url[] = "HTTP://b\xC3\xBC"
                              "cher.example/a/../b/./c%7Ed?q=\xC3\xA4#g";
    static const char normal[] = "http://xn--bcher-kva.example/b/c~d?q=%C3%A4";
    char out[SS_URL_ROOM_BYTES(sizeof url)];
    size_t out_len = sizeof out;
    (void)scene;
    int error = seenset_url_normalise(url, sizeof url - 1, out, &out_len, NULL);
    if (error != SEENSET_OK)
        return error;
    bool is_it = out_len == strlen(normal) && memcmp(out, normal, out_len) == 0;
    return is_it ? SEENSET_OK : SEENSET_ECORRUPT;
}

/* ---- files of other systems ---- */

static void enter_foreign(oom_scene *scene)
{
    const foreign_parquet how = {0};
    scene->bytes = foreign_parquet_make(&how, &scene->size_bytes);
}

static int call_foreign_open(oom_scene *scene)
{
    const seenset_open_options options = {.allocator = scene->allocator};
    return seenset_foreign_open_bytes(&scene->foreign, scene->bytes,
                                      scene->size_bytes, &options);
}

static void enter_foreign_path(oom_scene *scene)
{
    enter_foreign(scene);
    test_write_file(scene->path, scene->bytes, scene->size_bytes);
}

static int call_foreign_path(oom_scene *scene)
{
    const seenset_open_options options = {.allocator = scene->allocator};
    return seenset_foreign_open(&scene->foreign, scene->path, &options);
}

static void enter_foreign_file(oom_scene *scene)
{
    enter_foreign(scene);
    assert_int_equal(call_foreign_open(scene), SEENSET_OK);
}

static int call_foreign_set(oom_scene *scene)
{
    return seenset_foreign_set(&scene->made, scene->foreign, 0);
}

static int call_foreign_looks(oom_scene *scene)
{
    seenset_foreign_info info;
    seenset_foreign_filter filter;
    uint8_t key[FOREIGN_KEY_BYTES];
    size_t length = foreign_key(key, 0, 0, 0);
    int error = seenset_foreign_get_info(scene->foreign, &info, sizeof info);
    if (error == SEENSET_OK)
        error = seenset_foreign_get_filter(scene->foreign, 0, &filter,
                                           sizeof filter);
    if (error != SEENSET_OK)
        return error;
    return (int)strlen(seenset_format_name(info.format)) +
           (int)strlen(seenset_value_type_name(filter.value_type)) +
           seenset_foreign_has(scene->foreign, 0, key, length) +
           seenset_foreign_has_many(scene->foreign, 0, NULL, 0, NULL);
}

static void enter_foreign_dcso(oom_scene *scene)
{
    scene->bytes = foreign_dcso_make(&scene->size_bytes);
    assert_int_equal(call_foreign_open(scene), SEENSET_OK);
    assert_int_equal(call_foreign_set(scene), SEENSET_OK);
}

static int call_foreign_write(oom_scene *scene)
{
    uint8_t bytes[512];
    size_t size_bytes = sizeof bytes;
    return seenset_foreign_write_bytes(scene->foreign, scene->made, bytes,
                                       &size_bytes);
}

static int call_foreign_new(oom_scene *scene)
{
    const seenset_plan plan = {.capacity_items = 10, .fp_rate = 0.1};
    uint8_t bytes[512];
    size_t size_bytes = sizeof bytes;
    (void)scene;
    return seenset_foreign_new_bytes(SEENSET_FORMAT_DCSO, 0, &plan, bytes,
                                     &size_bytes);
}

static void enter_foreign_save(oom_scene *scene)
{
    enter_foreign_dcso(scene);
    scene->other = scene->made;
    scene->made = NULL;
}

static int call_foreign_save(oom_scene *scene)
{
    return seenset_foreign_save(scene->foreign, scene->other, scene->path);
}

static int call_foreign_free(oom_scene *scene)
{
    seenset_foreign_free(scene->foreign);
    scene->foreign = NULL;
    return SEENSET_OK;
}

/* ---- the table ---- */

enum {
    PLAIN = OOM_ALLOCATES_NOT | OOM_NO_ALLOCATOR
};

#define LOOK(of)                                                               \
    {                                                                          \
        .name = of, .needs = OOM_ALLOCATES_NOT, .enter = enter_foreign_file,   \
        .call = call_foreign_looks                                             \
    }

const oom_row oom_alone_rows[] = {
    {.name = "seenset_make_secret", .needs = PLAIN, .call = call_make_secret},
    {.name = "seenset_bits_clear", .needs = PLAIN, .call = call_bits},
    {.name = "seenset_bits_count", .needs = PLAIN, .call = call_bits},
    {.name = "seenset_bits_print", .needs = PLAIN, .call = call_bits},
    {.name = "seenset_bits_set", .needs = PLAIN, .call = call_bits},
    {.name = "seenset_bits_test", .needs = PLAIN, .call = call_bits},
    {.name = "seenset_bits_toggle", .needs = PLAIN, .call = call_bits},
    {.name = "seenset_error_name", .needs = PLAIN, .call = call_error_name},
    {.name = "seenset_strerror", .needs = PLAIN, .call = call_strerror},
    {.name = "seenset_version", .needs = PLAIN, .call = call_version},
    {.name = "seenset_version_number",
     .needs = PLAIN,
     .call = call_version_number},
    {.name = "seenset_hash", .needs = PLAIN, .call = call_hash},
    {.name = "seenset_shard", .needs = PLAIN, .call = call_shard},
    {.name = "seenset_scheme_name", .needs = PLAIN, .call = call_scheme_name},
    {.name = "seenset_layout_name", .needs = PLAIN, .call = call_layout_name},
    {.name = "seenset_on_full_name", .needs = PLAIN, .call = call_on_full_name},
    {.name = "seenset_plan_solve", .needs = PLAIN, .call = call_plan_solve},
    {.name = "seenset_plan_solve_scheme",
     .needs = PLAIN,
     .call = call_plan_solve_scheme},
    {.name = "seenset_plan_grown", .needs = PLAIN, .call = call_plan_grown},
    {.name = "seenset_plan_whole_bits",
     .needs = PLAIN,
     .call = call_plan_numbers},
    {.name = "seenset_plan_fp_rate", .needs = PLAIN, .call = call_plan_numbers},
    {.name = "seenset_plan_item_estimate",
     .needs = PLAIN,
     .call = call_plan_numbers},
    {.name = "seenset_plan_wrong_items",
     .needs = PLAIN,
     .call = call_plan_numbers},
    {.name = "seenset_plan_floor_bits",
     .needs = PLAIN,
     .call = call_plan_numbers},
    {.name = "seenset_plan_source_rate",
     .needs = PLAIN,
     .call = call_plan_numbers},
    {.name = "seenset_plan_union_rate",
     .needs = PLAIN,
     .call = call_plan_numbers},
    {.name = "seenset_plan_overflow_bound",
     .needs = PLAIN,
     .call = call_plan_numbers},
    {.name = "seenset_url_normalise", /* libidn2 need not shrink a block */
     .needs = OOM_NO_ALLOCATOR | OOM_CAN_DO_WITHOUT,
     .call = call_url_normalise},
    {.name = "seenset_url_site", .needs = PLAIN, .call = call_url_site},
    {.name = "seenset_foreign_open_bytes",
     .enter = enter_foreign,
     .call = call_foreign_open},
    {.name = "seenset_foreign_open",
     .enter = enter_foreign_path,
     .call = call_foreign_path},
    {.name = "seenset_foreign_set",
     .enter = enter_foreign_file,
     .call = call_foreign_set},
    {.name = "seenset_foreign_write_bytes",
     .needs = OOM_ALLOCATES_NOT,
     .enter = enter_foreign_dcso,
     .call = call_foreign_write},
    {.name = "seenset_foreign_new_bytes",
     .needs = OOM_ALLOCATES_NOT,
     .call = call_foreign_new},
    {.name = "seenset_foreign_save",
     .enter = enter_foreign_save,
     .call = call_foreign_save},
    LOOK("seenset_foreign_get_info"),
    LOOK("seenset_foreign_get_filter"),
    LOOK("seenset_foreign_has"),
    LOOK("seenset_foreign_has_many"),
    LOOK("seenset_format_name"),
    LOOK("seenset_value_type_name"),
    {.name = "seenset_foreign_free",
     .needs = OOM_ALLOCATES_NOT,
     .enter = enter_foreign_file,
     .call = call_foreign_free}};
const size_t oom_alone_row_count = TEST_COUNT(oom_alone_rows);
