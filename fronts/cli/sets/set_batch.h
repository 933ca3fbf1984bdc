/*
 * set_batch.h - a batch of keys, added to a set or looked up in it.
 *
 * Most sets know a key by its 64-bit hash, which the pipeline computes (see
 * batch.h). A set that is keyed, or has a seed or an index scheme, needs the
 * key itself, since only the set can hash it.
 */
#ifndef SET_BATCH_H
#define SET_BATCH_H

#include <stdbool.h>

#include "seenset/seenset.h"
#include "stream/batch.h"

/* Does the set need the keys themselves, not hashes? */
bool set_batch_wants_keys(const seenset *set);

/* What a full counter of a counting set counts, 2^counter_bits - 1, or a slot
 * that stays: that many, or more. Of other sets UINT64_MAX. */
uint64_t set_batch_full_count(const seenset *set);

/* What is done with a batch first, on any thread. */
typedef void set_batch_preparer(batch *keys);

/* How keys are made ready for a set that wants them, or their hashes. The rule
 * of the batch says what they are. normalises: and they are then the normal
 * forms of those that are URLs. */
set_batch_preparer *set_batch_prepare(bool wants_keys, bool normalises);

/*
 * Add the batch, which was prepared, or look it up, and store the answer to
 * each line as seenset_add_many and seenset_has_many do;
 * SEENSET_ANSWER_NOT_A_URL for a line that has no key,
 * whatever the reason. Return what those
 * return, or SEENSET_EIO and errno if a long line cannot be mapped, or URLs
 * could not be normalised. Where the lines have times, the set is told each
 * (seenset_set_time).
 */
int set_batch_add(seenset *set, bool wants_keys, batch *keys);
int set_batch_has(seenset *set, bool wants_keys, batch *keys);

/*
 * As set_batch_add, of keys, to a counting set: a key is new, and is added,
 * while the set has fewer than `times` copies of it. The set counts at least as
 * many copies as there are, so a false positive is new fewer times.
 */
int set_batch_add_times(seenset *set, uint32_t times, batch *keys);

/* Answers for one key: an answer, or a negative number. */
typedef int set_batch_question(void *context, const char *key, size_t len);

/* What a question returns after an error that it has reported: not one of the
 * library's, which are small. */
#define SET_BATCH_REPORTED (-1000)

/* The same, with answers of the caller's. Returns its first negative number. */
int set_batch_ask(batch *keys, set_batch_question *ask, void *context);

/* Answers for keys, 1 or 0 for each. Returns 0 or a negative number. */
typedef int set_batch_questions(void *context, const seenset_key *keys,
                                size_t count, uint8_t *answers);

/* The same, a group of keys at a time. */
int set_batch_ask_many(batch *keys, set_batch_questions *ask, void *context);

#endif
