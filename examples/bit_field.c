/*
 * bit_field.c - what every Bloom filter rests on: an array of bits.
 *
 * Bit i is bit i % 8 of byte i / 8. A bit can be set, unset, toggled and read;
 * a filter only ever sets and reads. seenset keeps its tables in this order
 * too, so that a file is the same on every machine.
 *
 *     cc bit_field.c && ./a.out
 */
#include <stdint.h>
#include <stdio.h>

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

int main(void)
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
    return 0;
}
