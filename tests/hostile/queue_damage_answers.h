/*
 * queue_damage_answers.h - what a damaged queue answers, as text, and which
 * rules it breaks.
 */
#ifndef QUEUE_DAMAGE_ANSWERS_H
#define QUEUE_DAMAGE_ANSWERS_H

#include <stdio.h>

#include "queue_damage_rows.h"
#include "queue_model.h"

enum {
    ANSWERS_SNAPSHOT_BYTES = 4 << 20 /* that a repair may add to the files */
};

/* What came out of a queue, by the number of its URL. */
typedef struct damage_content {
    int out[MODEL_URLS], is_new[MODEL_URLS];
    int strangers; /* items with other URLs */
    int error;     /* of a pop, or 0 */
    uint64_t torn_bytes;
} damage_content;

/* The calls that are judged; wrong ones are planted. */
typedef struct damage_calls {
    int (*look)(const ss_io *io, const char *dir, seenset_queue_stats *out,
                size_t out_bytes, seenset_stats *set_stats,
                size_t set_stats_bytes, seenset_queue_report *report);
    int (*verify)(const ss_io *io, const char *dir,
                  seenset_queue_report *report);
    int (*repair)(const ss_io *io, const char *dir,
                  seenset_queue_report *report);
} damage_calls;

typedef struct damage_writer {
    FILE *to;
    const damage_calls *by;
    const damage_queue *queue;
    damage_content whole;        /* of the undamaged queue */
    seenset_queue_report counts; /* of its verification */
    const char *wrong;           /* the first rule that was broken, or NULL */
} damage_writer;

/* What the undamaged queue holds. Uses it up. */
void damage_read_whole(damage_writer *of, disk *on);

/* What comes of a damage that was done: the text after its name, from malloc.
 * Uses the queue up. */
char *damage_answers(damage_writer *of, const damage *row, disk *on);

#endif
