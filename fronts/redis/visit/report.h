/*
 * report.h - the crawls of this server in INFO.
 *
 * A crawl is the partitions whose keys are NAME:{TAG}, with one name and
 * numbers as tags (docs/redis.md), or one key of another form. The first
 * SR_REPORT_CRAWLS of them have a row each; the sums are of all.
 */
#ifndef SEENSET_REDIS_VISIT_REPORT_H
#define SEENSET_REDIS_VISIT_REPORT_H

#include "server/api.h"

enum {
    SR_REPORT_CRAWLS = 100
};

/* Adds the sums to the section that was begun, and then a section of rows. */
void sr_report_crawls(RedisModuleInfoCtx *ctx);

#endif
