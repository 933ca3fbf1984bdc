/*
 * queue_keyed.c - what a queue is given each time it is opened, as it is
 * nowhere on the disk: its secret, or the caller's index function.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue_kinds.h"

enum {
    URLS = 200
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = "0123456789abcde";
static const uint8_t other[SEENSET_SECRET_BYTES] = "0123456789abcdf";

static void places(void *context, const void *key, size_t key_len,
                   uint64_t size_bits, uint32_t hash_count, uint64_t *indices)
{
    uint64_t hash = seenset_hash(key, key_len) + (context != NULL);
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = test_mix(hash + i) % size_bits;
}

/* What a queue is made with, and what it is opened with wrongly. */
typedef struct given {
    seenset_options made, others[3];
    int error;
    const char *reasons[3];
} given;

static const given table[] = {
    {.made = {.secret = secret},
     .others = {{.secret = other},
                {.capacity_items = 0},
                {.index_function = places, .secret = secret}},
     .error = SEENSET_ESECRET,
     .reasons = {"the secret is not the queue's",
                 "the queue is keyed: its secret is needed", NULL}},
    {.made = {.scheme = SEENSET_SCHEME_CALLER, .index_function = places},
     .others = {{.index_function = places, .index_context = (void *)&table},
                {.capacity_items = 0},
                {.secret = secret}},
     .error = SEENSET_EHASH,
     .reasons = {"the writer's index function gave other indices",
                 "the index function is the caller's: it is needed", NULL}},
    {.made = {.fp_rate = 0.01},
     .others = {{.secret = secret}, {.secret = other}, {.secret = secret}},
     .error = SEENSET_ESECRET,
     .reasons = {"the queue is not keyed, and a secret was given",
                 "the queue is not keyed, and a secret was given",
                 "the queue is not keyed, and a secret was given"}}};

static void make_queue(const test_folder *folder, const seenset_options *set)
{
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {.set = set};
    assert_int_equal(seenset_queue_open(&queue, folder->path, &options), 0);
    queue_push_new(queue, 0, URLS);
    assert_int_equal(seenset_queue_checkpoint(queue), 0);
    queue_push_new(queue, URLS, 2 * URLS);
    assert_int_equal(seenset_queue_close(queue), 0);
}

/* Every call that reads the queue. */
static int call(int which, const test_folder *folder,
                const seenset_queue_options *options)
{
    seenset_queue *queue = NULL;
    seenset_queue_stats stats;
    int error;
    switch (which) {
    case 0:
        error = seenset_queue_open(&queue, folder->path, options);
        assert_int_equal(seenset_queue_close(queue), 0);
        return error;
    case 1:
        return seenset_queue_look(folder->path, options, &stats, sizeof stats,
                                  NULL, 0);
    case 2:
        return seenset_queue_verify(folder->path, options);
    default:
        return seenset_queue_repair(folder->path, options);
    }
}

static void check_others(const given *row, const test_folder *folder)
{
    for (size_t i = 0; i < TEST_COUNT(row->others); i++) {
        for (int which = 0; which < 4; which++) {
            seenset_queue_report report;
            const seenset_queue_options options = {.set = &row->others[i],
                                                   .report = &report};
            int error = call(which, folder, &options);
            if (row->reasons[i] == NULL) { /* both are wrong */
                assert_true(error == SEENSET_ESECRET || error == SEENSET_EHASH);
                continue;
            }
            assert_int_equal(error, row->error);
            assert_string_equal(report.file, "MANIFEST");
            assert_string_equal(report.reason, row->reasons[i]);
        }
    }
}

static void queue_refuses_what_it_was_not_made_with(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(table); i++) {
        test_folder folder;
        test_folder_make(&folder);
        make_queue(&folder, &table[i].made);
        check_others(&table[i], &folder);
        const seenset_queue_options right = {.set = &table[i].made};
        for (int which = 0; which < 4; which++)
            assert_int_equal(call(which, &folder, &right), SEENSET_OK);
        test_folder_remove(&folder);
    }
}

/* The calls without options cannot open such queues, and the others need none
 * for those that are not like that. */
static void calls_without_options_have_no_secret(void **state)
{
    test_folder folder;
    seenset_queue_stats stats;
    (void)state;
    test_folder_make(&folder);
    make_queue(&folder, &table[0].made);
    assert_int_equal(
        seenset_queue_look(folder.path, NULL, &stats, sizeof stats, NULL, 0),
        SEENSET_ESECRET);
    assert_int_equal(seenset_queue_verify(folder.path, NULL), SEENSET_ESECRET);
    assert_int_equal(seenset_queue_repair(folder.path, NULL), SEENSET_ESECRET);
    assert_int_equal(call(0, &folder, NULL), SEENSET_ESECRET);
    test_folder_remove(&folder);
    test_folder_make(&folder);
    make_queue(&folder, &table[2].made);
    for (int which = 0; which < 4; which++)
        assert_int_equal(call(which, &folder, NULL), SEENSET_OK);
    test_folder_remove(&folder);
}

/* ---- the disk ---- */

static bool has_bytes(const uint8_t *bytes, size_t size_bytes,
                      const uint8_t *sought, size_t sought_bytes)
{
    for (size_t i = 0; i + sought_bytes <= size_bytes; i++)
        if (memcmp(bytes + i, sought, sought_bytes) == 0)
            return true;
    return false;
}

/* How many files of the folder have these bytes. */
static int count_files(const test_folder *folder, const uint8_t *sought,
                       size_t sought_bytes)
{
    int count = 0;
    DIR *entries = opendir(folder->path);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[TEST_PATH_BYTES];
        size_t size_bytes;
        if (entry->d_name[0] == '.')
            continue;
        uint8_t *bytes =
            test_read_file(test_path(path, folder, entry->d_name), &size_bytes);
        count += has_bytes(bytes, size_bytes, sought, sought_bytes);
        free(bytes);
    }
    closedir(entries);
    return count;
}

static void secret_is_in_no_file(void **state)
{
    test_folder folder;
    (void)state;
    test_folder_make(&folder);
    make_queue(&folder, &table[0].made);
    for (size_t i = 0; i + 6 <= sizeof secret; i++)
        assert_int_equal(count_files(&folder, secret + i, 6), 0);
    /* planted: what is in a file is found */
    assert_true(count_files(&folder, (const uint8_t *)"SEENQUE", 7) == 1);
    test_folder_remove(&folder);
}

/* The set in the folder is a set file: keyed, and under that secret. */
static void set_of_the_folder_is_keyed(void **state)
{
    test_folder folder;
    char path[TEST_PATH_BYTES] = "", url[QUEUE_URL_BYTES];
    seenset *set = NULL;
    const seenset_open_options right = {.secret = secret};
    (void)state;
    test_folder_make(&folder);
    make_queue(&folder, &table[0].made);
    DIR *entries = opendir(folder.path);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (strncmp(entry->d_name, "set-", 4) == 0)
            test_path(path, &folder, entry->d_name);
    closedir(entries);
    assert_int_equal(seenset_open(&set, path, NULL), SEENSET_ESECRET);
    assert_int_equal(seenset_open(&set, path, &right), SEENSET_OK);
    for (int i = 0; i < URLS; i++) {
        queue_url(i, url);
        assert_int_equal(seenset_has(set, url, strlen(url)), 1);
    }
    seenset_free(set);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_refuses_what_it_was_not_made_with),
        cmocka_unit_test(calls_without_options_have_no_secret),
        cmocka_unit_test(secret_is_in_no_file),
        cmocka_unit_test(set_of_the_folder_is_keyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
