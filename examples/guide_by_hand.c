/*
 * guide_by_hand.c - the small filters of docs/guide.md, bit by bit.
 *
 * A filter of 16 bits with two published hashes, which are written out here,
 * where the library has its own: four words, a false positive,
 * and what happens when it is full. Then three hashes, and what removing a key
 * does to bits and to counters. Each block that the page shows is a section
 * here, from a line "== NAME" to the next.
 *
 *     cc guide_by_hand.c -lseenset -lm && ./a.out
 */
#include <stdbool.h>

#include <seenset/extra/bits.h>
#include <seenset/extra/raw.h>

#include "example.h"

enum {
    SIZE = 16, /* m, of all filters but the last */
    BYTES = SIZE / 8,
    MOST_PLACES = 3
};

static seenset *new_set(seenset_layout layout, seenset_scheme scheme,
                        uint64_t size, uint32_t hashes)
{
    seenset *set;
    seenset_options options = {.layout = layout,
                               .scheme = scheme,
                               .size_bits = size,
                               .hash_count = hashes};
    check(seenset_new(&set, &options));
    return set;
}

static seenset *new_two(void)
{
    return new_set(SEENSET_LAYOUT_BLOOM, SEENSET_SCHEME_MURMUR2A_FNV1A, SIZE,
                   2);
}

static seenset *new_three(seenset_layout layout)
{
    return new_set(layout, SEENSET_SCHEME_MD5_DIVMOD, SIZE, 3);
}

static void print_bits(const seenset *set)
{
    uint8_t bits[SIZE];
    check(seenset_get_bits(set, 0, 0, SIZE, bits));
    for (int i = 0; i < SIZE; i++)
        printf("%s%d", i == 8 ? " " : "", bits[i]);
}

/* The bits of one key: those of a filter with nothing else in it. */
static void list_places(seenset *empty, const char *key, uint8_t places[BYTES])
{
    uint8_t bits[SIZE];
    check(seenset_clear(empty));
    add(empty, key);
    check(seenset_get_bits(empty, 0, 0, SIZE, bits));
    memset(places, 0, BYTES);
    for (uint64_t i = 0; i < SIZE; i++)
        if (bits[i] != 0)
            check(seenset_bits_set(places, BYTES, i));
    seenset_free(empty);
}

static void print_places(const uint8_t places[BYTES])
{
    int width = 0;
    for (uint64_t i = 0; i < SIZE; i++)
        if (seenset_bits_test(places, BYTES, i) == 1)
            width += printf("%s%" PRIu64, width == 0 ? "" : " ", i);
    printf("%*s", 11 - width, "");
}

/* ---- two hashes ---- */

static const char *const words[] = {"Hokkey", "Elephant", "Okorok", "Zigmund"};

static uint32_t stir(uint32_t hash, uint32_t word)
{
    word *= 0x5BD1E995u;
    word ^= word >> 24;
    return hash * 0x5BD1E995u ^ word * 0x5BD1E995u;
}

/* MurmurHash2A with seed 0: four bytes at a time, the rest, the length. */
static uint32_t murmur_2a(const char *word)
{
    uint32_t hash = 0, four = 0;
    size_t length = strlen(word);
    for (size_t i = 0; i < length; i++) {
        four |= (uint32_t)(unsigned char)word[i] << 8 * (i % 4);
        if (i % 4 == 3) {
            hash = stir(hash, four);
            four = 0;
        }
    }
    hash = stir(stir(hash, four), (uint32_t)length);
    hash = (hash ^ hash >> 13) * 0x5BD1E995u;
    return hash ^ hash >> 15;
}

static uint32_t fnv_1a(const char *word)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; word[i] != 0; i++)
        hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    return hash;
}

static void show_hashing(void)
{
    puts("== hashing");
    puts("          MurmurHash2A   modulo 16       FNV-1a   modulo 16");
    for (int i = 0; i < 4; i++) {
        uint32_t first = murmur_2a(words[i]), second = fnv_1a(words[i]);
        printf("%-10s%12" PRIu32 "%12" PRIu32 "%13" PRIu32 "%12" PRIu32 "\n",
               words[i], first, first % SIZE, second, second % SIZE);
    }
}

static seenset *show_adding(void)
{
    seenset *set = new_two();
    puts("== adding");
    printf("          bits       %-9s%s\n", "0", "8");
    printf("%-10s%-11s", "", "(empty)");
    print_bits(set);
    putchar('\n');
    for (int i = 0; i < 4; i++) {
        uint8_t places[BYTES];
        list_places(new_two(), words[i], places);
        add(set, words[i]);
        printf("%-10s", words[i]);
        print_places(places);
        print_bits(set);
        putchar('\n');
    }
    return set;
}

static void show_question(const seenset *set, const char *word, bool was_added)
{
    uint8_t places[BYTES];
    list_places(new_two(), word, places);
    printf("%-10s", word);
    print_places(places);
    printf("%s\n", !has(set, word) ? "no: a bit is 0"
                   : was_added     ? "yes: all bits are 1"
                                   : "yes, and wrong: all bits are 1");
}

static void show_asking(const seenset *set)
{
    static const char *const strangers[] = {"Giraffe", "Tennis", "Hockey"};
    puts("== asking");
    for (int i = 0; i < 4; i++)
        show_question(set, words[i], true);
    for (int i = 0; i < 3; i++)
        show_question(set, strangers[i], false);
}

/* Words are added until no bit is left. */
static void show_all_ones(seenset *set)
{
    int number = 0;
    puts("== all-ones");
    while (stats_of(set).set_bits < SIZE) {
        char word[16];
        snprintf(word, sizeof word, "word %d", ++number);
        add(set, word);
        uint64_t ones = stats_of(set).set_bits;
        if (number % 5 == 0 || ones == SIZE) {
            printf("%-8s", word);
            print_bits(set);
            printf("   %2" PRIu64 " ones, a new word is \"seen\" in %.0f of "
                   "100 cases\n",
                   ones, 100 * stats_of(set).current_fp_rate);
        }
    }
    printf("\"never added\": %s\n", has(set, "never added") ? "seen" : "no");
}

/* ---- three hashes, and removing ---- */

static const char *const titles[] = {"Botchan", "Kokoro", "Rashomon"};

static void print_field(const uint8_t *field, const char *between)
{
    char text[8 * BYTES + 1];
    size_t room = sizeof text;
    check(seenset_bits_print(field, BYTES, text, &room));
    printf("%.8s%s%s", text, between, text + 8);
}

static bool field_has(const uint8_t *field, const uint8_t places[BYTES])
{
    for (uint64_t i = 0; i < SIZE; i++)
        if (seenset_bits_test(places, BYTES, i) == 1 &&
            seenset_bits_test(field, BYTES, i) != 1)
            return false;
    return true;
}

/* By hand, as no filter of bits removes a key. */
static void show_plain_removal(void)
{
    uint8_t places[3][BYTES];
    uint8_t field[BYTES] = {0};
    puts("== plain-removal");
    for (int t = 0; t < 3; t++) {
        list_places(new_three(SEENSET_LAYOUT_BLOOM), titles[t], places[t]);
        for (uint64_t i = 0; i < SIZE; i++)
            if (seenset_bits_test(places[t], BYTES, i) == 1)
                check(seenset_bits_set(field, BYTES, i));
        printf("add %-15s", titles[t]);
        print_places(places[t]);
        print_field(field, " ");
        putchar('\n');
    }
    for (uint64_t i = 0; i < SIZE; i++)
        if (seenset_bits_test(places[0], BYTES, i) == 1)
            check(seenset_bits_clear(field, BYTES, i));
    printf("clear %-13s", titles[0]);
    print_places(places[0]);
    print_field(field, " ");
    putchar('\n');
    for (int t = 0; t < 3; t++)
        printf("%-10s %s\n", titles[t],
               field_has(field, places[t]) ? "yes"
               : t == 0                    ? "no"
                                           : "no, and wrong: it is forgotten");
}

static void print_counters(const seenset *set, uint64_t count)
{
    uint16_t counters[SIZE];
    check(seenset_get_counters(set, 0, 0, count, counters));
    for (uint64_t i = 0; i < count; i++)
        printf("%s%u", i == 0 ? "" : " ", counters[i]);
}

static void show_counters(void)
{
    seenset *set = new_three(SEENSET_LAYOUT_COUNTING);
    puts("== counters");
    for (int t = 0; t < 3; t++) {
        add(set, titles[t]);
        printf("add %-13s", titles[t]);
        print_counters(set, SIZE);
        putchar('\n');
    }
    check(seenset_remove(set, titles[0], strlen(titles[0])));
    printf("remove %-10s", titles[0]);
    print_counters(set, SIZE);
    putchar('\n');
    for (int t = 0; t < 3; t++)
        printf("%-10s %s\n", titles[t], has(set, titles[t]) ? "yes" : "no");
    seenset_free(set);
}

/* The places of the textbook: a is at 1 and 2, b at 2 and 4. */
static void textbook_places(void *context, const void *key, size_t key_len,
                            uint64_t size_bits, uint32_t hash_count,
                            uint64_t *indices)
{
    bool is_a = key_len == 1 && *(const char *)key == 'a';
    (void)context;
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = (is_a ? 1 + i : 2 + 2 * (uint64_t)i) % size_bits;
}

static seenset *new_textbook(void)
{
    seenset *set;
    seenset_options options = {.layout = SEENSET_LAYOUT_COUNTING,
                               .scheme = SEENSET_SCHEME_CALLER,
                               .index_function = textbook_places,
                               .size_bits = 5,
                               .hash_count = 2};
    check(seenset_new(&set, &options));
    return set;
}

static void show_textbook(const char *first, const char *second)
{
    seenset *set = new_textbook();
    add(set, first);
    add(set, second);
    printf("%s and %s:  ", first, second);
    print_counters(set, 5);
    check(seenset_remove(set, "a", 1));
    printf("   less a:  ");
    print_counters(set, 5);
    printf("   %s is %s\n", second, has(set, second) ? "there" : "lost");
    seenset_free(set);
}

/* ---- ten digits ---- */

static void print_grid(const seenset *set)
{
    uint16_t counters[100];
    check(seenset_get_counters(set, 0, 0, 100, counters));
    for (int i = 0; i < 100; i++)
        printf("%u%c", counters[i], i % 20 == 19 ? '\n' : ' ');
}

static void show_digits(void)
{
    seenset *set =
        new_set(SEENSET_LAYOUT_COUNTING, SEENSET_SCHEME_MD5_DIVMOD, 100, 3);
    uint16_t counters[100];
    char digit[2] = "0";
    puts("== digits");
    for (; digit[0] <= '9'; digit[0]++)
        add(set, digit);
    print_grid(set);
    check(seenset_get_counters(set, 0, 0, 100, counters));
    printf("counters that hold 2:");
    for (int i = 0; i < 100; i++)
        if (counters[i] == 2)
            printf(" %d", i);
    check(seenset_remove(set, "3", 1));
    printf("\nafter 3 is removed:");
    for (digit[0] = '0'; digit[0] <= '9'; digit[0]++)
        printf(" %s", has(set, digit) ? digit : "-");
    putchar('\n');
    seenset_free(set);
}

/* What a counting filter can still lose, or keep too long. */
static void show_limits(void)
{
    seenset *set = new_three(SEENSET_LAYOUT_COUNTING);
    uint64_t count;
    puts("== limits");
    for (int i = 0; i < 20; i++)
        add(set, titles[0]);
    check(seenset_count(set, titles[0], strlen(titles[0]), &count));
    printf("%s is added 20 times, and counted %" PRIu64 " times\n", titles[0],
           count);
    for (int i = 0; i < 20; i++)
        check(seenset_remove(set, titles[0], strlen(titles[0])));
    printf("removed 20 times: %s\n",
           has(set, titles[0]) ? "still there, as full counters stay full"
                               : "gone");
    seenset_free(set);
}

int main(void)
{
    show_hashing();
    seenset *set = show_adding();
    show_asking(set);
    show_all_ones(set);
    seenset_free(set);
    show_plain_removal();
    show_counters();
    puts("== textbook");
    show_textbook("a", "b");
    show_textbook("a", "a");
    show_digits();
    show_limits();
    return 0;
}
