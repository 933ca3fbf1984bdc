/*
 * commands.h - every command of the module: one function each, and the table
 * by which the server knows them.
 */
#ifndef SEENSET_REDIS_COMMANDS_H
#define SEENSET_REDIS_COMMANDS_H

#include "server/api.h"

/* RedisBloom's */
sr_command bf_reserve, bf_add, bf_madd, bf_insert, bf_exists, bf_mexists,
    bf_info, bf_card, bf_debug, bf_scandump, bf_loadchunk;
/* valkey-bloom's */
sr_command bf_load;
sr_command cf_reserve, cf_add, cf_addnx, cf_insert, cf_insertnx, cf_exists,
    cf_mexists, cf_count, cf_del, cf_info, cf_scandump, cf_loadchunk;

/* what RedisBloom lacks */
sr_command seen_new, seen_add, seen_has, seen_remove, seen_count, seen_merge,
    seen_overlap, seen_info, seen_dump, seen_load;

/* a partition of a crawl */
sr_command visit_new, visit_limit, visit_push, visit_pop, visit_ack, visit_nack,
    visit_extend, visit_peek, visit_len, visit_info, visit_load, visit_effect,
    visit_host, visit_hosts, visit_dead;

/* Makes them known to the server. Returns 0 or -1. */
int sr_commands_create(RedisModuleCtx *ctx);

#endif
