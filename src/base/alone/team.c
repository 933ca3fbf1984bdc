/* team.c - a team of one: there is a single thread */
#include "base/team.h"

#include <stddef.h>

void ss_team_run(unsigned *count, ss_team_work *work, void *context)
{
    *count = 1;
    work(context, NULL, 0);
}

void ss_team_wait(ss_team *team)
{
    (void)team;
}
