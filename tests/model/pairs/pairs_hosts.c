/*
 * pairs_hosts.c - the calls about the hosts of a queue; the idea is in pairs.h.
 *
 * A queue that is not polite refuses each.
 */
#include <string.h>

#include "pairs.h"

/* Whatever a call about hosts should return. */
static int expected(const pair_scene *scene, int answer)
{
    return scene->is_polite ? answer : SEENSET_EUNSUPPORTED;
}

/* Each thread sets a host of its own, which no URL has. */
static void host_of(const pair_turn *turn, char name[16])
{
    strcpy(name, turn->number == 0 ? "first.example" : "second.example");
}

const char *pair_call_set_host(pair_turn *turn)
{
    const seenset_queue_host_settings settings = {
        .flags = SEENSET_QUEUE_HOST_DELAY, .delay_seconds = 1 + turn->round};
    char name[16];
    host_of(turn, name);
    return seenset_queue_set_host(turn->scene->queue, name, strlen(name),
                                  &settings) == expected(turn->scene, 0)
               ? NULL
               : "set_host fails";
}

/* What this thread has set, it gets. */
const char *pair_call_get_host(pair_turn *turn)
{
    seenset_queue_host host;
    char name[16];
    host_of(turn, name);
    const char *wrong = pair_call_set_host(turn);
    if (wrong != NULL)
        return wrong;
    int answer = seenset_queue_get_host(turn->scene->queue, name, strlen(name),
                                        &host, sizeof host);
    if (answer != expected(turn->scene, 1))
        return "get_host fails";
    return answer < 0 || host.delay_seconds == 1 + turn->round
               ? NULL
               : "get_host has another delay";
}

static int count_host(void *context, const seenset_queue_host *host)
{
    uint64_t *items = context;
    *items += host->pending_items + host->leased_items;
    return 0;
}

const char *pair_call_list_hosts(pair_turn *turn)
{
    uint64_t items = 0;
    return seenset_queue_list_hosts(turn->scene->queue, 0, count_host,
                                    &items) == expected(turn->scene, 0) &&
                   items <= PAIR_URLS
               ? NULL
               : "list_hosts fails";
}
