/* recovery.c - see recovery.h */
#define _POSIX_C_SOURCE 200809L /* threads */
#include "queue/recover/recovery.h"

int ss_recovery_refuse(const ss_recovery *run, uint64_t position,
                       const char *reason)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint64_t start =
        ss_log_reader_segment_of(&run->queue->log.segments, position);
    ss_folder_name(name, SS_FOLDER_LOG, start);
    return ss_report_refuse(run->report, SEENSET_EDAMAGED, name,
                            position - start, reason);
}
