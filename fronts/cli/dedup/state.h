/*
 * state.h - what dedup was asked for, and how far it is.
 *
 * The command line fills the first part (options.c). The set is made or opened
 * (set.c), the lines go through the stages (run.c), and dedup.c ends the work.
 */
#ifndef DEDUP_STATE_H
#define DEDUP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "dedup/exact.h"
#include "dedup/outputs.h"
#include "dedup/room.h"
#include "fields/fields.h"
#include "report/audit.h"
#include "report/watch.h"
#include "seenset/seenset.h"
#include "sets/add_stage.h"
#include "sets/lock.h"
#include "sets/new_secret.h"
#include "stream/lines.h"
#include "stream/read_pause.h"

typedef struct dedup {
    /* from the command line; 0 and NULL: not given */
    uint64_t capacity_items;
    double fp_rate;
    seenset_on_full on_full; /* --on-full */
    const char *set_path;
    bool is_dry_run;        /* the set file is read, and never written */
    uint32_t times;         /* each line is let through so often; 0: once */
    seenset_options window; /* the options that --window implies */
    bool is_window_bare;    /* a number without a unit */
    new_secret secret;
    read_pause pause; /* with a set file */
    char separator;
    input_mode mode;
    bool wants_repeats, wants_counts;
    bool wants_stats, wants_json; /* json: as one object */
    bool wants_exit_status;       /* 1 if nothing was new */
    audit_request audit;
    fields fields;              /* which part of a line is its key */
    batch_shard shard;          /* only its lines; count 0: all */
    bool normalises, is_strict; /* lines are URLs; others are an error */
    unsigned thread_count;
    char **paths; /* NULL ends them; standard input if none was given */
    int path_count;
    /* what it works with */
    lock held;
    seenset *set;
    add_stage into;
    dedup_room room; /* for a set without a file */
    exact exact;     /* with --exact */
    lines reader;
    dedup_outputs outputs;
    watch watching;
    /* how far it is */
    char **path;       /* the file that is read; *path NULL: all were read */
    bool is_open;      /* the reader has opened it */
    int input_error;   /* errno if it could not be read */
    bool may_cut;      /* lines may be read by the hash stage (extent.h), */
    uint64_t numbered; /* so the filter stage counts those of the file */
    int unread_error;  /* errno if that could not read them, or 0 */
    const char *unread_name; /* the name of the file then, or NULL */
    int status;              /* of the filter stage */
    bool is_paused;          /* there is more to read, after a save */
    bool is_saved;
    bool has_save_failed; /* in a pause */
} dedup;

/* Is there a set file that is saved? */
static inline bool dedup_saves(const dedup *work)
{
    return work->set_path != NULL && !work->is_dry_run;
}

#endif
