/*
 * fuzz_foreign.c - any bytes at all, opened as a file of another system.
 *
 * The bytes go into memory of exactly their size, so that the sanitizer sees a
 * read past either end. What opens must describe each filter; a filter that can
 * be asked must answer for any key as the set that is made of it does, and a
 * key that is added to that set must be there. A Golomb-coded set becomes none:
 * it has as many values as it says, so one key at a time and all at once agree.
 *
 * With SEENSET_FUZZ_FORMAT=guava, or another name, changes are made again until
 * the file still begins as that format's, other files are not opened and not
 * kept, and at the end it prints how many of that format were read.
 */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/foreign.h"

enum {
    MOST_SETS = 8, /* of one file: their bits are copied */
    KEY_BYTES = 16,
    ALL_KEYS = 64,
    FEW_KEYS = 2,
    MOST_TRIES = 16,
    MOST_KEPT = 8192 /* bytes of a file whose format is kept */
};

/* What a file is read for, each with those before. */
typedef enum depth {
    AND_ANSWERS,
    AND_SET,
    AND_STATS
} depth;

static void check_record(const seenset_foreign_filter *filter,
                         const seenset_foreign_info *info)
{
    uint64_t bytes = (filter->size_bits + 7) / 8;
    fuzz_must(filter->column != NULL && filter->reason != NULL,
              "texts are there");
    fuzz_must((filter->error == SEENSET_OK) == (filter->reason[0] == '\0'),
              "what cannot be asked has a reason");
    fuzz_must(filter->group < info->group_count, "a row group is one");
    fuzz_must(filter->reason_offset <= info->file_bytes,
              "a reason is in the file");
    if (filter->error != SEENSET_OK)
        return;
    fuzz_must(
        (filter->size_bits > 0 || info->format == SEENSET_FORMAT_BIP158) &&
            filter->hash_count > 0,
        "a filter has a shape");
    fuzz_must(filter->bits_offset <= info->file_bytes &&
                  bytes <= info->file_bytes - filter->bits_offset,
              "its bits are in the file");
}

/* The length of a key that it takes; any, for bytes. */
static size_t key_bytes(const seenset_foreign_filter *filter)
{
    static const size_t lengths[] = {9, 4, 8, 12, 4, 8};
    return filter->value_type == SEENSET_VALUE_FIXED
               ? filter->value_bytes
               : lengths[filter->value_type];
}

static int ask_many(const seenset_foreign *file, uint32_t number,
                    const void *key, size_t key_len)
{
    uint8_t is_seen[2];
    const seenset_key one = {.data = key, .len = key_len};
    const seenset_key keys[] = {one, one};
    int error = seenset_foreign_has_many(file, number, keys, 2, is_seen);
    return error != 0 || is_seen[0] != is_seen[1] ? error : is_seen[0];
}

static int ask(const seenset_foreign *file, uint32_t number, const void *key,
               size_t key_len)
{
    int answer = seenset_foreign_has(file, number, key, key_len);
    fuzz_must((answer | 1) == 1, "a filter answers");
    fuzz_must(answer == ask_many(file, number, key, key_len),
              "many keys answer as each");
    return answer;
}

static void check_answers(const seenset_foreign *file, uint32_t number,
                          size_t key_len, unsigned count)
{
    uint8_t key[KEY_BYTES] = {0};
    for (unsigned i = 0; i < count; i++) {
        key[0] = (uint8_t)i;
        (void)ask(file, number, key, key_len);
    }
}

static void compare(const seenset_foreign *file, uint32_t number, seenset *set,
                    size_t key_len)
{
    uint8_t key[KEY_BYTES] = {0};
    for (unsigned i = 0; i < ALL_KEYS; i++) {
        memset(key, (int)(i * 37), sizeof key);
        key[0] = (uint8_t)i;
        int answer = ask(file, number, key, key_len);
        if (FUZZ_IS_PLANTED && i == ALL_KEYS - 1)
            answer = !answer;
        fuzz_must(answer == seenset_has(set, key, key_len),
                  "the set answers as the filter");
    }
    fuzz_must(seenset_add(set, key, key_len) >= 0 &&
                  seenset_has(set, key, key_len) == 1,
              "a key that was added is there");
}

static void check_stats(const seenset *set,
                        const seenset_foreign_filter *filter)
{
    seenset_stats stats;
    fuzz_must(seenset_get_stats(set, &stats, sizeof stats) == SEENSET_OK &&
                  stats.size_bits == filter->size_bits &&
                  stats.scheme == filter->scheme,
              "the set is that filter");
}

static void check_set(const seenset_foreign *file, uint32_t number,
                      const seenset_foreign_info *info,
                      const seenset_foreign_filter *filter, bool has_stats)
{
    seenset *set = NULL;
    int error = seenset_foreign_set(&set, file, number);
    if (error == SEENSET_EUNSUPPORTED && filter->error == SEENSET_OK) {
        fuzz_must(info->format == SEENSET_FORMAT_BIP158, "a filter is a set");
        return;
    }
    fuzz_must(error == filter->error || error == SEENSET_ENOMEM,
              "a set is made, or what is wrong is returned");
    if (error != SEENSET_OK)
        return;
    if (has_stats)
        check_stats(set, filter);
    if (key_bytes(filter) <= KEY_BYTES)
        compare(file, number, set, key_bytes(filter));
    seenset_free(set);
}

/* What becomes a set is asked for all keys beside that (compare). */
static unsigned key_count(const seenset_foreign_info *info, depth wanted)
{
    bool is_never_set = info->format == SEENSET_FORMAT_BIP158;
    return is_never_set && wanted >= AND_SET ? ALL_KEYS : FEW_KEYS;
}

static void check_filter(const seenset_foreign *file, uint32_t number,
                         const seenset_foreign_info *info, depth wanted)
{
    seenset_foreign_filter filter;
    fuzz_must(seenset_foreign_get_filter(file, number, &filter,
                                         sizeof filter) == SEENSET_OK,
              "a filter is described");
    check_record(&filter, info);
    if (number >= MOST_SETS && filter.error == SEENSET_OK)
        return;
    if (filter.error == SEENSET_OK && key_bytes(&filter) <= KEY_BYTES)
        check_answers(file, number, key_bytes(&filter),
                      key_count(info, wanted));
    if (wanted >= AND_SET)
        check_set(file, number, info, &filter, wanted >= AND_STATS);
}

/* ---- one format at a time ---- */

static uint64_t wanted_count;

static void print_count(void)
{
    fprintf(stderr, "%" PRIu64 " files of %s were read\n", wanted_count,
            getenv("SEENSET_FUZZ_FORMAT"));
}

static bool is_of_wanted(const ss_format *found)
{
    const char *name = getenv("SEENSET_FUZZ_FORMAT");
    return name == NULL || (found != NULL && strcmp(found->name, name) == 0);
}

static bool is_wanted(const ss_format *found)
{
    if (!is_of_wanted(found))
        return false;
    if (getenv("SEENSET_FUZZ_FORMAT") != NULL && wanted_count++ == 0)
        (void)atexit(print_count);
    return true;
}

/* A set costs ten times the reading of its file, and its figures, which are of
 * the planner's sums, far more: of one format at a time, one file of 16 becomes
 * a set, of 16,384 one has its figures looked at. */
static depth depth_for(const uint8_t *data, size_t size_bytes)
{
    unsigned sum = 0;
    if (getenv("SEENSET_FUZZ_FORMAT") == NULL)
        return AND_STATS;
    for (size_t i = 0; i < size_bytes; i++)
        sum += data[i];
    return sum % 16384 == 0 ? AND_STATS : sum % 16 == 0 ? AND_SET : AND_ANSWERS;
}

/* libFuzzer's; AFL++ and the replay have none. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size_bytes,
                                              size_t limit_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_bytes,
                               size_t limit_bytes, unsigned seed);

/* What changes the length of a file of Guava makes it one of no format: it is
 * cut to whole longs, and says how many. Returns its length. */
static size_t repair(uint8_t *data, size_t size_bytes)
{
    enum {
        HEADER_BYTES = 6
    };
    const char *name = getenv("SEENSET_FUZZ_FORMAT");
    if (name == NULL || strcmp(name, "guava") != 0 ||
        size_bytes < HEADER_BYTES + 8)
        return size_bytes;
    size_t longs = (size_bytes - HEADER_BYTES) / 8;
    data[0] &= 1;
    data[1] |= data[1] == 0;
    for (unsigned i = 0; i < 4; i++)
        data[2 + i] = (uint8_t)(longs >> (24 - 8 * i));
    return HEADER_BYTES + 8 * longs;
}

/* Most changes make a file one of no format, which says nothing of its reader:
 * of MOST_TRIES changes the first that leaves it one, or can be repaired. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_bytes,
                               size_t limit_bytes, unsigned seed)
{
    uint8_t before[MOST_KEPT];
    size_t changed = size_bytes;
    (void)seed;
    if (LLVMFuzzerMutate == NULL)
        return size_bytes;
    if (size_bytes > sizeof before)
        return LLVMFuzzerMutate(data, size_bytes, limit_bytes);
    memcpy(before, data, size_bytes);
    for (unsigned i = 0; i < MOST_TRIES; i++) {
        memcpy(data, before, size_bytes);
        changed = LLVMFuzzerMutate(data, size_bytes, limit_bytes);
        changed = repair(data, changed);
        if (is_of_wanted(ss_format_of(data, changed)))
            break;
    }
    return changed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    seenset_allocator allocator = fuzz_allocator();
    seenset_file_report report;
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "the block's hash";
    const ss_format *format = ss_format_of(data, size_bytes);
    if (!is_wanted(format))
        return -1;
    bool is_keyed = format != NULL && format->is_keyed;
    const seenset_open_options options = {.allocator = &allocator,
                                          .report = &report,
                                          .secret = is_keyed ? secret : NULL};
    seenset_foreign *file = NULL;
    seenset_foreign_info info = {0};
    depth wanted = depth_for(data, size_bytes);
    uint8_t *bytes = malloc(size_bytes > 0 ? size_bytes : 1);
    fuzz_must(bytes != NULL, "there is memory for a small file");
    if (size_bytes > 0)
        memcpy(bytes, data, size_bytes);
    int error = seenset_foreign_open_bytes(&file, bytes, size_bytes, &options);
    fuzz_must((error == SEENSET_OK) == (file != NULL),
              "a file is there when, and only when, it opened");
    fuzz_must((error == SEENSET_OK) == (report.reason[0] == '\0'),
              "what is refused has a reason");
    if (error == SEENSET_OK)
        fuzz_must(seenset_foreign_get_info(file, &info, sizeof info) == 0 &&
                      info.file_bytes == size_bytes,
                  "a file is described");
    for (uint32_t i = 0; i < info.filter_count; i++)
        check_filter(file, i, &info, wanted);
    seenset_foreign_free(file);
    free(bytes);
    return 0;
}
