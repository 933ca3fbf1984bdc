/* api.c - the names of a server's functions, and where each goes */
#include "server/api.h"

#include <stdbool.h>
#include <string.h>

sr_api sr_redis;

typedef struct entry {
    const char *name; /* "RedisModule_" and this; Valkey knows it, too */
    size_t offset;    /* in sr_api */
    bool is_optional;
} entry;

#define NEEDED(name, field)                                                    \
    {                                                                          \
        "RedisModule_" name, offsetof(sr_api, field), 0                        \
    }
#define OPTIONAL(name, field)                                                  \
    {                                                                          \
        "RedisModule_" name, offsetof(sr_api, field), 1                        \
    }

static const entry entries[] = {
    NEEDED("SetModuleAttribs", set_module_attribs),
    OPTIONAL("IsModuleNameBusy", is_module_name_busy),
    NEEDED("SetModuleOptions", set_module_options),
    OPTIONAL("GetModuleOptionsAll", all_module_options),
    NEEDED("CreateCommand", create_command),
    OPTIONAL("GetCommand", get_command),
    OPTIONAL("SetCommandInfo", set_command_info),
    OPTIONAL("AddACLCategory", add_acl_category),
    OPTIONAL("SetCommandACLCategories", set_command_acl_categories),
    NEEDED("CreateDataType", create_data_type),
    OPTIONAL("RegisterInfoFunc", register_info_func),
    OPTIONAL("InfoAddSection", info_add_section),
    OPTIONAL("InfoAddFieldCString", info_add_text),
    OPTIONAL("InfoAddFieldULongLong", info_add_number),
    OPTIONAL("InfoBeginDictField", info_begin_dict),
    OPTIONAL("InfoEndDictField", info_end_dict),
    NEEDED("Log", log),
    OPTIONAL("RegisterStringConfig", register_string_config),
    OPTIONAL("RegisterNumericConfig", register_numeric_config),
    OPTIONAL("LoadConfigs", load_configs),
    NEEDED("TryAlloc", try_alloc),
    OPTIONAL("TryCalloc", try_calloc),
    NEEDED("Calloc", calloc),
    NEEDED("Free", free),
    NEEDED("PoolAlloc", pool_alloc),
    OPTIONAL("GetServerInfo", get_server_info),
    OPTIONAL("ServerInfoGetFieldUnsigned", server_info_number),
    OPTIONAL("FreeServerInfo", free_server_info),
    NEEDED("OpenKey", open_key),
    NEEDED("CloseKey", close_key),
    NEEDED("KeyType", key_type),
    NEEDED("ModuleTypeGetType", module_type),
    NEEDED("ModuleTypeGetValue", module_value),
    NEEDED("ModuleTypeSetValue", set_module_value),
    NEEDED("DeleteKey", delete_key),
    NEEDED("CreateString", create_string),
    NEEDED("FreeString", free_string),
    NEEDED("StringPtrLen", string),
    NEEDED("StringToLongLong", to_long_long),
    NEEDED("StringToDouble", to_double),
    NEEDED("IsKeysPositionRequest", is_keys_request),
    NEEDED("KeyAtPosWithFlags", key_at),
    NEEDED("ReplyWithError", reply_error),
    NEEDED("ReplyWithLongLong", reply_number),
    NEEDED("ReplyWithDouble", reply_double),
    NEEDED("ReplyWithSimpleString", reply_simple),
    NEEDED("ReplyWithStringBuffer", reply_bytes),
    NEEDED("ReplyWithBool", reply_bool),
    NEEDED("ReplyWithNull", reply_null),
    NEEDED("ReplyWithArray", reply_array),
    NEEDED("ReplyWithMap", reply_map),
    NEEDED("ReplySetArrayLength", set_array_len),
    NEEDED("WrongArity", wrong_arity),
    NEEDED("GetContextFlags", get_context_flags),
    NEEDED("Milliseconds", milliseconds),
    OPTIONAL("Yield", yield),
    NEEDED("ReplicateVerbatim", replicate_verbatim),
    NEEDED("Replicate", replicate),
    NEEDED("SignalModifiedKey", signal_modified_key),
    OPTIONAL("NotifyKeyspaceEvent", notify_keyspace_event),
    NEEDED("SaveUnsigned", save_unsigned),
    NEEDED("LoadUnsigned", load_unsigned),
    NEEDED("SaveStringBuffer", save_bytes),
    NEEDED("LoadStringBuffer", load_bytes),
    NEEDED("IsIOError", is_io_error),
    OPTIONAL("GetKeyNameFromIO", key_of_io),
    NEEDED("LogIOError", log_io_error),
    NEEDED("EmitAOF", emit_aof),
    NEEDED("DigestAddStringBuffer", digest_add),
    NEEDED("DigestEndSequence", digest_end),
    OPTIONAL("DefragAlloc", defrag_alloc),
    OPTIONAL("DefragShouldStop", defrag_should_stop),
    OPTIONAL("DefragCursorSet", defrag_cursor_set),
    OPTIONAL("DefragCursorGet", defrag_cursor_get),
};

/* A server's own function for finding others is the first word of the first
 * context that it hands to a module. */
typedef int find_function(const char *name, void *function);

int sr_api_find(RedisModuleCtx *ctx, const char **missing)
{
    find_function *find;
    memcpy(&find, ctx, sizeof find);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        char *at = (char *)&sr_redis + entries[i].offset;
        if (find(entries[i].name, at) == SR_OK || entries[i].is_optional)
            continue;
        *missing = entries[i].name;
        return -1;
    }
    return 0;
}
