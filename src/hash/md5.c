/*
 * md5.c - MD5 as RFC 1321 has it.
 *
 * A block of 64 bytes is sixteen words, least significant byte first. It is
 * mixed into the state in four passes of sixteen steps; each pass has a
 * function of its own, and takes the words in another order. The message ends
 * with a bit 1, bits 0 up to eight bytes before the end of a block, and its
 * length in bits.
 */
#include "hash/md5.h"

#include <string.h>

#include "base/bits.h"

/* floor(2^32 |sin(i + 1)|), section 3.4 */
static const uint32_t sines[64] = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A,
    0xA8304613, 0xFD469501, 0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE,
    0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821, 0xF61E2562, 0xC040B340,
    0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8,
    0x676F02D9, 0x8D2A4C8A, 0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C,
    0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70, 0x289B7EC6, 0xEAA127FA,
    0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92,
    0xFFEFF47D, 0x85845DD1, 0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1,
    0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
};

static const uint8_t turns[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static inline uint32_t rotate(uint32_t x, unsigned by)
{
    return x << by | x >> (32 - by);
}

/* F, G, H and I */
static inline uint32_t mix(unsigned pass, uint32_t x, uint32_t y, uint32_t z)
{
    switch (pass) {
    case 0:
        return (x & y) | (~x & z);
    case 1:
        return (x & z) | (y & ~z);
    case 2:
        return x ^ y ^ z;
    default:
        return y ^ (x | ~z);
    }
}

/* Which word step i of a pass takes: all sixteen, one time each. */
static inline unsigned word_of(unsigned pass, unsigned i)
{
    static const uint8_t first[4] = {0, 1, 5, 0}, step[4] = {1, 5, 3, 7};
    return (first[pass] + step[pass] * i) % 16;
}

/* Step i of a pass changes one word of the state: a, then d, c, b and a. */
static inline void step(uint32_t s[4], const uint32_t words[16], unsigned pass,
                        unsigned i)
{
    uint32_t *a = &s[-i % 4], b = s[(1 - i) % 4];
    uint32_t mixed = mix(pass, b, s[(2 - i) % 4], s[(3 - i) % 4]);
    uint32_t sum = *a + mixed + words[word_of(pass, i)] + sines[16 * pass + i];
    *a = b + rotate(sum, turns[pass][i % 4]);
}

static inline void run_pass(uint32_t s[4], const uint32_t words[16],
                            unsigned pass)
{
    for (unsigned i = 0; i < 16; i += 4) {
        step(s, words, pass, i);
        step(s, words, pass, i + 1);
        step(s, words, pass, i + 2);
        step(s, words, pass, i + 3);
    }
}

static void take_block(uint32_t state[4], const uint8_t *block)
{
    uint32_t words[16], s[4];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)ss_bits_load(block + 4 * i, 4);
    memcpy(s, state, sizeof s);
    run_pass(s, words, 0);
    run_pass(s, words, 1);
    run_pass(s, words, 2);
    run_pass(s, words, 3);
    for (int i = 0; i < 4; i++)
        state[i] += s[i];
}

void ss_md5_start(ss_md5 *message)
{
    *message =
        (ss_md5){.state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476}};
}

void ss_md5_add(ss_md5 *message, const void *bytes, size_t size_bytes)
{
    const uint8_t *next = bytes;
    size_t held = message->size_bytes % SS_MD5_BLOCK_BYTES;
    message->size_bytes += size_bytes;
    while (size_bytes > 0) {
        size_t room = SS_MD5_BLOCK_BYTES - held;
        size_t taken = size_bytes < room ? size_bytes : room;
        memcpy(message->block + held, next, taken);
        if (taken == room)
            take_block(message->state, message->block);
        held = 0;
        next += taken;
        size_bytes -= taken;
    }
}

void ss_md5_end(ss_md5 *message, uint8_t digest[SS_MD5_DIGEST_BYTES])
{
    static const uint8_t padding[SS_MD5_BLOCK_BYTES] = {0x80};
    uint8_t length[8];
    size_t held = message->size_bytes % SS_MD5_BLOCK_BYTES;
    ss_bits_store(length, 8, message->size_bytes * 8);
    ss_md5_add(message, padding, (held < 56 ? 56 : 120) - held);
    ss_md5_add(message, length, 8);
    for (int i = 0; i < 4; i++)
        ss_bits_store(digest + 4 * i, 4, message->state[i]);
}
