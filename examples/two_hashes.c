/*
 * two_hashes.c - a Bloom filter with two published 32-bit hashes.
 *
 * The filter is 1024 bytes. A key sets two bits: MurmurHash2A mod m, and 32-bit
 * FNV-1a mod m. After n keys its rate is (1 - exp(-k n / m))^k, and -(m / k)
 * ln(1 - ones / m) estimates n from the bits alone. Next to these figures are
 * the library's own, which take no approximation.
 *
 * Both hashes read unsigned bytes, so a key in any alphabet has the same bits
 * on every platform. Union, intersection and similarity need two filters, but
 * not their keys.
 *
 *     cc two_hashes.c -lseenset -lm && ./a.out
 */
#include <math.h>

#include "example.h"
#include "seenset/extra/formulas.h"

enum {
    FILTER_BYTES = 1024,
    FILTER_BITS = 8 * FILTER_BYTES,
    HASHES = 2
};

static seenset *new_filter(void)
{
    seenset *set;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .scheme = SEENSET_SCHEME_MURMUR2A_FNV1A,
                               .size_bits = FILTER_BITS,
                               .hash_count = HASHES,
                               .capacity_items = 100};
    check(seenset_new(&set, &options)); /* stops if there is no memory */
    return set;
}

static void add_and_print(seenset *set, const char *key)
{
    add(set, key);
    seenset_stats stats = stats_of(set);
    double m = FILTER_BITS, k = HASHES;
    double n = (double)stats.added_items, ones = (double)stats.set_bits;
    double rate = pow(1 - exp(-k * n / m), k);
    double estimate = -(m / k) * log(1 - ones / m);
    double exactly = seenset_plan_fp_rate(
        SEENSET_LAYOUT_BLOOM, stats.added_items, FILTER_BITS, HASHES);
    printf("%-8s %10.9f %% %10.9f %%  %f %f\n", key, 100 * rate, 100 * exactly,
           estimate, stats.estimated_items);
}

static void show_filter(seenset *set)
{
    static const char *const keys[] = {"Holland", "Russia", "Canada", "China"};
    printf("A filter of %d bytes, k = %d:\n", FILTER_BYTES, HASHES);
    puts("added    rate: formula, exactly        keys: formula, exactly");
    for (int i = 0; i < 3; i++)
        add_and_print(set, keys[i]);
    printf("bits set:");
    print_positions(set);
    for (int i = 0; i < 4; i++)
        printf("%s: %s\n", keys[i], has(set, keys[i]) ? "seen" : "not seen");
}

/* "Блум": eight bytes, all of 0x80 and more. */
static void show_any_alphabet(void)
{
    seenset *set = new_filter();
    add(set, "\xD0\x91\xD0\xBB\xD1\x83\xD0\xBC");
    printf("\nBits of \xD0\x91\xD0\xBB\xD1\x83\xD0\xBC, on every platform:");
    print_positions(set);
    seenset_free(set);
}

/* Neither filter needs its keys for this. */
static void show_algebra(const seenset *first)
{
    seenset *other = new_filter(), *both;
    seenset_overlap overlap;
    add(other, "Canada");
    add(other, "China");
    check(seenset_get_overlap(first, other, &overlap, sizeof overlap));
    printf("\nWith a filter of Canada and China: %.2f keys in common of %.2f\n",
           overlap.intersection_items, overlap.union_items);
    check(seenset_copy(&both, first));
    check(seenset_intersect(both, other));
    printf("intersection:");
    print_positions(both);
    check(seenset_merge(other, first));
    printf("union:");
    print_positions(other);
    seenset_free(both);
    seenset_free(other);
}

int main(void)
{
    seenset *set = new_filter();
    show_filter(set);
    show_any_alphabet();
    show_algebra(set);
    seenset_free(set);
    return 0;
}
