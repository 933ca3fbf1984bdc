/* parquet.h - the header of one filter of a Parquet file, for the reader of the
 * footer */
#ifndef SS_FOREIGN_PARQUET_H
#define SS_FOREIGN_PARQUET_H

#include "foreign/foreign.h"

/* Where the footer says that a filter is. */
typedef struct ss_parquet_place {
    int64_t offset;
    int64_t length; /* with its header; 0: the footer does not say */
    uint64_t limit; /* where the footer begins */
} ss_parquet_place;

/* Reads the header there and fills in where the bits are, or the error, its
 * reason and its offset. */
void ss_parquet_read_header(seenset_foreign_filter *out, const uint8_t *bytes,
                            const ss_parquet_place *place);

/* The same for a filter that cannot be asked. */
void ss_parquet_refuse(seenset_foreign_filter *out, int error, uint64_t offset,
                       const char *reason);

#endif
