/*
 * queue_arguments.c - a queue whose scheme is given arguments decides as a set
 * with the same ones does.
 *
 * The sets are small and are filled past their capacity, so many URLs that were
 * never pushed are called seen. That they are the same ones in the queue shows
 * that every place is the same: from its memory, from a snapshot, from the log
 * alone, and in a queue that was made of it.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seenset/queue.h"
#include "support.h"

enum {
    URLS = 1500,
    STEP = 250 /* between two ways to go on */
};

static const uint32_t three[] = {31, 131, 1313};
static const uint32_t others[] = {31, 131, 1314};
static const uint32_t own[] = {5, 7, 11, 13, 31, 37, 61}; /* seenset/hash.h */

static const seenset_scheme_arguments list = {
    .seeds = three, .seed_count = 3, .unit_bits = 16};
static const seenset_scheme_arguments units = {.unit_bits = 16};
static const seenset_scheme_arguments seed = {.seed = 7};
static const seenset_scheme_arguments large_seed = {.seed = UINT64_MAX};

#define FULL .capacity_items = 300, .fp_rate = 0.2

static const struct {
    const char *name;
    seenset_options set;
} kinds[] = {
    {"factors, UTF-16",
     {.scheme = SEENSET_SCHEME_POLYNOMIAL,
      .scheme_arguments = &list,
      .size_bits = 1024,
      .hash_count = 3}},
    {"UTF-16, counters",
     {.layout = SEENSET_LAYOUT_COUNTING,
      .scheme = SEENSET_SCHEME_POLYNOMIAL,
      .scheme_arguments = &units,
      .size_bits = 1024,
      .hash_count = 2}},
    {"murmur3-128",
     {FULL, .scheme = SEENSET_SCHEME_MURMUR3_128, .scheme_arguments = &seed}},
    {"murmur2a+fnv1a",
     {FULL, .scheme = SEENSET_SCHEME_MURMUR2A_FNV1A,
      .scheme_arguments = &seed}},
    {"tokenbf",
     {FULL, .scheme = SEENSET_SCHEME_CLICKHOUSE_TOKENBF,
      .scheme_arguments = &large_seed}},
    {"parquet", {FULL, .scheme = SEENSET_SCHEME_PARQUET}},
    {"dcso", {FULL, .scheme = SEENSET_SCHEME_DCSO}},
    {"guava-mitz-64", {FULL, .scheme = SEENSET_SCHEME_GUAVA_MITZ_64}},
    {"guava-mitz-32", {FULL, .scheme = SEENSET_SCHEME_GUAVA_MITZ_32}},
    {"bip37",
     {FULL, .scheme = SEENSET_SCHEME_BIP37, .scheme_arguments = &seed}},
    {"redisbloom", {FULL, .scheme = SEENSET_SCHEME_REDISBLOOM}},
    {"a seed",
     {FULL, .on_full = SEENSET_ON_FULL_DEGRADE,
      .scheme_arguments = &large_seed}},
    {"a seed, bloom",
     {FULL, .layout = SEENSET_LAYOUT_BLOOM, .on_full = SEENSET_ON_FULL_DEGRADE,
      .scheme_arguments = &seed}},
};

/* Characters of one, two, three and four bytes, and bytes that are no text. */
static size_t write_url(int number, char url[64])
{
    static const char *const parts[] = {"a", "\xc3\xa9", "\xe4\xb8\xad",
                                        "\xf0\x9f\x9a\x80", "\xff\x80"};
    return (size_t)snprintf(url, 64, "http://%s.example/%d", parts[number % 5],
                            number / 5);
}

static seenset_queue *open_queue(const char *dir, const seenset_options *set)
{
    seenset_queue *queue = NULL;
    const seenset_queue_options options = {
        .set = set, .durability = SEENSET_QUEUE_DURABILITY_NONE};
    assert_int_equal(seenset_queue_open(&queue, dir, &options), SEENSET_OK);
    return queue;
}

/* Pushes URLs first to end - 1 into both; how many answers differ. */
static int differences(seenset_queue *queue, seenset *set, int first, int end)
{
    int count = 0;
    for (int i = first; i < end; i++) {
        char url[64];
        size_t length = write_url(i, url);
        int answer = seenset_queue_push(queue, url, length, NULL, 0);
        assert_in_range(answer, 0, 1);
        count += answer != seenset_add(set, url, length);
    }
    return count;
}

/* Removes all states and sets of a folder; how many. */
static int remove_snapshots(const test_folder *folder)
{
    char path[TEST_PATH_BYTES];
    int count = 0;
    DIR *entries = opendir(folder->path);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (strncmp(entry->d_name, "set-", 4) == 0 ||
            strncmp(entry->d_name, "state-", 6) == 0)
            count += unlink(test_path(path, folder, entry->d_name)) == 0;
    assert_int_equal(closedir(entries), 0);
    return count;
}

/* ---- the same answers ---- */

static void decide_alike(const seenset_options *options)
{
    test_folder folder, made;
    seenset *set;
    test_folder_make(&folder);
    test_folder_make(&made);
    assert_int_equal(seenset_new(&set, options), SEENSET_OK);
    seenset_queue *queue = open_queue(folder.path, options);
    assert_int_equal(differences(queue, set, 0, STEP), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);

    queue = open_queue(folder.path, NULL); /* by the log's end */
    assert_int_equal(differences(queue, set, STEP, 2 * STEP), 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);

    queue = open_queue(folder.path, options); /* by a snapshot */
    assert_int_equal(differences(queue, set, 2 * STEP, 3 * STEP), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);

    assert_true(remove_snapshots(&folder) >= 2);
    queue = open_queue(folder.path, NULL); /* by the log alone */
    assert_int_equal(differences(queue, set, 3 * STEP, 4 * STEP), 0);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_verify(folder.path, NULL), SEENSET_OK);
    assert_int_equal(seenset_queue_repair(folder.path, NULL), SEENSET_OK);

    const seenset_queue_remake_options again = {0};
    assert_int_equal(
        seenset_queue_remake(folder.path, made.path, &again, NULL, 0),
        SEENSET_OK);
    queue = open_queue(made.path, options);
    assert_int_equal(differences(queue, set, 4 * STEP, 5 * STEP), 0);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);

    seenset_stats stats;
    assert_int_equal(seenset_get_stats(set, &stats, sizeof stats), SEENSET_OK);
    assert_true(stats.added_items < 5 * STEP); /* some were called seen */
    seenset_free(set);
    test_folder_remove(&folder);
    test_folder_remove(&made);
}

static void a_queue_decides_as_its_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        print_message("%s\n", kinds[i].name);
        decide_alike(&kinds[i].set);
    }
}

static void a_queue_in_memory_does_too(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set;
        seenset_queue *queue = open_queue(NULL, &kinds[i].set);
        assert_int_equal(seenset_new(&set, &kinds[i].set), SEENSET_OK);
        assert_int_equal(differences(queue, set, 0, URLS), 0);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        seenset_free(set);
    }
}

/* Planted: one factor, the units, the seed, no arguments at all. */
static void other_arguments_decide_otherwise(void **state)
{
    static const seenset_scheme_arguments changed[] = {
        {.seeds = others, .seed_count = 3, .unit_bits = 16},
        {.seeds = three, .seed_count = 3},
        {.unit_bits = 16}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(changed); i++) {
        seenset *set;
        seenset_options options = kinds[0].set;
        seenset_queue *queue = open_queue(NULL, &kinds[0].set);
        options.scheme_arguments = &changed[i];
        assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
        assert_true(differences(queue, set, 0, URLS) > 0);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        seenset_free(set);
    }
}

/* ---- what is asked of a queue that exists ---- */

static const uint32_t many[] = {1000000001, 1000000002, 1000000003, 1000000004,
                                1000000005, 1000000006, 1000000007, 1000000008};
static const uint32_t many_others[] = {1000000001, 1000000002, 1000000003,
                                       1000000004, 1000000005, 1000000006,
                                       1000000007, 77};

typedef struct asked {
    seenset_scheme_arguments arguments;
    const char *reason; /* NULL: the queue has these */
} asked;

static void expect_answers(const seenset_options *made, const asked *rows,
                           size_t count)
{
    test_folder folder;
    test_folder_make(&folder);
    assert_int_equal(seenset_queue_close(open_queue(folder.path, made)), 0);
    for (size_t i = 0; i < count; i++) {
        seenset_queue *queue = NULL;
        seenset_queue_report report;
        const seenset_options set = {.scheme_arguments = &rows[i].arguments};
        const seenset_queue_options options = {.set = &set, .report = &report};
        int error = seenset_queue_open(&queue, folder.path, &options);
        assert_string_equal(report.reason,
                            rows[i].reason == NULL ? "" : rows[i].reason);
        assert_int_equal(error, rows[i].reason == NULL ? 0 : SEENSET_EMISMATCH);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        assert_int_equal(seenset_queue_verify(folder.path, &options), error);
    }
    test_folder_remove(&folder);
}

static void wrong_arguments_are_named(void **state)
{
    static const asked of_list[] = {
        {{0}, NULL},
        {{.unit_bits = 16}, NULL},
        {{.seeds = three, .seed_count = 3}, NULL},
        {{.unit_bits = 8}, "unit_bits: 16, not 8"},
        {{.seed = 7}, "seed: none, not 7"},
        {{.seeds = others, .seed_count = 3},
         "seeds: 31 131 1313, not 31 131 1314"},
        {{.seeds = three, .seed_count = 2}, "seeds: 31 131 1313, not 31 131"},
        {{.seeds = own, .seed_count = 7},
         "seeds: 31 131 1313, not 5 7 11 13 31 37 61"}};
    static const asked of_bytes[] = {
        {{.unit_bits = 8}, NULL},
        {{.seeds = own, .seed_count = 7}, NULL},
        {{.unit_bits = 16}, "unit_bits: 8, not 16"},
        {{.seeds = own, .seed_count = 6}, "seeds: none, not 5 7 11 13 31 37"}};
    static const asked of_seed[] = {
        {{.seed = 7}, NULL},
        {{.seed = 8}, "seed: 7, not 8"},
        {{.unit_bits = 8}, "unit_bits: none, not 8"},
        {{.seeds = three, .seed_count = 3}, "seeds: none, not 31 131 1313"}};
    static const asked of_many[] = {
        {{.seeds = many, .seed_count = 8}, NULL},
        {{.seeds = many, .seed_count = 7}, "seeds: ... 1000000008, not ..."},
        {{.seeds = many_others, .seed_count = 8},
         "seeds: ... 1000000008, not ... 77"},
        {{.seeds = many + 1, .seed_count = 7},
         "seeds: 1000000001 1000000002 1000000003 1000000004 ..., "
         "not 1000000002 1000000003 1000000004 1000000005 ..."}};
    static const seenset_scheme_arguments long_list = {.seeds = many,
                                                       .seed_count = 8};
    static const seenset_options polynomial = {.scheme =
                                                   SEENSET_SCHEME_POLYNOMIAL};
    static const seenset_options polynomial_of_many = {
        .scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &long_list};
    static const seenset_options seeded = {.scheme_arguments = &seed};
    (void)state;
    expect_answers(&kinds[0].set, of_list, TEST_COUNT(of_list));
    expect_answers(&polynomial, of_bytes, TEST_COUNT(of_bytes));
    expect_answers(&seeded, of_seed, TEST_COUNT(of_seed));
    expect_answers(&polynomial_of_many, of_many, TEST_COUNT(of_many));
}

/* What no scheme takes, what this one does not, and what goes with nothing. */
static void impossible_arguments_are_refused(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "of sixteen bytes";
    static const seenset_scheme_arguments reserved = {.reserved = {1}};
    static const seenset_scheme_arguments no_seeds = {.seed_count = 3};
    static const seenset_scheme_arguments no_count = {.seeds = three};
    static const seenset_scheme_arguments too_many = {.seeds = three,
                                                      .seed_count = 256};
    static const seenset_scheme_arguments odd_units = {.unit_bits = 32};
    static const seenset_scheme_arguments nothing = {0};
    static const struct {
        int error;
        seenset_options set;
        uint32_t flags;
    } rows[] = {
        {SEENSET_EINVAL, {.scheme_arguments = &reserved}, 0},
        {SEENSET_EINVAL, {.scheme_arguments = &no_seeds}, 0},
        {SEENSET_EINVAL, {.scheme_arguments = &no_count}, 0},
        {SEENSET_EINVAL, {.scheme_arguments = &too_many}, 0},
        {SEENSET_EINVAL, {.scheme_arguments = &list}, 0},
        {SEENSET_EINVAL,
         {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &odd_units},
         0},
        {SEENSET_EINVAL,
         {.scheme = SEENSET_SCHEME_MD5_DIVMOD, .scheme_arguments = &seed},
         0},
        {SEENSET_EINVAL, {.scheme_arguments = &seed, .secret = secret}, 0},
        {SEENSET_EUNSUPPORTED,
         {.scheme_arguments = &seed},
         SEENSET_QUEUE_EXACT},
        {SEENSET_OK, {.scheme_arguments = &nothing}, SEENSET_QUEUE_EXACT},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        test_folder folder;
        seenset_queue *queue = NULL;
        const seenset_queue_options options = {.set = &rows[i].set,
                                               .flags = rows[i].flags};
        test_folder_make(&folder);
        assert_int_equal(seenset_queue_open(&queue, folder.path, &options),
                         rows[i].error);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        test_folder_remove(&folder);
    }
}

/* ---- the files ---- */

/* What the scheme has in any case makes no difference to the MANIFEST. */
static void own_arguments_are_none(void **state)
{
    static const seenset_scheme_arguments all = {
        .seeds = own, .seed_count = 7, .unit_bits = 8};
    static const seenset_options sets[] = {
        {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &all},
        {.scheme = SEENSET_SCHEME_POLYNOMIAL},
        {.scheme = SEENSET_SCHEME_POLYNOMIAL, .scheme_arguments = &list},
    };
    static const size_t lengths[] = {128, 128, 140};
    static const uint8_t versions[] = {2, 2, 6};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sets); i++) {
        test_folder folder;
        char path[TEST_PATH_BYTES];
        size_t size_bytes;
        test_folder_make(&folder);
        assert_int_equal(seenset_queue_close(open_queue(folder.path, &sets[i])),
                         SEENSET_OK);
        uint8_t *bytes =
            test_read_file(test_path(path, &folder, "MANIFEST"), &size_bytes);
        assert_int_equal(size_bytes, lengths[i]);
        assert_int_equal(bytes[7], versions[i]);
        free(bytes);
        test_folder_remove(&folder);
    }
}

static void figures_have_them(void **state)
{
    test_folder folder;
    seenset_queue_stats stats;
    (void)state;
    test_folder_make(&folder);
    assert_int_equal(
        seenset_queue_close(open_queue(folder.path, &kinds[0].set)), 0);
    assert_int_equal(
        seenset_queue_look(folder.path, NULL, &stats, sizeof stats, NULL, 0),
        SEENSET_OK);
    assert_int_equal(stats.seed, 0);
    assert_int_equal(stats.unit_bits, 16);
    assert_int_equal(stats.seed_count, 3);
    assert_memory_equal(stats.seeds, three, sizeof three);
    for (size_t i = 3; i < TEST_COUNT(stats.seeds); i++)
        assert_int_equal(stats.seeds[i], 0);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_decides_as_its_set),
        cmocka_unit_test(a_queue_in_memory_does_too),
        cmocka_unit_test(other_arguments_decide_otherwise),
        cmocka_unit_test(wrong_arguments_are_named),
        cmocka_unit_test(impossible_arguments_are_refused),
        cmocka_unit_test(own_arguments_are_none),
        cmocka_unit_test(figures_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
