/*
 * find_portable.h - where a byte is in 64 others, eight at a time.
 *
 * A byte of `same` is 0 where the eight bytes have the wanted one. The sum
 * below sets the top bit of each other byte, without a carry into the next one
 * (Warren, Hacker's Delight, 6-1), and a multiplication gathers the eight top
 * bits in one byte.
 */
#ifndef FIND_PORTABLE_H
#define FIND_PORTABLE_H

#include <stdint.h>
#include <string.h>

typedef uint64_t needle;

#define EACH_BYTE UINT64_C(0x0101010101010101)

static inline needle make_needle(char wanted)
{
    return (uint8_t)wanted * EACH_BYTE;
}

/* Eight bytes, the first one in the lowest bits. */
static inline uint64_t load_8(const char *data)
{
    uint64_t word;
    memcpy(&word, data, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline uint64_t find_in_8(const char *data, needle wanted)
{
    const uint64_t low = 0x7f * EACH_BYTE;
    uint64_t same = load_8(data) ^ wanted;
    uint64_t zeros = ~(((same & low) + low) | same | low) >> 7;
    return (zeros * UINT64_C(0x0102040810204080)) >> 56;
}

static inline uint64_t find_in_64(const char *data, needle wanted)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < 8; i++)
        found |= find_in_8(data + 8 * (size_t)i, wanted) << 8 * i;
    return found;
}

#endif
