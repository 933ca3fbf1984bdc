/* report.h - why a queue cannot be opened, put into words for the caller */
#ifndef SS_QUEUE_REPORT_H
#define SS_QUEUE_REPORT_H

#include "seenset/queue.h"

/* How a repair that was not finished is reported. */
#define SS_REPAIR_UNFINISHED "a repair was begun and not finished"

/* Writes file name, offset and reason to *report, unless that is NULL. Returns
 * error. */
int ss_report_refuse(seenset_queue_report *report, int error, const char *file,
                     uint64_t offset, const char *reason);

#endif
