/* report.c - why a queue cannot be opened */
#include "queue/report.h"

#include <stdio.h>

int ss_report_refuse(seenset_queue_report *report, int error, const char *file,
                     uint64_t offset, const char *reason)
{
    if (report != NULL) {
        snprintf(report->file, sizeof report->file, "%s", file);
        snprintf(report->reason, sizeof report->reason, "%s", reason);
        report->offset = offset;
    }
    return error;
}
