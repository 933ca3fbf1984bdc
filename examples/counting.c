/*
 * counting.c - a filter from which keys can be removed.
 *
 * The indices of a key are the digits, to base m, of its MD5 digest as one
 * large number. Keys share bits, so a bit cannot be taken back; a counter can.
 * Adding a key counts its counters up. Removing it first asks whether it is
 * there, then counts them down.
 *
 * Two things could still make a counting filter forget a key, and both are
 * shown. A counter that was full and is counted down again: here a full counter
 * stays full for good, and the statistics count it. And removing a key that was
 * never added but is a false positive: remove only what was added.
 *
 *     cc counting.c -lseenset && ./a.out
 */
#include "example.h"

enum {
    SIZE = 100, /* m */
    HASHES = 3, /* k */
    KEYS = 10
};

static seenset *new_filter(seenset_layout layout, uint32_t counter_bits)
{
    seenset *set;
    seenset_options options = {.layout = layout,
                               .scheme = SEENSET_SCHEME_MD5_DIVMOD,
                               .size_bits = SIZE,
                               .hash_count = HASHES,
                               .counter_bits = counter_bits,
                               .capacity_items = KEYS};
    check(seenset_new(&set, &options));
    return set;
}

static int take_out(seenset *set, const char *key)
{
    return check(seenset_remove(set, key, strlen(key)));
}

/* "0", "1", ... as keys; the text lasts until the next call. */
static const char *key_of(int number)
{
    static char text[16];
    snprintf(text, sizeof text, "%d", number);
    return text;
}

static void show_filter(void)
{
    static const char *const keys[] = {"a", "b", "c"};
    printf("m = %d, k = %d. Bits of\n", SIZE, HASHES);
    for (size_t i = 0; i < 3; i++) {
        seenset *set = new_filter(SEENSET_LAYOUT_BLOOM, 0);
        add(set, keys[i]);
        printf("  %s:", keys[i]);
        print_positions(set);
        seenset_free(set);
    }
}

static void print_seen(const seenset *set)
{
    for (int i = 0; i < KEYS; i++)
        printf(" %s", has(set, key_of(i)) ? key_of(i) : "-");
    putchar('\n');
}

static void show_removal(seenset *set)
{
    puts("\nA counting filter:");
    for (int i = 0; i < KEYS; i++)
        add(set, key_of(i));
    printf("counters not 0:");
    print_positions(set);
    printf("seen:");
    print_seen(set);
    printf("remove 3: %d\n", take_out(set, "3"));
    printf("once more: %d\n", take_out(set, "3"));
    printf("seen:");
    print_seen(set);
}

/* Counters of 4 bits end at 15, and one that did stays there. */
static void show_full_counters(void)
{
    uint64_t count;
    seenset *set = new_filter(SEENSET_LAYOUT_COUNTING, 4);
    puts("\nOne key 20 times in counters of 4 bits:");
    for (int i = 0; i < 20; i++)
        add(set, "a");
    check(seenset_count(set, "a", 1, &count));
    printf("counted %" PRIu64 ", full counters %" PRIu64 "\n", count,
           stats_of(set).full_counters);
    for (int i = 0; i < 19; i++)
        take_out(set, "a");
    printf("removed 19 times: %s\n", has(set, "a") ? "seen" : "lost");
    seenset_free(set);
}

/* The first number that was never added and yet is answered "seen". */
static void show_false_positive(seenset *set)
{
    int wrong = KEYS;
    while (!has(set, key_of(wrong)))
        wrong++;
    printf("\n%d was never added, but looks as if it was. Removing it takes\n"
           "others with it, so remove only what was added:\n",
           wrong);
    take_out(set, key_of(wrong));
    printf("seen:");
    print_seen(set);
}

int main(void)
{
    seenset *set = new_filter(SEENSET_LAYOUT_COUNTING, 8);
    show_filter();
    show_removal(set);
    show_full_counters();
    show_false_positive(set);
    seenset_free(set);
    return 0;
}
