/*
 * module.c - seenset in a Redis or Valkey server: where loading begins.
 *
 *     redis-server --loadmodule /path/to/seenset-redis.so [SETTING VALUE] ...
 *
 * A module is an adapter: a command is read, a call of libseenset does the
 * work, the answer is replied, and a change is passed on. docs/redis.md is for
 * users.
 */
#include <stdbool.h>

#include "commands.h"
#include "key/value.h"
#include "seenset/base.h"
#include "server/memory.h"
#include "server/settings.h"
#include "visit/partition/visit.h"
#include "visit/report.h"

#define MODULE_NAME "seenset"

/* INFO seenset */
static void report(RedisModuleInfoCtx *ctx, int is_crash_report)
{
    if (sr_redis.info_add_section == NULL || sr_redis.info_add_text == NULL ||
        sr_redis.info_add_number == NULL)
        return;
    sr_redis.info_add_section(ctx, "");
    sr_redis.info_add_text(ctx, "version", seenset_version());
    sr_redis.info_add_number(ctx, "memory_bytes", sr_memory_used_bytes());
    sr_redis.info_add_number(ctx, "keys", sr_value_count());
    if (!is_crash_report) /* what crashed may have the lock */
        sr_report_crawls(ctx);
}

/* What this module is able to, as far as the server knows of it. Keys that come
 * in slots which are not this server's yet are keys as any other: no command
 * asks for one key and looks at others, but for INFO, which counts all. */
static int options(void)
{
    const int all = SR_HANDLE_IO_ERRORS | SR_NO_IMPLICIT_SIGNAL_MODIFIED |
                    SR_HANDLE_REPL_ASYNC_LOAD;
    bool is_known =
        sr_redis.all_module_options != NULL &&
        (sr_redis.all_module_options() & SR_HANDLE_ATOMIC_SLOT_MIGRATION) != 0;
    return is_known ? all | SR_HANDLE_ATOMIC_SLOT_MIGRATION : all;
}

__attribute__((visibility("default"))) int
RedisModule_OnLoad(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);

int RedisModule_OnLoad(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    const char *missing = NULL;
    if (sr_api_find(ctx, &missing) != 0) {
        if (sr_redis.log != NULL)
            sr_redis.log(ctx, "warning", "the server lacks %s", missing);
        return SR_ERR;
    }
    if (sr_redis.is_module_name_busy != NULL &&
        sr_redis.is_module_name_busy(MODULE_NAME))
        return SR_ERR; /* it is loaded already */
    sr_redis.set_module_attribs(ctx, MODULE_NAME, SEENSET_VERSION_NUMBER,
                                SR_API_VERSION);
    if (sr_settings_begin(ctx, argv, argc) != 0)
        return SR_ERR;
    sr_redis.set_module_options(ctx, options());
    if (sr_type_create(ctx) != 0 || sr_visit_type_create(ctx) != 0 ||
        sr_commands_create(ctx) != 0)
        return SR_ERR;
    if (sr_redis.register_info_func != NULL)
        sr_redis.register_info_func(ctx, report);
    return SR_OK;
}
