/*
 * xxph3.h - the XXH3 of RocksDB: that of xxHash 0.7.2, a preview, whose hashes
 * of 64 bits are not those of XXH3 today. RocksDB kept it, as its filters are
 * made with it. New sets do not need it.
 */
#ifndef SS_HASH_STORES_XXPH3_H
#define SS_HASH_STORES_XXPH3_H

#include <stddef.h>
#include <stdint.h>

/* With seed 0. Of the empty key RocksDB's is not 0, as the preview's was. */
uint64_t ss_xxph3(const void *key, size_t key_len);

#endif
