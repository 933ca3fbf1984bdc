/*
 * agreement.h - does the log agree with the snapshots that it is read from?
 */
#ifndef SS_QUEUE_RECOVER_AGREEMENT_H
#define SS_QUEUE_RECOVER_AGREEMENT_H

#include "queue/recover/recovery.h"

/* Before the replay: counts what waits before the part that is replayed, if
 * that is little to read; verify reads it all. *from becomes where counting
 * began. What cannot be read there is left to the pop that comes to it, and
 * nothing was counted. Returns 0, SEENSET_ENOMEM or SEENSET_EIO. */
int ss_agreement_begin(ss_recovery *run, uint64_t *from);

/* After it: refuses a log that has other items than the state says. `from` is
 * that of ss_agreement_begin. Returns 0 or an error. */
int ss_agreement_check(ss_recovery *run, uint64_t from);

#endif
