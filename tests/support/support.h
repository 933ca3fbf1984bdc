/*
 * support.h - what all tests share: numbers that repeat, bounds that are
 * proven, an allocator that counts and fails, files, threads, sets. It shows
 * nothing of the library but its public headers, so that tests/api can use it.
 *
 * Statistical tests use fixed seeds and an alarm chance of TEST_ALARM: the
 * chance that a sound library fails one is at most that.
 */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "seenset/seenset.h"

#define TEST_ALARM 1e-9
#define TEST_PATH_BYTES 512

/* Is this a build of the thread sanitizer? */
#if defined(__SANITIZE_THREAD__)
#define TEST_HAS_THREAD_SANITIZER true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_HAS_THREAD_SANITIZER true
#endif
#endif
#ifndef TEST_HAS_THREAD_SANITIZER
#define TEST_HAS_THREAD_SANITIZER false
#endif

#define TEST_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- numbers ---- */

/* A generator with 64 bits of state, any seed (splitmix64, Steele 2014). */
typedef struct test_random {
    uint64_t state;
} test_random;

uint64_t test_random_next(test_random *random);
uint64_t test_random_below(test_random *random, uint64_t limit);
double test_random_unit(test_random *random); /* 0 <= u < 1 */

/* A bijection that looks random: hash number i of a stream. */
uint64_t test_mix(uint64_t i);

/* The index that x draws below range, floor(x * range / 2^64), and the x that
 * draws the next one: as docs/format.md has them, and on their own. */
uint64_t test_range(uint64_t x, uint64_t range);
uint64_t test_next_index(uint64_t x);

/* ---- bounds ---- */

/* |a - b| <= part * |b| */
bool test_is_near(double a, double b, double part);

/*
 * Can `hits` of `trials` independent trials of chance p be no accident? By
 * Chernoff's bound, P(X >= h) and P(X <= h) beyond the mean are at most
 * exp(-trials KL(h/trials, p)): false only if that is under TEST_ALARM / 2.
 */
bool test_is_binomial(uint64_t hits, uint64_t trials, double p);

/*
 * Is this chi-square of `degrees` degrees of freedom no accident, neither too
 * high nor too low? Its tails beyond the mean are at most
 * (r exp(1 - r))^(degrees/2), r = value/degrees (Chernoff again).
 */
bool test_is_chi_square(double value, unsigned degrees);

/* ---- memory ---- */

/*
 * Hands out blocks full of rubbish, checks alignment and sizes, and fails at
 * call number fail_at (from 1; 0: never), from then on if is_lasting, or for
 * blocks over most_bytes.
 */
typedef struct test_memory {
    seenset_allocator allocator;
    size_t calls;
    size_t fail_at;
    bool is_lasting;
    size_t live_blocks;
    size_t live_bytes;
    size_t largest_bytes; /* of all blocks asked for, given or not */
    size_t most_bytes;
    bool is_bare; /* no rubbish: for many thousand blocks */
} test_memory;

void test_memory_init(test_memory *memory);

/* ---- machines that are played ---- */

/*
 * Where qemu plays the machine an instruction costs 10 to 60, and
 * CMakeLists.txt defines TEST_IS_PLAYED (on i386 under a sanitizer, too): of
 * many rounds that are alike each TEST_STEP-th is made there, and a test that
 * is left to real machines ends as skipped. Those count false positives or
 * compare formulas by the million, which no processor changes.
 */
#ifdef TEST_IS_PLAYED
enum {
    TEST_STEP = 11
};
#else
enum {
    TEST_STEP = 1
};
#endif

void test_leave_to_real_machines(void);

/* ---- files ---- */

/* A new empty folder; its path stays until test_folder_remove. */
typedef struct test_folder {
    char path[256];
} test_folder;

void test_folder_make(test_folder *folder);
void test_folder_remove(test_folder *folder);
int test_folder_count(const test_folder *folder);

/* "folder/name" in a buffer of TEST_PATH_BYTES bytes. */
char *test_path(char path[TEST_PATH_BYTES], const test_folder *folder,
                const char *name);

void test_write_file(const char *path, const void *bytes, size_t size_bytes);

/* The whole file, from malloc; asserts that it can be read. */
uint8_t *test_read_file(const char *path, size_t *size_bytes);

/* Asserts that a table has a row for each public function of both libraries,
 * and that one without a row would be noticed. */
void test_each_export_has_a_row(bool (*has_row)(const char *name));

/* ---- threads ---- */

/* Runs so many threads, each on its own of the members, until all end. */
void test_run_threads(unsigned count, void *(*run)(void *), void *members,
                      size_t member_bytes);

/* ---- sets ---- */

/* Both assert that the library gives it. */
/* The layouts that keys can be added to and that can grow, one after another:
 * for (layout = SEENSET_LAYOUT_BLOCKED; layout != 0; layout = next(layout)) */
seenset_layout test_next_layout(seenset_layout layout);

seenset *test_make(seenset_options options);
seenset_stats test_stats_of(const seenset *set);

/* What is told of a table of the set; asserts that it has it. */
seenset_table_info test_table_of(const seenset *set, uint32_t table);

/* Adds the 8-byte keys first to end - 1, each of which has to be new. */
void test_add_numbers(seenset *set, uint64_t first, uint64_t end);

/* The stream of hashes test_mix(first) to test_mix(end - 1), in batches: adds
 * them, and how many were new; asks for them, and how many were seen, or
 * whether all were. */
uint64_t test_add_stream(seenset *set, uint64_t first, uint64_t end);
uint64_t test_count_stream(const seenset *set, uint64_t first, uint64_t end);
bool test_has_stream(const seenset *set, uint64_t first, uint64_t end);

/* 1 or 0 of seenset_is_superset, or its error. */
int test_is_superset(const seenset *set, const seenset *other);

/* Is a view of a file a copy in memory here, as the machine is big-endian? Then
 * no file is mapped and none gets a journal. */
bool test_views_are_copies(void);

/* Ends a program whose tests need those there, as skipped. */
void test_need_mapped_files(void);

/* Would they be saved as the same bytes? */
bool test_are_equal(const seenset *a, const seenset *b);

/* Does the file hold what seenset_save would write? */
bool test_holds(const char *path, const seenset *set);

/* What seenset_save would write, from malloc. */
uint8_t *test_bytes_of(const seenset *set, size_t *size_bytes);

/* Stores a number as files do, in so many bytes; and loads it. */
void test_store(uint8_t *bytes, unsigned size_bytes, uint64_t value);
uint64_t test_fetch(const uint8_t *bytes, unsigned size_bytes);

/* The length of the header, as a sound file says it. */
size_t test_header_bytes(const uint8_t *bytes);

/* Makes the checksum of a header right again after a change, or both of a
 * version-1 file. */
void test_repair_header(uint8_t *bytes, size_t header_bytes);
void test_repair_payload(uint8_t *bytes, size_t size_bytes);

/* The sets that vectors/golden/ holds, and the bytes that make them bad. */
typedef struct test_golden {
    uint32_t version; /* of the format */
    const char *name;
    seenset_options options;
} test_golden;

enum {
    TEST_GOLDEN_OLD_COUNT = 6, /* of versions 1 and 2: they are first */
    TEST_GOLDEN_COUNT = 30,
    TEST_GOLDEN_KEYS = 100
};
extern const test_golden test_goldens[TEST_GOLDEN_COUNT];

/* The set of a golden file: keys "key 0" to "key 99". */
seenset *test_golden_make(const test_golden *golden);

/* The bytes of golden file number i, made anew; from malloc, with room for a
 * byte more. */
uint8_t *test_golden_bytes(size_t i, size_t *size_bytes);

/* Turns the bytes of a version-3 file into those of a version that came before
 * it and can hold the same set: the header gets shorter, the sums go. */
void test_to_version(uint32_t version, uint8_t *bytes, size_t *size_bytes);

typedef struct test_bad {
    const char *name;
    int error; /* of a copying open and of verify */
} test_bad;

enum {
    TEST_BAD_COUNT = 33
};
extern const test_bad test_bads[TEST_BAD_COUNT];

/* Which golden file bad file number i is made of. */
size_t test_bad_origin(size_t i);

/* Turns the bytes of that golden file into bad file number i. */
void test_bad_make(size_t i, uint8_t *bytes, size_t *size_bytes);

/* What each table's formula gives for the keys that it holds, as a sum. */
double test_formula_of(const seenset *set);

/* Has the library normal forms of URLs? One built with SEENSET_URLS=OFF has
 * none, and what needs them is skipped. */
bool test_has_urls(void);

#endif
