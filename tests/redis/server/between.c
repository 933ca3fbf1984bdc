/*
 * between.c - a module that stands between a server and the module, and makes
 * the one look like another to the other:
 *
 *     redis-server --loadmodule between.so PATH [without PREFIX]
 *
 * It has RedisModule_AddACLCategory and RedisModule_SetCommandACLCategories,
 * which Redis 7.0 lacks, and logs how they are called. It says that functions
 * whose names begin with PREFIX are not there.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define NAME "RedisModule_"

typedef int find_function(const char *name, void *function);
typedef int load_function(void *ctx, void **argv, int argc);

static find_function *find_in_server;
static void *(*get_command)(void *ctx, const char *name);
static void (*log_line)(void *ctx, const char *level, const char *format, ...);
static const char *(*text_of)(const void *string, size_t *len);
static const char *absent;
static void *last_context;

static struct {
    void *command;
    char name[64];
} commands[128];
static size_t command_count;

/* A command is known by what get_command returned for its name. */
static void *note_command(void *ctx, const char *name)
{
    void *command = get_command(ctx, name);
    if (command_count < sizeof commands / sizeof commands[0]) {
        commands[command_count].command = command;
        strncpy(commands[command_count++].name, name, 63);
    }
    return command;
}

static int add_category(void *ctx, const char *name)
{
    log_line(ctx, "notice", "category %s", name);
    return 0;
}

static int set_categories(void *command, const char *names)
{
    for (size_t i = 0; i < command_count; i++)
        if (commands[i].command == command)
            log_line(last_context, "notice", "categories of %s: %s;",
                     commands[i].name, names);
    return 0;
}

static int find(const char *name, void *function)
{
    void *own = NULL;
    if (absent != NULL && strncmp(name, absent, strlen(absent)) == 0)
        return 1;
    if (strcmp(name, NAME "AddACLCategory") == 0)
        own = (void *)add_category;
    else if (strcmp(name, NAME "SetCommandACLCategories") == 0)
        own = (void *)set_categories;
    else if (strcmp(name, NAME "GetCommand") == 0)
        own = (void *)note_command;
    if (own == NULL)
        return find_in_server(name, function);
    memcpy(function, &own, sizeof own);
    return 0;
}

int RedisModule_OnLoad(void *ctx, void **argv, int argc)
{
    size_t len;
    find_function *other = find;
    load_function *load;
    memcpy(&find_in_server, ctx, sizeof find_in_server);
    find_in_server(NAME "GetCommand", &get_command);
    find_in_server(NAME "Log", &log_line);
    find_in_server(NAME "StringPtrLen", &text_of);
    void *module = dlopen(text_of(argv[0], &len), RTLD_NOW | RTLD_LOCAL);
    void *found = module == NULL ? NULL : dlsym(module, "RedisModule_OnLoad");
    if (found == NULL)
        return 1;
    memcpy(&load, &found, sizeof load);
    if (argc > 2)
        absent = text_of(argv[2], &len);
    last_context = ctx;
    memcpy(ctx, &other, sizeof other);
    int status = load(ctx, argv + argc, 0);
    memcpy(ctx, &find_in_server, sizeof find_in_server);
    return status;
}
