/*
 * crc32c.c - the two ways to CRC-32C; the idea is in crc32c.h.
 *
 * The portable way takes half a byte at a time: the table then has 16 entries
 * that anyone can check against the polynomial, 0x82F63B78 (reflected).
 */
#include "base/crc32c.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

uint32_t ss_crc32c_portable(uint32_t state, const uint8_t *bytes,
                            size_t size_bytes)
{
    static const uint32_t table[16] = {
        0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3,
        0x61C69362, 0x7198540D, 0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9,
        0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75};
    for (size_t i = 0; i < size_bytes; i++) {
        state ^= bytes[i];
        state = state >> 4 ^ table[state & 15];
        state = state >> 4 ^ table[state & 15];
    }
    return state;
}

#if defined(__x86_64__)

bool ss_crc32c_has_hardware(void)
{
    return __builtin_cpu_supports("sse4.2") != 0;
}

__attribute__((target("sse4.2"))) uint32_t
ss_crc32c_hardware(uint32_t state, const uint8_t *bytes, size_t size_bytes)
{
    uint64_t wide = state;
    for (; size_bytes >= 8; bytes += 8, size_bytes -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    state = (uint32_t)wide;
    for (; size_bytes > 0; bytes++, size_bytes--)
        state = _mm_crc32_u8(state, *bytes);
    return state;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

bool ss_crc32c_has_hardware(void)
{
    return true;
}

uint32_t ss_crc32c_hardware(uint32_t state, const uint8_t *bytes,
                            size_t size_bytes)
{
    for (; size_bytes >= 8; bytes += 8, size_bytes -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        state = __crc32cd(state, word);
    }
    for (; size_bytes > 0; bytes++, size_bytes--)
        state = __crc32cb(state, *bytes);
    return state;
}

#else

bool ss_crc32c_has_hardware(void)
{
    return false;
}

uint32_t ss_crc32c_hardware(uint32_t state, const uint8_t *bytes,
                            size_t size_bytes)
{
    return ss_crc32c_portable(state, bytes, size_bytes);
}

#endif

uint32_t ss_crc32c(const void *bytes, size_t size_bytes)
{
    return ~(ss_crc32c_has_hardware()
                 ? ss_crc32c_hardware(~UINT32_C(0), bytes, size_bytes)
                 : ss_crc32c_portable(~UINT32_C(0), bytes, size_bytes));
}
