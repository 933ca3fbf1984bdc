/* append_sets.c - see append_sets.h */
#define _XOPEN_SOURCE 700
#include "append_sets.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t secret[SEENSET_SECRET_BYTES] = "fifteen letters";

int append_enter(void **state)
{
    append_place *place = malloc(sizeof *place);
    assert_non_null(place);
    test_folder_make(&place->folder);
    test_path(place->path, &place->folder, "set");
    test_path(place->log_path, &place->folder, "set.log");
    test_path(place->other_path, &place->folder, "other");
    *state = place;
    return 0;
}

int append_leave(void **state)
{
    append_place *place = *state;
    test_folder_remove(&place->folder);
    free(place);
    return 0;
}

/* ---- sets ---- */

const append_kind append_kinds[APPEND_KINDS] = {
    {.name = "blocked",
     .options = {.capacity_items = 1000000, .fp_rate = 1e-4}},
    {.name = "bloom",
     .options = {.layout = SEENSET_LAYOUT_BLOOM,
                 .capacity_items = 1000000,
                 .fp_rate = 0.01,
                 .on_full = SEENSET_ON_FULL_DEGRADE}},
    {.name = "split block",
     .options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                 .capacity_items = 1000000,
                 .fp_rate = 0.01,
                 .on_full = SEENSET_ON_FULL_REFUSE}},
    {.name = "counting",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .capacity_items = 500000,
                 .fp_rate = 0.01}},
    {.name = "odd counters",
     .options = {.layout = SEENSET_LAYOUT_COUNTING,
                 .capacity_items = 500000,
                 .counter_bits = 5,
                 .fp_rate = 0.01,
                 .on_full = SEENSET_ON_FULL_DEGRADE}},
    {.name = "keyed",
     .options = {.capacity_items = 1000000, .fp_rate = 0.01, .secret = secret}},
    {.name = "window",
     .options = {.capacity_items = 10000000,
                 .fp_rate = 0.01,
                 .on_full = SEENSET_ON_FULL_ROTATE}},
    {.name = "sliding window",
     .options = {.capacity_items = 10000000,
                 .fp_rate = 0.01,
                 .on_full = SEENSET_ON_FULL_ROTATE,
                 .flags = SEENSET_FLAG_SLIDING}},
    {.name = "window by age",
     .options = {.capacity_items = 10000000,
                 .fp_rate = 0.01,
                 .on_full = SEENSET_ON_FULL_ROTATE,
                 .window_seconds = 1000000}},
    {.name = "grown",
     .options = {.capacity_items = 500, .fp_rate = 1e-6},
     .more_keys = 400000},
    {.name = "grown keyed",
     .options = {.capacity_items = 500, .fp_rate = 1e-6, .secret = secret},
     .more_keys = 400000},
    {.name = "grown window by age",
     .options = {.capacity_items = 500,
                 .fp_rate = 1e-5,
                 .on_full = SEENSET_ON_FULL_ROTATE,
                 .window_seconds = 1000000},
     .more_keys = 400000},
    {.name = "grown sliding window",
     .options = {.capacity_items = 500,
                 .fp_rate = 1e-5,
                 .on_full = SEENSET_ON_FULL_ROTATE,
                 .window_seconds = 1000000,
                 .flags = SEENSET_FLAG_SLIDING},
     .more_keys = 400000},
};

int append_add(seenset *set, int i)
{
    char key[16];
    int length = snprintf(key, sizeof key, "key %d", i);
    return seenset_add(set, key, (size_t)length);
}

int append_answer(const seenset *set, int i)
{
    char key[16];
    int length = snprintf(key, sizeof key, "key %d", i);
    return seenset_has(set, key, (size_t)length);
}

static void add_more(seenset *set, uint64_t count)
{
    uint64_t keys[1000];
    for (uint64_t done = 0; done < count; done += TEST_COUNT(keys)) {
        for (uint64_t i = 0; i < TEST_COUNT(keys); i++)
            keys[i] = APPEND_MORE + done + i;
        assert_int_equal(
            seenset_add_u64_many(set, keys, TEST_COUNT(keys), NULL), 0);
    }
}

void append_save_kind(const append_kind *of, const char *path)
{
    seenset *set;
    assert_int_equal(seenset_new(&set, &of->options), 0);
    for (int i = 0; i < APPEND_OLD_KEYS; i++)
        assert_true(append_add(set, i) >= 0);
    add_more(set, of->more_keys);
    assert_int_equal(seenset_save(set, path), 0);
    seenset_free(set);
}

seenset *append_open(const char *path, uint32_t flags,
                     const uint8_t *with_secret)
{
    seenset *set = NULL;
    seenset_file_report report;
    seenset_open_options options = {
        .flags = flags, .secret = with_secret, .report = &report};
    int error = seenset_open(&set, path, &options);
    if (error != 0)
        print_error("%s: %s\n", path, report.reason);
    assert_int_equal(error, 0);
    return set;
}

seenset *append_open_more(const append_place *place)
{
    return append_open(place->path, SEENSET_OPEN_APPEND, NULL);
}

bool append_is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

off_t append_length(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_size;
}

uint8_t append_byte(const char *path, off_t at)
{
    uint8_t byte = 0;
    int fd = open(path, O_RDONLY);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    close(fd);
    return byte;
}

void append_put_byte(const char *path, off_t at, uint8_t byte)
{
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

void append_copy_file(const char *from, const char *to)
{
    size_t length = (size_t)append_length(from);
    uint8_t *bytes = malloc(length);
    FILE *file = fopen(from, "rb");
    assert_int_equal(fread(bytes, 1, length, file), length);
    (void)fclose(file);
    file = fopen(to, "wb");
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    (void)fclose(file);
    free(bytes);
}

void append_assert_same(const char *a_path, const char *b_path)
{
    FILE *a = fopen(a_path, "rb"), *b = fopen(b_path, "rb");
    int a_byte, b_byte;
    assert_non_null(a);
    assert_non_null(b);
    do {
        a_byte = getc(a);
        b_byte = getc(b);
        assert_int_equal(a_byte, b_byte);
    } while (a_byte != EOF);
    (void)fclose(a);
    (void)fclose(b);
}

void append_assert_has(const seenset *set, int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(append_answer(set, i), 1);
}

void append_one(const append_place *place, int i)
{
    seenset *set = append_open_more(place);
    assert_int_equal(append_add(set, i), 1);
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
}

/* ---- golden journals ---- */

const append_golden append_goldens[APPEND_GOLDENS] = {
    {"journal-1-blocked.log", 0},
    {"journal-1-counting.log", 3},
};

void append_make_golden(const append_place *place, const append_golden *golden)
{
    enum {
        ONE_BY_ONE = 5
    };
    append_save_kind(&append_kinds[golden->kind], place->path);
    seenset *set = append_open_more(place);
    for (int i = 0; i < APPEND_GOLDEN_KEYS; i++) {
        assert_int_equal(append_add(set, APPEND_OLD_KEYS + i), 1);
        if (i < ONE_BY_ONE)
            assert_int_equal(seenset_append(set, place->path), 0);
    }
    assert_int_equal(seenset_append(set, place->path), 0);
    seenset_free(set);
}
