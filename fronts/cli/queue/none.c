/*
 * none.c - a command that was built without the queue (SEENSET_QUEUE=OFF).
 */
#include <stdio.h>
#include <sys/stat.h>

#include "command.h"
#include "queue/access/look.h"
#include "queue/queue.h"
#include "report/complain.h"

#define WITHOUT_QUEUE                                                          \
    "this seenset was built without the queue, whose folder promises that "    \
    "names in it are on the disk; not every system can sync a folder"

int command_queue(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    complain("queue: " WITHOUT_QUEUE);
    return COMMAND_ERROR;
}

bool queue_is_at(const char *dir)
{
    char path[4096];
    struct stat found;
    int length = snprintf(path, sizeof path, "%s/MANIFEST", dir);
    return length > 0 && (size_t)length < sizeof path &&
           stat(path, &found) == 0;
}

int queue_look_at(queue_look *out, const queue_access *access)
{
    (void)out;
    complain("%s: a queue; " WITHOUT_QUEUE, access->dir);
    return COMMAND_ERROR;
}
