/*
 * exchange.c - files for other machines: makes a set of every kind, the same
 * wherever it runs, and says what the sets in files answer.
 *
 *     test_exchange make FOLDER       writes FOLDER/NAME.seenset for each kind
 *     test_exchange ask FILE...       a line for each FILE: its name, the
 * length and sum of its bytes, how many of 100,000 keys it has, and a sum of
 * all answers, as a view and as a copy
 *
 * scripts/platforms/foreign.sh compares files and lines of several machines. It
 * has no main of cmocka and needs nothing but the core, so that it can be
 * compiled with the two files of `make amalgamation`, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seenset/seenset.h"

enum {
    KEYS = 3000,
    ASKED = 100000
};

static const uint8_t secret[SEENSET_SECRET_BYTES] = {7, 1, 200, 3};
static const uint32_t factors[] = {31, 131, 1313};
static const seenset_scheme_arguments seeded = {.seed = 0x123456789abcdef0};
static const seenset_scheme_arguments tweak = {.seed = 0x89abcdef};
static const seenset_scheme_arguments polynomial = {
    .seeds = factors, .seed_count = 3, .unit_bits = 16};

typedef struct kind {
    const char *name;
    seenset_options options;
    uint64_t keys; /* 0: KEYS */
} kind;

#define LAYOUT(is) .layout = SEENSET_LAYOUT_##is
#define FULL(is) .on_full = SEENSET_ON_FULL_##is
#define SCHEME(is) .scheme = SEENSET_SCHEME_##is

static const kind kinds[] = {
    {"blocked", {.capacity_items = KEYS}, 0},
    {"blocked-grown", {.capacity_items = 100}, 0},
    {"blocked-grown-far", {.capacity_items = 100, .fp_rate = 1e-6}, 40000},
    {"blocked-refuse", {FULL(REFUSE), .capacity_items = 2000}, 0},
    {"blocked-degrade", {FULL(DEGRADE), .capacity_items = 2000}, 0},
    {"blocked-2-blocks", {.capacity_items = KEYS, .fp_rate = 1e-5}, 0},
    {"blocked-3-blocks", {.capacity_items = KEYS, .fp_rate = 1e-8}, 0},
    {"blocked-window", {FULL(ROTATE), .capacity_items = 1000}, 0},
    {"blocked-sliding",
     {FULL(ROTATE), .capacity_items = 1000, .flags = SEENSET_FLAG_SLIDING},
     0},
    {"blocked-keyed", {.capacity_items = KEYS, .secret = secret}, 0},
    {"blocked-seed", {.capacity_items = KEYS, .scheme_arguments = &seeded}, 0},
    {"blocked-seed-grown",
     {.capacity_items = 100, .scheme_arguments = &seeded},
     0},
    {"blocked-shared",
     {.capacity_items = KEYS, .flags = SEENSET_FLAG_SHARED},
     0},
    {"bloom", {LAYOUT(BLOOM), .capacity_items = KEYS}, 0},
    {"bloom-grown", {LAYOUT(BLOOM), .capacity_items = 100}, 0},
    {"bloom-window", {LAYOUT(BLOOM), FULL(ROTATE), .capacity_items = 1000}, 0},
    {"bloom-odd", {LAYOUT(BLOOM), .size_bits = 40009, .hash_count = 5}, 0},
    {"bloom-keyed",
     {LAYOUT(BLOOM), .capacity_items = KEYS, .secret = secret},
     0},
    {"split-block", {LAYOUT(SPLIT_BLOCK), .capacity_items = KEYS}, 0},
    {"split-block-grown", {LAYOUT(SPLIT_BLOCK), .capacity_items = 100}, 0},
    {"split-block-window",
     {LAYOUT(SPLIT_BLOCK), FULL(ROTATE), .capacity_items = 1000},
     0},
    {"counting", {LAYOUT(COUNTING), .capacity_items = KEYS}, 0},
    {"counting-2-bits",
     {LAYOUT(COUNTING), .counter_bits = 2, .capacity_items = KEYS},
     0},
    {"counting-7-bits",
     {LAYOUT(COUNTING), .counter_bits = 7, .capacity_items = KEYS},
     0},
    {"counting-11-bits",
     {LAYOUT(COUNTING), .counter_bits = 11, .capacity_items = KEYS},
     0},
    {"counting-16-bits",
     {LAYOUT(COUNTING), .counter_bits = 16, .capacity_items = KEYS},
     0},
    {"fingerprint", {LAYOUT(FINGERPRINT), .capacity_items = KEYS}, 0},
    {"fingerprint-1e-4",
     {LAYOUT(FINGERPRINT), .capacity_items = KEYS, .fp_rate = 1e-4},
     0},
    {"fingerprint-cut", {LAYOUT(FINGERPRINT), .capacity_items = 1500}, 0},
    {"fingerprint-refuse",
     {LAYOUT(FINGERPRINT), FULL(REFUSE), .capacity_items = 2000},
     0},
    {"sealed", {LAYOUT(SEALED), .fp_rate = 0.01}, 0},
    {"sealed-8-bits", {LAYOUT(SEALED), .fp_rate = 1.0 / 256}, 0},
    {"sealed-16-bits", {LAYOUT(SEALED), .fp_rate = 1.0 / 65536}, 0},
    {"sealed-27-bits", {LAYOUT(SEALED), .fp_rate = 1e-8}, 0},
    {"sealed-32-bits", {LAYOUT(SEALED), .fp_rate = 0x1p-32}, 0},
    {"sealed-keyed", {LAYOUT(SEALED), .fp_rate = 0.01, .secret = secret}, 0},
    {"bloom-murmur2a",
     {LAYOUT(BLOOM), SCHEME(MURMUR2A_FNV1A), .capacity_items = KEYS},
     0},
    {"bloom-murmur2a-signed",
     {LAYOUT(BLOOM), SCHEME(MURMUR2A_FNV1A_SIGNED), .capacity_items = KEYS},
     0},
    {"bloom-murmur3",
     {LAYOUT(BLOOM), SCHEME(MURMUR3_128), .capacity_items = KEYS},
     0},
    {"bloom-polynomial",
     {LAYOUT(BLOOM), SCHEME(POLYNOMIAL), .capacity_items = KEYS},
     0},
    {"bloom-polynomial-16",
     {LAYOUT(BLOOM), SCHEME(POLYNOMIAL), .capacity_items = KEYS,
      .hash_count = 3, .scheme_arguments = &polynomial},
     0},
    {"bloom-md5",
     {LAYOUT(BLOOM), SCHEME(MD5_DIVMOD), .capacity_items = KEYS},
     0},
    {"bloom-dcso", {LAYOUT(BLOOM), SCHEME(DCSO), .capacity_items = KEYS}, 0},
    {"bloom-guava-64",
     {LAYOUT(BLOOM), SCHEME(GUAVA_MITZ_64), .capacity_items = KEYS},
     0},
    {"bloom-guava-32",
     {LAYOUT(BLOOM), SCHEME(GUAVA_MITZ_32), .capacity_items = KEYS},
     0},
    {"bloom-leveldb",
     {LAYOUT(BLOOM), SCHEME(LEVELDB), .size_bits = 1 << 16, .hash_count = 6},
     0},
    {"bloom-rocksdb-legacy",
     {LAYOUT(BLOOM), SCHEME(ROCKSDB_LEGACY), .size_bits = 1 << 16,
      .hash_count = 6},
     0},
    {"bloom-rocksdb",
     {LAYOUT(BLOOM), SCHEME(ROCKSDB), .size_bits = 1 << 16, .hash_count = 6},
     0},
    {"bloom-bip37",
     {LAYOUT(BLOOM), SCHEME(BIP37), .size_bits = 1 << 16, .hash_count = 6,
      .scheme_arguments = &tweak},
     0},
    {"bloom-redisbloom",
     {LAYOUT(BLOOM), SCHEME(REDISBLOOM), .capacity_items = KEYS},
     0},
    {"split-block-parquet",
     {LAYOUT(SPLIT_BLOCK), SCHEME(PARQUET), .capacity_items = KEYS},
     0},
    {"bloom-double",
     {LAYOUT(BLOOM), SCHEME(ENHANCED_DOUBLE), .capacity_items = KEYS},
     0},
    {"bloom-clickhouse",
     {LAYOUT(BLOOM), SCHEME(CLICKHOUSE_BLOOM), .capacity_items = KEYS},
     0},
    {"counting-murmur3",
     {LAYOUT(COUNTING), SCHEME(MURMUR3_128), .capacity_items = KEYS},
     0},
};

static int stop(const char *what, int error)
{
    fprintf(stderr, "exchange: %s: %s\n", what, seenset_error_name(error));
    return 1;
}

/* Key number i: bytes of all values, of several lengths. */
static seenset_key key_of(uint64_t i, uint8_t bytes[24])
{
    uint64_t x = i * UINT64_C(0x9E3779B97F4A7C15) + 1;
    size_t length = 4 + (size_t)(i % 21);
    for (size_t at = 0; at < length; at++, x = x << 7 | x >> 57)
        bytes[at] = (uint8_t)(at < 4 ? i >> 8 * at : x);
    return (seenset_key){bytes, length};
}

static int make_sealed(seenset **set, const kind *of)
{
    static uint8_t bytes[KEYS][24];
    static seenset_key keys[KEYS];
    for (uint64_t i = 0; i < KEYS; i++)
        keys[i] = key_of(i, bytes[i]);
    return seenset_build_sealed(set, &of->options, keys, KEYS, NULL, NULL);
}

static int make(seenset **set, const kind *of)
{
    uint8_t bytes[24];
    if (of->options.layout == SEENSET_LAYOUT_SEALED)
        return make_sealed(set, of);
    int error = seenset_new(set, &of->options);
    uint64_t count = of->keys == 0 ? KEYS : of->keys;
    for (uint64_t i = 0; error >= 0 && i < count; i++) {
        seenset_key key = key_of(i, bytes);
        error = seenset_add(*set, key.data, key.len);
        if (error == SEENSET_EFULL)
            return 0;
    }
    return error < 0 ? error : 0;
}

static int make_all(const char *folder)
{
    char path[1024];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        seenset *set = NULL;
        int error = make(&set, &kinds[i]);
        snprintf(path, sizeof path, "%s/%s.seenset", folder, kinds[i].name);
        if (error == 0)
            error = seenset_save(set, path);
        seenset_free(set);
        if (error != 0)
            return stop(kinds[i].name, error);
    }
    return 0;
}

/* ---- asking ---- */

typedef struct answers {
    uint64_t seen, sum;
    int is_copied;
} answers;

static uint64_t mix(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * UINT64_C(0x9FB21C651E98DF25);
    return sum ^ sum >> 29;
}

static int ask(answers *to, const char *path, uint32_t flags)
{
    seenset *set;
    seenset_info info;
    uint8_t bytes[24];
    const int is_keyed = strstr(path, "keyed") != NULL;
    seenset_open_options options = {.flags =
                                        flags | SEENSET_OPEN_WITHOUT_JOURNAL,
                                    .secret = is_keyed ? secret : NULL};
    int error = seenset_open(&set, path, &options);
    if (error != 0)
        return error;
    *to = (answers){0, 1, 0};
    if (seenset_get_info(set, &info, sizeof info) == 0)
        to->is_copied = info.is_copied;
    to->sum = mix(to->sum, info.added_items);
    to->sum = mix(to->sum, info.capacity_items);
    for (uint64_t i = 0; i < ASKED; i++) {
        seenset_key key = key_of(i, bytes);
        int answer = seenset_has(set, key.data, key.len);
        to->seen += answer == 1;
        to->sum = mix(to->sum, (uint64_t)(int64_t)answer);
    }
    seenset_free(set);
    return 0;
}

static int sum_file(const char *path, uint64_t *length, uint64_t *sum)
{
    FILE *file = fopen(path, "rb");
    int byte;
    if (file == NULL)
        return SEENSET_EIO;
    for (*length = 0, *sum = 1; (byte = getc(file)) != EOF; ++*length)
        *sum = mix(*sum, (uint64_t)byte);
    fclose(file);
    return 0;
}

static int ask_one(const char *path)
{
    answers view, copy;
    uint64_t length, sum;
    const char *slash = strrchr(path, '/');
    int error = sum_file(path, &length, &sum);
    if (error == 0)
        error = ask(&view, path, SEENSET_OPEN_VIEW);
    if (error == 0)
        error = ask(&copy, path, SEENSET_OPEN_COPY);
    if (error != 0)
        return stop(path, error);
    if (view.sum != copy.sum || copy.is_copied)
        return stop(path, SEENSET_EMISMATCH);
    printf("%s %llu %016llx %llu %016llx\n", slash == NULL ? path : slash + 1,
           (unsigned long long)length, (unsigned long long)sum,
           (unsigned long long)view.seen, (unsigned long long)view.sum);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "make") == 0)
        return make_all(argv[2]);
    if (argc < 3 || strcmp(argv[1], "ask") != 0) {
        fprintf(stderr, "usage: exchange make FOLDER | exchange ask FILE...\n");
        return 2;
    }
    int status = 0;
    for (int i = 2; i < argc; i++)
        status |= ask_one(argv[i]);
    return status;
}
