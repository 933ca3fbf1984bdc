/*
 * commands.c - the table of commands: the server's flags for each, where its
 * keys are, and what COMMAND DOCS shows.
 */
#include "commands.h"

#include <stddef.h>

#include "seenset/base.h"

/* Keys from argument `at` on, `to` more or to the end, -1. */
#define KEYS(does, at, to)                                                     \
    {                                                                          \
        .flags = (does), .begin_type = SR_KEYS_BEGIN_AT_INDEX,                 \
        .begin.index = (at), .find_type = SR_KEYS_IN_RANGE,                    \
        .range.last = (to), .range.step = 1                                    \
    }

/* What a command does with its keys, for those who may only read some. */
static const sr_key_spec asks[] = {
    KEYS(SR_KEY_IS_READ_ONLY | SR_KEY_IS_READ, 1, 0), {0}};
static const sr_key_spec asks_two[] = {
    KEYS(SR_KEY_IS_READ_ONLY | SR_KEY_IS_READ, 1, 1), {0}};
static const sr_key_spec adds[] = {
    KEYS(SR_KEY_IS_WRITTEN | SR_KEY_GETS_MORE, 1, 0), {0}};
static const sr_key_spec removes[] = {
    KEYS(SR_KEY_IS_WRITTEN | SR_KEY_GETS_LESS, 1, 0), {0}};
static const sr_key_spec replaces[] = {
    KEYS(SR_KEY_IS_WRITTEN | SR_KEY_IS_UPDATED, 1, 0), {0}};
static const sr_key_spec merges[] = {
    KEYS(SR_KEY_IS_WRITTEN | SR_KEY_GETS_MORE, 1, 0),
    KEYS(SR_KEY_IS_READ_ONLY | SR_KEY_IS_READ | SR_KEYS_ARE_ASKED_FOR, 2, -1),
    {0}};

typedef struct row {
    const char *name;
    sr_command *run;
    const char *flags;
    const char *categories; /* of access lists, where the server has them */
    int arity, last_key;
    const sr_key_spec *keys;
    const char *summary, *complexity;
} row;

#define ADDS "write deny-oom"
#define ASKS "readonly"
#define ASKS_FAST "readonly fast"
#define MAY_WRITE "write seenset"
#define MAY_READ "read seenset"
#define BLOOM_WRITE "write bloom seenset"
#define BLOOM_READ "read bloom seenset"
#define CUCKOO_WRITE "write cuckoo seenset"
#define CUCKOO_READ "read cuckoo seenset"

static const row rows[] = {
    {"bf.reserve", bf_reserve, ADDS, BLOOM_WRITE, -4, 1, adds,
     "Makes an empty filter", "O(1), and zeroes its memory"},
    {"bf.add", bf_add, ADDS " fast", BLOOM_WRITE, 3, 1, adds,
     "Adds an item to a filter", "O(1) for each table of the filter"},
    {"bf.madd", bf_madd, ADDS, BLOOM_WRITE, -3, 1, adds,
     "Adds items to a filter", "O(N), N items"},
    {"bf.insert", bf_insert, ADDS, BLOOM_WRITE, -4, 1, adds,
     "Adds items to a filter, which it makes if asked to", "O(N), N items"},
    {"bf.exists", bf_exists, ASKS_FAST, BLOOM_READ, 3, 1, asks,
     "Asks whether an item is in a filter",
     "O(1) for each table of the filter"},
    {"bf.mexists", bf_mexists, ASKS, BLOOM_READ, -3, 1, asks,
     "Asks whether items are in a filter", "O(N), N items"},
    {"bf.info", bf_info, ASKS_FAST, BLOOM_READ, -2, 1, asks,
     "What a filter is and how much it holds", "O(1)"},
    {"bf.card", bf_card, ASKS_FAST, BLOOM_READ, 2, 1, asks,
     "How many items were added to a filter", "O(1)"},
    {"bf.debug", bf_debug, ASKS_FAST, BLOOM_READ, 2, 1, asks,
     "The tables of a filter", "O(1) for each table"},
    {"bf.scandump", bf_scandump, ASKS, BLOOM_READ, 3, 1, asks,
     "A chunk of a filter's dump", "O(N), N bytes of the filter"},
    {"bf.loadchunk", bf_loadchunk, ADDS, BLOOM_WRITE, 4, 1, replaces,
     "Loads a chunk of a dump; the last chunk creates the filter",
     "O(N), N bytes of the chunk; the last one: of the filter"},
    {"bf.load", bf_load, ADDS, BLOOM_WRITE, 3, 1, adds,
     "Creates a filter from what valkey-bloom wrote",
     "O(N), N bytes of the filter"},
    {"cf.reserve", cf_reserve, ADDS, CUCKOO_WRITE, -3, 1, adds,
     "Makes an empty cuckoo filter", "O(1), and zeroes its memory"},
    {"cf.add", cf_add, ADDS " fast", CUCKOO_WRITE, 3, 1, adds,
     "Adds an item, or one copy more, to a cuckoo filter",
     "O(1) for each sub-filter"},
    {"cf.addnx", cf_addnx, ADDS " fast", CUCKOO_WRITE, 3, 1, adds,
     "Adds an item to a cuckoo filter if it is not there",
     "O(1) for each sub-filter"},
    {"cf.insert", cf_insert, ADDS, CUCKOO_WRITE, -4, 1, adds,
     "Adds items to a cuckoo filter, which it makes if asked to",
     "O(N), N items"},
    {"cf.insertnx", cf_insertnx, ADDS, CUCKOO_WRITE, -4, 1, adds,
     "Adds items that are not there to a cuckoo filter", "O(N), N items"},
    {"cf.exists", cf_exists, ASKS_FAST, CUCKOO_READ, 3, 1, asks,
     "Asks whether an item is in a cuckoo filter", "O(1) for each sub-filter"},
    {"cf.mexists", cf_mexists, ASKS, CUCKOO_READ, -3, 1, asks,
     "Asks whether items are in a cuckoo filter", "O(N), N items"},
    {"cf.count", cf_count, ASKS_FAST, CUCKOO_READ, 3, 1, asks,
     "How many copies of an item a cuckoo filter has",
     "O(1) for each sub-filter"},
    {"cf.del", cf_del, "write fast", CUCKOO_WRITE, 3, 1, removes,
     "Takes one copy of an item out of a cuckoo filter",
     "O(1) for each sub-filter"},
    {"cf.info", cf_info, ASKS_FAST, CUCKOO_READ, 2, 1, asks,
     "What a cuckoo filter is and how much it holds", "O(1)"},
    {"cf.scandump", cf_scandump, ASKS, CUCKOO_READ, 3, 1, asks,
     "A chunk of a cuckoo filter's dump", "O(N), N bytes of the filter"},
    {"cf.loadchunk", cf_loadchunk, ADDS, CUCKOO_WRITE, 4, 1, replaces,
     "Loads a chunk of a dump; the last chunk creates the cuckoo filter",
     "O(N), N bytes of the chunk; the last one: of the filter"},
    {"seen.new", seen_new, ADDS, MAY_WRITE, -2, 1, adds, "Makes an empty set",
     "O(1), and zeroes its memory"},
    {"seen.add", seen_add, ADDS, MAY_WRITE, -3, 1, adds,
     "Adds keys to a set, and replies which were new", "O(N), N keys"},
    {"seen.has", seen_has, ASKS, MAY_READ, -3, 1, asks,
     "Asks which keys are in a set", "O(N), N keys"},
    {"seen.remove", seen_remove, "write", MAY_WRITE, -3, 1, removes,
     "Takes keys out of a counting set", "O(N), N keys"},
    {"seen.count", seen_count, ASKS, MAY_READ, -3, 1, asks,
     "How many copies of each key a counting set has", "O(N), N keys"},
    {"seen.merge", seen_merge, ADDS " getkeys-api", MAY_WRITE, -3, -1, merges,
     "Adds all keys of other sets to a set", "O(N), N bytes of the sets"},
    {"seen.overlap", seen_overlap, ASKS, MAY_READ, 3, 2, asks_two,
     "What two sets have in common", "O(N), N bytes of the sets"},
    {"seen.similarity", seen_overlap, ASKS, MAY_READ, 3, 2, asks_two,
     "As SEEN.OVERLAP", "O(N), N bytes of the sets"},
    {"seen.info", seen_info, ASKS, MAY_READ, 2, 1, asks,
     "What a set is, how full, and how often it is wrong",
     "At most some milliseconds"},
    {"seen.dump", seen_dump, ASKS, MAY_READ, 3, 1, asks,
     "A chunk of a set's file, from an offset on", "O(N), N bytes of the set"},
    {"seen.load", seen_load, ADDS, MAY_WRITE, -3, 1, replaces,
     "Takes a chunk of a set's file, and makes the set of the last one",
     "O(N), N bytes of the chunk; the last one: of the file"},
    {"visit.new", visit_new, ADDS, MAY_WRITE, -2, 1, adds,
     "Makes an empty partition of a crawl", "O(1), and zeroes its memory"},
    {"visit.limit", visit_limit, "write fast", MAY_WRITE, 3, 1, replaces,
     "Sets how many bytes a partition may take", "O(1)"},
    {"visit.push", visit_push, ADDS, MAY_WRITE, -3, 1, adds,
     "Enqueues URLs that were never pushed, and replies which were new",
     "O(N), N bytes of the URLs"},
    {"visit.pop", visit_pop, "write", MAY_WRITE, -2, 1, removes,
     "Hands out URLs, each for the time of a lease",
     "O(N log M), N URLs, M leases"},
    {"visit.ack", visit_ack, "write", MAY_WRITE, -3, 1, removes,
     "Ends leases whose URLs are done", "O(N log M), N leases of M"},
    {"visit.nack", visit_nack, "write", MAY_WRITE, -3, 1, removes,
     "Gives URLs back, to be handed out again", "O(N log M), N leases of M"},
    {"visit.extend", visit_extend, "write", MAY_WRITE, -3, 1, replaces,
     "Gives leases another time", "O(N log M), N leases of M"},
    {"visit.peek", visit_peek, ASKS, MAY_READ, -2, 1, asks,
     "The URLs that are handed out next", "O(N + M log M), N URLs, M leases"},
    {"visit.len", visit_len, ASKS_FAST, MAY_READ, 2, 1, asks,
     "How many URLs are not done", "O(1)"},
    {"visit.info", visit_info, ASKS_FAST, MAY_READ, 2, 1, asks,
     "What a partition has, and the bytes that it takes", "O(1)"},
    {"visit.host", visit_host, "write", MAY_WRITE, -3, 1, replaces,
     "Sets when a host may be asked, or shows its figures", "O(1)"},
    {"visit.hosts", visit_hosts, ASKS, MAY_READ, -2, 1, asks,
     "The hosts with the most URLs, and their figures",
     "O(N log N + M), N hosts, M leases"},
    {"visit.dead", visit_dead, "write", MAY_WRITE, -2, 1, replaces,
     "Lists URLs that failed too often, or puts them back", "O(M), M leases"},
    {"visit.load", visit_load, ADDS, MAY_WRITE, -3, 1, replaces,
     "Takes a chunk of a partition, and makes it of the last one",
     "O(N), N bytes of the chunk; the last one: of the partition"},
    {"visit.effect", visit_effect, "write", MAY_WRITE, -4, 1, replaces,
     "What a command did, for replicas and the log", "As that command"},
};

/* Without a history and descriptions of arguments, whose sizes stay 0. */
static const sr_command_info_version info_version = {
    .version = 1, .key_spec_bytes = sizeof(sr_key_spec)};

/* The arity is checked by the server then, as well as here; also in MULTI. */
static void document(RedisModuleCtx *ctx, const row *of)
{
    if (sr_redis.get_command == NULL)
        return;
    RedisModuleCommand *command = sr_redis.get_command(ctx, of->name);
    const sr_command_info info = {.version = &info_version,
                                  .summary = of->summary,
                                  .complexity = of->complexity,
                                  .since = SEENSET_VERSION,
                                  .arity = of->arity,
                                  .key_specs = of->keys};
    if (command == NULL)
        return;
    if (sr_redis.set_command_info != NULL)
        sr_redis.set_command_info(command, &info);
    if (sr_redis.add_acl_category != NULL &&
        sr_redis.set_command_acl_categories != NULL)
        sr_redis.set_command_acl_categories(command, of->categories);
}

/* RedisBloom's categories, and one for all. A server may have one already, and
 * then refuses it here and takes it above. */
static void add_categories(RedisModuleCtx *ctx)
{
    static const char *const names[] = {"bloom", "cuckoo", "seenset"};
    if (sr_redis.add_acl_category == NULL)
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)sr_redis.add_acl_category(ctx, names[i]);
}

int sr_commands_create(RedisModuleCtx *ctx)
{
    add_categories(ctx);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (sr_redis.create_command(ctx, rows[i].name, rows[i].run,
                                    rows[i].flags, 1, rows[i].last_key,
                                    1) != SR_OK) {
            sr_redis.log(ctx, "warning",
                         "%s is there already: is RedisBloom loaded?",
                         rows[i].name);
            return -1;
        }
        document(ctx, &rows[i]);
    }
    return 0;
}
