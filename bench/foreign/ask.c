/*
 * ask.c - how long a key takes in a filter of another system.
 *
 *     bench_foreign ask FILE ADDED KEYS LOOKUPS
 *     bench_foreign parquet ADDED ROUNDS
 *
 * `ask` is one side of a comparison (foreign.py). The file's filter has ADDED
 * keys. For each line on standard input it is asked for LOOKUPS keys, half of
 * which were never added, and what is printed is nanoseconds a key, of the
 * processor, and how many were seen. It is asked for KEYS different ones, over
 * and over if there are more lookups.
 *
 * `parquet` makes a file with a filter of ADDED 64-bit integers, for 1 %, and
 * asks it beside a set of the layout split_block of the same size, in turns.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "seenset/foreign.h"
#include "seenset/seenset.h"

enum {
    KEY_BYTES = 25,
    AT_ONCE = 4096,
    WAYS = 4 /* to ask the same filter */
};

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void check(int error)
{
    if (error >= 0)
        return;
    fprintf(stderr, "bench_foreign: %s\n", seenset_strerror(error));
    exit(1);
}

static void *get_memory(size_t count, size_t each)
{
    void *memory = calloc(count, each);
    if (memory == NULL)
        check(SEENSET_ENOMEM);
    return memory;
}

/* ---- keys ---- */

typedef struct bench_keys {
    char *bytes;
    seenset_key *at;
    size_t count;
} bench_keys;

/* Each second one was never added: "key" and 22 digits, as foreign.py and
 * Guava.java have them; the others are spread over those that were. */
static bench_keys make_texts(size_t count, size_t added)
{
    bench_keys keys = {get_memory(count, KEY_BYTES + 1),
                       get_memory(count, sizeof *keys.at), count};
    for (size_t i = 0; i < count; i++) {
        char *text = keys.bytes + i * (KEY_BYTES + 1);
        size_t number = i % 2 == 0 ? i / 2 * 7919 % added : added + i;
        snprintf(text, KEY_BYTES + 1, "key%022zu", number);
        keys.at[i] = (seenset_key){.data = text, .len = KEY_BYTES};
    }
    return keys;
}

static void free_keys(bench_keys *keys)
{
    free(keys->bytes);
    free(keys->at);
}

static size_t count_of(const uint8_t *is_seen, size_t count)
{
    size_t seen = 0;
    for (size_t i = 0; i < count; i++)
        seen += is_seen[i];
    return seen;
}

/* ---- one side of a comparison ---- */

static size_t ask_file(const seenset_foreign *file, const bench_keys *keys,
                       size_t lookups)
{
    static uint8_t is_seen[AT_ONCE];
    size_t seen = 0;
    for (size_t done = 0, from = 0; done < lookups;) {
        size_t count = keys->count - from;
        count = count < AT_ONCE ? count : AT_ONCE;
        count = count < lookups - done ? count : lookups - done;
        check(
            seenset_foreign_has_many(file, 0, keys->at + from, count, is_seen));
        seen += count_of(is_seen, count);
        done += count;
        from = (from + count) % keys->count;
    }
    return seen;
}

static void ask(const char *path, size_t added, size_t asked, size_t lookups)
{
    char line[16];
    seenset_foreign *file;
    bench_keys keys = make_texts(asked, added);
    check(seenset_foreign_open(&file, path, NULL));
    while (fgets(line, sizeof line, stdin) != NULL) {
        double start = now_ns();
        size_t seen = ask_file(file, &keys, lookups);
        printf("%.2f %zu\n", (now_ns() - start) / (double)lookups, seen);
        fflush(stdout);
    }
    seenset_foreign_free(file);
    free_keys(&keys);
}

/* ---- Parquet ---- */

/* Bytes of Thrift's compact protocol. */
typedef struct thrift {
    uint8_t *at;
} thrift;

static void put_bytes(thrift *to, const void *bytes, size_t count)
{
    memcpy(to->at, bytes, count);
    to->at += count;
}

static void put_number(thrift *to, uint64_t value)
{
    for (; value > 127; value >>= 7)
        *to->at++ = (uint8_t)(128 | (value & 127));
    *to->at++ = (uint8_t)value;
}

/* The file of one row group and one column of 64-bit integers, "id": no data,
 * the filter and the footer. Returns its length. */
static size_t put_parquet(uint8_t *file, const uint8_t *bits,
                          uint64_t bits_bytes)
{
    thrift to = {file};
    put_bytes(&to, "PAR1\x15", 5);
    put_number(&to, 2 * bits_bytes);
    put_bytes(&to, "\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0", 13);
    put_bytes(&to, bits, bits_bytes);
    const uint8_t *footer = to.at;
    put_bytes(&to, "\x15\2\x19\x2c", 4);         /* version, schema of 2: */
    put_bytes(&to, "\x48\1s\x15\2\0", 6);        /* the root, one child */
    put_bytes(&to, "\x15\4\x25\0\x18\2id\0", 9); /* INT64, required, "id" */
    put_bytes(&to, "\x16\2\x19\x1c", 4);         /* rows, row groups: */
    put_bytes(&to, "\x19\x1c\x26\x08\x1c", 5);   /* a column, its offset */
    put_bytes(&to, "\x15\4\x19\x15\0\x19\x18\2id", 10); /* type, encodings, */
    put_bytes(&to, "\x15\0\x16\2\x16\2\x16\2\x26\x08", 10);
    put_bytes(&to, "\x56\x08\0\0", 4);     /* bloom_filter_offset: 4 */
    put_bytes(&to, "\x16\2\x16\2\0\0", 6); /* of the row group */
    uint32_t footer_bytes = (uint32_t)(to.at - footer);
    put_bytes(&to, &footer_bytes, 4);
    put_bytes(&to, "PAR1", 4);
    return (size_t)(to.at - file);
}

static seenset *make_set(size_t count, seenset_scheme scheme,
                         uint64_t size_bits)
{
    seenset *set;
    const seenset_options options = {.layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                                     .scheme = scheme,
                                     .capacity_items = count,
                                     .fp_rate = size_bits == 0 ? 0.01 : 0,
                                     .size_bits = size_bits,
                                     .on_full = SEENSET_ON_FULL_DEGRADE};
    check(seenset_new(&set, &options));
    for (uint64_t i = 0; i < count; i++)
        check(seenset_add(set, &i, sizeof i));
    return set;
}

static seenset_foreign *make_file(const seenset *set, uint8_t **bytes)
{
    size_t bits_bytes = 0;
    seenset_foreign *file;
    (void)seenset_to_bits(set, NULL, &bits_bytes); /* how many? */
    uint8_t *bits = get_memory(bits_bytes, 1);
    check(seenset_to_bits(set, bits, &bits_bytes));
    *bytes = get_memory(bits_bytes + 256, 1);
    size_t size_bytes = put_parquet(*bytes, bits, bits_bytes);
    free(bits);
    check(seenset_foreign_open_bytes(&file, *bytes, size_bytes, NULL));
    return file;
}

/* Each second integer was never added. */
static bench_keys make_integers(size_t count, size_t added)
{
    bench_keys keys = {get_memory(count, 8), get_memory(count, sizeof *keys.at),
                       count};
    for (size_t i = 0; i < count; i++) {
        uint64_t key = i % 2 == 0 ? i * 7919 % added : added + i;
        memcpy(keys.bytes + 8 * i, &key, sizeof key);
        keys.at[i] = (seenset_key){.data = keys.bytes + 8 * i, .len = 8};
    }
    return keys;
}

/* The format's hash alone: a key costs no less. */
static size_t hash_all(const bench_keys *keys)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < keys->count; i++)
        sum += XXH64(keys->at[i].data, 8, 0);
    return (size_t)(sum & 1);
}

/* A way to ask: the file, or else the set; with neither keys are hashed. */
typedef struct asked {
    const char *name;
    const seenset_foreign *file;
    const seenset *set;
} asked;

static size_t ask_all(const asked *by, const bench_keys *keys)
{
    static uint8_t is_seen[AT_ONCE];
    size_t seen = 0;
    if (by->file != NULL)
        return ask_file(by->file, keys, keys->count);
    if (by->set == NULL)
        return hash_all(keys);
    for (size_t from = 0; from < keys->count; from += AT_ONCE) {
        size_t count = keys->count - from;
        count = count < AT_ONCE ? count : AT_ONCE;
        check(seenset_has_many(by->set, keys->at + from, count, is_seen));
        seen += count_of(is_seen, count);
    }
    return seen;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_parquet(const asked ways[WAYS], const bench_keys *keys,
                          size_t added, size_t rounds)
{
    double *ns = get_memory(WAYS * rounds, sizeof *ns);
    size_t seen[WAYS];
    for (size_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < WAYS; i++) {
            double start = now_ns();
            seen[i] = ask_all(&ways[i], keys);
            ns[i * rounds + round] = (now_ns() - start) / (double)keys->count;
        }
    }
    for (size_t i = 0; i < WAYS; i++)
        qsort(ns + i * rounds, rounds, sizeof *ns, compare);
    double ours = ns[rounds / 2];
    for (size_t i = 0; i < WAYS; i++)
        printf("%10zu keys: %-24s %6.2f ns a key, %5.2f times split_block's; "
               "%zu seen\n",
               added, ways[i].name, ns[i * rounds + rounds / 2],
               ns[i * rounds + rounds / 2] / ours, seen[i]);
    free(ns);
}

static void parquet(size_t added, size_t rounds)
{
    uint8_t *bytes;
    seenset_stats stats;
    size_t lookups = 2000000;
    seenset *like = make_set(added, SEENSET_SCHEME_PARQUET, 0);
    seenset_foreign *file = make_file(like, &bytes);
    check(seenset_get_stats(like, &stats, sizeof stats));
    seenset *own = make_set(added, SEENSET_SCHEME_DEFAULT, stats.size_bits);
    bench_keys keys = make_integers(lookups, added);
    const asked ways[WAYS] = {{"split_block", NULL, own},
                              {"a set of its scheme", NULL, like},
                              {"a Parquet file", file, NULL},
                              {"XXH64 alone", NULL, NULL}};
    print_parquet(ways, &keys, added, rounds);
    free_keys(&keys);
    seenset_foreign_free(file);
    free(bytes);
    seenset_free(like);
    seenset_free(own);
}

int main(int argc, char **argv)
{
    size_t numbers[3] = {0};
    bool is_ask = argc == 6 && strcmp(argv[1], "ask") == 0;
    bool is_parquet = argc == 4 && strcmp(argv[1], "parquet") == 0;
    if (!is_ask && !is_parquet) {
        fprintf(stderr, "usage: bench_foreign ask FILE ADDED KEYS LOOKUPS\n"
                        "       bench_foreign parquet ADDED ROUNDS\n");
        return 2;
    }
    for (int i = 0; i < argc - 2 - is_ask; i++)
        numbers[i] = (size_t)strtoull(argv[2 + is_ask + i], NULL, 10);
    if (is_ask)
        ask(argv[2], numbers[0], numbers[1], numbers[2]);
    else
        parquet(numbers[0], numbers[1]);
    return 0;
}
