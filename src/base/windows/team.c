/* team.c - a team of Windows' threads; the promise is in team.h */
#include "base/team.h"

#include <process.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/windows/handle.h"

struct ss_team {
    ss_team_work *work;
    void *context;
    unsigned count;
    SRWLOCK gate; /* holds the threads until all are started */
    /* where they meet: the last to come lets all go on */
    CONDITION_VARIABLE meeting;
    unsigned came, meetings;
};

typedef struct member {
    ss_team *team;
    unsigned number;
    HANDLE thread;
} member;

static unsigned __stdcall take_part(void *argument)
{
    member *self = argument;
    ss_team *team = self->team;
    AcquireSRWLockExclusive(&team->gate);
    ReleaseSRWLockExclusive(&team->gate);
    if (self->number < team->count)
        team->work(team->context, team, self->number);
    return 0;
}

/* Starts threads 1, 2, ...; returns how many there are with the caller's. */
static unsigned start(ss_team *team, member *members)
{
    unsigned started = 1;
    while (started < team->count) {
        member *next = &members[started];
        *next = (member){.team = team, .number = started};
        next->thread =
            (HANDLE)_beginthreadex(NULL, 0, take_part, next, 0, NULL);
        if (next->thread == NULL)
            break;
        started++;
    }
    return started;
}

void ss_team_run(unsigned *count, ss_team_work *work, void *context)
{
    member members[SS_TEAM_MOST_THREADS];
    ss_team team = {.work = work,
                    .context = context,
                    .count = *count,
                    .gate = SRWLOCK_INIT,
                    .meeting = CONDITION_VARIABLE_INIT};
    AcquireSRWLockExclusive(&team.gate);
    team.count = start(&team, members);
    *count = team.count;
    ReleaseSRWLockExclusive(&team.gate);
    work(context, &team, 0);
    for (unsigned i = 1; i < team.count; i++) {
        (void)WaitForSingleObject(members[i].thread, INFINITE);
        CloseHandle(members[i].thread);
    }
}

void ss_team_wait(ss_team *team)
{
    if (team->count <= 1)
        return;
    AcquireSRWLockExclusive(&team->gate);
    unsigned meeting = team->meetings;
    team->came++;
    if (team->came == team->count) {
        team->came = 0;
        team->meetings++;
        WakeAllConditionVariable(&team->meeting);
    }
    while (team->meetings == meeting)
        (void)SleepConditionVariableSRW(&team->meeting, &team->gate, INFINITE,
                                        0);
    ReleaseSRWLockExclusive(&team->gate);
}
