/*
 * numbers.h - counts, rates and sizes, as people write and read them.
 *
 * Reading is exact: integer arithmetic to the last digit, and what cannot be
 * kept exactly, or is not all number, is refused with a reason.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdint.h>

/*
 * Each reads the whole of text into *out and returns NULL; or returns a
 * sentence that says what is wrong and leaves *out alone.
 *
 * count: 1 and up: 10000, 1.5M, 1e9, 64Ki, 2GiB. k M G T are powers of 1000,
 *        Ki Mi Gi Ti powers of 1024; B or iB may follow.
 * bits:  a size in bytes with the same suffixes, or in bits with a last "b" or
 *        "bits": 18MB, 64MiB, 4096, 9585058b, 10Mbits. Stored as bits.
 * rate:  between 0 and 1, both excluded: 0.01, 1e-6, 1/1000, 1%.
 */
const char *numbers_read_count(const char *text, uint64_t *out);
const char *numbers_read_bits(const char *text, uint64_t *out);
const char *numbers_read_rate(const char *text, double *out);
/* seconds: a whole number of s, m, h or d: 90s, 15m, 24h, 7d. is_seconds tells
 * whether text ends so, and is no count. */
const char *numbers_read_seconds(const char *text, uint64_t *out);
int numbers_is_seconds(const char *text);

/* A short text by value, so that a call can stand in printf's arguments. */
typedef struct number_text {
    char text[72];
} number_text;

number_text numbers_grouped(uint64_t value);    /* 15,023,399 */
number_text numbers_in_words(uint64_t value);   /* 15.0 million */
number_text numbers_as_bytes(uint64_t value);   /* 1.198 GB */
number_text numbers_as_rate(double rate);       /* 0.001 (1 in 1,000) */
number_text numbers_as_seconds(double seconds); /* 1 h 02 min */

#endif
