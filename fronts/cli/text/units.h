/*
 * units.h - counts, rates, sizes and times, as people write and read them.
 *
 * Reading is exact, with integer arithmetic. A number that cannot be kept
 * exactly, and text that is not a number, is refused with a reason.
 */
#ifndef UNITS_H
#define UNITS_H

#include <stdint.h>

/*
 * Each reads the whole text into *out and returns NULL; or returns a sentence
 * with the mistake and leaves *out unchanged.
 *
 * Digits before the point may be in groups of three: 2,000,000 or 2_000_000.
 *
 * count: 1 and up: 10000, 1.5M, 1e9, 64Ki. k M G T are powers of 1000, Ki Mi
 *        Gi Ti powers of 1024. B is not a unit: some read 2B as two billion.
 * bits:  a size in bytes with the same suffixes, B after them or not, or in
 *        bits with a last "b" or "bits": 18MB, 64MiB, 4096, 9585058b, 10Mbits.
 *        Stored as bits.
 * rate:  between 0 and 1, both excluded: 0.01, 1e-6, 1/1000, 1%.
 * real:  0.5, 60, 1e3: not negative, not a name, not hexadecimal.
 */
const char *units_read_count(const char *text, uint64_t *out);
const char *units_read_bits(const char *text, uint64_t *out);
const char *units_read_rate(const char *text, double *out);
const char *units_read_real(const char *text, double *out);

/* Seconds: a real number, or one and a unit: 90s, 1.5h, 15m, 24h, 7d, 2w. */
const char *units_read_time(const char *text, double *out);

/* What a window is measured in. */
typedef enum units_window {
    UNITS_SECONDS, /* 90s, 15m (minutes), 24h, 7d, 2w */
    UNITS_ITEMS,   /* 10k, 15M (million), 500lines, 500keys */
    UNITS_UNSAID   /* items, too, but without a unit */
} units_window;

/* The same for a window: seconds or items. */
const char *units_read_window(const char *text, uint64_t *out,
                              units_window *kind);

/* A short text by value, so that a call can be an argument of printf. */
typedef struct units_text {
    char text[72];
} units_text;

units_text units_grouped(uint64_t value);     /* 15,023,399 */
units_text units_in_words(uint64_t value);    /* 15.0 million */
units_text units_as_bytes(uint64_t value);    /* 1.198 GB */
units_text units_as_rate(double rate);        /* 0.001 (1 in 1,000) */
units_text units_as_seconds(double seconds);  /* 1 h 02 min */
units_text units_as_option(uint64_t seconds); /* 7d: as --window takes it */

#endif
