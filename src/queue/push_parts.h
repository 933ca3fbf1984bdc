/* push_parts.h - what push.c and push_many.c share: the steps of one URL */
#ifndef SS_QUEUE_PUSH_PARTS_H
#define SS_QUEUE_PUSH_PARTS_H

#include "queue/handle.h"

/* How a URL is pushed. */
typedef struct ss_push_way {
    unsigned lane;     /* its priority, if the entry has none */
    bool is_again;     /* also if it was seen */
    bool is_seen_only; /* into the set, without an item */
    bool is_moved;     /* it comes from another queue, and is not refused */
    bool is_counted;   /* its host's budget has it */
} ss_push_way;

/* The priority of an entry. */
static inline unsigned ss_push_lane(const seenset_queue_entry *entry,
                                    const ss_push_way *way)
{
    return entry->priority != 0 ? entry->priority : way->lane;
}

/* ---- with the mutex held, and room for ss_push_bytes reserved ---- */

/* What a push may append: the URL, or that it is remembered anew. */
size_t ss_push_bytes(const seenset_queue *queue,
                     const seenset_queue_entry *entry, const ss_push_way *way);

void ss_push_append(seenset_queue *queue, const seenset_queue_entry *entry,
                    const ss_pushed *url, const ss_push_way *way);

/*
 * Under `each`, with room reserved in seen, a URL that the set has, or does not
 * have. *end becomes the position that its answer has to wait for, if it has
 * to. A seenset_answer, SEENSET_EFULL, SEENSET_EBUDGET, SEENSET_ENOMEM or
 * SEENSET_EIO.
 */
int ss_push_each(seenset_queue *queue, const seenset_queue_entry *entry,
                 const ss_pushed *url, const ss_push_way *way, bool is_in_set,
                 uint64_t *end);

/* In the other modes: the set is asked and changed in one step. A
 * seenset_answer, SEENSET_EBUDGET, SEENSET_EIO, SEENSET_ENOMEM, or an error of
 * ss_url_set_add. */
int ss_push_at_once(seenset_queue *queue, const seenset_queue_entry *entry,
                    const ss_pushed *url, const ss_push_way *way);

void ss_push_count(seenset_queue *queue, int answer);

/* The answer of push_many for what the calls above return. */
static inline uint8_t ss_push_answer(int answer)
{
    if (answer >= 0)
        return (uint8_t)answer;
    return answer == SEENSET_EBUDGET ? SEENSET_ANSWER_OVER_BUDGET
                                     : SEENSET_ANSWER_REFUSED;
}

/* ---- without the mutex ---- */

bool ss_push_is_valid(const seenset_queue_entry *entry);

/* Bytes that the normal form may need; 0 if the URL is too long for one. */
size_t ss_push_room_for(const seenset_queue_entry *entry);

/*
 * Replaces the URL by its normal form, which is written to `room`. Returns 0,
 * SEENSET_EURL, SEENSET_ENOMEM, or SEENSET_EINVAL: the item gets too long.
 */
int ss_push_normalise(seenset_queue_entry *entry, char *room,
                      size_t room_bytes);

void ss_push_count_not_url(seenset_queue *queue);

#endif
