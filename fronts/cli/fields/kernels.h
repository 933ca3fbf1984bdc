/*
 * kernels.h - fields and records found 64 bytes at a time.
 *
 * A comparison of 64 bytes with the delimiter gives a word with a bit for each
 * byte, and the bits are counted off up to the fields that are wanted. So the
 * rest of a line is not looked at.
 *
 * In CSV a quote makes delimiters and separators part of a field. The bits of
 * all quotes, each one XORed with all before it, are 1 from an opening quote up
 * to its closing one (Langdale and Lemire, Parsing Gigabytes of JSON per
 * Second, 2019, section 3.1.1; a product without carries by all ones does it at
 * once). A doubled quote closes and opens again, which changes nothing.
 *
 * That holds if each quote that opens is at the start of a field or after one
 * that closes. Where it is not, as in 12" or "a"b"c, the 64 bytes, or the
 * record, are read byte by byte with the states of csv.h, which all kernels
 * share. So all of them give the same result for any bytes.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stddef.h>

/* Of a field, as offsets in the data. No field: start is SIZE_MAX. */
typedef struct field_span {
    size_t start, end;
} field_span;

/* Bytes that may be read after the last line. */
#define FIELD_SLACK ((size_t)64)

/* The lines, and the fields that are wanted of each. */
typedef struct field_search {
    const char *data;
    const size_t *line_ends; /* a separator is there; as in batch.h */
    char delimiter;
    const size_t *wanted; /* numbers of fields, from 0, ascending, different */
    size_t wanted_count;  /* at least 1 */
} field_search;

/* Stores the wanted fields of lines first..first+count-1, line by line. */
typedef void field_finder(const field_search *search, size_t first,
                          size_t count, field_span *out);

/* Finds records of CSV: see `split` in lines.h; *state is a csv_state. */
typedef size_t csv_splitter(char separator, char delimiter, unsigned *state,
                            const char *data, size_t size, size_t *ends,
                            size_t room);

typedef struct field_kernels {
    field_finder *delimited; /* each delimiter ends a field */
    field_finder *csv;       /* but for those in quotes */
    csv_splitter *split;
} field_kernels;

extern const field_kernels field_kernels_portable;
extern const field_kernels field_kernels_avx2;
extern const field_kernels field_kernels_avx512;

/* Those number `index` of all that can run here, the fastest first; NULL after
 * the last. */
const field_kernels *field_kernels_here(size_t index);

#endif
