/*
 * fold.h - the journal of a set file, saved in the file.
 */
#ifndef FOLD_H
#define FOLD_H

#include "seenset/seenset.h"

/*
 * What seenset_compact does, also where a file cannot be replaced while this
 * process has it open: there the set is read into memory. options: secret,
 * report, and SEENSET_OPEN_WITHOUT_JOURNAL or no flag. Returns its errors.
 */
int fold_journal(const char *path, const seenset_open_options *options);

#endif
