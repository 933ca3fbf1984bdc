/*
 * recover.h - steps of opening an existing queue that verify needs, too.
 */
#ifndef SS_QUEUE_RECOVER_RECOVER_H
#define SS_QUEUE_RECOVER_RECOVER_H

#include "items/state.h"
#include "queue/handle.h"

/* Reads state-<position>. Returns 0, SEENSET_EDAMAGED, SEENSET_EIO or
 * SEENSET_ENOMEM. */
int ss_recover_state(const ss_folder *folder, const ss_memory *memory,
                     const ss_manifest *manifest, uint64_t position,
                     ss_state *out);

/* Loads set-<position>, which must be of the kind that the manifest asks for.
 * Returns 0, SEENSET_EIO, SEENSET_ENOMEM, or another error: it is damaged. */
int ss_recover_load_set(seenset_queue *queue, uint64_t position);

/* Sets up the set that the manifest asks for. It takes the secret away from the
 * manifest, which only borrows it. As ss_url_set_init. */
int ss_recover_init_set(ss_url_set *set, ss_manifest *manifest,
                        const ss_memory *memory, const ss_clock *clock);

/*
 * Does a DURABLE record after `position`, before `end` in the same segment,
 * say that the log was durable beyond it? Returns 1, 0 or an error. *next, if
 * next is not NULL, becomes the next position where a sound record starts, or
 * `end`.
 */
int ss_recover_was_durable(ss_log_reader *reader, uint64_t position,
                           uint64_t end, uint64_t *next);

/* The length of log-<start>. Returns 0 or SEENSET_EIO. */
int ss_recover_length(const ss_folder *folder, uint64_t start,
                      uint64_t *size_bytes);

#endif
