/*
 * exact.c - the tasks of peers that keep every key and so are never wrong (hash
 * tables): add new keys to an empty table, look up keys that are in it, look up
 * keys that are not.
 */
#include "bench.h"

void exact_push(task_list *list, const exact_peer *peer, void *subject,
                workload *load)
{
    size_t count = load->news.count;
    task model = {.label = {.subject = peer->name,
                            .keys = peer->keys,
                            .items = count,
                            .batch = 1},
                  .subject = subject,
                  .keys = &load->news,
                  .load = load,
                  .operations = count,
                  .least = count,
                  .most = count};
    task *add = task_add(list, &model);
    add->label.operation = "add";
    add->label.answer = "new";
    add->prepare = peer->empty;
    add->run = peer->add;
    task *hit = task_add(list, &model);
    hit->label.operation = "has";
    hit->label.answer = "seen";
    hit->run = peer->has;
    task *miss = task_add(list, &model);
    miss->label.operation = "has";
    miss->label.answer = "never";
    miss->run = peer->has;
    miss->keys = &load->misses;
    miss->least = miss->most = 0;
}
