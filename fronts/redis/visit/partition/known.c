/* known.c - see known.h */
#include "visit/partition/known.h"

#include <pthread.h>
#include <string.h>

struct sr_known {
    sr_known *before, *after;
    const void *partition;
    size_t len;
    char name[];
};

/* The list and its lock. */
static sr_known *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unlink_one(sr_known *known)
{
    if (known->before != NULL)
        known->before->after = known->after;
    else
        first = known->after;
    if (known->after != NULL)
        known->after->before = known->before;
}

static void link_one(sr_known *known)
{
    known->after = first;
    if (first != NULL)
        first->before = known;
    first = known;
}

/* Only this thread gives names, so one that is right needs no lock. */
void sr_known_name(sr_known **known, const void *partition,
                   const RedisModuleString *name)
{
    size_t len;
    const char *text = sr_redis.string(name, &len);
    if (*known != NULL && (*known)->len == len &&
        memcmp((*known)->name, text, len) == 0)
        return;
    sr_known_drop(known);
    sr_known *made = sr_redis.try_alloc(sizeof *made + len);
    if (made == NULL)
        return;
    *made = (sr_known){.partition = partition, .len = len};
    memcpy(made->name, text, len);
    *known = made;
    pthread_mutex_lock(&lock);
    link_one(made);
    pthread_mutex_unlock(&lock);
}

/* Others may take theirs off the list at that time. */
void sr_known_move(sr_known **known, const void *partition,
                   sr_known_mover *move, void *context)
{
    if (*known == NULL)
        return;
    pthread_mutex_lock(&lock);
    sr_known *moved = move(context, *known, sizeof *moved + (*known)->len);
    moved->partition = partition;
    if (moved->before != NULL)
        moved->before->after = moved;
    else
        first = moved;
    if (moved->after != NULL)
        moved->after->before = moved;
    *known = moved;
    pthread_mutex_unlock(&lock);
}

void sr_known_drop(sr_known **known)
{
    if (*known == NULL)
        return;
    pthread_mutex_lock(&lock);
    unlink_one(*known);
    pthread_mutex_unlock(&lock);
    sr_redis.free(*known);
    *known = NULL;
}

void sr_known_each(sr_known_look *look, void *context)
{
    pthread_mutex_lock(&lock);
    for (const sr_known *known = first; known != NULL; known = known->after)
        look(context, known->partition, known->name, known->len);
    pthread_mutex_unlock(&lock);
}
