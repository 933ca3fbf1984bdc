/*
 * open_matrix.c - each cell of the matrix in open_matrix.h, and what
 * judges them.
 *
 * The table of calls is held against the library's own list of names, and
 * answers that are wrong on purpose must be caught.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open_matrix.h"

/* ---- one cell ---- */

static matrix_opened open_one(const matrix_file *from, matrix_opener *open,
                              uint32_t flags, seenset *set,
                              const char *other_path)
{
    bool is_view = !matrix_is_copy(open, flags);
    bool is_checked =
        is_view && flags == SEENSET_OPEN_VIEW && from->version > 2;
    bool is_mapped = is_view && !test_views_are_copies();
    return (matrix_opened){.set = set,
                           .from = from,
                           .keys = from->keys,
                           .is_view = is_view,
                           .is_shared = (flags & SEENSET_FLAG_SHARED) != 0,
                           .may_fail = is_checked && from->how != MATRIX_SOUND,
                           .may_forget = is_mapped && !is_checked &&
                                         from->how == MATRIX_PAYLOAD,
                           .other_path = other_path,
                           .has = seenset_has};
}

/* Every call, each on a set that was opened for it. */
static const char *call_all(const matrix_file *from, matrix_opener *open,
                            uint32_t flags, const char *other_path,
                            const char **name)
{
    seenset_open_options options = matrix_options_for(from->of, flags);
    for (size_t i = 0; i < matrix_call_count; i++) {
        seenset *set = NULL;
        *name = matrix_calls[i].name;
        if (open(&set, from, &options) != 0)
            return "what opened does not open again";
        matrix_opened at = open_one(from, open, flags, set, other_path);
        const char *wrong = matrix_calls[i].make(&at);
        seenset_free(set);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

static int run_file(const matrix_file *from, const char *other_path)
{
    int count = 0;
    for (size_t i = 0; i < matrix_opener_count; i++) {
        const char *wrong = NULL, *name = "opening";
        for (size_t w = 0; wrong == NULL && w < matrix_way_count; w++) {
            int error;
            wrong = matrix_judge_open(from, matrix_openers[i], matrix_ways[w],
                                      &error);
            if (wrong == NULL && error == 0)
                wrong = call_all(from, matrix_openers[i], matrix_ways[w],
                                 other_path, &name);
            count++;
        }
        if (wrong == NULL && from->how == MATRIX_SOUND)
            wrong = matrix_judge_wrong_ways(from, matrix_openers[i]);
        if (wrong != NULL)
            fail_msg("%s, version %u, damage %d, way %zu, %s: %s",
                     from->of->name, from->version, (int)from->how, i, name,
                     wrong);
    }
    return count;
}

/* ---- all cells ---- */

static void every_way_kind_and_call(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES], other_path[TEST_PATH_BYTES];
    matrix_keys keys;
    int count = 0;
    (void)state;
    matrix_make_keys(&keys);
    test_folder_make(&folder);
    test_path(path, &folder, "file");
    test_path(other_path, &folder, "saved");
    for (size_t i = 0; i < matrix_kind_count; i++) {
        seenset *sound = matrix_make_set(&matrix_kinds[i], &keys);
        uint32_t given = matrix_kinds[i].oldest_version;
        uint32_t oldest = given != 0 ? given : 2;
        uint32_t newest = oldest > 3 ? oldest : 3;
        for (uint32_t version = oldest; version <= newest; version++) {
            for (int how = MATRIX_SOUND; how < MATRIX_DAMAGES; how++) {
                matrix_file one;
                if (!matrix_make_file(&one, &matrix_kinds[i], version,
                                      (matrix_damage)how, &keys, sound, path))
                    continue;
                int error = seenset_verify(path, NULL);
                assert_int_equal(error == 0, how == MATRIX_SOUND);
                count += run_file(&one, other_path);
                free(one.bytes);
            }
        }
        seenset_free(sound);
    }
    printf("  %d openings judged\n", count);
    assert_true(count > 1000);
    test_folder_remove(&folder);
}

/* What is not a file at all. */
static void what_is_no_file_is_refused(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    (void)state;
    test_folder_make(&folder);
    for (size_t i = 0; i < matrix_way_count; i++) {
        seenset *set = NULL;
        seenset_file_report report;
        seenset_open_options options = {.flags = matrix_ways[i],
                                        .report = &report};
        assert_int_equal(seenset_open(&set, folder.path, &options),
                         SEENSET_EFORMAT);
        assert_string_equal(report.reason, "not a regular file");
        test_path(path, &folder, "missing");
        assert_int_equal(seenset_open(&set, path, &options), SEENSET_EIO);
        assert_string_equal(report.reason, "No such file or directory");
        assert_int_equal(seenset_open(&set, NULL, &options), SEENSET_EINVAL);
        assert_string_equal(report.reason, "an argument is missing");
        options.report = NULL;
        assert_int_equal(seenset_open(&set, path, &options), SEENSET_EIO);
        assert_null(set);
    }
    test_folder_remove(&folder);
}

/* ---- the judge ---- */

/* Takes a damaged block for a zero one. */
static int has_forgetfully(const seenset *set, const void *key, size_t key_len)
{
    int answer = seenset_has(set, key, key_len);
    return answer < 0 ? 0 : answer;
}

static void planted_answers_are_caught(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    matrix_file one;
    matrix_keys keys;
    (void)state;
    if (test_views_are_copies())
        skip(); /* the damaged file does not open there */
    matrix_make_keys(&keys);
    seenset *set = NULL, *sound = matrix_make_set(&matrix_kinds[0], &keys);
    test_folder_make(&folder);
    test_path(path, &folder, "file");
    assert_true(matrix_make_file(&one, &matrix_kinds[0], 3, MATRIX_PAYLOAD,
                                 &keys, sound, path));
    assert_int_equal(seenset_open(&set, path, NULL), 0);
    matrix_opened at =
        open_one(&one, matrix_openers[0], SEENSET_OPEN_VIEW, set, path);
    assert_null(matrix_ask_all(&at, set, true));
    at.has = has_forgetfully;
    assert_string_equal(matrix_ask_all(&at, set, true), "a key was forgotten");
    at.may_fail = false;
    at.has = seenset_has;
    assert_string_equal(matrix_ask_all(&at, set, true),
                        "has answered what it must not");
    seenset_free(set);
    assert_int_equal(
        seenset_open(&set, path,
                     &(seenset_open_options){.flags = SEENSET_OPEN_UNCHECKED}),
        0);
    at = open_one(&one, matrix_openers[0], SEENSET_OPEN_UNCHECKED, set, path);
    assert_null(matrix_ask_all(&at, set, true));
    at.may_forget = false;
    assert_string_equal(matrix_ask_all(&at, set, true), "a key was forgotten");
    seenset_free(set);
    free(one.bytes);
    seenset_free(sound);
    test_folder_remove(&folder);
}

/* Names of calls that take no set, or a queue: a beginning is enough. */
static const char *const others[] = {
    "seenset_error_name",    "seenset_queue_item_free",
    "seenset_layout_name",   "seenset_make_secret",
    "seenset_new",           "seenset_on_full_name",
    "seenset_from_bits",     "seenset_open",
    "seenset_plan_",         "seenset_queue_",
    "seenset_build_sealed",  "seenset_strerror",
    "seenset_url_normalise", "seenset_verify",
    "seenset_hash",          "seenset_scheme_name",
    "seenset_read",          "seenset_version",
    "seenset_bits_",         "seenset_compact",
    "seenset_shard",         "seenset_url_site",
    "seenset_shard",         "seenset_foreign_",
    "seenset_format_name",   "seenset_value_type_name",
};

static bool is_listed(const char *name)
{
    for (size_t i = 0; i < matrix_call_count; i++)
        if (strcmp(matrix_calls[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < TEST_COUNT(others); i++)
        if (strncmp(others[i], name, strlen(others[i])) == 0)
            return true;
    return false;
}

static void every_exported_name_has_a_row(void **state)
{
    (void)state;
    test_each_export_has_a_row(is_listed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exported_name_has_a_row),
        cmocka_unit_test(planted_answers_are_caught),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(every_way_kind_and_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
