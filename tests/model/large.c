/*
 * large.c - the promises at full size: a billion keys in one table, and
 * in a set that grew to hold them; a file of more than 2^32 bytes.
 *
 * What goes wrong only there: a position, a count or an offset that is cut to
 * 32 bits, and rates that are small sums of many tables. `make test` runs the
 * same code small; arguments make it the real thing:
 *
 *     test_large KEYS GROWN_KEYS FILE_BITS      (as a power of two)
 *
 * Keys are numbers as 8 bytes; strangers begin at 2^40. Speeds are in
 * processor time, and decide nothing.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "set/set.h"
#include "support.h"

enum {
    BATCH = 4096
};
static const uint64_t strangers_at = UINT64_C(1) << 40;

typedef struct sizes {
    uint64_t keys, grown_keys;
    unsigned file_bits;
} sizes;

/* Keys first, first + step, ..., `count` of them. */
typedef struct row {
    uint64_t first, step, count;
} row;

static double now_seconds(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_speed(const char *what, uint64_t count, double seconds)
{
    printf("  %-22s %11llu keys %7.1f s %6.1f M/s\n", what,
           (unsigned long long)count, seconds, (double)count / seconds * 1e-6);
    (void)fflush(stdout);
}

/* Adds a row or, if is_query, asks for it; how many answers were 1. */
static uint64_t pass(seenset *set, row of, bool is_query, const char *what)
{
    static uint64_t numbers[BATCH];
    static seenset_key keys[BATCH];
    static uint8_t answers[BATCH];
    uint64_t ones = 0;
    double start = now_seconds();
    for (uint64_t done = 0; done < of.count;) {
        uint64_t left = of.count - done;
        size_t count = left < BATCH ? (size_t)left : BATCH;
        for (size_t i = 0; i < count; i++) {
            numbers[i] = of.first + (done + i) * of.step;
            keys[i] = (seenset_key){&numbers[i], sizeof numbers[i]};
        }
        int error = is_query ? seenset_has_many(set, keys, count, answers)
                             : seenset_add_many(set, keys, count, answers);
        assert_int_equal(error, SEENSET_OK);
        for (size_t i = 0; i < count; i++)
            ones += answers[i];
        done += count;
    }
    print_speed(what, of.count, now_seconds() - start);
    return ones;
}

static uint64_t add_row(seenset *set, row of)
{
    return pass(set, of, false, "added");
}

static uint64_t count_seen(seenset *set, row of, const char *what)
{
    return pass(set, of, true, what);
}

/* A tenth as many strangers as keys, at least four million. */
static uint64_t stranger_count(uint64_t keys)
{
    return keys / 10 > 4000000 ? keys / 10 : 4000000;
}

/* Are strangers taken for seen as often as the bits say, and no more often
 * than was promised? `missed`: keys that were taken for seen when added. */
static void check_rates(seenset *set, uint64_t trials, uint64_t missed)
{
    seenset_stats stats = test_stats_of(set);
    row strangers = {strangers_at, 1, trials};
    uint64_t hits = count_seen(set, strangers, "strangers asked for");
    double rate = stats.current_fp_rate;
    printf("  %llu bits, %u tables, %.2f bits a key, %.2f GB\n"
           "  rate: %.6f measured, %.6f of the bits, %.6f promised\n"
           "  wrongly dropped: %llu, expected %.0f\n",
           (unsigned long long)stats.size_bits, stats.table_count,
           (double)stats.size_bits / (double)stats.added_items,
           (double)stats.memory_bytes * 1e-9, (double)hits / (double)trials,
           rate, stats.fp_rate, (unsigned long long)missed, stats.wrong_items);
    assert_true(test_is_binomial(hits, trials, rate));
    assert_true((double)hits <= (double)trials * stats.fp_rate ||
                test_is_binomial(hits, trials, stats.fp_rate));
    /* planted: a rate that is off by a tenth */
    assert_false(test_is_binomial(hits, trials, rate * 1.1));
    assert_false(test_is_binomial(hits, trials, rate / 1.1));
    assert_true(fabs(stats.wrong_items - (double)missed) <=
                0.1 * (double)missed + 8.0 * sqrt((double)missed + 5.0));
}

/* A table filled to its capacity: every key is found, the rate is kept. */
static void large_table_keeps_its_promise(void **state)
{
    uint64_t keys = ((const sizes *)*state)->keys;
    seenset *set =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE,
                                    .capacity_items = keys,
                                    .fp_rate = 0.01});
    row all = {0, 1, keys};
    uint64_t news = add_row(set, all);
    assert_int_equal(test_stats_of(set).added_items, news);
    assert_int_equal(count_seen(set, all, "keys asked for"), keys);
    check_rates(set, stranger_count(keys), keys - news);
    seenset_free(set);
}

/* From a thousand keys on, as many tables as it takes. */
static void large_growth_keeps_its_promise(void **state)
{
    uint64_t keys = ((const sizes *)*state)->grown_keys;
    uint64_t end = keys < 1000000 ? keys : 1000000;
    seenset *set = test_make((seenset_options){.on_full = SEENSET_ON_FULL_GROW,
                                               .capacity_items = 1000,
                                               .fp_rate = 0.01});
    uint64_t news = add_row(set, (row){0, 1, keys});
    row first = {0, 1, end}, last = {keys - end, 1, end};
    row spread = {0, keys < 20000000 ? 1 : keys / 10000000, 0};
    spread.count = keys / spread.step;
    assert_int_equal(count_seen(set, first, "first ones asked for"), end);
    assert_int_equal(count_seen(set, last, "last ones asked for"), end);
    assert_int_equal(count_seen(set, spread, "others asked for"), spread.count);
    check_rates(set, stranger_count(keys / 10), keys - news);
    seenset_free(set);
}

/* Planted: the key check sees that one line of the table was wiped. */
static void large_oracle_sees_a_lost_line(void **state)
{
    (void)state;
    row all = {0, 1, 1000000};
    seenset *set =
        test_make((seenset_options){.on_full = SEENSET_ON_FULL_DEGRADE});
    add_row(set, all);
    uint64_t *words = ss_set_newest(set)->table.words;
    memset(words + SS_LINE_WORDS * 1000, 0, SS_LINE_BYTES);
    assert_true(count_seen(set, all, "keys asked for") < all.count);
    seenset_free(set);
}

/* ---- files ---- */

static void check_opened(const char *path, uint32_t flags, row all)
{
    seenset *opened;
    assert_int_equal(
        seenset_open(&opened, path, &(seenset_open_options){.flags = flags}),
        SEENSET_OK);
    assert_int_equal(count_seen(opened, all, "keys asked for"), all.count);
    row strangers = {strangers_at, 1, all.count};
    uint64_t hits = count_seen(opened, strangers, "strangers asked for");
    assert_true(test_is_binomial(hits, all.count,
                                 test_stats_of(opened).current_fp_rate));
    seenset_free(opened);
}

/* Changes the last byte but 64: it lies beyond 2^32 in a large file. */
static void damage_end(const char *path)
{
    int fd = open(path, O_RDWR);
    uint8_t byte;
    assert_true(fd >= 0);
    off_t at = lseek(fd, -64, SEEK_END);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    assert_int_equal(close(fd), 0);
}

/* A file a little larger than 2^file_bits bits, saved and opened. */
static void large_files_hold_all(void **state)
{
    unsigned bits = ((const sizes *)*state)->file_bits;
    row all = {0, 1, bits < 30 ? 100000 : 4000000};
    test_folder folder;
    char path[TEST_PATH_BYTES];
    seenset_file_report report;
    test_folder_make(&folder);
    test_path(path, &folder, "large");
    seenset *set = test_make((seenset_options){
        .size_bits = (UINT64_C(1) << bits) + (1 << 20), .hash_count = 8});
    add_row(set, all);
    assert_int_equal(seenset_save(set, path), SEENSET_OK);
    seenset_free(set);
    assert_int_equal(seenset_verify(path, &report), SEENSET_OK);
    assert_true(report.file_bytes > UINT64_C(1) << (bits - 3));
    check_opened(path, SEENSET_OPEN_VIEW, all);
    check_opened(path, SEENSET_OPEN_COPY, all);
    damage_end(path); /* planted */
    assert_int_equal(seenset_verify(path, NULL), SEENSET_ECORRUPT);
    test_folder_remove(&folder);
}

static void print_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    printf("largest resident size: %.2f GB\n",
           (double)usage.ru_maxrss * 1024e-9);
}

int main(int argc, char **argv)
{
    sizes of = {3000000, 1000000, 27};
    if (argc > 3) {
        of.keys = strtoull(argv[1], NULL, 10);
        of.grown_keys = strtoull(argv[2], NULL, 10);
        of.file_bits = (unsigned)strtoul(argv[3], NULL, 10);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(large_table_keeps_its_promise, &of),
        cmocka_unit_test_prestate(large_growth_keeps_its_promise, &of),
        cmocka_unit_test(large_oracle_sees_a_lost_line),
        cmocka_unit_test_prestate(large_files_hold_all, &of),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    print_memory();
    return failures;
}
