/* memory_log.h - what differs in a queue without a folder */
#ifndef SS_QUEUE_MEMORY_LOG_H
#define SS_QUEUE_MEMORY_LOG_H

#include "queue/handle.h"

/* The manifest of such a queue. As ss_manifest_from_options. */
int ss_memory_log_manifest(seenset_queue *queue,
                           const seenset_queue_options *options);

/* Makes the first segment; the end of the log and its readers are set up. 0 or
 * SEENSET_ENOMEM. */
int ss_memory_log_start(seenset_queue *queue);

/* Removes the segments that nothing needs. With the mutex held. */
void ss_memory_log_trim(seenset_queue *queue);

#endif
