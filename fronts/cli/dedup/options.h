/*
 * options.h - the command line of dedup.
 */
#ifndef DEDUP_OPTIONS_H
#define DEDUP_OPTIONS_H

#include "dedup/state.h"

/* Reads it into *work, or ends the program with a usage error. */
void dedup_read_options(dedup *work, int argc, char **argv);

#endif
