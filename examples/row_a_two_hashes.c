/*
 * row_a_two_hashes.c - a bit field, and a Bloom filter with two hashes.
 *
 * The filter is 1024 bytes. A key sets two bits: MurmurHash2A mod m, and 32-bit
 * FNV-1a mod m. After n keys its rate is (1 - exp(-k n / m))^k, and -(m / k)
 * ln(1 - ones / m) estimates n from the bits alone. Beside these figures stand
 * the library's own, which take no approximation.
 *
 * Both hashes are over unsigned bytes, so a key in any alphabet has the same
 * bits on every platform.
 *
 *     cc row_a_two_hashes.c -lseenset -lm && ./a.out
 */
#include <math.h>

#include "example.h"

enum {
    FILTER_BYTES = 1024,
    FILTER_BITS = 8 * FILTER_BYTES,
    HASHES = 2
};

/* ---- a bit field: bit i is bit i % 8 of byte i / 8 ---- */

static unsigned bit_mask(size_t i)
{
    return 1u << i % 8;
}

static void bit_set(uint8_t *field, size_t i)
{
    field[i / 8] = (uint8_t)(field[i / 8] | bit_mask(i));
}

static void bit_unset(uint8_t *field, size_t i)
{
    field[i / 8] = (uint8_t)(field[i / 8] & ~bit_mask(i));
}

static void bit_toggle(uint8_t *field, size_t i)
{
    field[i / 8] = (uint8_t)(field[i / 8] ^ bit_mask(i));
}

static int bit_is_set(const uint8_t *field, size_t i)
{
    return (field[i / 8] & bit_mask(i)) != 0;
}

/* Prints all bits, lowest of byte 0 first, and how many are set. */
static void bits_print(const char *what, const uint8_t *field, size_t bytes)
{
    int ones = 0;
    printf("%-12s", what);
    for (size_t i = 0; i < 8 * bytes; i++) {
        printf("%s%d", i != 0 && i % 8 == 0 ? " " : "", bit_is_set(field, i));
        ones += bit_is_set(field, i);
    }
    printf("  %d set\n", ones);
}

static void show_bit_field(void)
{
    uint8_t field[3] = {0};
    puts("A field of 3 bytes:");
    bit_set(field, 0);
    bit_set(field, 9);
    bit_set(field, 23);
    bits_print("set 0 9 23", field, sizeof field);
    bit_unset(field, 9);
    bits_print("unset 9", field, sizeof field);
    bit_toggle(field, 0);
    bit_toggle(field, 1);
    bits_print("toggle 0 1", field, sizeof field);
}

/* ---- the filter ---- */

static seenset *new_filter(void)
{
    seenset *set;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .scheme = SEENSET_SCHEME_MURMUR2A_FNV1A,
                               .size_bits = FILTER_BITS,
                               .hash_count = HASHES,
                               .capacity_items = 100};
    check(seenset_new(&set, &options)); /* out of memory is an answer too */
    return set;
}

static void add_and_tell(seenset *set, const char *key)
{
    add(set, key);
    seenset_stats stats = stats_of(set);
    double m = FILTER_BITS, k = HASHES;
    double n = (double)stats.added_items, ones = (double)stats.set_bits;
    double rate = pow(1 - exp(-k * n / m), k);
    double estimate = -(m / k) * log(1 - ones / m);
    double exact_rate = seenset_plan_fp_rate(
        SEENSET_LAYOUT_BLOOM, stats.added_items, FILTER_BITS, HASHES);
    printf("%-8s %10.9f %% %10.9f %%  %f %f\n", key, 100 * rate,
           100 * exact_rate, estimate, stats.estimated_items);
}

static void show_filter(seenset *set)
{
    static const char *const keys[] = {"Holland", "Russia", "Canada", "China"};
    printf("\nA filter of %d bytes, k = %d:\n", FILTER_BYTES, HASHES);
    puts("added    rate: formula, exactly        keys: formula, exactly");
    for (int i = 0; i < 3; i++)
        add_and_tell(set, keys[i]);
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

/* Filters are compared, united and intersected without their keys. */
static void show_algebra(const seenset *first)
{
    seenset *other = new_filter(), *both;
    seenset_similarity likeness;
    add(other, "Canada");
    add(other, "China");
    check(seenset_compare(first, other, &likeness));
    printf("\nWith a filter of Canada and China: %.2f keys in common of %.2f\n",
           likeness.intersection_items, likeness.union_items);
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
    show_bit_field();
    show_filter(set);
    show_any_alphabet();
    show_algebra(set);
    seenset_free(set);
    return 0;
}
