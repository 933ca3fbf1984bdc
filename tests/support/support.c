/* support.c - what the tests share; the ideas are in support.h */
#define _POSIX_C_SOURCE 200809L
#include "support.h"
#include "seenset/extra/formulas.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- numbers ---- */

uint64_t test_mix(uint64_t i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

uint64_t test_random_next(test_random *random)
{
    return test_mix(random->state++);
}

uint64_t test_range(uint64_t x, uint64_t range)
{
    uint64_t x_low = (uint32_t)x, x_high = x >> 32;
    uint64_t low = (uint32_t)range, high = range >> 32;
    uint64_t middle = x_high * low + (x_low * low >> 32);
    uint64_t other = x_low * high + (uint32_t)middle;
    return x_high * high + (middle >> 32) + (other >> 32);
}

uint64_t test_next_index(uint64_t x)
{
    return (x ^ x >> 32) * UINT64_C(0x9E3779B97F4A7C15);
}

uint64_t test_random_below(test_random *random, uint64_t limit)
{
    return test_range(test_random_next(random), limit);
}

double test_random_unit(test_random *random)
{
    return (double)(test_random_next(random) >> 11) * 0x1p-53;
}

/* ---- bounds ---- */

bool test_is_near(double a, double b, double part)
{
    return fabs(a - b) <= part * fabs(b);
}

/* x ln(x / y), 0 at x = 0 */
static double divergence_term(double x, double y)
{
    return x > 0.0 ? x * log(x / y) : 0.0;
}

bool test_is_binomial(uint64_t hits, uint64_t trials, double p)
{
    double part = (double)hits / (double)trials;
    double divergence =
        divergence_term(part, p) + divergence_term(1.0 - part, 1.0 - p);
    return -(double)trials * divergence >= log(TEST_ALARM / 2.0);
}

bool test_is_chi_square(double value, unsigned degrees)
{
    double r = value / degrees;
    if (!(r > 0.0))
        return false;
    return degrees / 2.0 * (1.0 - r + log(r)) >= log(TEST_ALARM / 2.0);
}

/* ---- memory ---- */

enum {
    FRONT_BYTES = 64 /* before each block: its size, and where it begins */
};

static void *test_allocate(void *context, size_t size_bytes,
                           size_t alignment_bytes)
{
    test_memory *memory = context;
    assert_true(alignment_bytes <= FRONT_BYTES && size_bytes > 0);
    memory->calls++;
    if (size_bytes > memory->largest_bytes)
        memory->largest_bytes = size_bytes;
    bool is_late = memory->is_lasting && memory->calls > memory->fail_at;
    if (memory->calls == memory->fail_at || (memory->fail_at > 0 && is_late) ||
        size_bytes > memory->most_bytes)
        return NULL;
    uint8_t *start = malloc(size_bytes + 2 * FRONT_BYTES);
    assert_non_null(start);
    uint8_t *block = start + FRONT_BYTES - (uintptr_t)start % FRONT_BYTES;
    memcpy(block, &size_bytes, sizeof size_bytes);
    memcpy(block + sizeof size_bytes, &start, sizeof start);
    if (!memory->is_bare)
        memset(block + FRONT_BYTES, 0xA5, size_bytes);
    memory->live_blocks++;
    memory->live_bytes += size_bytes;
    return block + FRONT_BYTES;
}

static void test_release(void *context, void *block, size_t size_bytes)
{
    test_memory *memory = context;
    uint8_t *front = (uint8_t *)block - FRONT_BYTES;
    size_t given_bytes;
    uint8_t *start;
    memcpy(&given_bytes, front, sizeof given_bytes);
    memcpy(&start, front + sizeof given_bytes, sizeof start);
    assert_int_equal(size_bytes, given_bytes);
    assert_true(memory->live_blocks > 0);
    memory->live_blocks--;
    memory->live_bytes -= size_bytes;
    free(start);
}

void test_memory_init(test_memory *memory)
{
    *memory = (test_memory){.allocator = {test_allocate, test_release, memory},
                            .most_bytes = SIZE_MAX / 2};
}

/* ---- files ---- */

void test_folder_make(test_folder *folder)
{
    const char *parent = getenv("TMPDIR");
    int length =
        snprintf(folder->path, sizeof folder->path, "%s/seenset-XXXXXX",
                 parent != NULL ? parent : "/tmp");
    assert_true(length > 0 && (size_t)length < sizeof folder->path);
    assert_non_null(mkdtemp(folder->path));
}

char *test_path(char path[TEST_PATH_BYTES], const test_folder *folder,
                const char *name)
{
    int length = snprintf(path, TEST_PATH_BYTES, "%s/%s", folder->path, name);
    assert_true(length > 0 && length < TEST_PATH_BYTES);
    return path;
}

/* Calls `act` for each entry, if there is one; returns their count. */
static int each_entry(const test_folder *folder, int (*act)(const char *))
{
    DIR *entries = opendir(folder->path);
    assert_non_null(entries);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[TEST_PATH_BYTES];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (act != NULL)
            (void)act(test_path(path, folder, entry->d_name));
    }
    closedir(entries);
    return count;
}

int test_folder_count(const test_folder *folder)
{
    return each_entry(folder, NULL);
}

void test_folder_remove(test_folder *folder)
{
    each_entry(folder, remove);
    assert_int_equal(rmdir(folder->path), 0);
}

void test_write_file(const char *path, const void *bytes, size_t size_bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

uint8_t *test_read_file(const char *path, size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be read", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    *size_bytes = (size_t)length;
    uint8_t *bytes = malloc(*size_bytes + 1);
    assert_non_null(bytes);
    rewind(file);
    assert_int_equal(fread(bytes, 1, *size_bytes, file), *size_bytes);
    fclose(file);
    return bytes;
}

/* ---- threads ---- */

void test_run_threads(unsigned count, void *(*run)(void *), void *members,
                      size_t member_bytes)
{
    enum {
        MOST = 64
    };
    pthread_t threads[MOST];
    assert_in_range(count, 1, MOST);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run,
                                        (char *)members + i * member_bytes),
                         0);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* ---- sets ---- */

seenset_layout test_next_layout(seenset_layout layout)
{
    static const seenset_layout next[] = {
        [SEENSET_LAYOUT_BLOCKED] = SEENSET_LAYOUT_BLOOM,
        [SEENSET_LAYOUT_BLOOM] = SEENSET_LAYOUT_SPLIT_BLOCK,
        [SEENSET_LAYOUT_SPLIT_BLOCK] = SEENSET_LAYOUT_DEFAULT};
    return next[layout];
}

seenset *test_make(seenset_options options)
{
    seenset *set = NULL;
    assert_int_equal(seenset_new(&set, &options), SEENSET_OK);
    return set;
}

seenset_table_info test_table_of(const seenset *set, uint32_t table)
{
    seenset_table_info info;
    assert_int_equal(seenset_get_table_info(set, table, &info, sizeof info),
                     SEENSET_OK);
    return info;
}

void test_add_numbers(seenset *set, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        assert_int_equal(seenset_add(set, &i, sizeof i), 1);
}

enum {
    STREAM_BATCH = 1000
};

/* Fills in the next batch; how many there are in it. */
static size_t take_batch(uint64_t hashes[STREAM_BATCH], uint64_t first,
                         uint64_t end)
{
    size_t count = 0;
    for (; count < STREAM_BATCH && first + count < end; count++)
        hashes[count] = test_mix(first + count);
    return count;
}

static uint64_t sum_of(const uint8_t *answers, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += answers[i];
    return sum;
}

uint64_t test_add_stream(seenset *set, uint64_t first, uint64_t end)
{
    uint64_t hashes[STREAM_BATCH], news = 0;
    uint8_t answers[STREAM_BATCH];
    size_t count;
    for (; (count = take_batch(hashes, first, end)) > 0; first += count) {
        assert_int_equal(seenset_add_hash_many(set, hashes, count, answers), 0);
        news += sum_of(answers, count);
    }
    return news;
}

uint64_t test_count_stream(const seenset *set, uint64_t first, uint64_t end)
{
    uint64_t hashes[STREAM_BATCH], seen = 0;
    uint8_t answers[STREAM_BATCH];
    size_t count;
    for (; (count = take_batch(hashes, first, end)) > 0; first += count) {
        assert_int_equal(seenset_has_hash_many(set, hashes, count, answers), 0);
        seen += sum_of(answers, count);
    }
    return seen;
}

seenset_stats test_stats_of(const seenset *set)
{
    seenset_stats stats;
    assert_int_equal(seenset_get_stats(set, &stats, sizeof stats), SEENSET_OK);
    return stats;
}

uint8_t *test_bytes_of(const seenset *set, size_t *size_bytes)
{
    *size_bytes = 0;
    assert_int_equal(seenset_write_bytes(set, NULL, size_bytes),
                     SEENSET_ESPACE);
    uint8_t *bytes = malloc(*size_bytes);
    assert_non_null(bytes);
    assert_int_equal(seenset_write_bytes(set, bytes, size_bytes), SEENSET_OK);
    return bytes;
}

void test_leave_to_real_machines(void)
{
    if (TEST_STEP > 1)
        skip();
}

bool test_views_are_copies(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

void test_need_mapped_files(void)
{
    if (!test_views_are_copies())
        return;
    puts("SKIPPED: on a big-endian machine no file is mapped or has a journal");
    exit(77);
}

bool test_are_equal(const seenset *a, const seenset *b)
{
    size_t a_bytes, b_bytes;
    uint8_t *one = test_bytes_of(a, &a_bytes);
    uint8_t *other = test_bytes_of(b, &b_bytes);
    bool are = a_bytes == b_bytes && memcmp(one, other, a_bytes) == 0;
    free(one);
    free(other);
    return are;
}

/* ---- the bytes of files ---- */

enum {
    AT_HEADER_BYTES = 12,
    AT_HEADER_SUM = 120,
    AT_OLD_PAYLOAD_SUM = 184,
    OLD_HEADER_BYTES = 192 /* of version 1 */
};

void test_store(uint8_t *bytes, unsigned size_bytes, uint64_t value)
{
    for (unsigned i = 0; i < size_bytes; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

uint64_t test_fetch(const uint8_t *bytes, unsigned size_bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size_bytes; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

size_t test_header_bytes(const uint8_t *bytes)
{
    return (size_t)test_fetch(bytes + AT_HEADER_BYTES, 4);
}

void test_repair_header(uint8_t *bytes, size_t header_bytes)
{
    memset(bytes + AT_HEADER_SUM, 0, 8);
    test_store(bytes + AT_HEADER_SUM, 8, seenset_hash(bytes, header_bytes));
}

void test_repair_payload(uint8_t *bytes, size_t size_bytes)
{
    test_store(
        bytes + AT_OLD_PAYLOAD_SUM, 8,
        seenset_hash(bytes + OLD_HEADER_BYTES, size_bytes - OLD_HEADER_BYTES));
    test_repair_header(bytes, OLD_HEADER_BYTES);
}

bool test_holds(const char *path, const seenset *set)
{
    size_t file_bytes, size_bytes;
    uint8_t *file = test_read_file(path, &file_bytes);
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    bool is_it =
        file_bytes == size_bytes && memcmp(file, bytes, size_bytes) == 0;
    free(file);
    free(bytes);
    return is_it;
}

double test_formula_of(const seenset *set)
{
    double sum = 0.0;
    seenset_stats stats = test_stats_of(set);
    for (uint32_t i = 0; i < stats.table_count; i++) {
        seenset_table_info table = test_table_of(set, i);
        sum += table.layout == SEENSET_LAYOUT_EXPANDABLE
                   ? table.fp_rate
                   : seenset_plan_fp_rate(table.layout, table.added_items,
                                          table.size_bits, table.hash_count);
    }
    return sum;
}

bool test_has_stream(const seenset *set, uint64_t first, uint64_t end)
{
    return test_count_stream(set, first, end) == end - first;
}

int test_is_superset(const seenset *set, const seenset *other)
{
    bool contains = false;
    int error = seenset_is_superset(set, other, &contains);
    return error != SEENSET_OK ? error : contains;
}
