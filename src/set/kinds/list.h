/* list.h - what other lists of tables have of this row; the idea is in list.c
 */
#ifndef SS_SET_KINDS_LIST_H
#define SS_SET_KINDS_LIST_H

#include "set/set.h"

/* As the functions of a row. */
int ss_list_add_hash(seenset *set, uint64_t hash);
int ss_list_add_at(seenset *set, uint64_t hash, uint64_t now);

#endif
