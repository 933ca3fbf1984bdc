/* answer.c - see answer.h */
#include "crawl/answer.h"

#include <hiredis/hiredis.h>
#include <string.h>

#include "command.h"
#include "crawl/wire.h"
#include "report/complain.h"

bool answer_is_number(const redisReply *reply, long long least, long long most)
{
    return reply->type == REDIS_REPLY_INTEGER && reply->integer >= least &&
           reply->integer <= most;
}

bool answer_is_text(const redisReply *reply, uint64_t most_bytes)
{
    return reply->type == REDIS_REPLY_STRING &&
           (uint64_t)reply->len <= most_bytes;
}

bool answer_is_bits(const crawl_command *command, bool or_error)
{
    const redisReply *reply = command->reply;
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != command->rows)
        return false;
    for (size_t i = 0; i < reply->elements; i++) {
        const redisReply *one = reply->element[i];
        if (!answer_is_number(one, 0, 1) &&
            !(or_error && one->type == REDIS_REPLY_ERROR))
            return false;
    }
    return true;
}

/* An error is an answer. So it is reported as it is, with advice. */
static int complain_error(const crawl *it, const char *error)
{
    char shown[512];
    bool lacks_module = strstr(error, "unknown command") != NULL;
    wire_show(shown, sizeof shown, error);
    complain("%s: %s%s", it->shown, shown,
             lacks_module ? "; load the module seenset-redis.so into the server"
                          : "");
    return COMMAND_ERROR;
}

int crawl_complain_reply(const crawl *it, const crawl_command *command,
                         const char *what)
{
    char name[2 * ADDRESS_ROOM];
    if (command->reply->type == REDIS_REPLY_ERROR)
        return complain_error(it, command->reply->str);
    crawl_servers_name(it->servers, command, name, sizeof name);
    complain("%s: the server at %s answered what a crawl does not: %s",
             it->shown, name, what);
    return COMMAND_ERROR;
}
