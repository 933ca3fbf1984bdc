/*
 * seenset/foreign.h - filters in the files of other systems.
 *
 *     seenset_foreign *file;
 *     if (seenset_foreign_open(&file, "people.parquet", NULL) == 0) {
 *         seenset_foreign_info info;
 *         seenset_foreign_get_info(file, &info, sizeof info);
 *         ...                                  // info.filter_count filters
 *         seenset_foreign_has(file, 0, "x@y.example", 11);
 *         seenset_foreign_free(file);
 *     }
 *
 * A file has one filter or many: one of Apache Parquet has one for a column of
 * each row group. A key can be looked for where the filter is, in the file's
 * own bytes; or a filter becomes a set like any other (seenset_foreign_set).
 *
 * The formats are those of docs/formats/. What is read is bounded by the bytes
 * that are there: memory is allocated for what was found in a file, and never
 * for a number that it names.
 *
 * seenset/seenset.h has the rules for NULL. Threads: calls that ask a
 * file (const seenset_foreign *) may run at once; the others at any time.
 */
#ifndef SEENSET_FOREIGN_H
#define SEENSET_FOREIGN_H

#include "seenset/base.h"
#include "seenset/error.h"
#include "seenset/file.h"
#include "seenset/hash.h"
#include "seenset/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file of another system, open. Its inside is private. */
typedef struct seenset_foreign seenset_foreign;

typedef enum seenset_format {
    SEENSET_FORMAT_UNKNOWN = 0,
    SEENSET_FORMAT_PARQUET = 1, /* Apache Parquet */
    SEENSET_FORMAT_DCSO = 2,    /* DCSO's bloom, as hashlookup comes in */
    SEENSET_FORMAT_GUAVA = 3,   /* Guava's BloomFilter, as it writes itself */
    SEENSET_FORMAT_LEVELDB = 4, /* tables of LevelDB: .ldb and .sst */
    SEENSET_FORMAT_ROCKSDB = 5, /* tables of RocksDB: .sst */
    SEENSET_FORMAT_BIP37 = 6,   /* Bitcoin's filterload message */
    SEENSET_FORMAT_REDISBLOOM = 7, /* RedisBloom, as BF.SCANDUMP hands it out */
    SEENSET_FORMAT_BIP158 = 8      /* Bitcoin's filters of blocks, basic */
} seenset_format;

/*
 * The name of a format: "parquet", "dcso", "guava", "leveldb", "rocksdb",
 * "bip37", "redisbloom" or "bip158"; "unknown" for other numbers. Never NULL;
 * the text is static. Threads: any time.
 */
SEENSET_API const char *seenset_format_name(seenset_format format);

/* What the bytes of a key are, for has and for the set of a filter. Numbers are
 * little-endian, as Parquet's plain encoding has them. */
typedef enum seenset_value_type {
    SEENSET_VALUE_BYTES = 0,  /* the bytes of a text or of anything */
    SEENSET_VALUE_INT32 = 1,  /* 4 bytes, two's complement */
    SEENSET_VALUE_INT64 = 2,  /* 8 bytes */
    SEENSET_VALUE_INT96 = 3,  /* 12 bytes */
    SEENSET_VALUE_FLOAT = 4,  /* 4 bytes of IEEE 754 */
    SEENSET_VALUE_DOUBLE = 5, /* 8 bytes of IEEE 754 */
    SEENSET_VALUE_FIXED = 6,  /* seenset_foreign_filter.value_bytes bytes */
    SEENSET_VALUE_BOOL = 7    /* has no filters */
} seenset_value_type;

/*
 * The name of a type: "bytes", "int32", "int64", "int96", "float", "double",
 * "fixed" or "bool"; "unknown" for other numbers. Never NULL; the text is
 * static. Threads: any time.
 */
SEENSET_API const char *seenset_value_type_name(seenset_value_type type);

/*
 * Opens the size_bytes bytes at `bytes`, a whole file, as the first format that
 * they begin as. They are borrowed: they must stay unchanged until
 * seenset_foreign_free.
 *
 * options NULL means {0}. Of its fields only allocator and report may be given;
 * and for a file of BIP-158 the secret, which is the key of its hash: the first
 * 16 bytes of the hash of its block, in the order in which a block has them.
 * That is the hash as it is shown, from its last byte back. No key can be found
 * without it, or with another one: nothing in the file shows which it is.
 *
 * Returns 0 and the file in *out; or
 *     SEENSET_EINVAL        out or bytes is NULL, or another field is given
 *     SEENSET_EFORMAT       none of the formats
 *     SEENSET_EUNSUPPORTED  one that this library does not read: the report has
 *                           the reason (a footer that is encrypted, hashes of
 *                           32 bits in RedisBloom)
 *     SEENSET_ETRUNCATED    the file is too short
 *     SEENSET_ECORRUPT      a field is wrong
 *     SEENSET_ENOMEM
 * Damage within one of many filters does not make the call fail: that filter
 * reports it. Cost: Parquet: reads the footer twice, and the header of each
 * filter; DCSO, Guava, BIP-37 and RedisBloom: constant; LevelDB: reads the
 * offsets of its filters; RocksDB: reads its properties; BIP-158: reads all of
 * it. Threads: any time.
 */
SEENSET_API int seenset_foreign_open_bytes(seenset_foreign **out,
                                           const void *bytes, size_t size_bytes,
                                           const seenset_open_options *options);

#ifndef SEENSET_NO_FILES
/*
 * The same of a file, which is mapped and must not be changed in place or
 * truncated while it is open.
 * Returns as seenset_foreign_open_bytes, and SEENSET_EIO (errno; the report has
 * its text). Threads: any time.
 */
SEENSET_API int seenset_foreign_open(seenset_foreign **out, const char *path,
                                     const seenset_open_options *options);
#endif

/* Closes it. Sets that were made of its filters stay. With NULL it does
 * nothing. Threads: any time, once no call on the file runs. */
SEENSET_API void seenset_foreign_free(seenset_foreign *file);

/* What a file is. */
typedef struct seenset_foreign_info {
    seenset_format format;
    uint32_t filter_count;
    uint32_t group_count; /* Parquet: row groups; LevelDB: parts of 2 KiB of
                             data, of which many have no filter; RedisBloom:
                             filters of the chain; else 1 */
    uint32_t reserved32;  /* 0 */
    uint64_t file_bytes;
    uint64_t row_count;   /* Parquet: of the whole file; RocksDB: its entries;
                             else 0 */
    uint64_t reserved[4]; /* 0 */
} seenset_foreign_info;

/*
 * Fills in the first out_bytes bytes of *out.
 * Returns 0 or SEENSET_EINVAL (file or out is NULL, or out_bytes is 0).
 * Threads: asks the file.
 */
SEENSET_API int seenset_foreign_get_info(const seenset_foreign *file,
                                         seenset_foreign_info *out,
                                         size_t out_bytes);

/* One of its filters. */
typedef struct seenset_foreign_filter {
    const char *column;      /* Parquet: the column's path, its names joined by
                                dots; else "". The file's, until it is freed */
    const char *reason;      /* why it cannot be asked, or ""; static */
    uint64_t reason_offset;  /* of the byte at fault in the file */
    uint64_t bits_offset;    /* of its bits in the file */
    uint64_t size_bits;      /* m; BIP-158: of the whole set, which may be 0 */
    uint64_t capacity_items; /* distinct keys that it was made for; 0: the file
                                does not say */
    double fp_rate;          /* promised at that number; 0: it does not say */
    uint64_t added_items;    /* that the file says it has; 0: it does not say */
    uint64_t value_count;    /* Parquet: values in the column of that row group,
                                repeated ones and nulls included; else 0 */
    uint32_t group;          /* Parquet: the row group, from 0; LevelDB: the
                                part; RedisBloom: its place in the chain; else
                                0 */
    uint32_t hash_count;     /* k; BIP-158: 1 */
    uint32_t value_bytes;    /* SEENSET_VALUE_FIXED: the length of a key, else
                                0 */
    int32_t error;           /* 0: it can be asked; or what is wrong with it */
    seenset_value_type value_type;
    seenset_layout layout; /* BIP-158: 0, as for the scheme: no set has it */
    seenset_scheme scheme;
    bool is_unsigned;     /* integers: the column's are */
    bool is_uuid;         /* 16 bytes: the column's are UUIDs */
    uint8_t reserved8[2]; /* 0 */
    uint64_t seed;        /* of the scheme: BIP-37's tweak; else 0 */
    uint64_t reserved[3]; /* 0 */
} seenset_foreign_filter;

/*
 * Fills in the first out_bytes bytes of *out for filter number `filter`, from 0
 * on. Those of Parquet are in the order of the row groups and, in one, of the
 * columns; a column without a filter there is left out. Those of LevelDB are in
 * the order of the parts; a part without one has no keys. Those of RedisBloom
 * are a chain, and a key is in any of them.
 * Returns 0 or SEENSET_EINVAL (file or out is NULL, out_bytes is 0, or there is
 * no such filter). Threads: asks the file.
 */
SEENSET_API int seenset_foreign_get_filter(const seenset_foreign *file,
                                           uint32_t filter,
                                           seenset_foreign_filter *out,
                                           size_t out_bytes);

/*
 * Asks filter number `filter` for a key, in the file's bytes. key may be NULL
 * when key_len is 0.
 *
 * Returns 1 (seen, or a false positive) or 0 (never added); SEENSET_EINVAL
 * (file is NULL, or key is and key_len is not 0; there is no such filter; or
 * the key has not the length of the filter's values); SEENSET_ESECRET
 * (BIP-158: the file was opened without a secret); or the error of the
 * filter, SEENSET_ECORRUPT or SEENSET_EUNSUPPORTED. A row group whose column
 * has no filter may have any key.
 * Cost: Parquet: one hash and one block of 32 bytes; RocksDB: one of 64;
 * BIP-158: reads the set up to the key's value; else k bytes. Threads: asks the
 * file.
 */
SEENSET_API int seenset_foreign_has(const seenset_foreign *file,
                                    uint32_t filter, const void *key,
                                    size_t key_len);

/*
 * Asks filter number `filter` for key_count keys in order, several times faster
 * on large filters than one by one. Stores 1 (seen) or 0 (never added) for each
 * into is_seen.
 *
 * Returns 0; SEENSET_EINVAL as seenset_foreign_has, for any of the keys, or an
 * array is NULL and key_count is not 0: is_seen then has no meaning;
 * SEENSET_ESECRET as there; or the error of the filter.
 * Cost: as seenset_foreign_has for each key, but cache misses overlap; BIP-158:
 * reads the set once for 512 keys. Threads: asks the file.
 */
SEENSET_API int seenset_foreign_has_many(const seenset_foreign *file,
                                         uint32_t filter,
                                         const seenset_key *keys,
                                         size_t key_count, uint8_t *is_seen);

/*
 * Makes a set of a filter: of its layout and scheme, with its bits. It takes
 * keys as the filter does, and can be asked, measured, compared, merged with
 * one of the same shape, added to and saved as any set. Its capacity
 * is the one that the file has; without one, that of half the bits set.
 *
 * Returns 0 and the set in *out, to be freed with seenset_free; SEENSET_EINVAL
 * (out or file is NULL, or there is no such filter), SEENSET_EUNSUPPORTED
 * (BIP-158: no set is of that kind), SEENSET_ENOMEM, or the error of the
 * filter. Cost: reads the filter's bits and copies them; Guava: twice, as its
 * words are big-endian. Threads: asks the file.
 */
SEENSET_API int seenset_foreign_set(seenset **out, const seenset_foreign *file,
                                    uint32_t filter);

/*
 * Writes a set in the form of its home system: that of `like`, with its owner's
 * data, and the set's bits, seed and number of keys. SEENSET_FORMAT_DCSO,
 * SEENSET_FORMAT_GUAVA, SEENSET_FORMAT_BIP37 and, if the chain has one filter,
 * SEENSET_FORMAT_REDISBLOOM only. What was added to the set of a file is then
 * in the bytes as its system's own programs would have put it there.
 *
 * *size_bytes is the room at `bytes`, and becomes the number of bytes that were
 * written. With bytes NULL, or too little room, it becomes the number that is
 * needed, and the call returns SEENSET_ESPACE.
 *
 * Returns 0; SEENSET_ESPACE; SEENSET_EINVAL (like, set or size_bytes is NULL);
 * SEENSET_EUNSUPPORTED (a format that is not written, a chain of several
 * filters, or one that cannot be asked); SEENSET_EFULL (RedisBloom: more keys
 * than the filter was made for, where a server adds another); SEENSET_EMISMATCH
 * (the set is not of the file's size, number of bits a key, layout and scheme);
 * or SEENSET_ECORRUPT (a view of a damaged file). Cost: reads and writes every
 * bit. Threads: asks the file and the set.
 */
SEENSET_API int seenset_foreign_write_bytes(const seenset_foreign *like,
                                            const seenset *set, void *bytes,
                                            size_t *size_bytes);

/*
 * Writes an empty file of a format, DCSO, Guava or BIP-37, for
 * plan->capacity_items keys at plan->fp_rate: with the size and number of bits
 * a key that its system's own programs take for these or, where both are given,
 * those of the plan. The other members of the plan are not read. scheme 0: the
 * one that its system makes today. The seed is 0, and so are BIP-37's flags.
 * *size_bytes is as in seenset_foreign_write_bytes.
 *
 * To write a set of a format's scheme as a file of it, open the bytes and save
 * the set like them (seenset_foreign_save).
 *
 * Returns 0; SEENSET_ESPACE; SEENSET_EINVAL (plan or size_bytes is NULL, n or p
 * is out of range, or only one of m and k is given); SEENSET_EUNSUPPORTED (a
 * format of which no new files are made); SEENSET_EMISMATCH (the scheme, or the
 * size that was given, is not one of the format); SEENSET_ETOOBIG. Cost: writes
 * every byte. Threads: any time.
 */
SEENSET_API int seenset_foreign_new_bytes(seenset_format format,
                                          seenset_scheme scheme,
                                          const seenset_plan *plan, void *bytes,
                                          size_t *size_bytes);

#ifndef SEENSET_NO_FILES
/*
 * As seenset_foreign_write_bytes, to a file: whole or not at all, as
 * seenset_save does, under a name of its own first, synced, and then renamed to
 * path. That may be the file that `like` was opened from, which stays open as
 * it was.
 *
 * Returns as seenset_foreign_write_bytes, but for SEENSET_ESPACE;
 * SEENSET_EINVAL also for a path that is NULL; SEENSET_ENOMEM; or SEENSET_EIO
 * (errno). Cost: memory for the bytes of the file; waits for the disk. Threads:
 * asks the file and the set.
 */
SEENSET_API int seenset_foreign_save(const seenset_foreign *like,
                                     const seenset *set, const char *path);
#endif

#ifdef __cplusplus
}
#endif
#endif
