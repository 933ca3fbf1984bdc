/* team.c - a team of POSIX threads; the promise is in team.h */
#define _POSIX_C_SOURCE 200809L
#include "base/team.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct ss_team {
    ss_team_work *work;
    void *context;
    unsigned count;
    pthread_mutex_t gate; /* holds the threads until all are started */
    pthread_barrier_t barrier;
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
    pthread_mutex_lock(&team->gate);
    pthread_mutex_unlock(&team->gate);
    if (self->number < team->count)
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

/* Those that started without a barrier to meet at end at once. */
void ss_team_run(unsigned *count, ss_team_work *work, void *context)
{
    member members[SS_TEAM_MOST_THREADS];
    ss_team team = {.work = work, .context = context, .count = *count};
    pthread_mutex_init(&team.gate, NULL);
    pthread_mutex_lock(&team.gate);
    unsigned started = start(&team, members);
    bool has_barrier =
        started > 1 && pthread_barrier_init(&team.barrier, NULL, started) == 0;
    team.count = has_barrier ? started : 1;
    *count = team.count;
    pthread_mutex_unlock(&team.gate);
    work(context, &team, 0);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
    if (has_barrier)
        pthread_barrier_destroy(&team.barrier);
    pthread_mutex_destroy(&team.gate);
}

void ss_team_wait(ss_team *team)
{
    if (team->count > 1)
        pthread_barrier_wait(&team->barrier);
}
