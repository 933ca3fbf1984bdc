/*
 * api.h - what this module uses of the interface that a server offers.
 *
 * Redis 7.0 and later and Valkey hand a module one function, which finds the
 * others by name. So one binary loads on all of them: what a server lacks stays
 * NULL, and a caller of an optional function checks it first. The names, the
 * arguments and the numbers are those of the module API reference
 * (https://redis.io/docs/latest/develop/reference/modules/modules-api-ref/),
 * as of Redis 7.0.15.
 *
 * sr_redis is the one variable of the module that many files share: when a key
 * is loaded, copied or freed, the server calls the module without a context
 * that could hold it. It is filled in once, before the first command, and never
 * changed after that.
 */
#ifndef SEENSET_REDIS_API_H
#define SEENSET_REDIS_API_H

#include <stddef.h>
#include <stdint.h>

typedef struct RedisModuleCtx RedisModuleCtx;
typedef struct RedisModuleString RedisModuleString;
typedef struct RedisModuleKey RedisModuleKey;
typedef struct RedisModuleType RedisModuleType;
typedef struct RedisModuleIO RedisModuleIO;
typedef struct RedisModuleDigest RedisModuleDigest;
typedef struct RedisModuleInfoCtx RedisModuleInfoCtx;
typedef struct RedisModuleDefragCtx RedisModuleDefragCtx;
typedef struct RedisModuleCommand RedisModuleCommand;
typedef struct RedisModuleServerInfoData RedisModuleServerInfoData;

enum {
    SR_API_VERSION = 1,
    SR_TYPE_METHOD_VERSION = 4, /* of Redis 7.0 */

    SR_OK = 0,
    SR_ERR = 1,

    /* open_key */
    SR_READ = 1 << 0,
    SR_WRITE = 1 << 1,

    /* key_type */
    SR_KEY_EMPTY = 0,

    /* get_context_flags */
    SR_CONTEXT_REPLICATED = 1 << 12,
    SR_CONTEXT_LOADING = 1 << 13,
    SR_CONTEXT_RESP3 = 1 << 22,

    /* set_module_options */
    SR_HANDLE_IO_ERRORS = 1 << 0,
    SR_NO_IMPLICIT_SIGNAL_MODIFIED = 1 << 1,
    SR_HANDLE_REPL_ASYNC_LOAD = 1 << 2,
    SR_HANDLE_ATOMIC_SLOT_MIGRATION = 1 << 5, /* of Valkey 9.0 */

    SR_YIELD_CLIENTS = 1 << 1, /* yield: clients are answered, "-BUSY" */

    SR_NOTIFY_MODULE = 1 << 13, /* the class of keyspace events */
    SR_POSTPONED = -1           /* the length of an array, given later */
};

typedef int sr_command(RedisModuleCtx *ctx, RedisModuleString **argv, int argc);

/* What a server asks of a type of values: the order is the server's. */
typedef struct sr_type_methods {
    uint64_t version;
    void *(*rdb_load)(RedisModuleIO *rdb, int encoding_version);
    void (*rdb_save)(RedisModuleIO *rdb, void *value);
    void (*aof_rewrite)(RedisModuleIO *aof, RedisModuleString *key,
                        void *value);
    size_t (*mem_usage)(const void *value);
    void (*digest)(RedisModuleDigest *digest, void *value);
    void (*free)(void *value);
    int (*aux_load)(RedisModuleIO *rdb, int encoding_version, int when);
    void (*aux_save)(RedisModuleIO *rdb, int when);
    int aux_save_triggers;
    size_t (*free_effort)(RedisModuleString *key, const void *value);
    void (*unlink)(RedisModuleString *key, const void *value);
    void *(*copy)(RedisModuleString *from, RedisModuleString *to,
                  const void *value);
    int (*defrag)(RedisModuleDefragCtx *ctx, RedisModuleString *key,
                  void **value);
    /* As those above, with a context in place of the key. */
    void (*with_context[4])(void);
} sr_type_methods;

/* Where a command's keys are, and what it does with them. Lists of these end
 * with one that is all 0. */
typedef struct sr_key_spec {
    const char *notes;
    uint64_t flags;
    int begin_type; /* SR_KEYS_BEGIN_AT_INDEX */
    union {
        int index;
        struct {
            const char *word;
            int start;
        } keyword;
    } begin;
    int find_type; /* SR_KEYS_IN_RANGE */
    struct {
        int last, step, limit; /* last: after the first one; -1: to the end */
    } range;
} sr_key_spec;

enum {
    SR_KEYS_BEGIN_AT_INDEX = 2,
    SR_KEYS_IN_RANGE = 2,
    SR_KEY_IS_READ_ONLY = 1 << 0,
    SR_KEY_IS_WRITTEN = 1 << 1,
    SR_KEY_IS_READ = 1 << 4, /* what is in it is replied, or copied */
    SR_KEY_IS_UPDATED = 1 << 5,
    SR_KEY_GETS_MORE = 1 << 6,
    SR_KEY_GETS_LESS = 1 << 7,
    /* not all that is in the range is a key: the command is asked (keys) */
    SR_KEYS_ARE_ASKED_FOR = 1 << 9
};

/* A command's documentation; the pointers that are left NULL are optional. */
typedef struct sr_command_info_version {
    int version;
    size_t history_bytes, key_spec_bytes, argument_bytes;
} sr_command_info_version;

typedef struct sr_command_info {
    const sr_command_info_version *version;
    const char *summary, *complexity, *since;
    const void *history;
    const char *tips;
    int arity; /* of all words; -n: n or more */
    const sr_key_spec *key_specs;
    const void *arguments;
} sr_command_info;

/* A name of the server's and its function here; see server/api.c. */
typedef struct sr_api {
    /* the module, its commands and its type */
    void (*set_module_attribs)(RedisModuleCtx *ctx, const char *name,
                               int version, int api_version);
    int (*is_module_name_busy)(const char *name);
    void (*set_module_options)(RedisModuleCtx *ctx, int options);
    int (*all_module_options)(void); /* that this server knows */
    int (*create_command)(RedisModuleCtx *ctx, const char *name,
                          sr_command *run, const char *flags, int first_key,
                          int last_key, int key_step);
    RedisModuleCommand *(*get_command)(RedisModuleCtx *ctx, const char *name);
    int (*set_command_info)(RedisModuleCommand *command,
                            const sr_command_info *info);
    int (*add_acl_category)(RedisModuleCtx *ctx, const char *name);
    int (*set_command_acl_categories)(RedisModuleCommand *command,
                                      const char *names);
    RedisModuleType *(*create_data_type)(RedisModuleCtx *ctx, const char *name,
                                         int encoding_version,
                                         const sr_type_methods *methods);
    int (*register_info_func)(RedisModuleCtx *ctx,
                              void (*info)(RedisModuleInfoCtx *ctx,
                                           int is_crash_report));
    int (*info_add_section)(RedisModuleInfoCtx *ctx, const char *name);
    int (*info_add_text)(RedisModuleInfoCtx *ctx, const char *name,
                         const char *text);
    int (*info_add_number)(RedisModuleInfoCtx *ctx, const char *name,
                           unsigned long long number);
    int (*info_begin_dict)(RedisModuleInfoCtx *ctx, const char *name);
    int (*info_end_dict)(RedisModuleInfoCtx *ctx);
    void (*log)(RedisModuleCtx *ctx, const char *level, const char *format,
                ...);

    /* settings of the module; the server calls `apply`, which may be NULL,
     * after it has set several */
    int (*register_string_config)(
        RedisModuleCtx *ctx, const char *name, const char *default_value,
        unsigned flags,
        RedisModuleString *(*get)(const char *name, void *context),
        int (*set)(const char *name, RedisModuleString *value, void *context,
                   RedisModuleString **error),
        int (*apply)(RedisModuleCtx *ctx, void *context,
                     RedisModuleString **error),
        void *context);
    int (*register_numeric_config)(
        RedisModuleCtx *ctx, const char *name, long long default_value,
        unsigned flags, long long least, long long most,
        long long (*get)(const char *name, void *context),
        int (*set)(const char *name, long long value, void *context,
                   RedisModuleString **error),
        int (*apply)(RedisModuleCtx *ctx, void *context,
                     RedisModuleString **error),
        void *context);
    int (*load_configs)(RedisModuleCtx *ctx);

    /* memory */
    void *(*try_alloc)(size_t size_bytes);
    void *(*try_calloc)(size_t count, size_t size_bytes);
    void *(*calloc)(size_t count, size_t size_bytes); /* or ends the server */
    void (*free)(void *memory);
    void *(*pool_alloc)(RedisModuleCtx *ctx, size_t size_bytes);
    RedisModuleServerInfoData *(*get_server_info)(RedisModuleCtx *ctx,
                                                  const char *section);
    unsigned long long (*server_info_number)(RedisModuleServerInfoData *info,
                                             const char *field, int *error);
    void (*free_server_info)(RedisModuleCtx *ctx,
                             RedisModuleServerInfoData *info);

    /* keys and values */
    RedisModuleKey *(*open_key)(RedisModuleCtx *ctx, RedisModuleString *name,
                                int mode);
    void (*close_key)(RedisModuleKey *key);
    int (*key_type)(RedisModuleKey *key);
    RedisModuleType *(*module_type)(RedisModuleKey *key);
    void *(*module_value)(RedisModuleKey *key);
    int (*set_module_value)(RedisModuleKey *key, RedisModuleType *type,
                            void *value);
    int (*delete_key)(RedisModuleKey *key);

    /* arguments, and text that the module makes */
    RedisModuleString *(*create_string)(RedisModuleCtx *ctx, const char *bytes,
                                        size_t len);
    void (*free_string)(RedisModuleCtx *ctx, RedisModuleString *string);
    const char *(*string)(const RedisModuleString *string, size_t *len);
    int (*to_long_long)(const RedisModuleString *string, long long *number);
    int (*to_double)(const RedisModuleString *string, double *number);
    int (*is_keys_request)(
        RedisModuleCtx *ctx); /* is it only asked for keys? */
    void (*key_at)(RedisModuleCtx *ctx, int at, int flags);

    /* replies */
    int (*reply_error)(RedisModuleCtx *ctx, const char *text);
    int (*reply_number)(RedisModuleCtx *ctx, long long number);
    int (*reply_double)(RedisModuleCtx *ctx, double number);
    int (*reply_simple)(RedisModuleCtx *ctx, const char *text);
    int (*reply_bytes)(RedisModuleCtx *ctx, const char *bytes, size_t len);
    int (*reply_bool)(RedisModuleCtx *ctx, int is_true);
    int (*reply_null)(RedisModuleCtx *ctx);
    int (*reply_array)(RedisModuleCtx *ctx, long len);
    int (*reply_map)(RedisModuleCtx *ctx, long len);
    void (*set_array_len)(RedisModuleCtx *ctx, long len);
    int (*wrong_arity)(RedisModuleCtx *ctx);
    int (*get_context_flags)(RedisModuleCtx *ctx);
    long long (*milliseconds)(void); /* the server's clock, since 1970 */
    void (*yield)(RedisModuleCtx *ctx, int flags, const char *busy);

    /* what a change leads to */
    int (*replicate_verbatim)(RedisModuleCtx *ctx);
    int (*replicate)(RedisModuleCtx *ctx, const char *command,
                     const char *format, ...);
    int (*signal_modified_key)(RedisModuleCtx *ctx, RedisModuleString *name);
    int (*notify_keyspace_event)(RedisModuleCtx *ctx, int type,
                                 const char *event, RedisModuleString *name);

    /* files */
    void (*save_unsigned)(RedisModuleIO *io, uint64_t number);
    uint64_t (*load_unsigned)(RedisModuleIO *io);
    void (*save_bytes)(RedisModuleIO *io, const char *bytes, size_t len);
    char *(*load_bytes)(RedisModuleIO *io, size_t *len);
    int (*is_io_error)(RedisModuleIO *io);
    const RedisModuleString *(*key_of_io)(RedisModuleIO *io);
    void (*log_io_error)(RedisModuleIO *io, const char *level,
                         const char *format, ...);
    void (*emit_aof)(RedisModuleIO *io, const char *command, const char *format,
                     ...);
    void (*digest_add)(RedisModuleDigest *digest, const char *bytes,
                       size_t len);
    void (*digest_end)(RedisModuleDigest *digest);

    /* active defragmentation */
    void *(*defrag_alloc)(RedisModuleDefragCtx *ctx, void *memory);
    int (*defrag_should_stop)(RedisModuleDefragCtx *ctx);
    int (*defrag_cursor_set)(RedisModuleDefragCtx *ctx, unsigned long cursor);
    int (*defrag_cursor_get)(RedisModuleDefragCtx *ctx, unsigned long *cursor);
} sr_api;

extern sr_api sr_redis;

/*
 * Finds the functions of the server that loads the module. Returns 0, or -1 if
 * the server lacks one that is needed, whose name is then in *missing.
 */
int sr_api_find(RedisModuleCtx *ctx, const char **missing);

#endif
