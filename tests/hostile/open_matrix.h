/*
 * open_matrix.h - every way to open x every kind of file x every call
 * afterwards.
 *
 * A file of each kind and version, sound or damaged in one way, is opened in
 * each way that there is, and each exported call that takes a set is made on
 * what came out. Only documented answers are allowed; outputs stay as they were
 * on error; and no answer may make a key that was added a new one, unless the
 * payload was to be trusted (SEENSET_OPEN_UNCHECKED, or a view of a version
 * that has no sums of blocks).
 *
 * It knows the library by its public headers only; the address sanitizer, where
 * there is one, looks on.
 */
#ifndef TEST_OPEN_MATRIX_H
#define TEST_OPEN_MATRIX_H

#include "support.h"

enum {
    MATRIX_KEYS = 300
};

/* What each set holds. */
typedef struct matrix_keys {
    char texts[MATRIX_KEYS][16];
    seenset_key keys[MATRIX_KEYS]; /* the texts: not to be moved */
    uint64_t hashes[MATRIX_KEYS];
} matrix_keys;

void matrix_make_keys(matrix_keys *out);

/* ---- files, in open_matrix_files.c ---- */

/* A kind of set. */
typedef struct matrix_kind {
    const char *name;
    seenset_options options;
    bool is_sealed, is_keyed, is_caller;
    bool can_share;
    uint32_t oldest_version; /* of the format, that has such sets; 0: 2 */
} matrix_kind;

extern const matrix_kind matrix_kinds[];
extern const size_t matrix_kind_count;

/* Of kinds that are keyed; of kinds whose index function is the caller's. */
extern const uint8_t matrix_secret[SEENSET_SECRET_BYTES];
void matrix_index_key(void *context, const void *key, size_t key_len,
                      uint64_t size_bits, uint32_t hash_count,
                      uint64_t *indices);

/* A set of a kind, with the keys. */
seenset *matrix_make_set(const matrix_kind *of, const matrix_keys *keys);

/* What a sound file of a kind opens with. */
seenset_open_options matrix_options_for(const matrix_kind *of, uint32_t flags);

typedef enum matrix_damage {
    MATRIX_SOUND,
    MATRIX_HEADER,  /* a bit of it */
    MATRIX_PAYLOAD, /* half of the first table is zero */
    MATRIX_SUMS,    /* a bit of the table of sums */
    MATRIX_CUT,     /* the last byte is gone */
    MATRIX_CUT_IN_HEADER,
    MATRIX_EMPTY,
    MATRIX_DAMAGES
} matrix_damage;

typedef struct matrix_file {
    const matrix_kind *of;
    uint32_t version;
    matrix_damage how;
    uint8_t *bytes; /* from malloc, exactly as many */
    size_t size_bytes;
    const char *path;
    const matrix_keys *keys;
    seenset *sound; /* the set that was written */
} matrix_file;

/* Its bytes are in a block of exactly their size, for the sanitizer, and in
 * the file at `path`. false: this version has nothing to damage there. */
bool matrix_make_file(matrix_file *out, const matrix_kind *of, uint32_t version,
                      matrix_damage how, const matrix_keys *keys,
                      seenset *sound, const char *path);

/* ---- ways to open, in open_matrix_ways.c ---- */

typedef int matrix_opener(seenset **out, const matrix_file *from,
                          const seenset_open_options *options);

/* The functions, and the flags that each is given. */
extern matrix_opener *const matrix_openers[];
extern const size_t matrix_opener_count;
extern const unsigned matrix_ways[];
extern const size_t matrix_way_count;

/* Does it make a copy, whose payload was checked, with these flags? */
bool matrix_is_copy(matrix_opener *open, uint32_t flags);

/* Opens and frees again. In *error what opening answered; returned is NULL, or
 * what is wrong with that. */
const char *matrix_judge_open(const matrix_file *from, matrix_opener *open,
                              uint32_t flags, int *error);

/* Without the secret or the function, with a wrong one, or with one too many;
 * and flags that do not go together. */
const char *matrix_judge_wrong_ways(const matrix_file *from,
                                    matrix_opener *open);

/* ---- calls, in open_matrix_calls.c ---- */

/* A set that was opened, and what may be said of it. */
typedef struct matrix_opened {
    seenset *set;
    const matrix_file *from;
    const matrix_keys *keys;
    bool is_view, is_shared;
    bool may_fail;   /* a block may be found damaged: SEENSET_ECORRUPT */
    bool may_forget; /* it is damaged, and was to be trusted */
    const char *other_path;
    int (*has)(const seenset *set, const void *key, size_t key_len);
} matrix_opened;

typedef struct matrix_call {
    const char *name;
    const char *(*make)(matrix_opened *at); /* NULL, or what is wrong */
} matrix_call;

extern const matrix_call matrix_calls[];
extern const size_t matrix_call_count;

/* May a call have this answer, or error, if it is right of all sets? */
static inline bool matrix_is_allowed(const matrix_opened *at, int answer)
{
    return answer >= 0 || (answer == SEENSET_ECORRUPT && at->may_fail);
}

static inline bool matrix_is_counting(const matrix_opened *at)
{
    return at->from->of->options.layout == SEENSET_LAYOUT_COUNTING;
}

/* Is it one table of fingerprints, in whatever version? */
static inline bool matrix_has_slots(const matrix_kind *of)
{
    return of->options.layout == SEENSET_LAYOUT_FINGERPRINT;
}

/* Can keys be taken out, and counted? */
static inline bool matrix_has_copies(const matrix_opened *at)
{
    return matrix_is_counting(at) || matrix_has_slots(at->from->of);
}

/* Is each key seen, or not known to be new? Asked with at->has if the set is
 * at's own. NULL, or what is wrong. */
const char *matrix_ask_all(const matrix_opened *at, const seenset *set,
                           bool is_own);

/* ---- rows of that table, in open_matrix_figures.c ---- */

const char *matrix_get_bits(matrix_opened *at);
const char *matrix_get_counters(matrix_opened *at);
const char *matrix_count_cells(matrix_opened *at);
const char *matrix_get_info(matrix_opened *at);
const char *matrix_get_table_info(matrix_opened *at);
const char *matrix_get_stats(matrix_opened *at);
const char *matrix_get_estimate(matrix_opened *at);
const char *matrix_get_uniformity(matrix_opened *at);
const char *matrix_to_bits(matrix_opened *at);

/* An add, of a set whose kind may refuse hashes: is the answer one? */
const char *matrix_judge_add(const matrix_opened *at, int answer, bool is_hash);

/* In open_matrix_integers.c. */
const char *matrix_add_integers(matrix_opened *at);
const char *matrix_has_integers(matrix_opened *at);
const char *matrix_use_view(matrix_opened *at);

#endif
