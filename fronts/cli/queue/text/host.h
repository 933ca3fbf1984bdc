/*
 * host.h - the hosts of a polite queue as text, and as lines of JSON.
 *
 * A line of text has these columns, with a TAB between them; NEXT is the
 * seconds until the host may be asked, rounded up:
 *
 *     PENDING LEASED DONE NEXT HOST
 *
 * DONE is - for a host without a budget, whose URLs are not counted.
 */
#ifndef QUEUE_TEXT_HOST_H
#define QUEUE_TEXT_HOST_H

#include <stdint.h>

#include "seenset/queue_hosts.h"

/* URLs that are done: taken, and neither pending nor leased. */
uint64_t host_done(const seenset_queue_host *host);

/* A line of a list. */
void host_print_line(const seenset_queue_host *host);

/* A line for each figure. */
void host_print(const seenset_queue_host *host);

void host_print_json(const seenset_queue_host *host);

/* Reports that the queue has no hosts. Returns COMMAND_ERROR. */
int host_complain_not_polite(const char *dir);

#endif
