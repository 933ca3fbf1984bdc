/*
 * look.c - see look.h.
 */
#include "queue/access/look.h"

#include "queue/access/secret.h"

typedef struct looking {
    const queue_access *access;
    queue_look *out;
    bool at_once; /* estimates the set's figures: reads some MiB at most */
    seenset_queue_report report;
} looking;

static int look_with(void *context, const seenset_options *set)
{
    looking *now = context;
    const seenset_queue_options options = {
        .set = set,
        .report = &now->report,
        .flags = now->at_once ? SEENSET_QUEUE_SET_AT_ONCE : 0};
    queue_look *out = now->out;
    return seenset_queue_look(now->access->dir, &options, &out->stats,
                              sizeof out->stats, &out->set, sizeof out->set);
}

static int look_once(looking *now)
{
    const queue_access *access = now->access;
    return queue_secret_run(&access->secret, access->dir, &access->set,
                            look_with, now);
}

/* An index scheme may be too weak for the URLs. To tell, all bits are read. */
static bool may_be_weak(const seenset_stats *set)
{
    return set->table_count > 0 && set->scheme > SEENSET_SCHEME_CHAIN;
}

int queue_look_at(queue_look *out, const queue_access *access)
{
    looking now = {.access = access, .out = out, .at_once = true};
    *out = (queue_look){0};
    int error = look_once(&now);
    if (error == SEENSET_OK && may_be_weak(&out->set)) {
        now.at_once = false;
        error = look_once(&now);
    }
    return error == SEENSET_OK
               ? 0
               : queue_complain_opening(access->dir, error, &now.report);
}
