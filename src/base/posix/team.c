/* team.c - a team of POSIX threads; the promise is in team.h. Not every system
 * has POSIX's barriers, so they wait by a condition. */
#define _POSIX_C_SOURCE 200809L
#include "base/team.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ss_team {
    ss_team_work *work;
    void *context;
    unsigned count;
    pthread_mutex_t mutex; /* of all below; held until all are started */
    pthread_cond_t all_came;
    unsigned came;  /* to the wait that is on */
    uint64_t waits; /* how many are over */
};

typedef struct member {
    ss_team *team;
    unsigned number;
    pthread_t thread;
} member;

static void *take_part(void *argument)
{
    member *self = argument;
    ss_team *team = self->team;
    pthread_mutex_lock(&team->mutex);
    pthread_mutex_unlock(&team->mutex);
    team->work(team->context, team, self->number);
    return NULL;
}

/* Starts threads 1, 2, ...; returns how many there are with the caller's. */
static unsigned start(ss_team *team, member *members)
{
    unsigned started = 1;
    while (started < team->count) {
        member *next = &members[started];
        *next = (member){.team = team, .number = started};
        if (pthread_create(&next->thread, NULL, take_part, next) != 0)
            break;
        started++;
    }
    return started;
}

static bool make_meeting(ss_team *team)
{
    if (pthread_mutex_init(&team->mutex, NULL) != 0)
        return false;
    if (pthread_cond_init(&team->all_came, NULL) == 0)
        return true;
    pthread_mutex_destroy(&team->mutex);
    return false;
}

static void end_meeting(ss_team *team)
{
    pthread_cond_destroy(&team->all_came);
    pthread_mutex_destroy(&team->mutex);
}

static void run_together(ss_team *team, unsigned *count)
{
    member members[SS_TEAM_MOST_THREADS];
    pthread_mutex_lock(&team->mutex);
    unsigned started = start(team, members);
    *count = team->count = started;
    pthread_mutex_unlock(&team->mutex);
    team->work(team->context, team, 0);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
}

/* If the place where threads meet cannot be made, all work is done by this one.
 */
void ss_team_run(unsigned *count, ss_team_work *work, void *context)
{
    ss_team team = {.work = work, .context = context, .count = *count};
    if (make_meeting(&team)) {
        run_together(&team, count);
        end_meeting(&team);
        return;
    }
    *count = team.count = 1;
    work(context, &team, 0);
}

void ss_team_wait(ss_team *team)
{
    if (team->count == 1)
        return;
    pthread_mutex_lock(&team->mutex);
    uint64_t mine = team->waits;
    team->came++;
    if (team->came == team->count) {
        team->came = 0;
        team->waits++;
        pthread_cond_broadcast(&team->all_came);
    }
    while (team->waits == mine)
        pthread_cond_wait(&team->all_came, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}
