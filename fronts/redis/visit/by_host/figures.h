/* figures.h - what is known of hosts, as replies */
#ifndef SEENSET_REDIS_VISIT_BY_HOST_FIGURES_H
#define SEENSET_REDIS_VISIT_BY_HOST_FIGURES_H

#include "visit/target.h"

#define SR_NO_RULES                                                            \
    "ERR this partition has no rules for hosts: they are made by VISIT.NEW "   \
    "with DELAY, PERHOST, BY, FROM, BUDGET or GIVEUP"

/* The figures of the host of this name, also of one that is not known. */
int sr_reply_host(const sr_visit_target *target, const char *name, size_t len);

#endif
