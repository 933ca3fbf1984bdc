/*
 * unions.h - the laws of union, for each kind of set that can be merged.
 *
 * A row is a kind of set and how many keys it gets (unions_kinds.c); a law is a
 * function that gets three sets of it and returns what it found broken, or NULL
 * (unions_laws.c). Laws are about answers, and about what a set says of itself:
 *
 *     answers      what A or B has seen, the union has seen
 *     rate         and of keys that neither got, as many as it says
 *     again        A joined to itself, and to its union, changes no byte
 *     order        A and B, B and A: the same figures
 *     groups       (A, B), C and A, (B, C): the same figures
 *     empty        nothing joined to A changes no byte; A joined to an empty
 *                  set has the figures of A
 *     keys         as many as there are, whatever the sets share, and so what
 *                  it shares with either
 *     copies       views and files are as good as the sets
 *     many         20 more merges of its sources change no byte
 *
 * A figure is right within 2 %, or within five of the standard errors that
 * seenset_get_overlap states of the two sets, if that is more. Sets that count
 * keys add up their counts: of these "again" is about answers and keys.
 *
 * Each law is broken by one of the faults at least: ways to merge that are
 * wrong.
 */
#ifndef TEST_UNIONS_H
#define TEST_UNIONS_H

#include "window_support.h"

typedef struct union_kind {
    const char *name;
    seenset_options options;
    uint64_t keys;
} union_kind;

/* All of them, `*count` rows. */
const union_kind *union_kinds(size_t *count);

/* Are copies of a key counted? */
bool union_counts_keys(const union_kind *of);

/* ---- sets ---- */

/* An empty one; of a window, by the clock of window_support.h. */
seenset *union_make(const union_kind *of);

/* One with keys first to end - 1 of a stream. */
seenset *union_make_of(const union_kind *of, uint64_t first, uint64_t end);

seenset *union_copy(const seenset *set);

/* How many of the keys first to end - 1 are answered "seen"; are all? */
uint64_t union_count_seen(const seenset *set, uint64_t first, uint64_t end);
bool union_has_keys(const seenset *set, uint64_t first, uint64_t end);

/* ---- figures ---- */

/* Within 2 % of the truth, or five standard errors. */
bool union_is_right(double said, double truth, double error);

/* The error that is stated of the keys of a union. */
double union_stated_error(const seenset *a, const seenset *b);

/* ---- laws ---- */

/* seenset_merge, or a way that is wrong. */
typedef int union_merge(seenset *into, const seenset *from);

/* Sets of a kind: A has keys 0 to n - 1, B from `first` on, C those after. */
typedef struct union_trio {
    const union_kind *of;
    seenset *a, *b, *c;
    uint64_t n, first;
    union_merge *merge;
} union_trio;

union_trio union_make_trio(const union_kind *of, unsigned shared_percent);
void union_free_trio(union_trio *in);

/* Keys that no set got: a fault may have added some of them. */
#define UNION_FAULTY_KEYS (UINT64_C(1) << 59)

typedef struct union_law {
    const char *name;
    const char *(*holds)(const union_trio *in); /* NULL, or what is broken */
    bool is_for_two_sizes; /* and for sets of different sizes */
} union_law;

/* All of them, `*count` rows. */
const union_law *union_laws(size_t *count);

#endif
