/*
 * kind.h - what kind of set it is: a row of functions and facts.
 *
 *     single            one table, which degrades or refuses when it is full
 *     shared            the same, and threads may add at once
 *     scheme            one table, whose places another system's scheme says
 *     sealed            one table, built once
 *     list              tables of a growing set: the first alone, or several
 *     pair              two tables of a growing set
 *     both              the same, of one layout that asks both at a time
 *     window_by_number  the last n keys
 *     window_by_age     the keys of the last W seconds
 *     sliding_by_number, sliding_by_age
 *                       the same, where a key that is seen is renewed
 *     mapped            a view of a file, which is only asked
 *     mapped_sealed     the same of a sealed set
 *     mapped_journal    a view that remembers the keys added to it
 *     locked            a keyed set whose secret is not given, for its figures
 *
 * A set has two rows. `tables` says how its tables are asked and filled: one of
 * those down to sliding_by_age. `kind` is the row of the calls: the same one,
 * or that of a mapped set, which checks what it reads and then goes on to
 * `tables`. Both are chosen in ss_set_choose_kind, after any change of tables
 * or policy, and nowhere else. A call asks the row and compares no kinds. So a
 * new kind is a file here, and a line there.
 *
 * The rows answer for arguments that were checked.
 */
#ifndef SS_SET_KINDS_KIND_H
#define SS_SET_KINDS_KIND_H

#include "set/set.h"

typedef struct ss_set_kind {
    const char *name;
    int add_error;     /* 0, or why no key can be added */
    int rewrite_error; /* 0, or why tables cannot be written as a whole: be
                          cleared, merged into, or have keys removed */
    bool is_read_only;
    unsigned flags;      /* of a row of tables, as in seenset_options */
    bool repeats_keys;   /* several of its tables may have a key: it slides */
    bool breaks_promise; /* at its capacity, and can tell so (capacity.h) */
    /* 1, 0 or an error, as seenset_add and seenset_add_hash */
    int (*add)(seenset *set, const void *key, size_t key_len);
    int (*add_hash)(seenset *set, uint64_t hash);
    /* the same at a time that windows by age go by, in a row of tables */
    int (*add_at)(seenset *set, uint64_t hash, uint64_t now);
    /* is_new may be NULL */
    int (*add_many)(seenset *set, const ss_batch *batch, uint8_t *is_new);
    /* the same where it is not: what ss_chunks_add_blindly and _told call */
    int (*add_batch)(seenset *set, const ss_batch *batch, uint8_t *is_new);
    int (*has)(const seenset *set, const void *key, size_t key_len);
    int (*has_hash)(const seenset *set, uint64_t hash);
    int (*has_many)(const seenset *set, const ss_batch *batch,
                    uint8_t *is_seen);
    /* Would adding a hash that is seen leave the set changed? So it is where a
     * sliding window has it, but not in its newest part. */
    bool (*renews)(const seenset *set, uint64_t hash);
} ss_set_kind;

extern const ss_set_kind ss_kind_single;
extern const ss_set_kind ss_kind_shared;
extern const ss_set_kind ss_kind_scheme;
extern const ss_set_kind ss_kind_sealed;
extern const ss_set_kind ss_kind_list;
extern const ss_set_kind ss_kind_pair;
extern const ss_set_kind ss_kind_both;
extern const ss_set_kind ss_kind_window_by_number;
extern const ss_set_kind ss_kind_window_by_age;
extern const ss_set_kind ss_kind_sliding_by_number;
extern const ss_set_kind ss_kind_sliding_by_age;
extern const ss_set_kind ss_kind_mapped;
extern const ss_set_kind ss_kind_mapped_sealed;
extern const ss_set_kind ss_kind_mapped_journal;
extern const ss_set_kind ss_kind_locked;

/* ---- what several rows have ---- */

/* A key by its hash. */
int ss_kind_add_key(seenset *set, const void *key, size_t key_len);
int ss_kind_has_key(const seenset *set, const void *key, size_t key_len);

/* Answer add_error. */
int ss_kind_refuse_key(seenset *set, const void *key, size_t key_len);
int ss_kind_refuse_hash(seenset *set, uint64_t hash);
int ss_kind_refuse_at(seenset *set, uint64_t hash, uint64_t now);
int ss_kind_refuse_many(seenset *set, const ss_batch *batch, uint8_t *is_new);

/* No key is renewed. */
bool ss_kind_never_renews(const seenset *set, uint64_t hash);

#endif
