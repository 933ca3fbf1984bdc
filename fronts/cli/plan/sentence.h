/* sentence.h - what a plan says in short */
#ifndef PLAN_SENTENCE_H
#define PLAN_SENTENCE_H

#include "plan/columns.h"

/* Prints, after an empty line, what 'seenset new' and 'seenset seal' make of
 * the keys; nothing where one layout was asked for, and does not grow. */
void plan_sentence_print(const plan_columns *shown);

#endif
