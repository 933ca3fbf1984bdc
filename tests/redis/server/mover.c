/*
 * mover.c - a module that stands between a server and the module, and does what
 * active defragmentation does, to every block of a key after each command on
 * it:
 *
 *     redis-server --loadmodule mover.so PATH [ARGUMENT...]
 *
 * A block that moved is filled with 0xA5 and kept for a while; with the address
 * sanitizer it is freed at once. So code that has the old address reads that,
 * or is caught. A key is done whole, or in parts with commands
 * between them; one block in seven stays. MOVER.MOVED replies how many blocks
 * moved and how many calls ended before the end of a key.
 *
 * MOVER_FORGETS=n plants a fault: of the n-th block that is moved, the module
 * is told that it was not. With MOVER_HURRIES every key is done in parts, and
 * time is over whenever the module asks.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <ctype.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "server/api.h"

#define NAME "RedisModule_"

enum {
    MOST_COMMANDS = 128,
    MOST_NAME = 64,
    MOST_TYPES = 8,
    KEPT = 4096,        /* old blocks */
    WHOLE_BLOCKS = 3000 /* a key with more is done in parts */
};

typedef int find_function(const char *name, void *function);
typedef int load_function(void *ctx, void **argv, int argc);
typedef int make_command(RedisModuleCtx *ctx, const char *name, sr_command *run,
                         const char *flags, int first, int last, int step);
typedef RedisModuleType *make_type(RedisModuleCtx *ctx, const char *name,
                                   int version, const sr_type_methods *methods);

/* What it asks of the server. */
static find_function *find_in_server;
static make_command *create_command;
static make_type *create_type;
static size_t (*size_of)(void *block);
static void *(*take)(size_t bytes);
static void (*give)(void *block);
static int (*replace_value)(RedisModuleKey *key, RedisModuleType *type,
                            void *value, void **old);
static sr_api server;

static struct {
    char name[MOST_NAME];
    sr_command *run;
} commands[MOST_COMMANDS];
static size_t command_count;

static struct {
    RedisModuleType *type;
    int (*move)(RedisModuleDefragCtx *ctx, RedisModuleString *key,
                void **value);
} types[MOST_TYPES];
static size_t type_count;

static long long moved, parts, forgets;
static bool hurries;
static uint64_t state = 1;

static uint64_t below(uint64_t bound)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
}

/* ---- what the module asks while a key is moved ---- */

static struct {
    bool is_late;
    unsigned long cursor;
    char name[MOST_NAME];
} part;
static long long moved_before; /* this call */

static void keep(void *block)
{
    static void *kept[KEPT];
    static size_t at;
    if (dlsym(RTLD_DEFAULT, "__asan_init") != NULL) {
        give(block);
        return;
    }
    if (kept[at] != NULL)
        give(kept[at]);
    kept[at] = block;
    at = (at + 1) % KEPT;
}

static void *move_block(void *ctx, void *block)
{
    (void)ctx;
    if (below(7) == 0)
        return NULL;
    size_t bytes = size_of(block);
    void *made = take(bytes);
    memcpy(made, block, bytes);
    memset(block, 0xa5, bytes);
    moved++;
    if (forgets > 0 && --forgets == 0)
        return NULL;
    keep(block);
    return made;
}

static int should_stop(void *ctx)
{
    (void)ctx;
    return part.is_late &&
           (hurries || moved - moved_before > WHOLE_BLOCKS || below(4) == 0);
}

static int set_cursor(void *ctx, unsigned long cursor)
{
    (void)ctx;
    part.cursor = cursor;
    return part.is_late ? SR_OK : SR_ERR;
}

static int get_cursor(void *ctx, unsigned long *cursor)
{
    (void)ctx;
    *cursor = part.cursor;
    return part.is_late ? SR_OK : SR_ERR;
}

/* ---- after each command ---- */

/* In parts if it was begun so, if chance says so, or if it has many blocks. */
static void choose(const char *name)
{
    static long long most;
    most = moved - moved_before > most ? moved - moved_before : most;
    bool goes_on = part.is_late && strcmp(part.name, name) == 0;
    if (!goes_on) {
        part.is_late = hurries || below(2) == 0 || most > WHOLE_BLOCKS;
        part.cursor = 0;
        strncpy(part.name, name, MOST_NAME - 1);
    }
    moved_before = moved;
}

static void move_value(RedisModuleKey *key, RedisModuleString *name)
{
    size_t i = 0, len;
    if (server.key_type(key) == SR_KEY_EMPTY)
        return;
    RedisModuleType *type = server.module_type(key);
    while (i < type_count && types[i].type != type)
        i++;
    if (i == type_count)
        return;
    void *before = server.module_value(key), *value = before, *old;
    choose(server.string(name, &len));
    if (types[i].move(NULL, name, &value) != 0)
        parts++;
    else
        part.is_late = false;
    if (value != before)
        replace_value(key, type, value, &old);
}

static int run(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    size_t len, i = 0;
    const char *name = server.string(argv[0], &len);
    while (i < command_count && strcasecmp(commands[i].name, name) != 0)
        i++;
    if (server.is_keys_request(ctx))
        return commands[i].run(ctx, argv, argc);
    int status = commands[i].run(ctx, argv, argc);
    if (argc < 2)
        return status;
    RedisModuleKey *key = server.open_key(ctx, argv[1], SR_READ | SR_WRITE);
    if (key != NULL) {
        move_value(key, argv[1]);
        server.close_key(key);
    }
    return status;
}

static int tell(RedisModuleCtx *ctx, RedisModuleString **argv, int argc)
{
    (void)argv, (void)argc;
    server.reply_array(ctx, 2);
    server.reply_number(ctx, moved);
    return server.reply_number(ctx, parts);
}

/* ---- between server and module ---- */

static int make_own_command(RedisModuleCtx *ctx, const char *name,
                            sr_command *its, const char *flags, int first,
                            int last, int step)
{
    if (command_count == MOST_COMMANDS)
        return SR_ERR;
    strncpy(commands[command_count].name, name, MOST_NAME - 1);
    commands[command_count++].run = its;
    return create_command(ctx, name, run, flags, first, last, step);
}

static RedisModuleType *make_own_type(RedisModuleCtx *ctx, const char *name,
                                      int version,
                                      const sr_type_methods *methods)
{
    RedisModuleType *type = create_type(ctx, name, version, methods);
    if (type != NULL && type_count < MOST_TYPES) {
        types[type_count].type = type;
        types[type_count++].move = methods->defrag;
    }
    return type;
}

static int find(const char *name, void *function)
{
    static const struct {
        const char *name;
        void *own;
    } owns[] = {{NAME "CreateCommand", (void *)make_own_command},
                {NAME "CreateDataType", (void *)make_own_type},
                {NAME "DefragAlloc", (void *)move_block},
                {NAME "DefragShouldStop", (void *)should_stop},
                {NAME "DefragCursorSet", (void *)set_cursor},
                {NAME "DefragCursorGet", (void *)get_cursor}};
    for (size_t i = 0; i < sizeof owns / sizeof owns[0]; i++) {
        if (strcmp(name, owns[i].name) != 0)
            continue;
        memcpy(function, &owns[i].own, sizeof owns[i].own);
        return SR_OK;
    }
    return find_in_server(name, function);
}

static int find_all(void)
{
    return find_in_server(NAME "CreateCommand", &create_command) |
           find_in_server(NAME "CreateDataType", &create_type) |
           find_in_server(NAME "MallocSize", &size_of) |
           find_in_server(NAME "Alloc", &take) |
           find_in_server(NAME "Free", &give) |
           find_in_server(NAME "ModuleTypeReplaceValue", &replace_value) |
           find_in_server(NAME "OpenKey", &server.open_key) |
           find_in_server(NAME "CloseKey", &server.close_key) |
           find_in_server(NAME "KeyType", &server.key_type) |
           find_in_server(NAME "ModuleTypeGetType", &server.module_type) |
           find_in_server(NAME "ModuleTypeGetValue", &server.module_value) |
           find_in_server(NAME "StringPtrLen", &server.string) |
           find_in_server(NAME "IsKeysPositionRequest",
                          &server.is_keys_request) |
           find_in_server(NAME "ReplyWithArray", &server.reply_array) |
           find_in_server(NAME "ReplyWithLongLong", &server.reply_number);
}

int RedisModule_OnLoad(void *ctx, void **argv, int argc)
{
    size_t len;
    find_function *own = find;
    load_function *load;
    memcpy(&find_in_server, ctx, sizeof find_in_server);
    if (find_all() != SR_OK)
        return SR_ERR;
    const char *text = getenv("MOVER_FORGETS");
    hurries = getenv("MOVER_HURRIES") != NULL;
    forgets = text == NULL ? 0 : strtoll(text, NULL, 10);
    void *module = dlopen(server.string(argv[0], &len), RTLD_NOW | RTLD_LOCAL);
    void *found = module == NULL ? NULL : dlsym(module, "RedisModule_OnLoad");
    if (found == NULL)
        return SR_ERR;
    memcpy(&load, &found, sizeof load);
    memcpy(ctx, &own, sizeof own);
    int status = load(ctx, argv + 1, argc - 1);
    memcpy(ctx, &find_in_server, sizeof find_in_server);
    return status == SR_OK
               ? create_command(ctx, "mover.moved", tell, "readonly", 0, 0, 0)
               : status;
}
