/*
 * queue_damage_rows.h - the catalogue: which queues are damaged, and what can
 * happen to each.
 *
 * A list of damages is in the file that is named after what is damaged. Two
 * tests go through them: queue_damage.c, what comes of each, and
 * queue_damage_pairs.c, that any two of them do no harm.
 */
#ifndef QUEUE_DAMAGE_CATALOGUE_H
#define QUEUE_DAMAGE_CATALOGUE_H

#include <stdio.h>

#include "queue/handle.h"
#include "support.h"
#include "queue_damage.h"

/* Adds what can happen to a queue, which is only looked at. */
typedef void damage_lister(damage_list *to, disk *made);

enum {
    DAMAGE_LISTERS = 6,
    DAMAGE_CLOSED_ITEMS = 5, /* of the queues that were closed */
    DAMAGE_SET_ITEMS = 40,   /* of those that get other sets: half of them */
                             /* are before the snapshot */
    DAMAGE_MOST_BYTES = 64 << 20 /* of memory: no queue here needs as much */
};

typedef struct damage_queue {
    const char *name;
    disk *(*make)(void);   /* each time the same, but for its log id */
    bool keeps_leases;     /* it is opened so */
    const uint8_t *secret; /* it is keyed with, or NULL */
    damage_lister *listers[DAMAGE_LISTERS];
} damage_queue;

extern const damage_queue damage_queues[];
extern const size_t damage_queue_count;

/* queue_damage_delayed.c: most items are delayed. */
disk *damage_delayed(void);
disk *damage_polite_delayed(void);

/* The sets of the queues that get other sets. */
extern const seenset_options damage_plain_set, damage_sized_set,
    damage_keyed_set;

/* All that can happen to it. */
damage_list damage_list_all(const damage_queue *of, disk *made);

/* Opens it, as it was made, with at most DAMAGE_MOST_BYTES of memory. */
int damage_open(const damage_queue *of, disk *on, test_memory *memory,
                seenset_queue **out, seenset_queue_report *report);

/* What has to be given to look at it, verify or repair it. */
seenset_options damage_given(const damage_queue *of);

/* Makes the set that the MANIFEST asks for: 0, SEENSET_ENOMEM if that takes
 * over DAMAGE_MOST_BYTES, or why there is none. */
int damage_try_manifest(const damage_queue *of, disk *on);

/* Would a repair take more memory, or write more, than a test has? */
bool damage_is_large(const damage_queue *of, disk *on,
                     const seenset_queue_report *verified);

/* ---- queue_damage_answers.c ---- */

/* The calls that are judged; wrong ones are planted. */
typedef struct damage_calls {
    int (*look)(const ss_io *io, const char *dir,
                const seenset_queue_options *options, seenset_queue_stats *out,
                size_t out_bytes, seenset_stats *set_stats,
                size_t set_stats_bytes);
    int (*verify)(const ss_io *io, const char *dir,
                  const seenset_queue_options *options);
    int (*repair)(const ss_io *io, const char *dir,
                  const seenset_queue_options *options);
} damage_calls;

/* Does what can happen to a queue, each step-th damage of the list, and writes
 * what comes of it. Returns how many are in the list. *wrong gets the first
 * rule that was broken, or NULL. */
int damage_write_queue(const damage_queue *queue, size_t step,
                       const damage_calls *by, FILE *to, const char **wrong);

/* ---- queue_damage_folder.c: whole files ---- */

damage_lister damage_list_files;     /* each is damaged in a few ways */
damage_lister damage_list_gone;      /* some are gone together */
damage_lister damage_list_far_files; /* some are put far after its end */

/* ---- queue_damage_log.c ---- */

damage_lister damage_list_log_bytes;     /* cut or changed at each byte */
damage_lister damage_list_records;       /* forged ones at the end */
damage_lister damage_list_timed_records; /* of a window by age */
damage_lister damage_list_laned_records; /* of one with priorities */

/* Appends such a record to the newest log file: FILLER, up to that item; or
 * the push of that item. */
void damage_append_hole(disk *on, uint64_t item);
void damage_append_push(disk *on, uint64_t item);

/* ---- queue_damage_snapshots.c ---- */

damage_lister damage_list_plain_sets; /* a set of another kind */
damage_lister damage_list_sized_sets;
damage_lister damage_list_keyed_sets;
damage_lister damage_list_state_numbers;
damage_lister damage_list_laned_numbers;          /* of version 3 */
damage_lister damage_list_delayed_numbers;        /* of version 7 */
damage_lister damage_list_polite_delayed_numbers; /* of version 8 */
damage_lister damage_list_state_counts;  /* fewer items than the log has */
damage_lister damage_list_other_states;  /* it contradicts the log */
damage_lister damage_list_state_entries; /* an item somewhere else */

/* ---- queue_damage_exact.c ---- */

damage_lister damage_list_exact_sets; /* the URLs themselves */

/* ---- queue_damage_manifest.c ---- */

damage_lister damage_list_manifest_numbers;
damage_lister damage_list_second_manifest_numbers; /* of version 2 */
damage_lister damage_list_sixth_manifest_numbers;  /* of version 6 */

/* ---- queue_damage_polite.c ---- */

damage_lister damage_list_polite_manifest; /* of version 7 */
damage_lister damage_list_polite_state;    /* of version 5, 6 */
damage_lister damage_list_polite_records, damage_list_impolite_records,
    damage_list_moved_records;

/* Numbers of a file at all their extremes, but for those that they have. */
typedef struct damage_field {
    const char *name;
    unsigned at, size_bytes;
    bool is_refused; /* no other value is right */
} damage_field;

void damage_add_numbers(damage_list *to, disk *made, const char *file,
                        const damage_field *fields, size_t count);

#endif
