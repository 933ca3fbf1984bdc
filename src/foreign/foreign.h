/*
 * foreign.h - the inside of an open file of another system.
 *
 * A format is a row: how its files begin, and what opens one. Opening fills in
 * a record for each filter, the same that callers see; from a record follow the
 * answers and the set, whatever the format (answer.c). So a new format is a
 * file with a row, a line in formats.c, and perhaps a scheme in src/hash.
 */
#ifndef SS_FOREIGN_FOREIGN_H
#define SS_FOREIGN_FOREIGN_H

#include "base/memory.h"
#include "seenset/foreign.h"

typedef struct ss_format {
    seenset_format id;
    const char *name;
    /* Do the bytes begin as its files do? */
    bool (*begins)(const uint8_t *bytes, size_t size_bytes);
    /* Fills in info, filters and names; what it allocated is freed with the
     * file, also after an error. */
    int (*open)(seenset_foreign *file, seenset_file_report *report);
    bool is_written;
    /* Of one that a new file can be made of: the size and number of bits a key
     * that its system takes for a number of keys and a rate, in *plan, if there
     * are such; whether a filter can have these; how long its file is; and
     * what of that is not 0. */
    void (*solve)(seenset_plan *plan);
    bool (*holds)(const seenset_plan *plan, seenset_scheme scheme);
    uint64_t (*file_bytes)(const seenset_plan *plan);
    void (*put_empty)(uint8_t *bytes, const seenset_plan *plan,
                      seenset_scheme scheme);
    seenset_scheme scheme; /* of new ones, where none is named */
    /* Stores a number of keys in the header of a file; the bits follow that,
     * and then what else there is. NULL: it has none. */
    void (*store_items)(uint8_t *bytes, uint64_t items);
    /* Stores the seed of a set. NULL: files have none. */
    void (*store_seed)(uint8_t *bytes, size_t size_bytes, uint64_t seed);
    bool has_big_words; /* the bits are big-endian words of 64 */
    /* A file has no more keys than it was made for: its system makes another
     * filter then. */
    bool ends_at_capacity;
    /* Of one whose filters are not tables of bits: the answers for keys that
     * are whole. 0, or SEENSET_ESECRET. */
    int (*has_keys)(const seenset_foreign *file, const seenset_key *keys,
                    size_t count, uint8_t *is_seen);
    bool is_keyed; /* it takes a secret */
} ss_format;

struct seenset_foreign {
    ss_memory memory;
    const ss_format *format;
    const uint8_t *bytes; /* info.file_bytes of them */
    void *mapping;        /* the mapped file, or NULL */
    size_t mapping_bytes;
    seenset_foreign_info info;
    seenset_foreign_filter *filters; /* info.filter_count of them */
    char *names;                     /* name_bytes: of the columns */
    size_t name_bytes;
    uint8_t secret[SEENSET_SECRET_BYTES]; /* of a format that is keyed */
    bool has_secret;
};

/* Makes room for so many records and bytes of names, all of which were found in
 * the file. 0 or SEENSET_ENOMEM. */
int ss_foreign_make_room(seenset_foreign *file, uint32_t filter_count,
                         size_t name_bytes, seenset_file_report *report);

/* Makes a handle of bytes, which the caller keeps or maps. The report is the
 * caller's, or *own. */
int ss_foreign_begin(const void *out, const void *from, uint64_t file_bytes,
                     const seenset_open_options *options,
                     seenset_file_report **report);
int ss_foreign_make(seenset_foreign **out, const uint8_t *bytes,
                    size_t size_bytes, const seenset_open_options *options,
                    seenset_file_report *report);

/* Copies words of 8 bytes, each in the other order; `to` may be `from`. */
void ss_foreign_turn_words(uint8_t *to, const uint8_t *from, size_t bytes);

/* The rows. */
extern const ss_format ss_format_parquet;
extern const ss_format ss_format_dcso;
extern const ss_format ss_format_guava;
extern const ss_format ss_format_leveldb;
extern const ss_format ss_format_rocksdb;
extern const ss_format ss_format_bip37;
extern const ss_format ss_format_redisbloom;
extern const ss_format ss_format_bip158;

/* -n ln p / (ln 2)^2, rounded down: the bits that most systems take. */
double ss_foreign_size_of(const seenset_plan *plan);

const ss_format *ss_format_find(seenset_format id);

/* That which bytes begin as, or NULL. */
const ss_format *ss_format_of(const uint8_t *bytes, size_t size_bytes);

#endif
