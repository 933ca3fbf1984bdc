/*
 * members.h - what `check --json` prints, member by member. The page and the
 * module for JavaScript have the same from here.
 */
#ifndef MEMBERS_H
#define MEMBERS_H

#include "check/measure.h"
#include "report/json.h"

/* Of a filter or set: its figures and the verdict. */
void members_of_figures(json *out, const verdict_figures *of, verdict found);

/* Of a file of another system, but for its path. */
void members_of_file(json *out, const seenset_foreign_info *info);

/* The same of one of its filters, as an object in a list. */
void members_of_filter(json *out, const measured *one);

#endif
