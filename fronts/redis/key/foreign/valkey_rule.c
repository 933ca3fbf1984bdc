/* valkey_rule.c - see valkey_rule.h */
#include "key/foreign/valkey_rule.h"

#include <float.h>
#include <math.h>

#include "key/foreign/siphash13.h"

void sr_valkey_hash(const uint8_t seed[SR_VALKEY_SEED_BYTES],
                    const seenset_key *key, uint64_t *a, uint64_t *b)
{
    *a = sr_siphash13(key->data, key->len, seed);
    *b = sr_siphash13(key->data, key->len, seed + SR_SIPHASH13_KEY_BYTES);
}

uint64_t sr_valkey_bit(uint64_t a, uint64_t b, uint32_t i)
{
    const uint64_t largest_prime = UINT64_C(0xffffffffffffffc5);
    if (i < 2)
        return i == 0 ? a : b;
    return (a + i * b) % largest_prime;
}

/* By squaring, as compilers have it for whole exponents: the last digit of a
 * rate decides over a byte. */
static double power(double base, uint32_t exponent)
{
    double found = 1;
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 != 0)
            found *= base;
        base *= base;
    }
    return found;
}

double sr_valkey_rate(double rate, double tightening, uint32_t i)
{
    return rate * power(tightening, i);
}

int sr_valkey_plan(double rate, double tightening, uint32_t i, uint64_t items,
                   sr_valkey_size *size)
{
    const double ln2 = 0.69314718055994530942;
    double own = sr_valkey_rate(rate, tightening, i);
    if (!(own > DBL_MIN) || items > SR_VALKEY_MAX_ITEMS)
        return SEENSET_ETOOBIG;
    double bytes = ceil((double)items * log(own) / (-8.0 * (ln2 * ln2)));
    if (!(bytes >= 1 && bytes * 8 < (double)SEENSET_MAX_SIZE_BITS))
        return SEENSET_ETOOBIG;
    double hashes = round(bytes * 8 / (double)items * ln2);
    *size = (sr_valkey_size){.rate = own,
                             .bytes = (uint64_t)bytes,
                             .hashes = hashes < 1 ? 1 : (uint32_t)hashes};
    return 0;
}
