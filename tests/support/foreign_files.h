/*
 * foreign_files.h - files of other systems, made in memory: a writer of Parquet
 * that writes no data, only filters and a footer, and one of DCSO. Each field
 * that a reader looks at can be made wrong.
 */
#ifndef TEST_FOREIGN_FILES_H
#define TEST_FOREIGN_FILES_H

#include "seenset/foreign.h"
#include "support.h"

enum {
    FOREIGN_COLUMNS = 11,
    FOREIGN_GROUPS = 3,
    FOREIGN_KEYS = 40, /* of a column in a row group */
    FOREIGN_KEY_BYTES = 16,
    FOREIGN_FILTER_BYTES = 96
};

/* A column. Types are those of parquet.thrift. */
typedef struct foreign_column {
    const char *first, *second; /* its path; second may be NULL */
    int type, length;
    int converted; /* ConvertedType, or 0 */
    int logical;   /* 10: an unsigned integer, 14: a UUID, or 0 */
    seenset_value_type value_type;
} foreign_column;

/* One of each type, and those that are unsigned and of UUIDs in both ways. */
extern const foreign_column foreign_columns[FOREIGN_COLUMNS];

/* How to write a file; zeros are a sound one. */
typedef struct foreign_parquet {
    bool has_lengths;    /* of the filters, in the footer */
    int64_t longer;      /* by so many bytes, those are wrong */
    int64_t farther;     /* filters are placed so many bytes too far */
    int algorithm, hash; /* members of the unions; 0: 1 */
    int compression;     /* the same; -1: the field is left out */
    int32_t num_bytes;   /* 0: as many as there are */
    int gap;             /* this column has no filter in row group 1; 0: none */
    bool is_encrypted;   /* the columns */
    bool is_elsewhere;   /* the same */
    int type;            /* of the column chunks; 0: the schema's */
    int missing_columns; /* of each row group */
    int nesting;         /* structs in a field that is unknown */
    uint32_t list_count; /* of a list in a field that is unknown; 0: none */
    bool has_two_schemas;
    bool has_zero_name;
} foreign_parquet;

/* The file, from malloc, of exactly *size_bytes. */
uint8_t *foreign_parquet_make(const foreign_parquet *how, size_t *size_bytes);

/* The bytes of key number i of a column in a row group, and how many. */
size_t foreign_key(uint8_t out[FOREIGN_KEY_BYTES], int column, int group,
                   int i);

/* A filter of DCSO with FOREIGN_KEYS keys "dcso 0" to "dcso 39", and data of
 * the owner's after it; from malloc. m is not a multiple of 64. */
uint8_t *foreign_dcso_make(size_t *size_bytes);

/* A filter of Guava, of strategy 0 or 1, with FOREIGN_KEYS keys "guava 0" to
 * "guava 39"; from malloc. */
uint8_t *foreign_guava_make(int strategy, size_t *size_bytes);

/* A filter of Bitcoin of so many bytes, with k = 10, the tweak and flags of 2;
 * the keys "bip37 0" to "bip37 39". */
#define FOREIGN_TWEAK UINT32_C(0xDEADBEEF)
uint8_t *foreign_bip37_make(size_t filter_bytes, size_t *size_bytes);

/* A dump of RedisBloom of so many links, 1 or 2, of 40 and 80 bytes, each with
 * the keys "redisbloom 0" to "redisbloom 39". */
uint8_t *foreign_redisbloom_make(uint32_t links, size_t *size_bytes);

#endif
