/*
 * out_of_memory.h - a table of calls that are made while memory runs out.
 *
 * A row is a public function at work: what it needs, the call, and what must
 * hold when it has failed. out_of_memory.c makes each call again and
 * again; the first time allocation 1 fails, then 2, and so on until none
 * does; alone, and then with all that follow; from the C library, and then
 * from the caller's allocator.
 */
#ifndef OUT_OF_MEMORY_H
#define OUT_OF_MEMORY_H

#include "support.h"

enum {
    OOM_KEYS = 200, /* of a call for many */
    OOM_KEY_BYTES = 16
};

/* A kind of set that calls are made on. */
typedef struct oom_kind {
    const char *name;
    seenset_options options;
    int fill_items; /* held before the call; OOM_FULL: to the last place */
    bool is_sealed;
    bool is_late; /* a window by time whose time has come */
    bool is_view; /* of a file that was saved, mapped */
} oom_kind;

#define OOM_FULL (-1)

typedef struct oom_scene {
    const oom_kind *kind;
    const seenset_allocator *allocator; /* NULL: the C library's */
    test_memory memory;                 /* which is the other */
    test_folder folder;
    char path[TEST_PATH_BYTES]; /* in it: `set`, if that was needed */
    char texts[OOM_KEYS][OOM_KEY_BYTES];
    seenset_key keys[OOM_KEYS]; /* held by no set */
    uint64_t hashes[OOM_KEYS];
    uint8_t answers[OOM_KEYS];
    seenset *set, *other; /* of the kind, with different keys */
    seenset *made;        /* by the call, and freed behind it */
    uint8_t *bytes;       /* what `set` would save */
    size_t size_bytes;
    struct seenset_foreign *foreign; /* of `bytes`, and freed behind the call */
    struct oom_crawl *crawl;         /* what rows of the queue need besides */
} oom_scene;

typedef enum oom_need {
    OOM_SET = 1,
    OOM_OTHER = 2,
    OOM_FILE = 4,
    OOM_BYTES = 8,
    OOM_ALL_KINDS = 16,       /* else only the first */
    OOM_ALLOCATES_NOT = 32,   /* and that is checked */
    OOM_NO_ALLOCATOR = 64,    /* the call has no way to be given one */
    OOM_CHANGES_SOME = 128,   /* a failed call may have done a part */
    OOM_CAN_DO_WITHOUT = 256, /* or does all of it another way */
    OOM_NEEDS_NO_THREAD = 512 /* the same where a thread cannot be started */
} oom_need;

typedef struct oom_row {
    const char *name; /* the exported function */
    unsigned needs;
    void (*enter)(oom_scene *scene); /* may be NULL, as the others below */
    int (*call)(oom_scene *scene);   /* asserts nothing; an error or >= 0 */
    /* after a call that failed, or that did not */
    void (*check)(oom_scene *scene, int result);
    uint64_t (*digest)(oom_scene *scene); /* of what a failure must leave */
    void (*leave)(oom_scene *scene);
} oom_row;

extern const oom_row oom_open_rows[];
extern const size_t oom_open_row_count;
extern const oom_row oom_set_rows[];
extern const size_t oom_set_row_count;
extern const oom_row oom_alone_rows[];
extern const size_t oom_alone_row_count;
extern const oom_row oom_queue_rows[];
extern const size_t oom_queue_row_count;
extern const oom_row oom_damaged_rows[];
extern const size_t oom_damaged_row_count;

/* The kinds, from the one that most rows use. */
extern const oom_kind oom_kinds[];
extern const size_t oom_kind_count;

seenset_options oom_options(const oom_scene *scene);
seenset_open_options oom_open_options(const oom_scene *scene, uint32_t flags);

/* A set of the scene's kind, with the keys that begin with `prefix`. */
seenset *oom_make_set(const oom_scene *scene, const char *prefix);

#endif
