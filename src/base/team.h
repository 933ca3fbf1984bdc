/*
 * team.h - threads that share one piece of work and wait for each other.
 */
#ifndef SS_BASE_TEAM_H
#define SS_BASE_TEAM_H

enum {
    SS_TEAM_MOST_THREADS = 64
};

typedef struct ss_team ss_team;

/* What each thread does; `number` is 0 for the caller's own. */
typedef void ss_team_work(void *context, ss_team *team, unsigned number);

/*
 * Runs `work` in *count threads, 1 to SS_TEAM_MOST_THREADS, of which the
 * caller's is one, and returns when all have ended. Where the system has fewer
 * threads to give, *count is lowered before any of them begins.
 */
void ss_team_run(unsigned *count, ss_team_work *work, void *context);

/* Waits until all threads of the team have come here. */
void ss_team_wait(ss_team *team);

#endif
