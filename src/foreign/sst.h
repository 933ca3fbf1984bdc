/*
 * sst.h - sorted tables, the files of LevelDB (.ldb, .sst) and of RocksDB
 * (.sst), as far as it takes to find their filters.
 *
 *     data blocks  filter  other meta blocks  metaindex  index  footer
 *
 * The footer says where the metaindex is, and that lists the meta blocks by
 * name. A block is followed by a byte, how it is compressed, and by a checksum
 * of 4 bytes. One of names and values is
 *
 *     entries     shared, rest, length (numbers as thrift.h has them), the rest
 *                 of the name after the part that it shares with the one
 *                 before, and the value
 *     restarts    the offsets of entries that share nothing, and how many, in 4
 *                 bytes each
 */
#ifndef SS_FOREIGN_SST_H
#define SS_FOREIGN_SST_H

#include "foreign/foreign.h"
#include "foreign/thrift.h"

enum {
    SS_SST_TRAILER_BYTES = 5,
    SS_SST_NAME_BYTES = 96 /* of a name, as many as are kept */
};

/* Bytes `first` to `end` - 1 of a file. */
typedef struct ss_sst_part {
    uint64_t first, end;
} ss_sst_part;

/* A walk through a block of names and values. */
typedef struct ss_sst_walk {
    ss_thrift from; /* is_bad: an entry cannot be one */
    char name[SS_SST_NAME_BYTES];
    uint64_t name_bytes; /* of the whole name */
    const uint8_t *value;
    size_t value_bytes;
} ss_sst_walk;

/* The meta blocks of a file that matter. */
typedef struct ss_sst {
    seenset_foreign *file;
    uint64_t limit; /* where the footer begins */
    ss_sst_part filter;
    ss_sst_part properties; /* 0 to 0: there are none */
} ss_sst;

/* An offset and a length: a block whose trailer ends at `limit` or before. */
bool ss_sst_read_part(ss_sst_part *out, ss_thrift *from, uint64_t limit);

ss_sst_walk ss_sst_walk_of(const ss_sst *of, ss_sst_part block);

/* The next entry. False at the end, or if the walk is bad. */
bool ss_sst_next(ss_sst_walk *walk);

bool ss_sst_is_name(const ss_sst_walk *walk, const char *name);

/* Why a block cannot be read, by how it is compressed; NULL: it can. */
const char *ss_sst_compression(const ss_sst *of, ss_sst_part block);

/* One filter, which cannot be asked. */
int ss_sst_refuse_filter(seenset_foreign *file, int error, uint64_t offset,
                         const char *reason, seenset_file_report *report);

/* What fills in the records of the filter blocks of each system. */
int ss_leveldb_read(const ss_sst *of, seenset_file_report *report);
int ss_rocksdb_read(const ss_sst *of, seenset_file_report *report);

#endif
