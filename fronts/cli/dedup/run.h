/*
 * run.h - the stages of dedup, from file to file and from pause to pause.
 */
#ifndef DEDUP_RUN_H
#define DEDUP_RUN_H

#include "dedup/state.h"

/*
 * Reads all files, until they end, a stage fails or a signal comes. What failed
 * was reported, but for an error of the output: work->out has it.
 */
void dedup_run(dedup *work);

#endif
