/*
 * foreign_tables.h - tables of LevelDB and RocksDB, made by the tests, so that
 * any of their fields can be wrong.
 *
 * Keys are "table 0" to "table 79". LevelDB's has three parts: the first has
 * the first 40 keys, the second none, the third the other 40. RocksDB's has all
 * of them.
 */
#ifndef TEST_FOREIGN_TABLES_H
#define TEST_FOREIGN_TABLES_H

#include "support.h"

enum {
    FOREIGN_TABLE_KEYS = 80,
    FOREIGN_TABLE_BITS = 400, /* of each filter of LevelDB */
    FOREIGN_TABLE_LINES = 2,  /* of RocksDB's */
    FOREIGN_TABLE_HASHES = 6
};

/* How to write a table; zeros are a sound one of LevelDB. */
typedef struct foreign_table {
    bool is_rocksdb;
    bool is_legacy;            /* RocksDB's older filter */
    uint32_t version;          /* of RocksDB's footer; 0: 5 */
    const char *name;          /* of the filter block; NULL: its system's */
    unsigned compression;      /* of the filter block */
    unsigned meta_compression; /* of the metaindex */
    bool has_prefixes;         /* and no keys */
    bool has_no_filter;
    unsigned tail_at; /* a byte from the end of the filter block, from 1 on, */
    unsigned tail;    /* and what it becomes; tail_at 0: none does */
    uint64_t magic;   /* 0: its system's */
    uint64_t farther; /* the metaindex is placed so many bytes too far */
} foreign_table;

/* The file, from malloc, of exactly *size_bytes. */
uint8_t *foreign_table_make(const foreign_table *how, size_t *size_bytes);

/* Key number i; returns its length. */
size_t foreign_table_key(char out[16], int i);

#endif
