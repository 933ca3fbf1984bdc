/*
 * measure.h - one filter of a file of another system: what its bits show.
 *
 * It becomes a set for as long as it is measured, unless it is Golomb-coded.
 * The page and the module for JavaScript measure by this file, too.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "check/verdict.h"
#include "seenset/foreign.h"

typedef struct measured {
    seenset_foreign_filter filter;
    int error;          /* 0; or why it has no figures: */
    const char *reason; /* and where in the file that is; else "" and 0 */
    uint64_t reason_offset;
    bool is_coded; /* Golomb-coded: it has no bits, and no scheme */
    verdict_figures figures;
    verdict found;
} measured;

/* Filter number `number`, which is there. */
measured measure_filter(const seenset_foreign *file, uint32_t number);

#endif
