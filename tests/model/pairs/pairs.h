/*
 * pairs.h - two calls at once on one set, or on one queue.
 *
 * A row is an exported function: its class, as the table in the headers has
 * it, and a way to call it that judges the answer. The engine, in pairs.c,
 * runs each allowed pair of rows in two threads, on each kind of object.
 *
 * The oracle is the list of keys whose add has returned. A call that asks
 * takes a copy of that list, asks, and must find all that is on the copy.
 */
#ifndef TEST_PAIRS_H
#define TEST_PAIRS_H

#include "seenset/queue.h"
#include "support.h"

enum {
    PAIR_OLD = 512,    /* keys that are there from the start */
    PAIR_SHARE = 3072, /* that each thread adds; half are both threads' */
    PAIR_KEYS = PAIR_OLD + PAIR_SHARE + PAIR_SHARE / 2,
    PAIR_CAPACITY = 12000, /* some blocks of a file */
    PAIR_BATCH = 8,
    PAIR_LEASES = 16, /* held by a thread at a time */
    PAIR_URLS = 4096
};

typedef enum pair_class {
    PAIR_ASKS,
    PAIR_ADDS,
    PAIR_CHANGES,
    PAIR_ENDS,
    PAIR_ALONE,  /* takes no set and no queue, or makes one */
    PAIR_QUEUES, /* on an open queue */
    PAIR_ENDS_QUEUE,
    PAIR_FOLDER /* on the folder of a queue that is open */
} pair_class;

/* A kind of set. */
typedef struct pair_kind {
    const char *name;
    seenset_options options;
    bool is_sealed;
    bool is_view; /* of a file, opened for each pair anew */
} pair_kind;

/* Can keys be taken out, and counted? */
static inline bool pair_counts(const pair_kind *kind)
{
    return kind->options.layout == SEENSET_LAYOUT_COUNTING ||
           kind->options.layout == SEENSET_LAYOUT_FINGERPRINT;
}

/* What two threads share. */
typedef struct pair_scene {
    const pair_kind *kind;
    test_folder folder;
    char path[TEST_PATH_BYTES]; /* a file with the set as it is at the start */
    seenset *set;
    seenset *part; /* holds the old keys; nobody changes it */
    seenset *full; /* holds all keys; likewise */
    seenset_stats start;
    bool is_comparable; /* one table of bits */
    uint8_t *bits;      /* at the start, of the first table; */
    uint64_t bit_count; /* so many */
    uint64_t set_cells; /* in it */
    uint64_t numbers[PAIR_KEYS];
    uint64_t hashes[PAIR_KEYS];
    uint8_t known[PAIR_KEYS]; /* 1: its add has returned. Atomic */
    uint64_t news;            /* answered by calls that returned. Atomic */
    seenset_queue *queue;
    bool is_durable; /* every answer of the queue */
    bool is_polite;
    uint8_t pushed[PAIR_URLS], acked[PAIR_URLS]; /* Atomic */
    const char *wrong;                           /* Atomic */
    unsigned rounds;
    unsigned began[2], ended[2]; /* rounds of each thread. Atomic */
} pair_scene;

/* One thread's side of it. */
typedef struct pair_turn {
    pair_scene *scene;
    const struct pair_row *row;
    unsigned number; /* 0 or 1 */
    unsigned rounds, round;
    uint32_t next;             /* of the thread's keys, or URLs */
    uint8_t before[PAIR_KEYS]; /* scene->known as the call began */
    uint64_t leases[PAIR_LEASES];
    uint32_t leased[PAIR_LEASES]; /* the URLs */
    size_t lease_count;
    seenset_queue_item item;
    char path[TEST_PATH_BYTES]; /* of the thread's own */
} pair_turn;

typedef struct pair_row {
    const char *name;
    pair_class class;
    const char *(*call)(pair_turn *turn); /* NULL, or what is wrong */
} pair_row;

extern const pair_row pair_set_rows[];
extern const size_t pair_set_row_count;
extern const pair_row pair_alone_rows[];
extern const size_t pair_alone_row_count;
extern const pair_row pair_queue_rows[];
extern const size_t pair_queue_row_count;

/* Calls of pair_set_rows (pairs_bits.c). */
const char *pair_call_get_stats(pair_turn *turn);
const char *pair_call_get_uniformity(pair_turn *turn);
const char *pair_call_to_bits(pair_turn *turn);

/* The nth key. */
static inline seenset_key pair_key(const pair_scene *scene, uint32_t n)
{
    return (seenset_key){&scene->numbers[n], sizeof scene->numbers[n]};
}

/* A set of the scene's kind with the first keys; a sealed one has the old. */
seenset *pair_make(const pair_scene *scene, uint32_t key_count);

/* Keeps the bits that `part` has in its first table. */
void pair_look_at_first_table(pair_scene *scene);

/* Calls for rows, in pairs_cells.c. */
const char *pair_call_get_bits(pair_turn *turn);
const char *pair_call_get_counters(pair_turn *turn);
const char *pair_call_count_cells(pair_turn *turn);

/* Calls for rows, in pairs_folder.c. */
const char *pair_call_open(pair_turn *turn);
const char *pair_call_verify(pair_turn *turn);
const char *pair_call_repair(pair_turn *turn);
const char *pair_call_remake(pair_turn *turn);
const char *pair_call_look(pair_turn *turn);

/* The first thing that goes wrong is kept. */
void pair_blame(pair_scene *scene, const char *wrong);

/* The keys that are known now: what a call that begins now must find. */
void pair_look(pair_turn *turn);

/* Are they all in a set? */
bool pair_holds(const pair_turn *turn, const seenset *set);

/* Calls of pair_queue_rows about hosts (pairs_hosts.c). */
const char *pair_call_set_host(pair_turn *turn);
const char *pair_call_get_host(pair_turn *turn);
const char *pair_call_list_hosts(pair_turn *turn);

/* Opens a queue with items in it, and checks at the end that nothing is lost:
 * what was pushed is acked or still handed out. */
void pair_open_queue(pair_scene *scene, seenset_queue_durability durability,
                     bool is_polite);
void pair_leave_queue(pair_turn *turn);
void pair_close_queue(pair_scene *scene);

/* What `program forbidden` exits with; nothing is printed. */
int pair_status_of_forbidden(char *program);

/* Tests of the table itself, in pairs_names.c. */
void pair_every_exported_function_has_a_class(void **state);
void pair_the_header_says_the_same_classes(void **state);
void pair_queue_h_lists_what_may_run_at_once(void **state);

#endif
