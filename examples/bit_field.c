/*
 * bit_field.c - what every Bloom filter rests on: an array of bits.
 *
 * Bit i is bit i % 8 of byte i / 8. A bit can be set, cleared, toggled and
 * read; a filter only ever sets and reads. seenset keeps its tables in this
 * order too, so that a file is the same on every machine. An index past the end
 * is an error and changes nothing.
 *
 *     cc bit_field.c -lseenset && ./a.out
 */
#include "example.h"

#include <seenset/extra/bits.h>

enum {
    BYTES = 3
};

/* Prints all bits, lowest of byte 0 first, and how many are set. */
static void print(const char *what, const uint8_t *field)
{
    uint64_t ones;
    printf("%-12s", what);
    for (size_t i = 0; i < BYTES; i++) {
        char text[8 + 1];
        size_t room = sizeof text;
        check(seenset_bits_print(field + i, 1, text, &room));
        printf("%s%s", i == 0 ? "" : " ", text);
    }
    check(seenset_bits_count(field, BYTES, &ones));
    printf("  %" PRIu64 " set\n", ones);
}

int main(void)
{
    uint8_t field[BYTES] = {0};
    puts("A field of 3 bytes:");
    check(seenset_bits_set(field, BYTES, 0));
    check(seenset_bits_set(field, BYTES, 9));
    check(seenset_bits_set(field, BYTES, 23));
    print("set 0 9 23", field);
    check(seenset_bits_clear(field, BYTES, 9));
    print("clear 9", field);
    check(seenset_bits_toggle(field, BYTES, 0));
    check(seenset_bits_toggle(field, BYTES, 1));
    print("toggle 0 1", field);
    printf("test 23      %d\n", check(seenset_bits_test(field, BYTES, 23)));
    printf("set 24       %s\n",
           seenset_strerror(seenset_bits_set(field, BYTES, 24)));
    return 0;
}
