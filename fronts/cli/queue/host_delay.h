/* host_delay.h - nack --host-delay: a host asked to be left alone */
#ifndef QUEUE_HOST_DELAY_H
#define QUEUE_HOST_DELAY_H

#include <stddef.h>
#include <stdint.h>

#include "seenset/queue.h"

/*
 * Blocks the hosts of the items under these leases for so many seconds. A lease
 * that has ended is passed: giving it back reports that. Returns 0, or
 * COMMAND_ERROR after a message.
 */
int host_delay_leases(seenset_queue *queue, const char *dir,
                      const uint64_t *leases, size_t count, double seconds);

#endif
