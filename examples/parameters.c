/*
 * parameters.c - from a rate to parameters, and a filter made of them.
 *
 * For a rate p, the smallest whole number of bits per key that can reach it,
 * and the smallest k that reaches it at that size. Both are computed and not
 * looked up, so any rate will do. A filter then is three numbers: bytes, hashes
 * and a seed, which here goes to an index function of the program's own.
 *
 *     cc parameters.c -lseenset -lm && ./a.out
 */
#include <math.h>

#include "example.h"
#include "seenset/extra/formulas.h"

/* ---- parameters from a rate ---- */

static void show_pairs(void)
{
    static const double rates[] = {0.1, 0.05, 0.025, 0.01, 0.001, 1e-4, 1e-9};
    puts("rate    bits a key  k   reaches    least bits a key, in theory");
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        uint32_t bits, k;
        double p = rates[i];
        check(seenset_plan_whole_bits(p, &bits, &k));
        printf("%-7g %-11" PRIu32 " %-3" PRIu32 " %-10.3g %.2f\n", p, bits, k,
               pow(1 - exp(-(double)k / bits), k), log2(1 / p) / log(2));
    }
}

/* ---- a filter from parameters ---- */

typedef struct parameters {
    uint64_t size_bytes;
    uint32_t hash_count;
    uint64_t seed;
} parameters;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

/* The program's own index function: 64-bit FNV-1a from a seed, and the indices
 * (h1 + i h2 + i^2) mod m. */
static void seeded_indices(void *context, const void *key, size_t key_len,
                           uint64_t size_bits, uint32_t hash_count,
                           uint64_t *indices)
{
    const uint64_t *seed = context;
    const unsigned char *bytes = key;
    uint64_t hash = mix(*seed + UINT64_C(0xCBF29CE484222325));
    for (size_t i = 0; i < key_len; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    uint64_t first = mix(hash), second = mix(first + 1);
    for (uint64_t i = 0; i < hash_count; i++)
        indices[i] = (first + i * second + i * i) % size_bits;
}

/*
 * To the library a size or a number of hashes of zero means "choose one"; for
 * this object it is an error. *given must outlast the set.
 */
static int new_filter(seenset **set, parameters *given)
{
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .scheme = SEENSET_SCHEME_CALLER,
                               .index_function = seeded_indices,
                               .index_context = &given->seed,
                               .hash_count = given->hash_count,
                               .capacity_items = 1000};
    if (given->size_bytes == 0 || given->hash_count == 0)
        return SEENSET_EINVAL;
    if (given->size_bytes > SEENSET_MAX_SIZE_BITS / 8)
        return SEENSET_ETOOBIG;
    options.size_bits = 8 * given->size_bytes;
    return seenset_new(set, &options);
}

static void show_errors(void)
{
    parameters bad[] = {{0, 3, 1}, {1024, 0, 1}, {UINT64_MAX, 3, 1}};
    putchar('\n');
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        seenset *set;
        printf("%" PRIu64 " bytes, %" PRIu32 " hashes: %s\n", bad[i].size_bytes,
               bad[i].hash_count, seenset_strerror(new_filter(&set, &bad[i])));
    }
}

/* ---- what can be done with it ---- */

static void print_bits_set(const char *what, const seenset *set)
{
    seenset_stats stats = stats_of(set);
    printf("%s: %s, %" PRIu64 " bits set\n", what,
           stats.set_bits == 0 ? "empty" : "not empty", stats.set_bits);
}

static bool contains(const seenset *set, const seenset *other)
{
    bool is_superset = false;
    check(seenset_is_superset(set, other, &is_superset));
    return is_superset;
}

int main(void)
{
    parameters given = {.size_bytes = 1024, .hash_count = 3, .seed = 42};
    parameters other = {.size_bytes = 1024, .hash_count = 3, .seed = 43};
    const char zeros[] = {'a', 0, 'b'}; /* any bytes are a key */
    seenset *one, *two, *reseeded;

    show_pairs();
    show_errors();
    check(new_filter(&one, &given));
    check(new_filter(&two, &given));
    check(new_filter(&reseeded, &other));

    putchar('\n');
    print_bits_set("one", one);
    check(seenset_add(one, zeros, sizeof zeros));
    add(two, "apple");
    add(two, "pear");
    print_bits_set("one", one);
    printf("finds its key: %s; the first byte of it: %s\n",
           seenset_has(one, zeros, sizeof zeros) ? "yes" : "no",
           seenset_has(one, zeros, 1) ? "yes" : "no");
    printf("one contains two: %s\n", contains(one, two) ? "yes" : "no");
    check(seenset_merge(one, two));
    printf("after merging it: %s\n", contains(one, two) ? "yes" : "no");
    printf("more than %d bytes of memory: %s\n", 1024,
           stats_of(one).memory_bytes > 1024 ? "yes" : "no");

    add(reseeded, "apple");
    printf("apple with seed 42 and pear:");
    print_positions(two);
    printf("apple with seed 43:");
    print_positions(reseeded);
    seenset_free(one);
    seenset_free(two);
    seenset_free(reseeded);
    return 0;
}
