/* generations.h - many tables as one set; the idea is in generations.c */
#ifndef SS_SET_GENERATIONS_H
#define SS_SET_GENERATIONS_H

#include "set/set.h"

/*
 * Turns *plan, the promise of a whole set (layout, n, p), into the plan of its
 * first generation, solved anew where the policy splits the promise.
 * 0, or what seenset_plan_solve returns.
 */
int ss_generations_plan(seenset_plan *plan, const ss_set_params *kind);

/* Readies the newest generation for one key more: appends or drops tables as
 * the policy asks. 0, SEENSET_EFULL, or why no table could be added. */
int ss_generations_make_room(seenset *set);

/* A hash, or a key's batch of one, in any generation that counts. */
bool ss_generations_has(const seenset *set, uint64_t hash);

/* Would a sliding window add the hash, which it has, to its newest part? */
bool ss_generations_renews(const seenset *set, uint64_t hash);

/* 1, 0, or an error, as seenset_add_hash. */
int ss_generations_add(seenset *set, uint64_t hash);

/* The same at a time that windows by age go by. */
int ss_generations_add_at(seenset *set, uint64_t hash, uint64_t now);

/* As seenset_add_many and seenset_has_many, for checked arguments. is_new may
 * be NULL. */
int ss_generations_add_many(seenset *set, const ss_batch *batch,
                            uint8_t *is_new);
void ss_generations_has_many(const seenset *set, const ss_batch *batch,
                             uint8_t *is_seen);

#endif
