/*
 * queue_recover.h - the steps of coming back, for open, verify and repair.
 */
#ifndef SS_QUEUE_RECOVER_H
#define SS_QUEUE_RECOVER_H

#include "queue/handle.h"

/* What an unfinished repair is called in a report. */
#define SS_REPAIR_UNFINISHED "a repair was begun and not finished"

/* Reads state-<position>. 0, SEENSET_EDAMAGED, SEENSET_EIO, SEENSET_ENOMEM */
int ss_recover_state(const ss_directory *folder, const ss_memory *memory,
                     uint32_t log_id, uint64_t position, ss_state *out);

/* Makes the set that the manifest asks for, unless the queue has one. 0, or
 * what seenset_new returns. */
int ss_recover_new_set(seenset_queue *queue);

/*
 * Whether a MARK behind `position`, before `end` in the same segment, says
 * that the log was durable beyond it: 1, 0 or an error. In *next, if it is
 * not NULL, the next position where a sound record starts, or `end`.
 */
int ss_recover_is_marked(ss_log_reader *reader, uint64_t position, uint64_t end,
                         uint64_t *next);

/* The length of log-<start>. 0 or SEENSET_EIO. */
int ss_recover_length(const ss_directory *folder, uint64_t start,
                      uint64_t *size_bytes);

#endif
