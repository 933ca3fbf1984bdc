/* remake_hosts.h - the hosts of a polite queue that is made of another */
#ifndef SS_QUEUE_REMAKE_HOSTS_H
#define SS_QUEUE_REMAKE_HOSTS_H

#include "queue/handle.h"

/*
 * What is known of hosts goes on in the new queue, if both are polite to the
 * same: then *are_counted. The leases of the old one end now, in memory alone.
 * Returns 0 or SEENSET_ENOMEM.
 */
int ss_remake_hosts(seenset_queue *from, seenset_queue *to, bool *are_counted);

#endif
