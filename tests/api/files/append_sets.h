/*
 * append_sets.h - sets of every kind in files large enough for a journal, and
 * what the tests of append do with the files.
 */
#ifndef APPEND_SETS_H
#define APPEND_SETS_H

#include <sys/types.h>

#include "support.h"

enum {
    APPEND_OLD_KEYS = 1000, /* in each set that is saved */
    APPEND_KINDS = 13,
    APPEND_GROWN = 9, /* the first of those with a table that grows in place */
    APPEND_GOLDENS = 2,
    APPEND_GOLDEN_KEYS = 8, /* in a golden journal */
    APPEND_MARK = 11 /* the byte of the header that says there is a journal */
};

typedef struct append_place {
    test_folder folder;
    char path[TEST_PATH_BYTES];
    char log_path[TEST_PATH_BYTES];
    char other_path[TEST_PATH_BYTES];
} append_place;

typedef struct append_kind {
    const char *name;
    seenset_options options;
    uint64_t more_keys; /* that are in the set besides, integers from
                           APPEND_MORE on */
} append_kind;

#define APPEND_MORE (UINT64_C(1) << 40)

/* A file of each is over 1 MiB. */
extern const append_kind append_kinds[APPEND_KINDS];

int append_enter(void **state);
int append_leave(void **state);
int append_add(seenset *set, int i);
int append_answer(const seenset *set, int i);
void append_save_kind(const append_kind *of, const char *path);
seenset *append_open(const char *path, uint32_t flags,
                     const uint8_t *with_secret);
seenset *append_open_more(const append_place *place);
bool append_is_there(const char *path);
off_t append_length(const char *path);
uint8_t append_byte(const char *path, off_t at);
void append_put_byte(const char *path, off_t at, uint8_t byte);
void append_copy_file(const char *from, const char *to);
void append_assert_same(const char *a_path, const char *b_path);
void append_assert_has(const seenset *set, int count);
void append_one(const append_place *place, int i);

/* A journal in vectors/golden/, and the kind that its set is of. The set is as
 * append_save_kind makes it, so the megabytes of it are not kept. */
typedef struct append_golden {
    const char *name;
    int kind;
} append_golden;

extern const append_golden append_goldens[APPEND_GOLDENS];

/* Makes that set and its journal: five keys one by one, and three together. */
void append_make_golden(const append_place *place, const append_golden *golden);

#endif
