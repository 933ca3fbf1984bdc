/* avx2.c - the line test in two registers of four words each */
#if defined(__AVX2__)
#include <immintrin.h>

#include "table/blocked/blocked.h"

typedef struct halves {
    __m256i low, high;
} halves;

/* The numbers of the bits that x chooses, one in each word. */
static inline halves line_fields(uint64_t x)
{
    const __m256i field = _mm256_set1_epi64x(63);
    __m256i all = _mm256_set1_epi64x((long long)x);
    __m256i low = _mm256_srlv_epi64(all, _mm256_setr_epi64x(16, 22, 28, 34));
    __m256i high = _mm256_srlv_epi64(all, _mm256_setr_epi64x(40, 46, 52, 58));
    return (halves){_mm256_and_si256(low, field),
                    _mm256_and_si256(high, field)};
}

static inline halves line_load(const uint64_t *line)
{
    const __m256i *words = (const __m256i *)(const void *)line;
    return (halves){_mm256_loadu_si256(words), _mm256_loadu_si256(words + 1)};
}

static inline bool line_add(uint64_t *line, uint64_t x)
{
    const __m256i one = _mm256_set1_epi64x(1);
    halves fields = line_fields(x);
    halves words = line_load(line);
    __m256i low = _mm256_sllv_epi64(one, fields.low);
    __m256i high = _mm256_sllv_epi64(one, fields.high);
    __m256i *target = (__m256i *)(void *)line;
    _mm256_storeu_si256(target, _mm256_or_si256(words.low, low));
    _mm256_storeu_si256(target + 1, _mm256_or_si256(words.high, high));
    __m256i missing = _mm256_or_si256(_mm256_andnot_si256(words.low, low),
                                      _mm256_andnot_si256(words.high, high));
    return !_mm256_testz_si256(missing, missing);
}

/* Shifts the bits to the words' lowest rather than ones to the bits: so one
 * test serves both halves. */
static inline bool line_has(const uint64_t *line, uint64_t x)
{
    halves fields = line_fields(x);
    halves words = line_load(line);
    __m256i low = _mm256_srlv_epi64(words.low, fields.low);
    __m256i high = _mm256_srlv_epi64(words.high, fields.high);
    return _mm256_testc_si256(_mm256_and_si256(low, high),
                              _mm256_set1_epi64x(1));
}

#define TWIN_ROW ss_blocked_avx2
#define TWIN_NAME "avx2"
#define TWIN_ASKS_BOTH
#include "table/blocked/loops.h"
#else
typedef int ss_blocked_avx2_is_not_built;
#endif
