/* neon.c - the line test in four registers of two words each */
#if defined(__aarch64__)
#include <arm_neon.h>

#include "table/blocked/blocked.h"

/* The bits of words 2 pair and 2 pair + 1. */
static inline uint64x2_t pair_mask(uint64_t x, int pair)
{
    int64_t shift = SS_FIELD_SHIFT + 2 * SS_FIELD_BITS * pair;
    int64x2_t right = {-shift, -shift - SS_FIELD_BITS};
    uint64x2_t fields = vshlq_u64(vdupq_n_u64(x), right);
    fields = vandq_u64(fields, vdupq_n_u64(63));
    return vshlq_u64(vdupq_n_u64(1), vreinterpretq_s64_u64(fields));
}

static inline bool is_any_set(uint64x2_t bits)
{
    return (vgetq_lane_u64(bits, 0) | vgetq_lane_u64(bits, 1)) != 0;
}

static inline bool line_add(uint64_t *line, uint64_t x)
{
    uint64x2_t missing = vdupq_n_u64(0);
    for (int pair = 0; pair < SS_LINE_WORDS / 2; pair++) {
        uint64x2_t mask = pair_mask(x, pair);
        uint64x2_t words = vld1q_u64(line + 2 * pair);
        vst1q_u64(line + 2 * pair, vorrq_u64(words, mask));
        missing = vorrq_u64(missing, vbicq_u64(mask, words));
    }
    return is_any_set(missing);
}

static inline bool line_has(const uint64_t *line, uint64_t x)
{
    uint64x2_t missing = vdupq_n_u64(0);
    for (int pair = 0; pair < SS_LINE_WORDS / 2; pair++) {
        uint64x2_t words = vld1q_u64(line + 2 * pair);
        missing = vorrq_u64(missing, vbicq_u64(pair_mask(x, pair), words));
    }
    return !is_any_set(missing);
}

#define TWIN_ROW ss_blocked_neon
#define TWIN_NAME "neon"
#define TWIN_ASKS_BOTH
#include "table/blocked/loops.h"
#else
typedef int ss_blocked_neon_is_not_built;
#endif
