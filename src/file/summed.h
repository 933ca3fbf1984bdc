/* summed.h - the header of a set's file, which has the sums of all of it */
#ifndef SS_FILE_SUMMED_H
#define SS_FILE_SUMMED_H

#include "file/header/header.h"

/* The header that is written, with its checksums. Reads the set once. */
void ss_file_summed_header(ss_header *header, const seenset *set);

#endif
