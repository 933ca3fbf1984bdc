/*
 * look.c - see look.h.
 */
#include "queue/look.h"

#include "queue/secret.h"

typedef struct looking {
    const queue_access *access;
    queue_look *out;
    seenset_queue_report report;
} looking;

static int look_with(void *context, const seenset_options *set)
{
    looking *now = context;
    const seenset_queue_options options = {
        .set = set, .report = &now->report, .set_at_once = 1};
    queue_look *out = now->out;
    return seenset_queue_look_with(now->access->dir, &options, &out->stats,
                                   sizeof out->stats, &out->set,
                                   sizeof out->set);
}

int queue_look_at(queue_look *out, const queue_access *access)
{
    looking now = {.access = access, .out = out};
    *out = (queue_look){0};
    int error = queue_secret_run(&access->secret, access->dir, &access->set,
                                 look_with, &now);
    return error == SEENSET_OK
               ? 0
               : queue_complain_opening(access->dir, error, &now.report);
}
