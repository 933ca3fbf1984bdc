/*
 * out_of_memory.c - memory runs out at every allocation of every public
 * function, once and for ever after.
 *
 * Each time the call must answer SEENSET_ENOMEM, give back all that it took,
 * and leave its object as it was, byte for byte; then it is made once more,
 * with memory, and must answer as if nothing had happened. The tables of calls
 * are in out_of_memory_open.c, _sets.c, _alone.c, _queue.c and _damaged.c.
 * Functions that are said never to allocate are held to it. A function that
 * src/seenset.map exports and no row names fails the test.
 *
 *     test_out_of_memory [part of a name]      all by default
 */
#include "out_of_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash/xxh3.h"
#include "libc_faults.h"
#include "seenset/foreign.h"

/* What the trials of a row came to. */
typedef struct report {
    size_t failures; /* allocations that failed */
    bool has_worked; /* the call succeeds on one kind at least */
    char wrong[300]; /* "" if nothing is */
} report;

/* One row, on one kind of set, with one source of memory. */
typedef struct trial {
    report *report;
    const oom_row *row;
    const oom_kind *kind;
    bool is_given;   /* the caller's allocator */
    bool is_lasting; /* all allocations behind the first that fails */
    int answer;      /* of a call that lacks nothing */
} trial;

/* ---- a scene ---- */

static void enter_keys(oom_scene *scene)
{
    for (int i = 0; i < OOM_KEYS; i++) {
        int length = snprintf(scene->texts[i], OOM_KEY_BYTES, "new %d", i);
        scene->keys[i] = (seenset_key){scene->texts[i], (size_t)length};
        scene->hashes[i] = test_mix((uint64_t)i);
    }
}

static void enter(oom_scene *scene, const trial *of)
{
    unsigned needs = of->row->needs;
    *scene = (oom_scene){.kind = of->kind};
    test_memory_init(&scene->memory);
    scene->allocator = of->is_given ? &scene->memory.allocator : NULL;
    test_folder_make(&scene->folder);
    test_path(scene->path, &scene->folder, "set");
    enter_keys(scene);
    if (needs & (OOM_SET | OOM_FILE | OOM_BYTES))
        scene->set = oom_make_set(scene, "old");
    if (needs & OOM_OTHER)
        scene->other = oom_make_set(scene, "other");
    if (needs & OOM_FILE)
        assert_int_equal(seenset_save(scene->set, scene->path), SEENSET_OK);
    if (needs & OOM_BYTES)
        scene->bytes = test_bytes_of(scene->set, &scene->size_bytes);
    if (of->row->enter != NULL)
        of->row->enter(scene);
}

static void leave(oom_scene *scene, const trial *of)
{
    if (of->row->leave != NULL)
        of->row->leave(scene);
    seenset_foreign_free(scene->foreign);
    seenset_free(scene->made);
    seenset_free(scene->other);
    seenset_free(scene->set);
    free(scene->bytes);
    test_folder_remove(&scene->folder);
    assert_int_equal(scene->memory.live_blocks, 0);
}

static uint64_t digest_set(const seenset *set)
{
    size_t size_bytes;
    if (set == NULL)
        return 0;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    uint64_t digest = ss_hash_key(bytes, size_bytes);
    free(bytes);
    return digest;
}

static uint64_t digest_of(oom_scene *scene, const trial *of)
{
    uint64_t digest = digest_set(scene->set) ^ digest_set(scene->other) * 3;
    if (of->row->digest != NULL)
        digest ^= of->row->digest(scene) * 5;
    return digest;
}

/* ---- one call ---- */

static void arm(oom_scene *scene, const trial *of, size_t fail_at)
{
    if (!of->is_given) {
        libc_faults_arm(fail_at, of->is_lasting);
        return;
    }
    scene->memory.calls = 0;
    scene->memory.fail_at = fail_at;
    scene->memory.is_lasting = of->is_lasting;
}

/* Did anything fail since? */
static bool disarm(oom_scene *scene, const trial *of)
{
    if (!of->is_given)
        return libc_faults_disarm() > 0;
    bool has_failed = scene->memory.fail_at > 0 &&
                      scene->memory.calls >= scene->memory.fail_at;
    scene->memory.fail_at = 0;
    return has_failed;
}

static void blame(const trial *of, size_t fail_at, const char *wrong)
{
    report *into = of->report;
    if (into->wrong[0] == '\0')
        snprintf(into->wrong, sizeof into->wrong,
                 "%s, %s, allocation %zu%s of %s: %s", of->row->name,
                 of->kind->name, fail_at,
                 of->is_lasting ? " and all after" : "",
                 of->is_given ? "the caller's" : "the C library's", wrong);
}

static bool is_live_same(libc_live a, libc_live b)
{
    return a.blocks == b.blocks && a.mapped_bytes == b.mapped_bytes;
}

/* NULL, or what a call that lacked memory should not have done. */
static const char *wrong_after(oom_scene *scene, const trial *of, int result,
                               uint64_t digest)
{
    if (of->row->check != NULL)
        of->row->check(scene, result);
    bool is_thread = libc_faults_hit_thread() && result == SEENSET_EIO;
    if (result != SEENSET_ENOMEM && !is_thread)
        return "it does not answer SEENSET_ENOMEM";
    if (scene->made != NULL)
        return "it has made something";
    if (!(of->row->needs & OOM_CHANGES_SOME) && digest_of(scene, of) != digest)
        return "the object is not what it was";
    return NULL;
}

static bool may_do_without(const trial *of, int result)
{
    unsigned allows = OOM_CAN_DO_WITHOUT;
    if (libc_faults_hit_thread())
        allows |= OOM_NEEDS_NO_THREAD;
    return result == of->answer && (of->row->needs & allows) != 0;
}

static oom_scene *open_scene(const trial *of)
{
    oom_scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    enter(scene, of);
    return scene;
}

static void close_scene(oom_scene *scene, const trial *of)
{
    leave(scene, of);
    free(scene);
}

/* Makes the call with that allocation failing; true if there was one. */
static bool try_call(const trial *of, size_t fail_at)
{
    oom_scene *scene = open_scene(of);
    uint64_t digest = digest_of(scene, of);
    libc_live live = libc_faults_live();
    size_t blocks = scene->memory.live_blocks;
    arm(scene, of, fail_at);
    int result = of->row->call(scene);
    bool has_failed = disarm(scene, of);
    if (has_failed && !may_do_without(of, result)) {
        bool is_same = is_live_same(live, libc_faults_live()) &&
                       blocks == scene->memory.live_blocks;
        const char *wrong = wrong_after(scene, of, result, digest);
        if (wrong == NULL && !is_same && !(of->row->needs & OOM_CHANGES_SOME))
            wrong = "it has kept memory";
        if (wrong != NULL)
            blame(of, fail_at, wrong);
        result = of->row->call(scene);
    }
    if (result != of->answer)
        blame(of, fail_at, "with memory it does not answer as before");
    if (of->row->check != NULL)
        of->row->check(scene, result);
    close_scene(scene, of);
    return has_failed;
}

/* ---- all of them ---- */

static void try_everywhere(trial of)
{
    const report *so_far = of.report;
    libc_live live = libc_faults_live();
    for (int i = 0; i < 2; i++) {
        of.is_lasting = i == 1;
        size_t fail_at = 1;
        while (so_far->wrong[0] == '\0' && try_call(&of, fail_at))
            fail_at++;
        of.report->failures += fail_at - 1;
    }
    if (!is_live_same(live, libc_faults_live()))
        blame(&of, 0, "memory is lost");
}

static void try_kind(const oom_row *row, const oom_kind *kind, report *into)
{
    trial of = {.report = into, .row = row, .kind = kind};
    oom_scene *scene = open_scene(&of);
    of.answer = row->call(scene); /* it lacks nothing */
    into->has_worked |= of.answer >= 0;
    close_scene(scene, &of);
    if (libc_faults_can())
        try_everywhere(of);
    of.is_given = true;
    if (!(row->needs & OOM_NO_ALLOCATOR))
        try_everywhere(of);
}

static report try_row(const oom_row *row)
{
    report found = {0};
    size_t kinds = row->needs & OOM_ALL_KINDS ? oom_kind_count : 1;
    for (size_t i = 0; i < kinds && found.wrong[0] == '\0'; i++)
        try_kind(row, &oom_kinds[i], &found);
    bool is_tried = libc_faults_can() || !(row->needs & OOM_NO_ALLOCATOR);
    bool allocates = !(row->needs & OOM_ALLOCATES_NOT);
    if (found.wrong[0] == '\0' && !found.has_worked)
        snprintf(found.wrong, sizeof found.wrong, "%s never succeeds",
                 row->name);
    if (found.wrong[0] == '\0' && is_tried && allocates != (found.failures > 0))
        snprintf(found.wrong, sizeof found.wrong, "%s: %zu allocations failed",
                 row->name, found.failures);
    return found;
}

static void try_rows(const oom_row *rows, size_t row_count, const char *part)
{
    size_t failures = 0;
    for (size_t i = 0; i < row_count; i++) {
        if (strstr(rows[i].name, part) == NULL)
            continue;
        report found = try_row(&rows[i]);
        failures += found.failures;
        if (found.wrong[0] != '\0')
            fail_msg("%s", found.wrong);
    }
    printf("%zu rows, %zu allocations failed\n", row_count, failures);
}

static void sets_survive(void **state)
{
    try_rows(oom_open_rows, oom_open_row_count, *state);
    try_rows(oom_set_rows, oom_set_row_count, *state);
}

static void what_has_no_set_survives(void **state)
{
    try_rows(oom_alone_rows, oom_alone_row_count, *state);
}

static void queues_survive(void **state)
{
    try_rows(oom_queue_rows, oom_queue_row_count, *state);
}

static void damaged_queues_survive(void **state)
{
    try_rows(oom_damaged_rows, oom_damaged_row_count, *state);
}

/* ---- the planted faults ---- */

static void *plant_take(const oom_scene *scene)
{
    const seenset_allocator *from = scene->allocator;
    return from == NULL ? malloc(8) : from->allocate(from->context, 8, 8);
}

static void plant_give(const oom_scene *scene, void *block)
{
    const seenset_allocator *to = scene->allocator;
    if (to == NULL)
        free(block);
    else if (block != NULL)
        to->release(to->context, block, 8);
}

static int plant_forgets_memory(oom_scene *scene)
{
    void *first = plant_take(scene);
    void *second = plant_take(scene);
    if (second == NULL)
        return SEENSET_ENOMEM; /* and the first is lost */
    plant_give(scene, first);
    plant_give(scene, second);
    return first == NULL ? SEENSET_ENOMEM : SEENSET_OK;
}

static int plant_hides_the_error(oom_scene *scene)
{
    void *block = plant_take(scene);
    plant_give(scene, block);
    return block != NULL;
}

static int plant_changes_the_set(oom_scene *scene)
{
    (void)seenset_add_many(scene->set, scene->keys, OOM_KEYS, NULL);
    return plant_hides_the_error(scene) == 1 ? SEENSET_OK : SEENSET_ENOMEM;
}

static int plant_never_allocates(oom_scene *scene)
{
    return seenset_has_hash(scene->set, 1);
}

static void planted_rows_are_caught(void **state)
{
    (void)state;
    const struct {
        oom_row row;
        const char *wrong;
    } plants[] = {
        {{.name = "plant", .needs = OOM_SET, .call = plant_forgets_memory},
         "it has kept memory"},
        {{.name = "plant", .needs = OOM_SET, .call = plant_hides_the_error},
         "it does not answer"},
        {{.name = "plant", .needs = OOM_SET, .call = plant_changes_the_set},
         "the object is not"},
        {{.name = "plant", .needs = OOM_SET, .call = plant_never_allocates},
         "0 allocations failed"}};
    /* a sanitizer would find the first one's lost block as well */
    for (size_t i = libc_faults_can() ? 0 : 1; i < TEST_COUNT(plants); i++) {
        report found = try_row(&plants[i].row);
        if (strstr(found.wrong, plants[i].wrong) == NULL)
            fail_msg("plant %zu: \"%s\"", i, found.wrong);
    }
}

/* ---- the table is complete ---- */

static bool is_named(const oom_row *rows, size_t row_count, const char *name)
{
    for (size_t i = 0; i < row_count; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool has_row(const char *name)
{
    return is_named(oom_open_rows, oom_open_row_count, name) ||
           is_named(oom_set_rows, oom_set_row_count, name) ||
           is_named(oom_alone_rows, oom_alone_row_count, name) ||
           is_named(oom_queue_rows, oom_queue_row_count, name);
}

static void every_exported_function_has_a_row(void **state)
{
    (void)state;
    test_each_export_has_a_row(has_row);
}

int main(int argc, char **argv)
{
    char *part = argc > 1 ? argv[1] : argv[0] + strlen(argv[0]); /* all */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exported_function_has_a_row),
        cmocka_unit_test(planted_rows_are_caught),
        cmocka_unit_test_prestate(sets_survive, part),
        cmocka_unit_test_prestate(what_has_no_set_survives, part),
        cmocka_unit_test_prestate(queues_survive, part),
        cmocka_unit_test_prestate(damaged_queues_survive, part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
